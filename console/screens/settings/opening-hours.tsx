import { t } from '../../app/language.ts'
import { weekdays } from '../../objects/hours/service-times.ts'
import { Field } from '../../ui/controls.tsx'
import { Icon } from '../../ui/icons.tsx'
import { fromClock, fromClosingClock, type Hours, toClock } from './venue-form.ts'

const initial: Hours = { days: ['mon', 'tue', 'wed', 'thu', 'fri'], opens: '0900', closes: '1800' }

/** Weekdays with their hours. */
export function OpeningHours(props: {
  hours: readonly Hours[]
  errorOf: (name: string) => string | undefined
  onChange: (hours: Hours[]) => void
}) {
  const { hours, errorOf, onChange } = props
  const { settings: texts, action } = t()
  const change = (index: number, fields: Partial<Hours>) =>
    onChange(hours.map((each, at) => (at === index ? { ...each, ...fields } : each)))
  return (
    <fieldset class="plain">
      <legend>{texts.hours}</legend>
      {hours.map((each, index) => (
        <fieldset key={String(index)} class="opening" aria-label={texts.hoursOf(index + 1)}>
          <div class="choice">
            {weekdays.map((day) => (
              <label key={day}>
                <input
                  type="checkbox"
                  checked={each.days.includes(day)}
                  onChange={({ currentTarget: { checked } }) =>
                    change(index, {
                      days: weekdays.filter((name) => (name === day ? checked : each.days.includes(name))),
                    })
                  }
                />
                {texts.days[day]}
              </label>
            ))}
          </div>
          {(['opens', 'closes'] as const).map((name) => (
            <Field
              key={name}
              label={texts[name]}
              value={toClock(each[name])}
              error={errorOf(`openingHours/${index}/${name}`)}
              input={{ type: 'time', required: true }}
              onInput={(clock) =>
                clock !== '' && change(index, { [name]: (name === 'closes' ? fromClosingClock : fromClock)(clock) })
              }
            />
          ))}
          <button
            type="button"
            class="quiet square"
            aria-label={action.removeOf(texts.hoursOf(index + 1))}
            onClick={() => onChange(hours.filter((_, at) => at !== index))}
          >
            <Icon name="trash" />
          </button>
        </fieldset>
      ))}
      <p>
        <button type="button" onClick={() => onChange([...hours, initial])}>
          <Icon name="plus" />
          {texts.addHours}
        </button>
      </p>
    </fieldset>
  )
}
