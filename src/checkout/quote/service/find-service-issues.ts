import {
  createServiceHours,
  findOpening,
  isVenueOpen,
  type ServiceRules,
} from '../../../platform/lib/hours/service-hours.ts'
import { cacheClock, createClock } from '../../../platform/lib/opening-hours.ts'
import type { QuoteIssue } from '../quote-issues.ts'

/** Issues of an order at a time in seconds at which the venue does not serve. */
export function findServiceIssues(timezone: string, rules: ServiceRules, at: number): QuoteIssue[] {
  const service = createServiceHours(rules)
  if (!service.isRestricted) return []
  const clock = cacheClock(createClock(timezone))
  if (isVenueOpen(service, clock(at))) return []
  const opensAt = findOpening(service, clock, at)
  const message = 'The venue is closed at this time.'
  return [{ pointer: '', code: 'closed', message, ...(opensAt !== undefined && { opensAt }) }]
}
