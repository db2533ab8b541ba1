import type { Clock, OpeningHours } from '../opening-hours.ts'
import { findOpening, findServiceChange, isMenuServed, isVenueOpen, type ServiceHours } from './service-hours.ts'

/**
 * Next second at which a venue opens that is closed at `at`, not before the end of a pause. Undefined if it is open at `at`, or does not open again.
 */
export function findOpeningAfterPause(
  service: ServiceHours,
  clock: Clock,
  at: number,
  pausedUntil: number = at,
): number | undefined {
  if (pausedUntil <= at || isVenueOpen(service, clock(at))) return findOpening(service, clock, at)
  return isVenueOpen(service, clock(pausedUntil)) ? pausedUntil : findOpening(service, clock, pausedUntil)
}

/** Whether a menu is served at a time in seconds, and the next second at which that changes. A pause with an end serves nothing until then. */
export function judgeMenu(
  menu: OpeningHours,
  service: ServiceHours,
  clock: Clock,
  at: number,
  pausedUntil: number = at,
): { isServed: boolean; change: number | undefined } {
  const from = Math.max(at, pausedUntil)
  const isServed = isMenuServed(menu, service, clock(from))
  if (from > at && isServed) return { isServed: false, change: from }
  return { isServed, change: findServiceChange(menu, service, clock, from) }
}
