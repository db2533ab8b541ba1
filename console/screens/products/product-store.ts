import { computed, signal } from '@preact/signals'
import { ApiError, type BatchOperation, type Product, type ProductUpdate } from '../../../packages/client/src/client.ts'
import { api } from '../../app/session.ts'
import { showError } from '../../ui/toasts.tsx'

/** A product with the entity tag of the state that is shown. */
export interface Row {
  product: Product
  etag: string
}
/** Two people changed a product at the same time. */
export interface Conflict {
  mine: ProductUpdate
  theirs: Row
  decide: (choice: 'mine' | 'theirs') => void
}

/** Objects of one request. */
const pageSize = 100
/** Pause after a keystroke before the search is sent, in milliseconds. */
const searchPauseMs = 120
/** Most operations of one batch. */
const batchSize = 500

export const search = signal('')
export const onlyHidden = signal(false)
export const rows = signal<readonly Row[]>([])
export const cursor = signal<string | undefined>(undefined)
export const state = signal<'loading' | 'ready' | 'failed'>('loading')
export const selected = signal<ReadonlySet<string>>(new Set())
export const conflict = signal<Conflict | undefined>(undefined)
export const isFiltered = computed(() => search.value.trim() !== '' || onlyHidden.value)

/** `If-Match` compares the version only. */
const toRow = (product: Product): Row => ({ product, etag: `"${product.version ?? 0}-"` })

let current = new AbortController()
let isLoadingMore = false

const list = (options: { cursor?: string | undefined; signal: AbortSignal }) => {
  const q = search.value.trim()
  return api()
    .products.list(
      {
        limit: pageSize,
        include: ['version'],
        ...(q === '' ? {} : { q }),
        ...(onlyHidden.value ? { visible: false } : {}),
        ...(options.cursor === undefined ? {} : { cursor: options.cursor }),
      },
      { signal: options.signal },
    )
    .page()
}

/** Loads the first page. Rows that are shown stay until it is there. */
export async function load(): Promise<void> {
  current.abort()
  current = new AbortController()
  const { signal } = current
  isLoadingMore = false
  try {
    const page = await list({ signal })
    rows.value = page.items.map(toRow)
    cursor.value = page.cursor
    state.value = 'ready'
  } catch (error) {
    if (signal.aborted) return
    state.value = 'failed'
    showError(error)
  }
}

export async function loadMore(): Promise<void> {
  if (isLoadingMore || cursor.value === undefined) return
  isLoadingMore = true
  const { signal } = current
  try {
    const page = await list({ cursor: cursor.value, signal })
    const known = new Set(rows.value.map(({ product }) => product.id))
    rows.value = [...rows.value, ...page.items.filter(({ id }) => !known.has(id)).map(toRow)]
    cursor.value = page.cursor
  } catch (error) {
    if (!signal.aborted) showError(error)
  }
  if (!signal.aborted) isLoadingMore = false
}

let searchTimer: ReturnType<typeof setTimeout> | undefined
export function setSearch(text: string) {
  search.value = text
  clearTimeout(searchTimer)
  searchTimer = setTimeout(load, searchPauseMs)
}

export const findRow = (id: string) => rows.value.find(({ product }) => product.id === id)
const replaceRow = (row: Row) => {
  rows.value = rows.value.map((each) => (each.product.id === row.product.id ? row : each))
}
export const addRow = (row: Row) => {
  rows.value = [row, ...rows.value]
}
export const removeRow = (id: string) => {
  rows.value = rows.value.filter(({ product }) => product.id !== id)
  selected.value = new Set([...selected.value].filter((each) => each !== id))
}

/** Reads a product with its entity tag. */
export async function retrieve(id: string): Promise<Row> {
  let etag = ''
  const onResponse = ({ headers }: Response) => {
    etag = headers.get('etag') ?? ''
  }
  return { product: await api().products.retrieve(id, { onResponse }), etag }
}

export async function create(fields: Parameters<ReturnType<typeof api>['products']['create']>[0]): Promise<Row> {
  let etag = ''
  const onResponse = ({ headers }: Response) => {
    etag = headers.get('etag') ?? ''
  }
  const row = { product: await api().products.create(fields, { onResponse }), etag }
  addRow(row)
  return row
}

const choose = (mine: ProductUpdate, theirs: Row) =>
  new Promise<'mine' | 'theirs'>((resolve) => {
    conflict.value = {
      mine,
      theirs,
      decide: (choice) => {
        conflict.value = undefined
        resolve(choice)
      },
    }
  })

/** Changes of one product follow each other: each needs the entity tag that the one before returned. */
const queues = new Map<string, Promise<unknown>>()

/**
 * Changes a product. If somebody else changed it meanwhile, the person chooses. Returns the product as it is then, and whether it has
 * the changes. Throws what the request throws.
 */
export function update(row: Row, fields: ProductUpdate): Promise<{ row: Row; isMine: boolean }> {
  const { id } = row.product
  const change = async () => {
    for (let known = findRow(id) ?? row; ; ) {
      let etag = ''
      const onResponse = ({ headers }: Response) => {
        etag = headers.get('etag') ?? ''
      }
      try {
        const product = await api().products.update(id, fields, { ifMatch: known.etag, onResponse })
        const saved = { product, etag }
        replaceRow(saved)
        return { row: saved, isMine: true }
      } catch (error) {
        if (!(error instanceof ApiError && error.status === 412)) throw error
        known = await retrieve(id)
        replaceRow(known)
        if ((await choose(fields, known)) === 'theirs') return { row: known, isMine: false }
      }
    }
  }
  const result = (queues.get(id) ?? Promise.resolve()).then(change, change)
  queues.set(id, result)
  return result
}

/** Changes many products, whatever others changed meanwhile. Returns the ids that could be changed. */
export async function updateMany(changes: readonly { id: string; fields: ProductUpdate }[]): Promise<string[]> {
  const done: string[] = []
  for (let start = 0; start < changes.length; start += batchSize) {
    const part = changes.slice(start, start + batchSize)
    const operations = part.map(
      ({ id, fields }): BatchOperation => ({ op: 'update', resource: 'products', id, body: fields }),
    )
    const { results } = await api().batch(operations, { mode: 'independent' })
    for (const { index, status, etag } of results) {
      const change = part[index]
      if (!change || status >= 300) continue
      done.push(change.id)
      const row = findRow(change.id)
      if (row) replaceRow({ product: applyFields(row.product, change.fields), etag: etag ?? row.etag })
    }
  }
  return done
}

/** The product with fields of a change that lists show. */
function applyFields(product: Product, { price, visible }: ProductUpdate): Product {
  return {
    ...product,
    ...(price === undefined ? {} : { price: Number(price) }),
    ...(visible === undefined || visible === null ? {} : { visible: visible === true || visible === 1 }),
  }
}
