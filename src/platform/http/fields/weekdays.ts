import * as z from 'zod/mini'
import { weekdays } from '../../lib/opening-hours.ts'
import { rules, set } from './types.ts'

/** Days of the week, at least one. */
export const weekdaySet = set(z.enum(weekdays), weekdays.length).check(
  rules((days) => (days.length > 0 ? undefined : { code: 'too_short', message: 'must have a day' })),
)
