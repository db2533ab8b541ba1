import { getTableName } from 'drizzle-orm'
import * as z from 'zod/mini'
import { columnShare, readPageWithin, shareParameter, showPage } from '../../../platform/db/page-budget.ts'
import { parseJson } from '../../../platform/db/query.ts'
import type { Row } from '../../../platform/db/row.ts'
import {
  createCursor,
  invalidParameter,
  type ListQuery,
  pageSize,
  readPosition,
} from '../../../platform/http/pagination.ts'
import { isObject } from '../../../platform/lib/schema-guard.ts'
import { createMatcher, mayBeMisspelt, type SearchTexts } from '../../../platform/lib/search-terms.ts'
import { toSeconds } from '../../../platform/lib/time.ts'
import type { Caller } from '../caller.ts'
import type { Draft } from '../definition.ts'
import { spansBothModes } from '../plan.ts'
import type { StoredObject } from '../row-mapping.ts'
import type { Store } from '../store/store.ts'
import { getDeletedStatements, largeFields } from './deleted-statements.ts'
import { toTitle } from './title.ts'

/** A deleted object that can be restored. */
interface DeletedObject<View> {
  id: string
  /** In seconds. */
  deletedAt: number
  /** Who deleted it. */
  by?: string
  title: string
  object: View
}

/** Parameters that `deleted=true` takes. */
const allowed: ReadonlySet<string> = new Set(['deleted', 'limit', 'cursor', 'q'])

const storedContext = z.object({ actor: z.optional(z.string()) })

/** Who caused an event. */
const readActor = (context: unknown) =>
  typeof context === 'string' ? storedContext.safeParse(parseJson(context)).data?.actor : undefined

/** The row of the object in an event, keyed by SQL names. */
export function readEventRow({ row, version, externalId }: Row): Row {
  const parsed = typeof row === 'string' ? parseJson(row) : undefined
  return { ...(isObject(parsed) ? parsed : {}), version, ...(externalId ? { external_id: externalId } : {}) }
}

/** The rows whose names have the words of a query with a typing error, if no row has the words themselves. */
async function selectSimilar(rows: readonly Row[], query: string, toTexts: (row: Row) => SearchTexts): Promise<Row[]> {
  const { createSimilarMatcher, longWords } = await import('../store/similar-words.ts')
  const misspelt = longWords(query).filter((word) => {
    const matches = createMatcher(word)
    return !rows.some((row) => matches?.(toTexts(row)))
  })
  if (misspelt.length === 0) return []
  const matches = createSimilarMatcher(query, misspelt)
  return rows.filter((row) => matches(toTexts(row)))
}

/** Reads one page of deleted objects, the last deleted first. */
export async function listDeleted<Item extends object, View>(
  { resource, mapping }: Store<Item>,
  { database, scope }: Caller,
  query: ListQuery,
  show: (stored: StoredObject<Item>) => View,
): Promise<{ items: DeletedObject<View>[]; next: string | undefined; isSimilar: boolean }> {
  const [foreign] = Object.entries(query).filter(([name, value]) => value !== undefined && !allowed.has(name))
  if (foreign) throw invalidParameter(foreign[0], 'conflict', 'must not be given with deleted')
  const list = `${getTableName(resource.table)}.deleted`
  const statements = getDeletedStatements(resource, spansBothModes(resource, scope))
  const { after } = readPosition(list, scope, query)
  const limit = query.limit ?? pageSize.default
  const matches = query.q === undefined ? undefined : createMatcher(query.q)
  const read = matches ? pageSize.max : limit
  const share = columnShare(read + 1, largeFields)
  const [found] = await database.run<[Row]>([
    statements.page(),
    { ...scope, after: after ?? null, rows: read + 1, [shareParameter]: share },
  ])
  const readWhole = async (ids: readonly string[]) =>
    (await database.run<[Row]>([statements.whole(), { ...scope, ids: JSON.stringify(ids), rows: ids.length }]))[0]
  const page = await readPageWithin(found, read, 'id', largeFields, readWhole)
  const toTexts = (row: Row) => {
    const stored = mapping.readAsFarAsPossible(readEventRow(row))
    const draft: Draft = stored.damaged ? stored.damaged.readable : mapping.toRow(stored.item)
    return resource.hooks.searchTexts(draft)
  }
  const exact = matches ? page.rows.filter((row) => matches(toTexts(row))) : page.rows
  const isComplete = query.cursor === undefined && !page.hasMore
  const similar =
    matches && exact.length === 0 && isComplete && mayBeMisspelt(query.q)
      ? await selectSimilar(page.rows, query.q, toTexts)
      : []
  const wanted = exact.length > 0 ? exact : similar
  const isCut = wanted.length > limit
  const rows = wanted.slice(0, limit)
  const last = isCut ? String(rows.at(-1)?.['id']) : page.last
  const { shown, end } = showPage(database, { ...page, rows, last, hasMore: isCut || page.hasMore }, 'id', (row) => {
    const stored = mapping.read(readEventRow(row))
    const by = readActor(row['context'])
    return {
      id: stored.id,
      deletedAt: toSeconds(Number(row['at'])),
      ...(by !== undefined && { by }),
      title: toTitle(resource, mapping.toRow(stored.item)),
      object: show(stored),
    }
  })
  const isSimilar = similar.length > 0
  return {
    isSimilar,
    items: shown,
    next: isSimilar || end === undefined ? undefined : createCursor(list, scope, query, end),
  }
}
