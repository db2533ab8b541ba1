import { signal } from '@preact/signals'
import type { Availability } from '../../../packages/client/src/client.ts'
import { api } from '../../app/api.ts'
import { keep } from '../../app/kept.ts'
import { t } from '../../app/language.ts'
import { createQueue } from '../../objects/change.ts'
import {
  describeUntil,
  noteMark,
  readSoldOut,
  recentMarks,
  storedMarks as stored,
  tappedMarks as tapped,
} from '../../objects/stock/sold-out.ts'
import { searchPauseMs } from '../../ui/controls.tsx'
import { clearAlerts, showError, showStatus } from '../../ui/toasts.tsx'
import { dropTap, keepTap, noteDayStart, readTaps, sendRecent } from './waiting-taps.ts'

export interface Entry {
  id: string
  title: string
}
export type Until = 'tomorrow' | 'further_notice'

const pageSize = 100

export const search = keep('sold out text', '')
export const entries = signal<readonly Entry[]>([])
export const cursor = signal<string | undefined>(undefined)
export const state = signal<'loading' | 'ready' | 'failed'>('loading')

let current = new AbortController()
/** The search of the current results. */
let foundFor = ''
/** Changes of one product run in sequence, so that the service stores the last tap. */
const inOrder = createQueue()

const readPage = (signal: AbortSignal, after?: string) => {
  const q = search.value.trim()
  return api()
    .products.list({ limit: pageSize, ...(q === '' ? {} : { q }), ...(after && { cursor: after }) }, { signal })
    .page()
}

/** Loads the sold-out products and the first other products. Without a search, sold-out products come first. */
export async function load(): Promise<void> {
  current.abort()
  current = new AbortController()
  const { signal } = current
  const wanted = search.value
  recentMarks.clear()
  // Taps that were made without a connection come first.
  readTaps()
  await sendRecent()
  try {
    const [out, page] = await Promise.all([readSoldOut(signal), readPage(signal)])
    stored.value = new Map([...out.map(({ id, mark }) => [id, mark] as const), ...recentMarks])
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

/** Marks a product immediately, and reverts the mark if the request fails. */
export async function setSoldOut(entry: Entry, isOut: boolean, until: Until): Promise<void> {
  const { soldOut: texts } = t()
  const { id, title } = entry
  const wanted = { soldOut: isOut, ...(isOut && until === 'further_notice' ? { until } : {}) }
  tapped.value = new Map(tapped.value).set(id, wanted)
  dropTap(id)
  await inOrder(id, async () => {
    const before = stored.value.get(id)
    try {
      const { products } = api()
      const mark = isOut ? await products.soldOut(id, until) : await products.available(id)
      noteMark(id, mark)
      // An earlier tap may have been rejected since.
      dropTap(id)
      if (until === 'tomorrow') noteDayStart(mark.until)
      if (mark.soldOut && !isOut) return showStatus(texts.noStockHint(title))
      const undo = () => void inOrder(id, () => restore(entry, before))
      showStatus(isOut ? texts.isOut(title, describeUntil(mark.until, true)) : texts.isBack(title), undo)
    } catch (error) {
      if (!keepTap(error, { id, title, soldOut: isOut, ...(isOut && { until }) })) showError(error)
    } finally {
      if (tapped.value.get(id) === wanted) tapped.value = new Map([...tapped.value].filter(([other]) => other !== id))
    }
  })
}

async function restore({ id, title }: Entry, before: Availability | undefined) {
  const { soldOut: texts } = t()
  try {
    const { products } = api()
    const mark = before?.soldOut
      ? await products.soldOut(id, before.until ?? 'further_notice')
      : await products.available(id)
    noteMark(id, mark)
    showStatus(mark.soldOut ? texts.isOut(title, describeUntil(mark.until, true)) : texts.isBack(title))
  } catch (error) {
    showError(error)
  }
}
