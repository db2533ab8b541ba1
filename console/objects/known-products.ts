import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Product } from '../../packages/client/src/client.ts'
import { api } from '../app/api.ts'
import { showError } from '../ui/toasts.tsx'

/** Maximum number of ids of one request. */
const maxIds = 100
const known = signal<ReadonlyMap<string, Product>>(new Map())

/** Remembers products that a request has returned. */
export const rememberProducts = (products: readonly Product[]) => {
  known.value = new Map([...known.value, ...products.map((product) => [product.id, product] as const)])
}
export const findProduct = (id: string) => known.value.get(id)
/** Title of a product; `…` until it is loaded. */
export const getProductTitle = (id: string) => known.value.get(id)?.title ?? '…'

const findMissing = (ids: readonly string[]) => ids.filter((id) => !known.value.has(id))

async function load(ids: readonly string[]) {
  for (let start = 0; start < ids.length; start += maxIds) {
    const page = await api()
      .products.list({ ids: ids.slice(start, start + maxIds), include: ['details'] })
      .page()
    rememberProducts(page.items)
  }
}

/** Loads the products that objects refer to by their ids. */
export function useProducts(ids: readonly string[]) {
  const missing = findMissing(ids)
  useEffect(() => {
    if (missing.length === 0) return
    load(missing).catch(showError)
  }, [missing.join()])
}

/** Loads products if necessary. Returns their titles as a list in one text. */
export async function readTitles(ids: readonly string[]): Promise<string> {
  await load(findMissing(ids))
  return ids.map(getProductTitle).join(', ')
}
