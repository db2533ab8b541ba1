import { signal } from '@preact/signals'
import type { ProductDetails } from '../../../packages/client/src/client.ts'
import { api } from '../../app/api.ts'
import { formatPrice } from '../../app/format.ts'
import { isConflict, withEtag } from '../../objects/change.ts'

/** Prices of a product by the ids of its sizes. */
export type SizePrices = Readonly<Record<string, number>>

/** Prices of sizes by product, as they were last read or stored here. */
const known = signal<ReadonlyMap<string, SizePrices>>(new Map())

const toPrices = ({ sizes }: ProductDetails): SizePrices =>
  Object.fromEntries(Object.entries(sizes?.prices ?? {}).map(([option, { price }]) => [option, price]))

/** Notes the sizes in the details of products. */
export function noteSizes(...products: readonly [id: string, details: ProductDetails | undefined][]): void {
  const next = new Map(known.value)
  for (const [id, details = {}] of products) {
    const prices = toPrices(details)
    if (Object.keys(prices).length > 0) next.set(id, prices)
    else next.delete(id)
  }
  known.value = next
}

/** The prices of the sizes of a product. Undefined: it has no sizes. */
export const sizePricesOf = (id: string): SizePrices | undefined => known.value.get(id)

/** The lowest and the highest price, as text. */
export function formatRange(prices: SizePrices): string {
  const all = Object.values(prices)
  const [lowest, highest] = [Math.min(...all), Math.max(...all)].map(formatPrice)
  return lowest === highest ? `${lowest}` : `${lowest} – ${highest}`
}

export const mapPrices = (prices: SizePrices, change: (price: number) => number): SizePrices =>
  Object.fromEntries(Object.entries(prices).map(([option, price]) => [option, change(price)]))

export interface SizeChange {
  id: string
  before: SizePrices
  after: SizePrices
}

const isSame = (one: SizePrices, other: SizePrices) =>
  Object.keys({ ...one, ...other }).every((option) => one[option] === other[option])

/** Stores prices of sizes, unless somebody else has changed them. Returns whether they are stored. */
async function storePrices({ id, before, after }: SizeChange): Promise<boolean> {
  const { item, etag } = await withEtag((options) => api().products.details(id, options))
  noteSizes([id, item])
  if (!isSame(toPrices(item), before)) return false
  const prices = Object.fromEntries(Object.entries(after).map(([option, price]) => [option, { price }]))
  try {
    noteSizes([id, await api().products.updateDetails(id, { sizes: { prices } }, { ifMatch: etag })])
    return true
  } catch (error) {
    if (isConflict(error)) return false
    throw error
  }
}

/** Stores prices of sizes of many products, one after the other. Stops after the first error. */
export async function storeSizePrices(changes: readonly SizeChange[]) {
  const done = new Set<string>()
  let error: unknown
  for (const change of changes) {
    try {
      if (await storePrices(change)) done.add(change.id)
    } catch (failure) {
      error = failure
      break
    }
  }
  return { done, error }
}
