import { defaultOrderType } from '../../../catalogue/resources/details/order-types.ts'
import { getPause } from '../../../platform/db/service/service-state.ts'
import { findOpeningAfterPause } from '../../../platform/lib/hours/pauses.ts'
import {
  createServiceHours,
  isMenuServed,
  isVenueOpen,
  type ServiceHours,
} from '../../../platform/lib/hours/service-hours.ts'
import { type Clock, cacheClock, createClock } from '../../../platform/lib/opening-hours.ts'
import type { QuoteData } from '../load-quote.ts'
import type { QuoteIssue } from '../quote-issues.ts'
import type { QuoteRequest } from '../quote-request.ts'

/** The issue of a time at which the venue does not serve. */
function findClosed(
  service: ServiceHours,
  clock: Clock,
  at: number,
  pausedUntil: number | undefined,
): QuoteIssue | undefined {
  if (!service.isRestricted || isVenueOpen(service, clock(at))) return undefined
  const opensAt = findOpeningAfterPause(service, clock, at, pausedUntil)
  const message = 'The venue is closed at this time.'
  return { pointer: '', code: 'closed', message, ...(opensAt !== undefined && { opensAt }) }
}

/** Issues of lines whose products stand only on menus of which none is served. */
function* findUnserved(
  { items, orderType }: Pick<QuoteRequest, 'items' | 'orderType'>,
  menus: QuoteData['servingMenus'],
  service: ServiceHours,
  local: number,
): Iterable<QuoteIssue> {
  const isOpen = new Map<string, boolean>()
  const isServed = new Map<string, boolean>()
  for (const { id, product, ...menu } of menus) {
    const isOfType = !menu.orderTypes || menu.orderTypes.includes(orderType ?? defaultOrderType)
    const isNow = isOpen.get(id) ?? (isOfType && isMenuServed(menu, service, local))
    isOpen.set(id, isNow)
    isServed.set(product, isNow || isServed.get(product) === true)
  }
  for (const [index, { product }] of items.entries())
    if (isServed.get(product) === false) {
      const message = 'No menu with the product is served at this time.'
      yield { pointer: `/items/${index}/product`, code: 'not_served_now', message }
    }
}

/** Issues of an order at a time in seconds at which the venue is closed or paused, or does not serve its products. */
export function findServiceIssues(
  request: Pick<QuoteRequest, 'items' | 'orderType'>,
  { venue, service: state, servingMenus }: Pick<QuoteData, 'venue' | 'service' | 'servingMenus'>,
  at: number,
): QuoteIssue[] {
  const service = createServiceHours(venue)
  const clock = cacheClock(createClock(venue.timezone))
  const pause = getPause(state, at)
  const closed = findClosed(service, clock, at, pause?.until)
  const message = 'The venue takes no orders at this time.'
  return [
    ...(closed ? [closed] : []),
    ...(pause
      ? [{ pointer: '', code: 'paused' as const, message, ...(pause.until !== undefined && { until: pause.until }) }]
      : []),
    // While the venue is closed, no menu is served.
    ...(closed ? [] : findUnserved(request, servingMenus, service, clock(at))),
  ]
}
