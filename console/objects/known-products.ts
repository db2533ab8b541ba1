import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Product } from '../../packages/client/src/client.ts'
import { api } from '../app/api.ts'
import { showError } from '../ui/toasts.tsx'

/** Most ids of one request. */
const maxIds = 100
const known = signal<ReadonlyMap<string, Product>>(new Map())

/** Remembers products that a request has returned. */
export const rememberProducts = (products: readonly Product[]) => {
  known.value = new Map([...known.value, ...products.map((product) => [product.id, product] as const)])
}
export const findProduct = (id: string) => known.value.get(id)
/** Title of a product; `…` until it is loaded. */
export const getProductTitle = (id: string) => known.value.get(id)?.title ?? '…'

/** Loads the products that objects refer to by their ids. */
export function useProducts(ids: readonly string[]) {
  const missing = ids.filter((id) => !known.value.has(id))
  useEffect(() => {
    if (missing.length === 0) return
    const load = async () => {
      for (let start = 0; start < missing.length; start += maxIds) {
        const page = await api()
          .products.list({ ids: missing.slice(start, start + maxIds) })
          .page()
        rememberProducts(page.items)
      }
    }
    load().catch(showError)
  }, [missing.join()])
}
