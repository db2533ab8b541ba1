import { useSignal } from '@preact/signals'
import { t } from '../../app/language.ts'
import { readFieldErrors } from '../../app/problems.ts'
import { offerUndo } from '../../objects/history/undo.ts'
import { Field } from '../../ui/controls.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { showError, showStatus } from '../../ui/toasts.tsx'
import { getLabel, toMetadata } from './table-label.ts'
import { allTables, areas, load, makeTables } from './table-store.ts'

/** Maximum number of tables that are created together: the operations of one batch. */
const maxTables = 500
const areaList = 'areas'

/** Number of tables that the dialog suggests. */
const suggested = 10
/** The highest number of tables with a name, in any area. */
const findHighest = (name: string) =>
  allTables.value.reduce((highest, { tag }) => {
    const label = getLabel(tag)
    return Math.max(highest, label.startsWith(`${name} `) ? Number(label.slice(name.length)) || 0 : 0)
  }, 0)

/** Creates tables with consecutive numbers. */
export function MakeDialog({ onClose }: { onClose: () => void }) {
  const { tables: texts, issue } = t()
  const highest = findHighest(texts.label)
  const form = useSignal({
    name: texts.label,
    from: String(highest + 1),
    to: String(highest + suggested),
    area: '',
  })
  const errors = useSignal<ReadonlyMap<string, string>>(new Map())
  const { name, from, to, area } = form.value
  const numbers = () => {
    const [first, last] = [Number(from), Number(to)]
    const isRange = /^\d{1,6}$/.test(from.trim()) && /^\d{1,6}$/.test(to.trim()) && first <= last
    if (!isRange || last - first >= maxTables) return undefined
    return Array.from({ length: last - first + 1 }, (_, index) => first + index)
  }
  const range = numbers()
  const known = new Set(
    allTables.value.filter((table) => table.area === area.trim()).map((table) => getLabel(table.tag).toLowerCase()),
  )
  const wanted = (range ?? []).map((number) => ({ metadata: toMetadata(name.trim(), number, area.trim()) }))
  const labelOf = ({ metadata }: (typeof wanted)[number]) => getLabel({ metadata, alias: [], id: '' })
  const bodies = wanted.filter((body) => !known.has(labelOf(body).toLowerCase()))
  const [first, last] = [bodies[0], bodies.at(-1)]

  const submit = async () => {
    if (name.trim() === '') errors.value = new Map([['name', issue.required]])
    else if (!range) errors.value = new Map([['from', texts.range(maxTables)]])
    else if (bodies.length === 0) errors.value = new Map([['from', texts.allExist]])
    if (errors.value.size > 0) return
    try {
      const { count, changeSet } = await makeTables(bodies)
      onClose()
      showStatus(texts.made(count), offerUndo(changeSet, load))
    } catch (error) {
      if (readFieldErrors(error).size > 0) errors.value = new Map([['name', issue.invalid_value]])
      showError(error)
    }
  }
  const text = (field: keyof typeof form.value, label: string, more: object = {}, hint?: string) => (
    <Field
      label={label}
      value={form.value[field]}
      error={errors.value.get(field)}
      hint={hint}
      input={more}
      onInput={(typed) => {
        form.value = { ...form.value, [field]: typed }
        errors.value = new Map()
      }}
    />
  )
  return (
    <FormDialog title={texts.make} submit={texts.submit} onSubmit={submit} onClose={onClose}>
      {text('name', texts.name, { maxLength: 64 }, texts.nameHint)}
      <div class="pair">
        {text('from', texts.from, { inputMode: 'numeric' })}
        {text('to', texts.to, { inputMode: 'numeric' })}
      </div>
      {text('area', texts.area, { list: areaList, maxLength: 255 }, texts.areaHint)}
      <datalist id={areaList}>
        {areas.value.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
      <p class="hint" aria-live="polite">
        {first && last && texts.preview(bodies.length, labelOf(first), labelOf(last))}
        {bodies.length < wanted.length && ` ${texts.existing(wanted.length - bodies.length)}`}
      </p>
    </FormDialog>
  )
}
