import { computed, signal } from '@preact/signals'
import type { Tag } from '../../../packages/client/src/client.ts'
import { api } from '../../app/api.ts'
import { keep } from '../../app/kept.ts'
import { locale, t } from '../../app/language.ts'
import { nameSet } from '../../objects/history/undo.ts'
import { createStore, toEtag } from '../../objects/store.ts'
import { createMatcher } from '../../ui/search/find-words.ts'
import { showError } from '../../ui/toasts.tsx'
import { getArea, getLabel, showKey } from './table-label.ts'
import { isQuiet, weekScans } from './table-scans.ts'

/** A table with the values that the list shows. */
export interface Table {
  tag: Tag
  area: string
  /** Name in the list, unique unless tables of one area share it. */
  label: string
}

/** Maximum number of objects of one request. */
const pageSize = 100
/** Maximum number of tables that are loaded. */
const maxTables = 5_000

export type NewTable = Parameters<ReturnType<typeof api>['tags']['create']>[0]
export interface TableForm {
  metadata: readonly Tag['metadata'][number][]
}
export const toForm = (tag?: Tag): TableForm => ({ metadata: tag?.metadata ?? [] })
export const findErrors = ({ metadata }: TableForm): ReadonlyMap<string, string> =>
  new Map(
    metadata.flatMap(({ key, value }, index) =>
      key.trim() === '' && value !== '' ? [[`metadata/${index}/key`, t().issue.required]] : [],
    ),
  )
export const toBody = ({ metadata }: TableForm): NewTable => ({
  metadata: metadata.filter(({ key, value }) => key.trim() !== '' || value !== ''),
})

/** Reads and changes single tables. Its rows are all tables, which `load` reads. */
export const store = createStore<Tag, NewTable>({
  name: 'tables',
  source: () => api().tags,
  titleOf: getLabel,
  nameOf: () => t().tables.entries,
  show: (_, { metadata }) => metadata?.map(({ key, value }) => `${showKey(key)} ${value}`).join(', '),
})

/** The path of the tag's picture on this origin, because its address can have another origin. */
export const getPicturePath = ({ qrUrl }: Tag) => (qrUrl === undefined ? undefined : new URL(qrUrl).pathname)

export const state = signal<'loading' | 'partial' | 'ready' | 'failed'>('loading')
export const search = keep('tables text', '')
/** Empty: the tables of all areas. */
export const area = keep('area', '')
/** Shows only tables without a scan in the last days. */
export const onlyQuiet = keep('quiet', false)
export const selected = signal<ReadonlySet<string>>(new Set())

/** All tables by area and label, numbers in numeric order. */
export const allTables = computed((): readonly Table[] => {
  const counts = new Map<string, number>()
  const entries = store.rows.value.map(({ item: tag }) => ({ tag, area: getArea(tag), label: getLabel(tag) }))
  for (const { label } of entries) counts.set(label, (counts.get(label) ?? 0) + 1)
  const { compare } = new Intl.Collator(locale.value, { numeric: true })
  return entries
    .sort((a, b) => compare(a.area, b.area) || compare(a.label, b.label) || compare(a.tag.id, b.tag.id))
    .map((entry) =>
      counts.get(entry.label) === 1 || entry.area === '' ? entry : { ...entry, label: `${entry.label}, ${entry.area}` },
    )
})
/** The selected tables that exist, in the order of the list. */
export const chosen = computed(() => allTables.value.filter(({ tag }) => selected.value.has(tag.id)))
export const areas = computed(() =>
  [...new Set(allTables.value.map((table) => table.area))].filter((name) => name !== ''),
)
/** Minimum length of the part of a printed code that a search uses. Fewer characters occur in many codes by chance. */
const minCodeLength = 4
/** A test of a table for the words of a search, or for the beginning of a printed code. */
function createTest(text: string) {
  const toText = ({ label, area }: Table) => `${label} ${area}`
  const matches = createMatcher(text, allTables.value.map(toText))
  const code = text.replaceAll(/[\s-]/g, '').toUpperCase()
  return (table: Table) =>
    matches(toText(table)) ||
    (code.length >= minCodeLength && table.tag.alias.some((alias) => alias.replaceAll('-', '').includes(code)))
}
/** Order of the list: by area and label, or by the scans of the last days, most or fewest first. */
export const order = keep<'label' | 'most' | 'fewest'>('tables order', 'label')
export const shown = computed(() => {
  const matches = createTest(search.value)
  // An area that was kept may be renamed.
  const isOfArea = ({ area: name }: Table) => name === area.value || !areas.value.includes(area.value)
  const list = allTables.value.filter(
    (table) => isOfArea(table) && matches(table) && !(onlyQuiet.value && !isQuiet(table.tag)),
  )
  if (order.value === 'label') return list
  const sign = order.value === 'most' ? -1 : 1
  const countOf = ({ tag }: Table) => weekScans.value?.get(tag.id) ?? 0
  return list.toSorted((a, b) => sign * (countOf(a) - countOf(b)))
})

let current = new AbortController()
/** Loads all tables, because they are sorted by area and number. Shows each page when it arrives. */
export async function load(): Promise<void> {
  current.abort()
  current = new AbortController()
  const { signal: aborted } = current
  try {
    const found: Tag[] = []
    for (let cursor: string | undefined; ; ) {
      const query = { limit: pageSize, include: ['version' as const], ...(cursor === undefined ? {} : { cursor }) }
      const page = await api().tags.list(query, { signal: aborted }).page()
      found.push(...page.items)
      cursor = page.cursor
      store.rows.value = found.map((item) => ({ item, etag: toEtag(item) }))
      state.value = 'partial'
      if (cursor === undefined || found.length >= maxTables) break
    }
    state.value = 'ready'
  } catch (error) {
    if (aborted.aborted) return
    state.value = 'failed'
    showError(error)
  }
}

/** Creates all tables, or none. Selects them, because their cards are usually printed next. */
export async function makeTables(
  bodies: readonly NewTable[],
): Promise<{ count: number; changeSet: string | undefined }> {
  const operations = bodies.map((body) => ({ op: 'create' as const, resource: 'tags' as const, body }))
  const { results, changeSet } = await api().batch(operations, {}, { changeSet: nameSet('tables') })
  const ids = results.flatMap(({ id }) => (id === undefined ? [] : [id]))
  await load()
  selected.value = new Set(ids)
  return { count: ids.length, changeSet }
}
