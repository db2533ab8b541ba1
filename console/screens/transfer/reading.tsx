import { useSignal } from '@preact/signals'
import type { Import, ImportMapping } from '../../../packages/client/src/client.ts'
import { capitalize } from '../../app/format.ts'
import { t } from '../../app/language.ts'
import { showError } from '../../ui/toasts.tsx'
import { CodePage } from './code-page.tsx'
import { Columns } from './columns.tsx'
import { map, type Reading } from './import-store.ts'
import { MenuChoice } from './menu-choice.tsx'
import { Questions } from './questions.tsx'

/** Whether the categories of a file can become sections of a menu. */
const hasCategories = ({ menu, columns }: Reading) => menu !== undefined || columns.some(({ to }) => to === 'category')

/** Kind and origin of a file, in one sentence. */
function describe({ kind, preset, encoding }: Reading): string {
  const { transfer: texts } = t()
  const presets: Readonly<Record<string, string>> = texts.presets
  const parts = [
    preset === undefined ? texts.kinds[kind] : (presets[preset] ?? texts.exportOf(capitalize(preset))),
    ...(encoding === 'utf-8' ? [] : [texts.encoding(encoding)]),
  ]
  return `${parts.join(', ')}.`
}

/** Parts that were left out or changed, in sentences. */
function Notices({ notices }: Pick<Reading, 'notices'>) {
  const { transfer: texts } = t()
  const byCode = Map.groupBy(notices, ({ code }) => code)
  return Array.from(byCode, ([code, list]) => {
    const count = list.reduce((sum, { count: each }) => sum + each, 0)
    const names = [...new Set(list.flatMap(({ column }) => column ?? []))].join(', ')
    const messages = [...new Set(list.map(({ message }) => message))].join('; ')
    return (
      <p key={code} class="hint">
        {texts.notices[code](names, count, messages)}
      </p>
    )
  })
}

/**
 * The findings about a file: its questions, the fields of its columns, and the menu. All choices are sent together. A different revision needs a
 * new element.
 */
export function ReadingPart({ current, reading }: { current: Import; reading: Reading }) {
  const { transfer: texts } = t()
  const choices = useSignal<ImportMapping>({})
  const isBusy = useSignal(false)
  const { questions, columns } = reading
  const choose = (more: ImportMapping) => {
    choices.value = { ...choices.value, ...more, columns: { ...choices.value.columns, ...more.columns } }
  }
  const canBeMapped = ['asking', 'ready', 'failed'].includes(current.state) && current.applied === 0
  const isChanged = Object.entries(choices.value).some(
    ([, value]) => Object.keys(Object(value)).length > 0 || typeof value === 'string',
  )
  const isAsking = current.state === 'asking'
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (isBusy.value) return
    isBusy.value = true
    try {
      await map(choices.value)
    } catch (error) {
      showError(error)
    }
    isBusy.value = false
  }
  return (
    <form class="form" noValidate onSubmit={submit}>
      <p class="hint">{describe(reading)}</p>
      <fieldset class="plain" disabled={!canBeMapped}>
        {columns.length > 0 && (
          <CodePage encoding={reading.encoding} choice={choices.value.encoding} onChoose={choose} />
        )}
        {isAsking && (
          <Questions
            questions={questions}
            columns={columns}
            resource={current.resource}
            choices={choices.value}
            onChoose={choose}
          />
        )}
        {columns.length > 0 && (
          <Columns columns={columns} choices={choices.value} resource={current.resource} onChoose={choose} />
        )}
        {hasCategories(reading) && <MenuChoice title={reading.menu} choice={choices.value.menu} onChoose={choose} />}
      </fieldset>
      {!isAsking && <Notices notices={reading.notices} />}
      {canBeMapped && (isChanged || isAsking) && (
        <p>
          <button
            type="submit"
            class={isAsking ? 'primary' : undefined}
            disabled={!isChanged}
            aria-disabled={isBusy.value}
          >
            {isAsking ? texts.continue : texts.checkAgain}
          </button>
        </p>
      )}
    </form>
  )
}
