import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { type Draft, pickPublished } from '../../../catalogue/resource/definition.ts'
import type { ReadObject } from '../../../catalogue/resource/row-mapping.ts'
import { listCountedStock, type StockDifference } from '../../../checkout/many/return-counts.ts'
import { type Database, lazy, param } from '../../../platform/db/database.ts'
import { bytesOf } from '../../../platform/db/page-budget.ts'
import { listed, parseJson, selectList, typed, withoutIndex } from '../../../platform/db/query.ts'
import { eventTable as table } from '../../../platform/db/schema/events.ts'
import { isInScope, type Scope } from '../../../platform/db/scope.ts'
import type { Actor } from '../../../platform/db/transaction.ts'
import { limits } from '../../../platform/http/fields.ts'
import { isObject } from '../../../platform/lib/schema-guard.ts'
import { isResourceName, type ResourcePath, resourceIdentities } from '../../../platform/names.ts'
import { getBatchResource } from '../../batch/batch-resource.ts'
import { foldEvents, type NetChange, type ObjectEvent } from './plan/net-changes.ts'

/** Maximum number of events that one page of objects examines. */
const maxExamined = 2_000

const earlier = alias(table, 'earlier')
const isOfSet = sql`${isInScope(table)} and ${table.changeSet} = ${param('changeSet')} and ${table.changeSet} is not null`
const behind = sql`${isOfSet} and ${table.seq} > ${param('after')}`
const window = sql`select ${table.seq} as seq from ${table} where ${behind} order by ${table.seq} limit ${sql.raw(String(maxExamined))}`
/** Of the set. Without its index, which has all events of the set: the index of objects has the few of one object. */
const isInSet = sql`${withoutIndex(earlier.changeSet)} = ${param('changeSet')}`
/** An object counts where its first event in the set is, so that each one is on one page. */
const isFirst = sql`not exists (select 1 from ${table} as ${sql.identifier('earlier')}
  where ${earlier.merchantId} = ${table.merchantId} and ${earlier.testMode} = ${table.testMode} and ${earlier.object} = ${table.object}
    and ${earlier.seq} < ${table.seq} and ${isInSet})`
/** Bytes of the events of an object whose first event this is. Without its lower bound, SQLite reads all events of the merchant for each object. */
const ofObject = sql`(select sum(${bytesOf([sql`${earlier.row}`, sql`${earlier.previous}`])}) from ${table} as ${sql.identifier('earlier')}
  where ${earlier.merchantId} = ${table.merchantId} and ${earlier.testMode} = ${table.testMode} and ${earlier.object} = ${table.object}
    and ${earlier.seq} >= ${table.seq} and ${isInSet})`
const first = { object: table.object, seq: table.seq, type: table.type, bytes: sql<number | null>`${ofObject}` }
const examined = { last: sql<number | null>`max(seq)`, count: sql<number>`count(*)` }
const whole = {
  object: table.object,
  seq: table.seq,
  type: table.type,
  row: table.row,
  previous: table.previous,
  erasedAt: table.erasedAt,
  context: table.context,
}
const summary = { type: table.type, count: sql<number>`count(*)` }
const objects = { count: sql<number>`count(distinct ${table.object})` }

const statements = {
  examined: lazy(() => typed(examined, () => sql`select ${selectList(examined)} from (${window})`)),
  /** The objects whose first event in the set is behind `:after`. */
  firsts: lazy(() =>
    typed(
      first,
      () => sql`select ${selectList(first)} from ${table}
        where ${behind} and ${table.seq} <= (select max(seq) from (${window})) and ${table.object} is not null and ${isFirst}
        order by ${table.seq} limit ${param('rows')}`,
    ),
  ),
  events: lazy(() =>
    typed(
      whole,
      () => sql`select ${selectList(whole)} from ${table}
        where ${isInScope(table)} and ${table.object} in ${listed('objects')} and ${table.object} is not null
          and ${table.changeSet} = ${param('changeSet')} order by ${table.seq}`,
    ),
  ),
  /** The objects of `:objects` whose details or limits somebody has changed after the set. */
  changedBeside: lazy(() =>
    typed(
      { object: table.object },
      () => sql`select distinct ${table.object} as object from ${table}
        where ${isInScope(table)} and ${table.object} in ${listed('objects')} and ${table.object} is not null and ${table.seq} > ${param('after')}
          and ${table.changeSet} is not ${param('changeSet')} and (${table.type} like '%.details_updated' or ${table.type} like '%.limits_changed')`,
    ),
  ),
  summary: lazy(() =>
    typed(summary, () => sql`select ${selectList(summary)} from ${table} where ${isOfSet} group by ${table.type}`),
  ),
  objects: lazy(() => typed(objects, () => sql`select ${selectList(objects)} from ${table} where ${isOfSet}`)),
}

/** An object of a change set, with what the set did to it. */
export interface ChangedObject {
  resource: ResourcePath
  id: string
  change: NetChange
  /** The number of its first event in the set. */
  seq: number
}

/** Which objects of a change set to read: behind an event, at most so many. */
interface ObjectPage {
  changeSet: string
  after: number
  rows: number
}

const parse = (text: string): Draft => {
  const value = parseJson(text)
  return isObject(value) ? value : {}
}

