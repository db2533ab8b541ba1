import { daySeconds } from '../day.ts'
import {
  type Clock,
  getNextChange,
  getWeekday,
  isAllDay,
  isOpen,
  isServedOn,
  listEdges,
  listMoments,
  type OpeningHours,
  parseDay,
  parseMinute,
  type Weekday,
} from '../opening-hours.ts'

/** Hours as `HHMM`. They end on the next day if `closes` is not after `opens`, and belong to the day on which they begin. */
interface Window {
  opens: string
  closes: string
}

/** Days on which nothing is served, as `YYYY-MM-DD`, both included. */
interface Closure {
  from: string
  until: string
  title?: string | undefined
}

/** Rules of a venue for when it serves. Without rules, it serves whenever a menu is open. */
export interface ServiceRules {
  /** Whether nothing is served outside `openingHours`. */
  hoursClose: boolean
  openingHours?: readonly (Window & { days: readonly Weekday[] })[] | undefined
  closures?: readonly Closure[] | undefined
  /** Hours that replace all others of their date, also those of a closure. */
  specialHours?: readonly (Window & { date: string })[] | undefined
}

/** Days outside closures that a search for the next change looks at, from today or from the first date of a menu. */
const horizonDays = 800

interface Hours {
  from: number
  to: number
}

/** The hours of a day in minutes after midnight, or no rule. `to` is beyond 1440 for hours past midnight. */
type ServiceDay = { kind: 'unrestricted' } | { kind: 'closed' | 'hours'; hours: readonly Hours[] }

/** Hours of a window, in minutes. Stored hours that begin when they end are 24 hours. */
function toHours({ opens, closes }: Window): Hours {
  const [from, to] = [parseMinute(opens), parseMinute(closes)]
  return { from, to: to > from ? to : to + 1440 }
}

/** The rules of a venue, prepared for many days. */
export interface ServiceHours {
  /** Whether the venue has any rule. */
  isRestricted: boolean
  getDay(day: number): ServiceDay
  /** The closure of a day, unless special hours replace it. */
  getClosure(day: number): Closure | undefined
  /** The first day from `day` on that a closure does not cover. */
  skipClosed(day: number): number
}

/** Prepares rules. Days are numbers since 1970-01-01. */
export function createServiceHours(rules: ServiceRules): ServiceHours {
  const { closures = [], specialHours = [] } = rules
  const openingHours = rules.hoursClose ? (rules.openingHours ?? []) : []
  const special = Map.groupBy(specialHours, ({ date }) => parseDay(date))
  const closed = closures.map((closure) => ({ closure, from: parseDay(closure.from), until: parseDay(closure.until) }))
  const weekly = openingHours.map(({ days, ...window }) => ({ days, hours: toHours(window) }))
  const getClosure = (day: number) =>
    special.has(day) ? undefined : closed.find(({ from, until }) => from <= day && day <= until)?.closure
  return {
    skipClosed(day) {
      let next = day
      for (let closure = getClosure(next); closure; closure = getClosure(next)) {
        const last = parseDay(closure.until)
        next = Math.min(last + 1, ...[...special.keys()].filter((each) => each > next && each <= last))
      }
      return next
    },
    isRestricted: openingHours.length + closures.length + specialHours.length > 0,
    getClosure,
    getDay(day) {
      const own = special.get(day)
      if (own) return { kind: 'hours', hours: own.map(toHours) }
      if (getClosure(day)) return { kind: 'closed', hours: [] }
      if (weekly.length === 0) return { kind: 'unrestricted' }
      const weekday = getWeekday(day)
      return {
        kind: 'hours',
        hours: weekly.filter(({ days }) => days.some((each) => each === weekday)).map(({ hours }) => hours),
      }
    },
  }
}

const toDay = (local: number) => Math.floor(local / daySeconds)
const toMinute = (local: number, day: number) => Math.floor((local - day * daySeconds) / 60)

/** Whether hours of a day contain a local time. A day without a rule contains its calendar day. */
function contains(service: ServiceDay, day: number, local: number): boolean {
  const minute = toMinute(local, day)
  if (service.kind === 'unrestricted') return minute >= 0 && minute < 1440
  return service.hours.some(({ from, to }) => from <= minute && minute < to)
}

/** Whether a venue serves at a local time, as a `Clock` returns it, whatever its menus say. */
export function isVenueOpen(service: ServiceHours, local: number): boolean {
  const today = toDay(local)
  return [today, today - 1].some((day) => contains(service.getDay(day), day, local))
}

