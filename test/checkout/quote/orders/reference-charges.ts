import type { VenueCharge } from '../../../../src/catalogue/resources/venue-charges.ts'
import type { ChargeRules } from '../../../../src/checkout/quote/charges/charges.ts'
import type { QuoteRequest } from '../../../../src/checkout/quote/quote-request.ts'
import type { createRandom, TestVenue } from '../lines/random-basket.ts'

type Random = ReturnType<typeof createRandom>

/** Up to five random charges. */
export const createCharges = ({ chance, integer, amount, some }: Random): VenueCharge[] =>
  Array.from({ length: chance(0.7) ? integer(1, 5) : 0 }, (_, index) => {
    const isPercentage = chance(0.5)
    const types = some(['dine_in', 'takeaway', 'delivery'] as const, 0.7)
    return {
      id: `charge${index}`,
      title: `Charge ${index}`,
      kind: 'other',
      type: isPercentage ? 'PERCENTAGE' : 'FIXED',
      value: isPercentage ? integer(0, 10_000) / 100 : amount(0, 9),
      per: !isPercentage && chance(0.5) ? 'item' : 'order',
      ...(chance(0.4) && types.length > 0 && { orderTypes: types }),
      ...(chance(0.3) && { minGuests: integer(1, 6) }),
      taxable: chance(0.8),
      ...(chance(0.3) && { taxRate: [0, 7, 25.5, 100][integer(0, 3)] ?? 0 }),
      optional: chance(0.4),
    }
  })

const exact = (value: number) => BigInt(value.toFixed(4).replace('.', ''))

/** Charges of an order, from the contract: which of a list apply, and their amounts in minor units. */
export function chargesOf(
  venue: TestVenue,
  { items, guests, optionalCharges, orderType }: QuoteRequest,
  charges: readonly VenueCharge[],
): { ids: string[]; rules: ChargeRules } {
  let units = 0
  for (const { product, quantity } of items) {
    const known = venue.products.find(({ id }) => id === product)
    if (known) units += known.isByWeight ? 1 : quantity
  }
  const applied = charges.filter((charge) => {
    const isOfType = !charge.orderTypes || charge.orderTypes.some((type) => type === orderType)
    const isWanted = !charge.optional || optionalCharges?.some((id) => id === charge.id)
    return items.length > 0 && isOfType && isWanted && !((guests ?? 1) < (charge.minGuests ?? 1))
  })
  const unit = 10n ** BigInt(4 - venue.decimals)
  const { takeaway, delivery } = venue.typeRates
  const byType = { dine_in: undefined, takeaway, delivery: delivery ?? takeaway }[orderType ?? 'dine_in']
  return {
    ids: applied.map(({ id }) => id),
    rules: {
      taxRate: exact(byType ?? venue.rate),
      charges: applied.map(({ type, value, per, taxable, taxRate }) => {
        const amount = exact(value) * (per === 'item' ? BigInt(units) : 1n)
        const rate = taxRate === undefined ? undefined : exact(taxRate)
        return {
          type,
          value: type === 'FIXED' ? (amount + unit / 2n) / unit : amount,
          taxRate: taxable ? rate : 0n,
        }
      }),
    },
  }
}
