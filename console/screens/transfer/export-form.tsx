import { useSignal } from '@preact/signals'
import { t } from '../../app/language.ts'
import { session } from '../../app/session.ts'
import { Select } from '../../ui/select.tsx'
import { csvResources, listResources, type ResourceName } from './resources.ts'

type Format = 'csv' | 'jsonl'

/** Starts a download that the browser writes to the disk as it arrives. */
function download(resource: ResourceName | undefined, format: Format) {
  const query = new URLSearchParams({ format, resources: resource ?? listResources('read').join() })
  const link = document.createElement('a')
  link.href = `/merchants/${session.value?.merchant.id}/export?${query}`
  link.download = ''
  link.click()
}

/** What is exported, and how. */
export function ExportForm() {
  const { transfer: texts } = t()
  const resource = useSignal<ResourceName | ''>('')
  const format = useSignal<Format>('jsonl')
  const chosen = resource.value === '' ? undefined : resource.value
  const isTable = chosen !== undefined && csvResources.includes(chosen)
  return (
    <form
      class="form narrow"
      onSubmit={(event) => {
        event.preventDefault()
        download(chosen, isTable ? format.value : 'jsonl')
      }}
    >
      <p class="hint">{texts.exportHint}</p>
      <div class="buttons">
        <Select<ResourceName | ''>
          label={texts.export}
          value={resource.value}
          options={[
            ['', texts.everything],
            ...listResources('read').map((name) => [name, texts.resources[name]] as const),
          ]}
          onChange={(value) => {
            resource.value = value
          }}
        />
        {isTable && (
          <Select<Format>
            label={texts.format}
            value={format.value}
            options={[
              ['jsonl', texts.formats.jsonl],
              ['csv', texts.formats.csv],
            ]}
            onChange={(value) => {
              format.value = value
            }}
          />
        )}
        <button type="submit">{texts.download}</button>
      </div>
    </form>
  )
}
