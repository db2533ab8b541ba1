import { useSignal } from '@preact/signals'
import { t } from '../../app/language.ts'
import { saveFile } from '../../app/save-file.ts'
import { sendSigned, session } from '../../app/session.ts'
import { Select } from '../../ui/select.tsx'
import { showAlert, showStatus } from '../../ui/toasts.tsx'
import { csvResources, listResources, type ResourceName } from './resources.ts'

type Format = 'csv' | 'jsonl'

/** Saves an export of the mode that is shown: a link could not send the header `Mode`. */
async function download(resource: ResourceName | undefined, format: Format): Promise<void> {
  const { transfer: texts, problem } = t()
  const query = new URLSearchParams({ format, resources: resource ?? listResources('read').join() })
  try {
    const response = await sendSigned(`/merchants/${session.value?.merchant.id}/export?${query}`)
    if (!response.ok) return showAlert(problem.unavailable)
    const [, name = `export.${format}`] =
      /filename="(.+)"/.exec(response.headers.get('content-disposition') ?? '') ?? []
    saveFile(await response.blob(), name)
    showStatus(texts.downloaded(name))
  } catch {
    showAlert(problem.offline)
  }
}

/** Options of an export. */
export function ExportForm() {
  const { transfer: texts } = t()
  const resource = useSignal<ResourceName | ''>('')
  const format = useSignal<Format>('jsonl')
  const isBusy = useSignal(false)
  const chosen = resource.value === '' ? undefined : resource.value
  const isTable = chosen !== undefined && csvResources.includes(chosen)
  return (
    <form
      class="form narrow"
      onSubmit={(event) => {
        event.preventDefault()
        if (isBusy.value) return
        isBusy.value = true
        void download(chosen, isTable ? format.value : 'jsonl').finally(() => (isBusy.value = false))
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
        <button type="submit" aria-disabled={isBusy.value}>
          {texts.download}
        </button>
      </div>
    </form>
  )
}
