import { signal } from '@preact/signals'
import type { Availability } from '../../../packages/client/src/client.ts'
import { api } from '../../app/api.ts'
import { t } from '../../app/language.ts'
import { searchPauseMs } from '../../ui/controls.tsx'
import { clearAlerts, showError, showStatus } from '../../ui/toasts.tsx'

export interface Entry {
  id: string
  title: string
}
export type Until = 'tomorrow' | 'further_notice'

const pageSize = 100
/** Most sold-out products that are read. */
const maxSoldOut = 1_000

export const search = signal('')
export const entries = signal<readonly Entry[]>([])
export const cursor = signal<string | undefined>(undefined)
/** The availability of the products that are sold out, by id. */
export const soldOut = signal<ReadonlyMap<string, Availability>>(new Map())
export const state = signal<'loading' | 'ready' | 'failed'>('loading')

let current = new AbortController()
/** The search whose results are shown. */
let foundFor = ''
/** Marks that were set since the last load began: its response may be older. */
let recent = new Map<string, Availability | undefined>()

async function readSoldOut(signal: AbortSignal) {
  const found: (Entry & { mark: Availability })[] = []
  for await (const { product, title, soldOut, until } of api().stock.list({ limit: 100 }, { signal })) {
    found.push({ id: product, title, mark: { soldOut, ...(until === undefined ? {} : { until }) } })
    if (found.length === maxSoldOut) break
  }
  return found
}

const readPage = (signal: AbortSignal, after?: string) => {
  const q = search.value.trim()
  return api()
    .products.list({ limit: pageSize, ...(q === '' ? {} : { q }), ...(after && { cursor: after }) }, { signal })
    .page()
}

/** Loads what is sold out, and the first products. Without a search, what is sold out comes first. */
export async function load(): Promise<void> {
  current.abort()
  current = new AbortController()
  const { signal } = current
  const wanted = search.value
  recent = new Map()
  try {
    const [out, page] = await Promise.all([readSoldOut(signal), readPage(signal)])
    soldOut.value = new Map(out.map(({ id, mark }) => [id, mark]))
    for (const [id, mark] of recent) setMark(id, mark)
    foundFor = wanted
    const first = search.value.trim() === '' ? out.map(({ id, title }) => ({ id, title })) : []
    entries.value = withoutKnown(first, page.items)
    cursor.value = page.cursor
    if (state.value === 'failed') clearAlerts()
    state.value = 'ready'
  } catch (error) {
    if (signal.aborted) return
    if (foundFor !== wanted) entries.value = []
    state.value = 'failed'
    showError(error)
  }
}

const withoutKnown = (known: readonly Entry[], more: readonly Entry[]): Entry[] => {
  const ids = new Set(known.map(({ id }) => id))
  return [...known, ...more.filter(({ id }) => !ids.has(id)).map(({ id, title }) => ({ id, title }))]
}

let isLoadingMore = false
export async function loadMore(): Promise<void> {
  if (isLoadingMore || cursor.value === undefined) return
  isLoadingMore = true
  const { signal } = current
  try {
    const page = await readPage(signal, cursor.value)
    entries.value = withoutKnown(entries.value, page.items)
    cursor.value = page.cursor
  } catch (error) {
    if (!signal.aborted) showError(error)
  }
  isLoadingMore = false
}

let searchTimer: ReturnType<typeof setTimeout> | undefined
export function setSearch(text: string) {
  search.value = text
  clearTimeout(searchTimer)
  searchTimer = setTimeout(load, searchPauseMs)
}

const setMark = (id: string, mark: Availability | undefined) => {
  recent.set(id, mark)
  const next = new Map(soldOut.value)
  if (mark?.soldOut) next.set(id, mark)
  else next.delete(id)
  soldOut.value = next
}

/** Marks a product at once, and takes it back if the request fails. */
export async function setSoldOut(
  entry: Entry,
  isOut: boolean,
  until: Until,
  describe: (until: Availability['until'], isOut: boolean) => string,
): Promise<void> {
  const { soldOut: texts } = t()
  const { id, title } = entry
  const before = soldOut.value.get(id)
  setMark(id, isOut ? { soldOut: true, ...(until === 'further_notice' ? { until } : {}) } : undefined)
  try {
    const { products } = api()
    const mark = isOut ? await products.soldOut(id, until) : await products.available(id)
    setMark(id, mark)
    if (mark.soldOut && !isOut) return showStatus(texts.noStockHint(title))
    const undo = () => void restore(entry, before, describe)
    showStatus(isOut ? texts.isOut(title, describe(mark.until, true)) : texts.isBack(title), undo)
  } catch (error) {
    setMark(id, before)
    showError(error)
  }
}

async function restore(
  { id, title }: Entry,
  before: Availability | undefined,
  describe: (until: Availability['until'], isOut: boolean) => string,
) {
  const { soldOut: texts } = t()
  try {
    const { products } = api()
    const mark = before?.soldOut
      ? await products.soldOut(id, before.until ?? 'further_notice')
      : await products.available(id)
    setMark(id, mark)
    showStatus(mark.soldOut ? texts.isOut(title, describe(mark.until, true)) : texts.isBack(title))
  } catch (error) {
    showError(error)
  }
}