/** The published fields of an object that was read, as far as they are readable. */
export function toFields(resource: ResourcePath, read: ReadObject<object>): Draft {
  const { published } = getBatchResource(resource).resource
  return pickPublished(published, { ...(read.damaged ? read.damaged.readable : read.item) })
}

/** The resource that the type of an event begins with. */
export function toResource(type: string): ResourcePath | undefined {
  const [name = ''] = type.split('.')
  return isResourceName(name) ? resourceIdentities[name].path : undefined
}

const verbs: Readonly<Record<string, ObjectEvent['verb']>> = {
  created: 'created',
  updated: 'updated',
  deleted: 'deleted',
  details_updated: 'details',
  limits_changed: 'limits',
  availability_changed: 'availability',
}

const toMembers = (value: unknown): Draft => (isObject(value) ? value : {})

interface StoredEvent {
  object: string | null
  seq: number
  type: string
  row: string
  previous: string | null
  erasedAt: number | null
  context: string | null
}

function toEvent(resource: ResourcePath, { seq, type, row, previous, erasedAt, context }: StoredEvent): ObjectEvent {
  const verb = verbs[type.split('.')[1] ?? ''] ?? 'other'
  const stored = parse(row)
  const old = previous === null ? undefined : parse(previous)
  const isRestored = context !== null && parse(context)['restored'] === true
  // Details that return with their object are not a change of the set.
  if (verb === 'details' && isRestored) return { verb: 'other', seq, isErased: false, after: {} }
  const event = { verb, seq, isErased: erasedAt !== null, isRestored }
  if (verb === 'created' || verb === 'updated' || verb === 'deleted') {
    const { mapping } = getBatchResource(resource)
    return { ...event, after: toFields(resource, mapping.readAsFarAsPossible({ ...stored })), previous: old }
  }
  if (verb === 'availability' && resource === 'modifiers') {
    return { ...event, after: toMembers(stored['options']), previous: toMembers(old?.['options']) }
  }
  if (verb === 'availability') return { ...event, after: { until: stored['until'] ?? null }, previous: old }
  return { ...event, after: toMembers(stored[verb]), previous: old }
}

/** The first objects that fit the bytes of one transaction: at least one. */
function takeFitting<Row extends { bytes: number | null }>(rows: readonly Row[]): readonly Row[] {
  let left: number = limits.batchObjectBytes
  const end = rows.findIndex(({ bytes }, index) => {
    left -= bytes ?? 0
    return index > 0 && left < 0
  })
  return end === -1 ? rows : rows.slice(0, end)
}

/** The objects that a set brought back and whose details or limits changed later, which their events in the set do not tell. */
async function findChangedBeside(database: Database, values: Scope & ObjectPage, rows: readonly StoredEvent[]) {
  const restored = rows.filter(({ type, context }) => type.endsWith('.created') && context?.includes('"restored"'))
  if (restored.length === 0) return new Set<string | null>()
  const objects = JSON.stringify(restored.map(({ object }) => object))
  const [found] = await database.run([
    statements.changedBeside(),
    { ...values, objects, after: Math.min(...restored.map(({ seq }) => seq)) },
  ])
  return new Set(found.map(({ object }) => object))
}

/** Reads objects of a change set in the order of their first events. `next` is the position of the next page, if there may be one. */
export async function readObjects(
  database: Database,
  scope: Scope,
  page: ObjectPage,
): Promise<{ objects: readonly ChangedObject[]; next: number | undefined }> {
  const values = { ...scope, ...page }
  const [[window], firsts] = await database.run([statements.examined(), values], [statements.firsts(), values])
  const taken = takeFitting(firsts)
  const isCut = taken.length < firsts.length || firsts.length === page.rows
  const next = isCut
    ? taken.at(-1)?.seq
    : window && window.count === maxExamined
      ? (window.last ?? undefined)
      : undefined
  if (taken.length === 0) return { objects: [], next }
  const ids = taken.flatMap(({ object }) => object ?? [])
  const [rows] = await database.run([statements.events(), { ...values, objects: JSON.stringify(ids) }])
  const events = Map.groupBy(rows, ({ object }) => object)
  const edited = await findChangedBeside(database, values, rows)
  return {
    objects: taken.flatMap(({ object, type, seq }): ChangedObject[] => {
      const resource = toResource(type)
      const own = events.get(object) ?? []
      if (!resource || object === null) return []
      const change = foldEvents(own.map((event) => toEvent(resource, event)))
      return [{ resource, id: object, seq, change: edited.has(object) ? { ...change, isEditedBeside: true } : change }]
    }),
    next,
  }
}

/** Stock that a set counted, behind an event. `next` is the position of the next page, if there may be one. */
export async function readStock({ database, scope }: Pick<Actor, 'database' | 'scope'>, page: ObjectPage) {
  const [rows] = await database.run([listCountedStock(), { ...scope, ...page }])
  return {
    stock: rows.map(({ product, delta }): StockDifference => ({ product, delta: delta ?? 0 })),
    next: rows.length === page.rows ? rows.at(-1)?.seq : undefined,
  }
}

/** The numbers of events of a set by their types, and the number of its objects. */
export async function summarize(database: Database, scope: Scope, changeSet: string) {
  const values = { ...scope, changeSet }
  const [types, [found]] = await database.run([statements.summary(), values], [statements.objects(), values])
  return { types: types.map(({ type }) => type), count: found?.count ?? 0 }
}