/** The day on which the hours of a menu that contain a local time began. Undefined if the menu is not open. */
function findMenuDay(menu: OpeningHours, local: number): number | undefined {
  if (!isOpen(menu, local)) return undefined
  const today = toDay(local)
  const { begin = '0000', end = '2400' } = menu
  if (isAllDay(menu) || !isServedOn(menu, today)) return isServedOn(menu, today) ? today : today - 1
  const { from, to } = toHours({ opens: begin, closes: end })
  const minute = toMinute(local, today)
  return from <= minute && minute < to ? today : today - 1
}

/**
 * Whether a menu is served at a local time: it is open, and so is the venue. Hours past midnight belong to the day on which they begin, so the end of
 * a Friday survives a closure of Saturday.
 */
export function isMenuServed(menu: OpeningHours, service: ServiceHours, local: number): boolean {
  const day = findMenuDay(menu, local)
  if (day === undefined) return false
  const own = service.getDay(day)
  if (own.kind === 'unrestricted' || contains(own, day, local)) return true
  // Hours of the day before may reach into this one. The next day only counts if this one has hours at all.
  const others = own.kind === 'closed' ? [day - 1] : [day - 1, day + 1]
  return others.some((other) => {
    const each = service.getDay(other)
    return each.kind === 'hours' && contains(each, other, local)
  })
}

/** UTC offsets are between these, in seconds. */
const offsets = { min: -12 * 3_600, max: 14 * 3_600 } as const

/** The first moment after `at`, on a day from `first` on, at which `test` holds. `edgesOf` are minutes of a day at which it may begin to hold. */
function findMoment(
  { getClosure, skipClosed }: ServiceHours,
  clock: Clock,
  at: number,
  first: number,
  edgesOf: (day: number) => Iterable<number>,
  test: (local: number) => boolean,
): number | undefined {
  let day = first
  for (let count = 0; count < horizonDays; count++, day++) {
    // Hours of the day before a closure may end on its first day.
    if (getClosure(day - 1)) day = skipClosed(day)
    const edges = [...new Set(edgesOf(day))].sort((a, b) => a - b)
    if (edges.length === 0) continue
    // A day may begin with a clock change, which is searched behind the start.
    const start = Math.max(at, day * daySeconds - offsets.max - 1)
    const horizon = (day + 1) * daySeconds - offsets.min - start
    for (const moment of listMoments(edges, clock, start, horizon)) {
      const local = clock(moment)
      if (toDay(local) === day && test(local)) return moment
    }
  }
  return undefined
}

/** Minutes of a day at which hours begin or end: its own, and those of the day before that are past midnight. */
function* listServiceEdges(service: ServiceHours, day: number): Iterable<number> {
  const [own, before] = [service.getDay(day), service.getDay(day - 1)]
  if (own.kind !== before.kind) yield 0
  if (own.kind !== 'unrestricted') for (const { from, to } of own.hours) yield* to < 1440 ? [from, to] : [from]
  if (before.kind !== 'unrestricted') for (const { to } of before.hours) if (to >= 1440) yield to - 1440
}

/** Next second at which a venue opens. Undefined if it is open at `at`, or does not open within `horizonDays`. */
export function findOpening(service: ServiceHours, clock: Clock, at: number): number | undefined {
  const local = clock(at)
  if (isVenueOpen(service, local)) return undefined
  const opens = (moment: number) => isVenueOpen(service, moment)
  return findMoment(service, clock, at, toDay(local), (day) => listServiceEdges(service, day), opens)
}

/** Next second at which a menu begins or ceases to be served. Undefined if it never does within `horizonDays`. */
export function findServiceChange(
  menu: OpeningHours,
  service: ServiceHours,
  clock: Clock,
  at: number,
): number | undefined {
  if (!service.isRestricted) return getNextChange([menu], clock, at)
  const local = clock(at)
  const isServed = isMenuServed(menu, service, local)
  const { from } = menu.dates ?? {}
  const first = Math.max(toDay(local), from === undefined || isServed ? 0 : parseDay(from))
  const menuEdges = [...listEdges(menu)]
  const canBeServed = (day: number) => isServedOn(menu, day) && service.getDay(day).kind !== 'closed'
  const edgesOf = (day: number) =>
    isServed || canBeServed(day) || canBeServed(day - 1) ? [...menuEdges, ...listServiceEdges(service, day)] : []
  return findMoment(service, clock, at, first, edgesOf, (moment) => isMenuServed(menu, service, moment) !== isServed)
}
