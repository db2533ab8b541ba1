import type { ComponentChildren } from 'preact'
import type { Merchant } from '../../../packages/client/src/client.ts'
import { t } from '../../app/language.ts'
import { Field } from '../../ui/controls.tsx'
import { Icon } from '../../ui/icons.tsx'
import { fromClock, fromClosingClock, toClock } from './venue-form.ts'

type Closure = NonNullable<Merchant['closures']>[number]
type SpecialHours = NonNullable<Merchant['specialHours']>[number]

/** A list whose entries can be added and removed. `nameOf` names an entry by its number, from 1 on. */
function EntryList<Entry>(props: {
  legend: string
  hint: string
  entries: readonly Entry[]
  initial: Entry
  addText: string
  nameOf: (number: number) => string
  onChange: (entries: Entry[]) => void
  render: (entry: Entry, index: number, change: (fields: Partial<Entry>) => void) => ComponentChildren
}) {
  const { entries, nameOf, onChange } = props
  return (
    <fieldset class="plain">
      <legend>{props.legend}</legend>
      <p class="hint">{props.hint}</p>
      {entries.map((entry, index) => {
        const name = nameOf(index + 1)
        const change = (fields: Partial<Entry>) => onChange(entries.toSpliced(index, 1, { ...entry, ...fields }))
        return (
          <fieldset key={String(index)} class="opening" aria-label={name}>
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
      <p>
        <button type="button" onClick={() => onChange([...entries, props.initial])}>
          <Icon name="plus" />
          {props.addText}
        </button>
      </p>
    </fieldset>
  )
}

interface ListProps<Entry> {
  entries: readonly Entry[]
  errorOf: (name: string) => string | undefined
  onChange: (entries: Entry[]) => void
}

/** Days on which the venue is closed, with the reason that guests see. */
export function Closures({ entries, errorOf, onChange }: ListProps<Closure>) {
  const { settings: texts } = t()
  const date = { type: 'date', required: true } as const
  return (
    <EntryList<Closure>
      legend={texts.closures}
      hint={texts.closuresHint}
      entries={entries}
      initial={{ from: '', until: '', title: '' }}
      addText={texts.addClosure}
      nameOf={texts.closureOf}
      onChange={onChange}
      render={({ from, until, title = '' }, index, change) => (
        <>
          <div class="pair whole">
            <Field
              label={texts.firstDay}
              value={from}
              error={errorOf(`closures/${index}/from`)}
              input={date}
              // A single day is the usual case.
              onInput={(day) => change({ from: day, ...(until === '' || until === from ? { until: day } : {}) })}
            />
            <Field
              label={texts.lastDay}
              value={until}
              error={errorOf(`closures/${index}/until`)}
              input={{ ...date, min: from }}
              onInput={(day) => change({ until: day })}
            />
          </div>
          <div class="two">
            <Field
              label={texts.reason}
              value={title}
              error={errorOf(`closures/${index}/title`)}
              input={{ maxLength: 255 }}
              onInput={(text) => change({ title: text })}
            />
          </div>
        </>
      )}
    />
  )
}

/** Hours of single days, which replace all others. */
export function SpecialHoursList({ entries, errorOf, onChange }: ListProps<SpecialHours>) {
  const { settings: texts } = t()
  const time = { type: 'time', required: true } as const
  return (
    <EntryList<SpecialHours>
      legend={texts.specialHours}
      hint={texts.specialHoursHint}
      entries={entries}
      initial={{ date: '', opens: '0900', closes: '1800' }}
      addText={texts.addSpecialHours}
      nameOf={texts.specialHoursOf}
      onChange={onChange}
      render={({ date, opens, closes }, index, change) => (
        <>
          <div class="whole">
            <Field
              label={texts.day}
              value={date}
              error={errorOf(`specialHours/${index}/date`)}
              input={{ type: 'date', required: true }}
              onInput={(day) => change({ date: day })}
            />
          </div>
          <Field
            label={texts.opens}
            value={toClock(opens)}
            error={errorOf(`specialHours/${index}/opens`)}
            input={time}
            onInput={(clock) => clock !== '' && change({ opens: fromClock(clock) })}
          />
          <Field
            label={texts.closes}
            value={toClock(closes)}
            error={errorOf(`specialHours/${index}/closes`)}
            input={time}
            onInput={(clock) => clock !== '' && change({ closes: fromClosingClock(clock) })}
          />
        </>
      )}
    />
  )
}
