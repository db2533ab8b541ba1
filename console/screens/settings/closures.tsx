import type { Merchant } from '../../../packages/client/src/client.ts'
import { t } from '../../app/language.ts'
import { Field } from '../../ui/controls.tsx'
import { EntryList } from './entry-list.tsx'
import { fromClock, fromClosingClock, toClock } from './venue-form.ts'

type Closure = NonNullable<Merchant['closures']>[number]
type SpecialHours = NonNullable<Merchant['specialHours']>[number]

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
