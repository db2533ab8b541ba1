import { signal } from '@preact/signals'
import type { BatchOperation, Product, ProductUpdate } from '../../../packages/client/src/client.ts'
import { api } from '../../app/api.ts'
import { formatPrice } from '../../app/format.ts'
import { t } from '../../app/language.ts'
import { createStore, showValue } from '../../objects/store.ts'
import type { ProductBody } from './product-form.ts'

/** Most operations of one batch. */
const batchSize = 500

export const onlyHidden = signal(false)
export const selected = signal<ReadonlySet<string>>(new Set())

/** Labels of the fields, for the comparison of two versions. */
export function nameOf(field: string): string {
  const { product } = t()
  const { stock: stockQuantity, pictures: images, customTax: useCustomTaxRate } = product
  const names = new Map<string, unknown>(Object.entries({ ...product, stockQuantity, images, useCustomTaxRate }))
  return String(names.get(field) ?? field)
}

export const store = createStore<Product, ProductBody>({
  source: () => ({
    ...api().products,
    list: (query, options) =>
      api().products.list({ ...query, ...(onlyHidden.value ? { visible: false } : {}) }, options),
    delete(id, options) {
      selected.value = new Set([...selected.value].filter((each) => each !== id))
      return api().products.delete(id, options)
    },
  }),
  titleOf: ({ title }) => title,
  nameOf,
  show: (field, value) => {
    if (field === 'price') return formatPrice(Number(value))
    return Array.isArray(value) ? String(value.length) : showValue(value, nameOf)
  },
})

/** The rows of the selected products that are in the list. */
export const selectedRows = () => store.rows.value.filter(({ item }) => selected.value.has(item.id))

export interface Change {
  id: string
  fields: ProductUpdate
}
/** The ids that could be changed, and why the other batches were not sent. */
interface UpdateResult {
  done: ReadonlySet<string>
  error?: unknown
}

/** Changes many products, whatever others changed meanwhile. The first batch that fails is the last. */
export async function updateMany(changes: readonly Change[]): Promise<UpdateResult> {
  const done = new Set<string>()
  for (let start = 0; start < changes.length; start += batchSize) {
    const part = changes.slice(start, start + batchSize)
    const operations = part.map(
      ({ id, fields }): BatchOperation => ({ op: 'update', resource: 'products', id, body: fields }),
    )
    const sent = await api()
      .batch(operations, { mode: 'independent' })
      .catch((error: unknown) => ({ error }))
    if ('error' in sent) return { done, error: sent.error }
    for (const { index, status, etag } of sent.results) {
      const change = part[index]
      if (!change || status >= 300) continue
      done.add(change.id)
      const row = store.find(change.id)
      if (row) store.replace({ item: applyFields(row.item, change.fields), etag: etag ?? row.etag })
    }
  }
  return { done }
}

/** The product with fields of a change that lists show. */
function applyFields(product: Product, { price, visible }: ProductUpdate): Product {
  return {
    ...product,
    ...(price === undefined ? {} : { price: Number(price) }),
    ...(visible === undefined || visible === null ? {} : { visible: visible === true || visible === 1 }),
  }
}
