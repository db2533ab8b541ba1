import type { ComponentChildren } from 'preact'
import { t } from '../../app/language.ts'
import { Icon } from '../../ui/icons.tsx'

/** A list whose entries can be added and removed. `nameOf` names an entry by its number, from 1 on. */
export function EntryList<Entry>(props: {
  legend: string
  hint: string
  entries: readonly Entry[]
  initial: Entry
  addText: string
  nameOf: (number: number) => string
  /** Class of the element of an entry. Default: a row with the button at its end. */
  kind?: 'opening' | 'group'
  maximum?: number
  onChange: (entries: Entry[]) => void
  render: (entry: Entry, index: number, change: (fields: Partial<Entry>) => void) => ComponentChildren
}) {
  const { entries, nameOf, onChange, kind = 'opening', maximum = Number.POSITIVE_INFINITY } = props
  return (
    <fieldset class="plain">
      <legend>{props.legend}</legend>
      <p class="hint">{props.hint}</p>
      {entries.map((entry, index) => {
        const name = nameOf(index + 1)
        const change = (fields: Partial<Entry>) => onChange(entries.toSpliced(index, 1, { ...entry, ...fields }))
        return (
          <fieldset key={String(index)} class={kind} aria-label={name}>
            {props.render(entry, index, change)}
            <button
              type="button"
              class="quiet square"
              aria-label={t().action.removeOf(name)}
              onClick={() => onChange(entries.toSpliced(index, 1))}
            >
              <Icon name="trash" />
            </button>
          </fieldset>
        )
      })}
      {entries.length < maximum && (
        <p>
          <button type="button" onClick={() => onChange([...entries, props.initial])}>
            <Icon name="plus" />
            {props.addText}
          </button>
        </p>
      )}
    </fieldset>
  )
}
