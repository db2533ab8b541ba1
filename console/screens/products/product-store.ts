import { signal } from '@preact/signals'
import { ApiError, type BatchOperation, type Product, type ProductUpdate } from '../../../packages/client/src/client.ts'
import { api } from '../../app/api.ts'
import { formatPrice } from '../../app/format.ts'
import { keep } from '../../app/kept.ts'
import { t } from '../../app/language.ts'
import { nameSet, type SetKind } from '../../objects/history/undo.ts'
import { soldOut, whenMarksRead } from '../../objects/stock/sold-out.ts'
import { createStore } from '../../objects/store.ts'
import { noteLabels, shownLabel } from './filters/label-filter.tsx'
import { listSectionItems, shownMenu } from './filters/menu-filter.tsx'
import { getModifierTitle, loadModifiers } from './offered-modifiers.ts'
import type { ProductBody } from './product-form.ts'
import { noteSizePrices, noteSizes, type SizePrices, toStoredPrices } from './size-prices.ts'

/** Maximum number of operations of one batch. */
const batchSize = 500

export const onlyHidden = keep('products hidden', false)
export const selected = signal<ReadonlySet<string>>(new Set())
export const deselect = (...ids: readonly string[]) => {
  selected.value = new Set([...selected.value].filter((id) => !ids.includes(id)))
}

export const onlySoldOut = keep('products sold out', false)

/** Ids of the products that the chosen section and the sold-out ones have in common. Undefined: all products. */
async function listWanted(): Promise<ReadonlySet<string> | undefined> {
  const inSection = await listSectionItems()
  if (!onlySoldOut.value) return inSection
  await whenMarksRead()
  const out = [...soldOut.value.keys()]
  return new Set(inSection ? out.filter((id) => inSection.has(id)) : out)
}

/** Labels of the fields, for the comparison of two versions. */
export function nameOf(field: string): string {
  const { product } = t()
  const { stock: stockQuantity, pictures: images, customTax: useCustomTaxRate } = product
  const names = new Map<string, unknown>(Object.entries({ ...product, stockQuantity, images, useCustomTaxRate }))
  return String(names.get(field) ?? field)
}

export const store = createStore<Product, ProductBody>({
  name: 'products',
  source: () => ({
    ...api().products,
    list(query, options) {
      const read = (more: { ids?: string[]; cursor?: string }) =>
        api().products.list(
          {
            ...query,
            ...(onlyHidden.value && { visible: false }),
            ...(shownLabel.value !== '' && { label: shownLabel.value }),
            ...(shownMenu.value !== '' && { menu: shownMenu.value }),
            ...more,
            include: ['version', 'details'],
          },
          options,
        )
      return {
        ...read({}),
        async page() {
          const wanted = await listWanted()
          if (wanted?.size === 0) return { items: [], cursor: undefined }
          const named = wanted && wanted.size <= query.limit ? { ids: [...wanted] } : {}
          let page = await read(named).page()
          const select = (items: readonly Product[]) => (wanted ? items.filter(({ id }) => wanted.has(id)) : items)
          // A page without wanted products is no end of the list.
          while (select(page.items).length === 0 && page.cursor !== undefined)
            page = await read({ ...named, cursor: page.cursor }).page()
          page = { ...page, items: [...select(page.items)] }
          noteLabels(page.items.map(({ details }) => details))
          noteSizes(...page.items.map(({ id, details }): [string, typeof details] => [id, details]))
          return page
        },
      }
    },
    delete(id, options) {
      deselect(id)
      return api().products.delete(id, options)
    },
  }),
  titleOf: ({ title }) => title,
  nameOf,
  async show(field, { price = 0, modifiers = [], images = [], metadata = [] }) {
    if (field === 'price') return formatPrice(price)
    if (field === 'images') return String(images.length)
    if (field === 'metadata') return String(metadata.length)
    if (field !== 'modifiers') return undefined
    await loadModifiers()
    return modifiers.map(getModifierTitle).join(', ')
  },
})

/** The rows of the selected products that are in the list. */
export const selectedRows = () => store.rows.value.filter(({ item }) => selected.value.has(item.id))

export interface Change {
  id: string
  /** The state to change. Products that somebody else has changed since are skipped. */
  etag: string
  fields: ProductUpdate
  /** Prices of its sizes. */
  sizes?: SizePrices | undefined
}
export interface UpdateResult {
  /** Entity tags of the products that were changed, by id. */
  done: ReadonlyMap<string, string>
  /** Number of skipped products, because others have changed or deleted them. */
  leftAlone: number
  /** Error of the products that were not changed. */
  error?: unknown
  /** Id of the set of these changes, by which they can be undone. Absent if nothing changed. */
  changeSet?: string | undefined
}

/** Changes many products as one change set, except those that others have changed since. Stops after the first failed batch. */
export async function updateMany(changes: readonly Change[], kind: SetKind): Promise<UpdateResult> {
  const name = nameSet(kind)
  let changeSet: string | undefined
  const done = new Map<string, string>()
  let leftAlone = 0
  let error: unknown
  for (let start = 0; start < changes.length && error === undefined; start += batchSize) {
    const part = changes.slice(start, start + batchSize)
    const operations = part.map(
      ({ id, etag, fields, sizes }): BatchOperation => ({
        op: 'update',
        resource: 'products',
        id,
        ifMatch: etag,
        body: fields,
        ...(sizes && { details: { sizes: { prices: toStoredPrices(sizes) } } }),
      }),
    )
    const sent = await api()
      .batch(operations, { mode: 'independent' }, { changeSet: name })
      .catch((failure: unknown) => ({ failure }))
    if ('failure' in sent) {
      error = sent.failure
      break
    }
    changeSet ??= sent.changeSet
    for (const { index, status, etag = '', problem } of sent.results) {
      const change = part[index]
      if (!change) continue
      if (status === 412 || status === 404) leftAlone++
      else if (problem) error = new ApiError(status, { ...problem, requestId: '' }, undefined)
      else {
        done.set(change.id, etag)
        if (change.sizes) noteSizePrices(change.id, change.sizes)
        const row = store.find(change.id)
        if (row) store.replace({ item: applyFields(row.item, change.fields), etag })
      }
      if (status === 404) deselect(change.id)
    }
  }
  if (leftAlone > 0) await store.load()
  return { done, leftAlone, error, changeSet }
}

/** The product with fields of a change that lists show. */
function applyFields(product: Product, { price, visible }: ProductUpdate): Product {
  return {
    ...product,
    ...(price === undefined ? {} : { price: Number(price) }),
    ...(visible === undefined || visible === null ? {} : { visible: visible === true || visible === 1 }),
  }
}
