import { getNextService, isServing, type ServiceHours } from '../../../platform/lib/hours/service-hours.ts'
import { cacheClock, createClock } from '../../../platform/lib/opening-hours.ts'
import type { QuoteIssue } from '../quote-issues.ts'

/** Issues of an order at a time in seconds at which the venue does not serve. */
export function findServiceIssues(timezone: string, hours: ServiceHours, at: number): QuoteIssue[] {
  const isLimited = hours.hoursClose && hours.openingHours && hours.openingHours.length > 0
  if (!isLimited && !hours.closures?.length && !hours.specialHours?.length) return []
  const clock = cacheClock(createClock(timezone))
  if (isServing(hours, clock, at)) return []
  const opensAt = getNextService(hours, clock, at)
  const message = 'The venue is closed at this time.'
  return [{ pointer: '', code: 'closed', message, ...(opensAt !== undefined && { opensAt }) }]
}
