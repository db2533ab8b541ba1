import * as z from 'zod/mini'
import { hasScope } from '../../../platform/auth/authenticate.ts'
import { columnShare, readPageWithin, shareParameter } from '../../../platform/db/page-budget.ts'
import type { Row } from '../../../platform/db/row.ts'
import { furtherNotice } from '../../../platform/db/schema/availability.ts'
import { notFound } from '../../../platform/errors.ts'
import { createCursor, type ListQuery, pageSize, readPosition } from '../../../platform/http/pagination.ts'
import { toSeconds } from '../../../platform/lib/time.ts'
import type { Caller } from '../caller.ts'
import { type Draft, pickPublished } from '../definition.ts'
import { toMembers } from '../deleted/kept-rows.ts'
import { readEventRow } from '../deleted/list-deleted.ts'
import { spansBothModes } from '../plan.ts'
import { findRow, type Store } from '../store/store.ts'
import { getHistoryStatements, historyColumns } from './history-statements.ts'
import type { Version } from './version-view.ts'

const parts = {
  created: 'object',
  updated: 'object',
  deleted: 'object',
  details_updated: 'details',
  limits_changed: 'limits',
  availability_changed: 'availability',
} as const
const partOf: ReadonlyMap<string, Version['part']> = new Map(Object.entries(parts))
/** Scopes that parts need besides that of the object. */
const scopes: Readonly<Partial<Record<Version['part'], string>>> = { availability: 'stock:read' }

const storedContext = z.object({ actor: z.optional(z.string()), restored: z.optional(z.boolean()) })

/** Events of a restored object about the return of one of its parts. */
const returns: ReadonlySet<string> = new Set(['created', 'details_updated'])

/** The end of a mark as sold out as responses show it. */
const toEnd = (until: unknown) => (until === furtherNotice ? 'further_notice' : until)
const toEnds = (marks: Draft): Draft => Object.fromEntries(Object.entries(marks).map(([key, end]) => [key, toEnd(end)]))

/** The members of an event that the change is about, after and before it. */
function readSides({ resource, mapping }: Store, part: Version['part'], row: Row): { after: Draft; previous: Draft } {
  const previous = toMembers(row['previous'])
  if (part === 'object') {
    const read = mapping.readAsFarAsPossible(readEventRow(row))
    return {
      after: pickPublished(resource.published, { ...(read.damaged ? read.damaged.readable : read.item) }),
      previous,
    }
  }
  const after = toMembers(row['row'])
  const toDraft = (value: unknown): Draft => (typeof value === 'object' && value !== null ? { ...value } : {})
  if (part !== 'availability') return { after: toDraft(after[part]), previous }
  return resource.path === 'modifiers'
    ? { after: toEnds(toDraft(after['options'])), previous: toEnds(toDraft(previous['options'])) }
    : { after: { until: toEnd(after['until']) }, previous: toEnds(previous) }
}

function toVersion(store: Store, row: Row): Version {
  const [, verb = ''] = String(row['type']).split('.')
  const part = partOf.get(verb) ?? 'object'
  const { actor, restored } = storedContext.safeParse(toMembers(row['context'])).data ?? {}
  const isErased = row['erasedAt'] !== null
  const { after, previous } = isErased ? { after: {}, previous: {} } : readSides(store, part, row)
  return {
    part,
    change: restored && returns.has(verb) ? 'restored' : verb === 'created' || verb === 'deleted' ? verb : 'updated',
    version: Number(row['version']),
    at: toSeconds(Number(row['at'])),
    ...(actor !== undefined && { by: actor }),
    changed: Object.fromEntries(
      Object.entries(previous).map(([field, before]) => [
        field,
        { before: before ?? null, after: after[field] ?? null },
      ]),
    ),
  }
}

/** Reads one page of the history of an object, newest first. */
export async function listVersions(
  store: Store,
  caller: Caller,
  granted: readonly string[] | undefined,
  id: string,
  query: Pick<ListQuery, 'limit' | 'cursor'>,
): Promise<{ items: Version[]; next: string | undefined }> {
  const { resource } = store
  const { database, scope } = caller
  // A replica may lack the last changes.
  database.usePrimary()
  const list = `versions of ${id}`
  const statements = getHistoryStatements(resource, spansBothModes(resource, scope))
  const { after } = readPosition(list, scope, query)
  const limit = query.limit ?? pageSize.default
  const types = [...partOf].flatMap(([verb, part]) => {
    const needed = scopes[part]
    return needed === undefined || hasScope(granted, needed) ? [`${resource.name}.${verb}`] : []
  })
  const values = { ...scope, id, types: JSON.stringify(types), before: Number(after ?? Number.MAX_SAFE_INTEGER) }
  const share = columnShare(limit + 1, historyColumns)
  const [found] = await database.run<[Row]>([
    statements.page(),
    { ...values, rows: limit + 1, [shareParameter]: share },
  ])
  const readWhole = async (ids: readonly string[]) =>
    (await database.run<[Row]>([statements.whole(), { ...scope, ids: JSON.stringify(ids), rows: ids.length }]))[0]
  const { rows, hasMore } = await readPageWithin(found, limit, 'id', historyColumns, readWhole)
  const isErased = resource.path === 'customers' && rows.some((row) => row['erasedAt'] !== null)
  const isUnknown = after === undefined && rows.length === 0 && !(await findRow(store, caller, { id }))
  if (isErased || isUnknown) throw notFound()
  const last = rows.at(-1)?.['seq']
  return {
    items: rows.map((row) => toVersion(store, row)),
    next: hasMore && last !== undefined ? createCursor(list, scope, query, String(last)) : undefined,
  }
}
