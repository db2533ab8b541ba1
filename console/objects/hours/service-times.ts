import { locale } from '../../app/language.ts'

export const orderTypes = ['dine_in', 'takeaway', 'delivery'] as const
export type OrderType = (typeof orderTypes)[number]

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Weekday = (typeof weekdays)[number]

/** Short name of a weekday. The fifth of January 1970 was a Monday. */
export const formatWeekday = (day: Weekday) =>
  new Intl.DateTimeFormat(locale.value, { weekday: 'short', timeZone: 'UTC' }).format(
    Date.UTC(1970, 0, 5 + weekdays.indexOf(day)),
  )

/** The chosen elements of a list in its order, as a field of a request: null if all are chosen. */
export const toChosen = <Element>(all: readonly Element[], chosen: readonly Element[]): Element[] | null =>
  chosen.length === all.length ? null : all.filter((each) => chosen.includes(each))

/** The text of a field for times. The end of a day is the start of the next day. */
export const toTimeField = (text = '') => (text === '2400' ? '00:00' : text.replace(/^(\d\d)(\d\d)$/, '$1:$2'))
export const fromBeginField = (text: string) => text.replace(':', '')
export const fromEndField = (text: string) => (text === '00:00' ? '2400' : fromBeginField(text))
