import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import type { ImportOptions } from '../../../packages/client/src/client.ts'
import { t } from '../../app/language.ts'
import { Check } from '../../ui/controls.tsx'
import { Select } from '../../ui/select.tsx'
import { showError } from '../../ui/toasts.tsx'
import { ImportProgress } from './import-progress.tsx'
import { check, current, forget, isRunning } from './import-store.ts'
import { csvResources, listResources, type ResourceName } from './resources.ts'

type Match = NonNullable<ImportOptions['match']>
const isTable = (file: File | undefined) => file !== undefined && /\.(?:csv|tsv|txt|xlsx)$/i.test(file.name)

/** Chooses a file and how its rows are read. */
export function ImportForm() {
  const { transfer: texts } = t()
  const id = useId()
  const file = useSignal<File | undefined>(undefined)
  const resource = useSignal<ResourceName | ''>('')
  const match = useSignal<Match>('auto')
  const deletesMissing = useSignal(false)
  const isMissing = useSignal(false)
  const isBusy = useSignal(false)
  /** The sheets of the file if it has several, and the one to read. */
  const sheets = useSignal<readonly string[]>([])
  const sheet = useSignal<string | undefined>(undefined)
  const all = listResources('write')
  const named = isTable(file.value) ? all.filter((name) => csvResources.includes(name)) : all
  const choose = (chosen: File | undefined) => {
    if (!chosen) return
    file.value = chosen
    sheets.value = []
    sheet.value = undefined
    isMissing.value = false
    const guess = named.find((name) => chosen.name.toLowerCase().includes(name))
    resource.value = guess ?? ''
  }
  // Only products have a SKU, and it cannot show which objects are missing.
  const matches =
    resource.value === 'products'
      ? (['auto', 'externalId', 'id', 'sku'] as const)
      : (['auto', 'externalId', 'id'] as const)
  const chosenMatch = matches.find((each) => each === match.value) ?? 'auto'
  const mayDelete = chosenMatch !== 'sku'
  const isUnderWay = isBusy.value || (current.value !== undefined && isRunning(current.value))
  const read = async () => {
    if (isUnderWay) return
    if (!file.value) {
      isMissing.value = true
      return
    }
    isBusy.value = true
    const { value: wanted } = sheet
    try {
      const options = {
        match: chosenMatch,
        sheet: wanted,
        ...(mayDelete && deletesMissing.value ? { delete: 'missing' as const } : {}),
      }
      await check(resource.value === '' ? undefined : resource.value, file.value, options)
      sheets.value = current.value?.reading?.sheets ?? []
    } catch (error) {
      showError(error)
    }
    isBusy.value = false
    // Another sheet was chosen during the request.
    if (sheet.value !== wanted) await read()
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    // Enter in a field also submits. The fields are disabled during the request.
    event.submitter?.focus()
    return read()
  }
  return (
    <>
      <form class="form narrow" noValidate onSubmit={submit} onChange={forget}>
        <fieldset class="plain" disabled={isUnderWay}>
          <p class="hint">{texts.importHint}</p>
          <div class={isMissing.value ? 'field invalid drop' : 'field drop'}>
            <label for={id}>{texts.file}</label>
            <input
              id={id}
              type="file"
              accept=".csv,.tsv,.txt,.xlsx,.jsonl,.ndjson,.json,text/csv,application/json,application/jsonl"
              aria-describedby={`${id}-hint`}
              aria-invalid={isMissing.value ? true : undefined}
              onChange={({ currentTarget }) => choose(currentTarget.files?.[0])}
            />
            <p id={`${id}-hint`} class={isMissing.value ? 'error' : 'hint'}>
              {isMissing.value ? texts.noFile : (file.value?.name ?? texts.fileHint)}
            </p>
          </div>
          <div class="pair">
            <Select<ResourceName | ''>
              label={texts.resource}
              value={resource.value}
              options={[['', texts.asFile] as const, ...named.map((name) => [name, texts.resources[name]] as const)]}
              onChange={(value) => {
                resource.value = value
              }}
            />
            <Select<Match>
              label={texts.match}
              value={chosenMatch}
              options={matches.map((name) => [name, texts.matches[name]] as const)}
              onChange={(value) => {
                match.value = value
              }}
            />
          </div>
          {mayDelete && (
            <Check
              label={texts.deleteMissing}
              isOn={deletesMissing.value}
              onChange={(isOn) => {
                deletesMissing.value = isOn
              }}
            />
          )}
        </fieldset>
        {sheets.value.length > 0 && (
          <Select
            label={texts.sheet}
            value={sheet.value ?? sheets.value[0] ?? ''}
            options={sheets.value.map((name) => [name, name] as const)}
            onChange={(name) => {
              sheet.value = name
              void read()
            }}
          />
        )}
        <p>
          <button type="submit" class="primary" aria-disabled={isUnderWay}>
            {texts.check}
          </button>
        </p>
      </form>
      {current.value && <ImportProgress current={current.value} />}
    </>
  )
}
