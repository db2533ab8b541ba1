import { type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { Deleted, List, RequestOptions, RestoreResult } from '../../packages/client/src/client.ts'
import { keep } from '../app/kept.ts'
import { searchPauseMs } from '../ui/controls.tsx'
import { showError } from '../ui/toasts.tsx'
import {
  type Changed,
  changeWithChoice,
  createChangeLog,
  createQueue,
  isConflict,
  type Row,
  withEtag,
} from './change.ts'
import { askConflict } from './conflict.tsx'
import { compareVersions, type ShowField } from './editor/compare-versions.ts'

interface PageQuery {
  limit: number
  include: ['version']
  q?: string
  cursor?: string
}
/** The operations of a resource in the client. */
export interface Source<Item, Body extends object> {
  list(query: PageQuery, options: RequestOptions): List<Item>
  retrieve(id: string, options?: RequestOptions): Promise<Item>
  create(body: Body, options?: RequestOptions): Promise<Item>
  update(id: string, fields: Partial<Body>, options?: RequestOptions): Promise<Item>
  delete(id: string, options?: RequestOptions): Promise<Deleted<Item>>
  restore(id: string, options?: RequestOptions): Promise<Item & { restored: RestoreResult }>
}

interface Definition<Item, Body extends object> {
  /** Name of the list, for what the tab keeps of it. */
  name: string
  source: () => Source<Item, Body>
  titleOf: (item: Item) => string
  /** Label of a field, for the comparison of two versions. */
  nameOf: (field: string) => string
  show?: ShowField<Partial<Body> | Item>
  /** Order of the rows. Default: that of the service, newest first. */
  compare?: (a: Item, b: Item) => number
}

/** The heading by which a list is sorted. */
export interface Order {
  by: string
  isDescending: boolean
}

export interface Store<Item, Body extends object> {
  readonly search: ReadonlySignal<string>
  /** Undefined: the order of the service. */
  readonly order: Signal<Order | undefined>
  readonly rows: Signal<readonly Row<Item>[]>
  /** Position of the next page. */
  readonly cursor: ReadonlySignal<string | undefined>
  readonly state: ReadonlySignal<'loading' | 'ready' | 'failed'>
  titleOf(item: Item): string
  setSearch(text: string): void
  /** Loads the first page. The current rows stay until it has arrived. */
  load(): Promise<void>
  loadMore(): Promise<void>
  /** Reads the rows again that the list shows, after a change by others. */
  refresh(): Promise<void>
  find(id: string): Row<Item> | undefined
  /** Shows the result of an own change of an object. */
  replace(row: Row<Item>): void
  /** Reads an object with its entity tag. */
  retrieve(id: string): Promise<Row<Item>>
  create(body: Body): Promise<Row<Item>>
  /** Changes an object. If somebody else has changed it since, the person chooses a version. Throws what the request throws. */
  update(row: Row<Item>, fields: Partial<Body>): Promise<Changed<Item>>
  /** Uploads a picture of an object, regardless of changes by others. Returns the current object. */
  upload<Sent>(
    row: Row<Item>,
    send: (options: RequestOptions) => Promise<Sent>,
  ): Promise<{ row: Row<Item>; sent: Sent }>
  remove(id: string): Promise<void>
  /** Brings back a deleted object. Returns where it stands again, and what is missing. */
  restore(id: string): Promise<RestoreResult>
}

/** Maximum number of objects of one request. */
const pageSize = 100

/** Entity tag of a listed object. `If-Match` compares the version and the time of the last change. */
export const toEtag = ({ version = 0, updatedAt }: { version?: number; updatedAt: number }) =>
  `"${version}-${updatedAt}."`

/** The objects of a resource: pages, search and changes. */
export function createStore<Item extends { id: string; version?: number; updatedAt: number }, Body extends object>({
  name,
  source,
  titleOf,
  nameOf,
  compare,
  show,
}: Definition<Item, Body>): Store<Item, Body> {
  const search = keep(`${name} search`, '')
  const rows = signal<readonly Row<Item>[]>([])
  const cursor = signal<string | undefined>(undefined)
  const state = signal<'loading' | 'ready' | 'failed'>('loading')
  let current = new AbortController()
  let isLoadingMore = false
  let searchTimer: ReturnType<typeof setTimeout> | undefined
  /** Changes of one object run in sequence, because each needs the entity tag that the previous one returned. */
  const inOrder = createQueue()
  const { follow, noteChange } = createChangeLog<Item>()

  const toRow = (item: Item): Row<Item> => ({ item, etag: toEtag(item) })
  const sort = (list: Row<Item>[]) => (compare ? list.sort((a, b) => compare(a.item, b.item)) : list)
  const readPage = async ({ signal, after }: { signal: AbortSignal; after?: string }) => {
    const q = search.value.trim()
    const query = { ...(q === '' ? {} : { q }), ...(after === undefined ? {} : { cursor: after }) }
    const list = source().list({ limit: pageSize, include: ['version'], ...query }, { signal })
    const page = await list.page()
    // A page that needed no request has not noticed that a later load has begun.
    signal.throwIfAborted()
    return page
  }
  const find = (id: string) => rows.value.find(({ item }) => item.id === id)
  const replace = (row: Row<Item>) => {
    rows.value = rows.value.map((each) => (each.item.id === row.item.id ? row : each))
  }
  const addRow = (row: Row<Item>) => {
    rows.value = sort([row, ...rows.value.filter(({ item }) => item.id !== row.item.id)])
  }
  const retrieve = async (id: string) => {
    const row = await withEtag((options) => source().retrieve(id, options))
    replace(row)
    return row
  }
  const load = async () => {
    current.abort()
    current = new AbortController()
    const { signal } = current
    isLoadingMore = false
    try {
      const page = await readPage({ signal })
      rows.value = sort(page.items.map(toRow))
      cursor.value = page.cursor
      state.value = 'ready'
    } catch (error) {
      if (signal.aborted) return
      state.value = 'failed'
      showError(error)
    }
  }
  const choose = async (fields: Partial<Body>, { item }: Row<Item>) =>
    askConflict(titleOf(item), await compareVersions(fields, item, nameOf, show))
  return {
    search,
    order: keep<Order | undefined>(`${name} order`, undefined),
    rows,
    cursor,
    state,
    titleOf,
    setSearch(text) {
      search.value = text
      clearTimeout(searchTimer)
      searchTimer = setTimeout(load, searchPauseMs)
    },
    load,
    async loadMore() {
      if (isLoadingMore || cursor.value === undefined) return
      isLoadingMore = true
      const { signal } = current
      try {
        const page = await readPage({ signal, after: cursor.value })
        const known = new Set(rows.value.map(({ item }) => item.id))
        rows.value = sort([...rows.value, ...page.items.filter(({ id }) => !known.has(id)).map(toRow)])
        cursor.value = page.cursor
      } catch (error) {
        if (!signal.aborted) showError(error)
      }
      if (!signal.aborted) isLoadingMore = false
    },
    async refresh() {
      if (state.value !== 'ready' || isLoadingMore) return
      const { signal } = current
      const wanted = Math.max(rows.value.length, pageSize)
      try {
        let page = await readPage({ signal })
        const items = [...page.items]
        while (page.cursor !== undefined && items.length < wanted) {
          page = await readPage({ signal, after: page.cursor })
          items.push(...page.items)
        }
        if (signal.aborted || isLoadingMore) return
        rows.value = sort(items.map(toRow))
        cursor.value = page.cursor
      } catch {
        // The rows stay as they are until the next change.
      }
    },
    find,
    replace(row) {
      const before = find(row.item.id)
      if (before) noteChange(before, row)
      replace(row)
    },
    retrieve,
    async create(body) {
      const row = await withEtag((options) => source().create(body, options))
      addRow(row)
      return row
    },
    update(row, fields) {
      const { id } = row.item
      return inOrder(id, async () => {
        const known = follow(row)
        const result = await changeWithChoice(
          known,
          ({ etag }) => withEtag((options) => source().update(id, fields, { ...options, ifMatch: etag })),
          () => retrieve(id),
          (theirs) => choose(fields, theirs),
        )
        noteChange(known, result.row)
        replace(result.row)
        return result
      })
    },
    upload(row, send) {
      const { id } = row.item
      return inOrder(id, async () => {
        const known = follow(row)
        try {
          const sent = await send({ ifMatch: known.etag })
          const next = await retrieve(id)
          noteChange(known, next)
          return { row: next, sent }
        } catch (error) {
          if (!isConflict(error)) throw error
          return { sent: await send({}), row: await retrieve(id) }
        }
      })
    },
    async remove(id) {
      await source().delete(id)
      rows.value = rows.value.filter(({ item }) => item.id !== id)
    },
    async restore(id) {
      const { item, etag } = await withEtag((options) => source().restore(id, options))
      addRow({ item, etag })
      return item.restored
    },
  }
}
