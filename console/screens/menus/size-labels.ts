import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api } from '../../app/api.ts'
import { hasScope } from '../../app/session.ts'
import { findProduct } from '../../objects/known-products.ts'
import { showError } from '../../ui/toasts.tsx'

/** Maximum number of ids of one request. */
const maxIds = 100
/** The sizes of products by the id of their modifier: ids and labels, in order. */
const known = signal<ReadonlyMap<string, readonly { id: string; label?: string }[]>>(new Map())

const findSizes = (product: string) => findProduct(product)?.details?.sizes

/** The sizes of a product with their prices, in the order of their modifier. Empty: it has no sizes, or they are not loaded. */
export function listSizes(product: string) {
  const sizes = findSizes(product)
  const options = (sizes && known.value.get(sizes.modifier)) ?? []
  return options.flatMap(({ id, label = '' }) => {
    const price = sizes?.prices[id]?.price
    return price === undefined ? [] : [{ id, label, price }]
  })
}

/** Loads the labels of the sizes of products. */
export function useSizes(products: readonly string[]) {
  const wanted = new Set(products.flatMap((product) => findSizes(product)?.modifier ?? []))
  const missing = [...wanted].filter((id) => !known.value.has(id))
  useEffect(() => {
    if (missing.length === 0 || !hasScope('modifiers:read')) return
    const load = async () => {
      for (let start = 0; start < missing.length; start += maxIds) {
        const page = await api()
          .modifiers.list({ ids: missing.slice(start, start + maxIds) })
          .page()
        known.value = new Map([...known.value, ...page.items.map(({ id, options }) => [id, options] as const)])
      }
    }
    load().catch(showError)
  }, [missing.join()])
}
