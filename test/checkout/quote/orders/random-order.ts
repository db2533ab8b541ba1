import type { VenueCharge } from '../../../../src/catalogue/resources/venue-charges.ts'
import type { QuotedCoupon } from '../../../../src/checkout/quote/load-quote.ts'
import type { QuoteRequest } from '../../../../src/checkout/quote/quote-request.ts'
import { createBasket, type createRandom, type TestVenue } from '../lines/random-basket.ts'
import { toQuoteData } from '../lines/stored-venue.ts'

type Random = ReturnType<typeof createRandom>

/** Data of a quote at a venue with charges and a step for cash. */
export function createOrderData(
  { pick }: Random,
  venue: TestVenue,
  { coupons, charges }: { coupons: ReadonlyMap<string, QuotedCoupon>; charges: readonly VenueCharge[] },
) {
  const step = pick(venue.decimals === 0 ? [1, 5, 100] : [0.05, 0.1, 0.5, 1])[0] ?? 1
  const data = { ...toQuoteData(venue), coupons, charges: [...charges] }
  data.venue.currency = ({ 0: 'JPY', 2: 'EUR', 3: 'KWD' } as const)[venue.decimals]
  data.venue.cashRounding = step
  return { data, step }
}

/** An order with coupons, wanted charges, returned deposits and a tip, some of them without dishes. */
export function createOrder(
  random: Random,
  venue: TestVenue,
  coupons: Iterable<string>,
  charges: readonly VenueCharge[],
): QuoteRequest {
  const { chance, integer, pick, some } = random
  const returns = Array.from({ length: chance(0.3) ? integer(1, 3) : 0 }).flatMap(() =>
    pick(venue.products).map(({ id }) => ({ product: id, quantity: integer(1, 9) })),
  )
  return {
    items: returns.length > 0 && chance(0.2) ? [] : createBasket(random, venue),
    coupons: [...coupons],
    orderType: venue.orderType,
    returns,
    ...(chance(0.5) && { guests: integer(1, 8) }),
    optionalCharges: some(charges, 0.5).map(({ id }) => id),
    ...(chance(0.4) && { tip: { percent: integer(0, 2_500) / 100 } }),
  }
}
