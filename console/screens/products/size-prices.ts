import { signal } from '@preact/signals'
import type { ProductDetails } from '../../../packages/client/src/client.ts'
import { api } from '../../app/api.ts'
import { formatPrice } from '../../app/format.ts'

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

/** Prices of sizes, as details store them. */
export const toStoredPrices = (prices: SizePrices) =>
  Object.fromEntries(Object.entries(prices).map(([option, price]) => [option, { price }]))

/** Notes prices of sizes that are stored. */
export function noteSizePrices(id: string, prices: SizePrices): void {
  known.value = new Map(known.value).set(id, prices)
}

const isSame = (one: SizePrices, other: SizePrices) =>
  Object.keys({ ...one, ...other }).every((option) => one[option] === other[option])

/** Maximum number of objects of one request. */
const pageSize = 100

/** Reads the sizes of products again. Returns the products of which somebody else has changed or deleted them. */
export async function findChangedSizes(ids: readonly string[]): Promise<ReadonlySet<string>> {
  const before = new Map(ids.map((id) => [id, sizePricesOf(id)]))
  const changed = new Set(ids)
  for (let start = 0; start < ids.length; start += pageSize) {
    const query = { ids: ids.slice(start, start + pageSize), limit: pageSize, include: ['details' as const] }
    for await (const { id, details } of api().products.list(query)) {
      const prices = before.get(id)
      if (prices && isSame(prices, toPrices(details ?? {}))) changed.delete(id)
      noteSizes([id, details])
    }
  }
  return changed
}
