import * as z from 'zod/mini'
import { weekdaySet } from '../../platform/http/fields/weekdays.ts'
import * as field from '../../platform/http/fields.ts'
import { weekdays } from '../../platform/lib/opening-hours.ts'

const { limits } = field

const opens = field.beginTime.check(z.describe('Time when the venue opens: `HHMM`, `0000` to `2359`.'))
const closes = field.endTime.check(
  z.describe('Time when the venue closes: `HHMM`, up to `2400`. A time before `opens` is on the next day.'),
)
/** Hours that begin and end at the same time can mean all day or never. */
const haveLength = field.rules((hours: { opens: string; closes: string }) =>
  hours.opens === hours.closes ? { code: 'conflict', message: 'closes must differ from opens' } : undefined,
)

/** Fields of a merchant for when the venue serves. */
export const hoursFields = {
  openingHours: z
    .nullish(
      field.list(
        z
          .strictObject({
            days: weekdaySet.check(z.describe('Weekdays with these hours.')),
            opens,
            closes,
          })
          .check(haveLength),
        limits.openingHours,
      ),
    )
    .check(
      z.describe(
        'Opening hours, by the clock of the venue. Shown to guests. With `hoursClose`, quotes are not orderable outside them.',
      ),
    ),
  hoursClose: z
    .nullish(field.boolean)
    .check(
      z.describe(
        'Whether quotes have the issue `closed` outside `openingHours`. Default: `true`; `false` for merchants from before this field.',
      ),
    ),
  closures: z
    .nullish(
      field.list(
        z
          .strictObject({
            from: field.date.check(z.describe('First day, by the clock of the venue.')),
            until: field.date.check(z.describe('Last day, included.')),
            title: z.nullish(field.label).check(z.describe('Reason for guests.')),
          })
          .check(
            field.rules(({ from, until }) =>
              until < from ? { code: 'conflict', message: 'until must not be before from' } : undefined,
            ),
          ),
        limits.closures,
      ),
    )
    .check(
      z.describe(
        'Days on which the venue is closed. Hours past midnight belong to the day on which they begin. Replaces all closures.',
      ),
    ),
  specialHours: z
    .nullish(
      field.list(
        z
          .strictObject({
            date: field.date.check(z.describe('Day on which the hours begin, by the clock of the venue.')),
            opens,
            closes,
          })
          .check(haveLength),
        limits.specialHours,
      ),
    )
    .check(
      z.describe(
        'Hours of single days. They replace closures and `openingHours` of these days. Several hours of a day are allowed. Replaces all special hours.',
      ),
    ),
}

const optionalText = z.optional(z.string())

/** Fields for when the venue serves, as stored and shown. */
export const hoursView = {
  openingHours: z.optional(
    z.array(z.object({ days: z.array(z.enum(weekdays)), opens: z.string(), closes: z.string() })),
  ),
  hoursClose: z.boolean(),
  closures: z.optional(z.array(z.object({ from: z.string(), until: z.string(), title: optionalText }))),
  specialHours: z.optional(z.array(z.object({ date: z.string(), opens: z.string(), closes: z.string() }))),
}
