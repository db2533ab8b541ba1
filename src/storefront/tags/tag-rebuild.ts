import { and, eq, gt, lte, notExists, sql } from 'drizzle-orm'
import { Hono } from 'hono'
import * as z from 'zod/mini'
import { type Database, lazy, param, type Statement } from '../../platform/db/database.ts'
import { db, typed } from '../../platform/db/query.ts'
import { homeTable } from '../../platform/db/schema/directory/homes.ts'
import { merchantTable } from '../../platform/db/schema/merchants.ts'
import { detailTable } from '../../platform/db/schema/objects/details.ts'
import { tagNameTable, tagTable } from '../../platform/db/schema/resources/tags.ts'
import type { Bindings } from '../../platform/env.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Env } from '../../platform/http/context.ts'
import { idempotent } from '../../platform/http/idempotency.ts'
import { invalidParameter } from '../../platform/http/pagination.ts'
import { query } from '../../platform/http/validation.ts'
import { log } from '../../platform/lib/log.ts'
import { timedOut, withTimeout } from '../../platform/lib/time.ts'
import { writeKv } from './kv-sync.ts'
import { readTagsElsewhere, toTagKey, toVenueKey } from './resolve.ts'
import {
  createTagStatement,
  type FoundTag,
  type FoundVenue,
  isElsewhere,
  type NameElsewhere,
  selectVenues,
  tagJoins,
} from './tag-rows.ts'

/** Maximum number of KV keys in one request. With `maxWrites` writes of each, it stays below 1,000 operations per invocation. */
export const rebuildBatchSize = 100
/** Maximum number of writes of a key whose row changes during the request. */
const maxWrites = 3
const kvTimeoutMs = 10_000
/** Maximum length of a cursor in characters: room for the longest name, and for a cursor of KV. */
const maxCursorLength = 1_024
/** Names given as a list of JSON, one row for each. */
const listed = sql`json_each(${param('names')}) as listed`
const listedName = { name: sql<string>`listed.value` }

const statements = {
  tags: lazy(() =>
    createTagStatement((select) =>
      db
        .select(select)
        .from(tagNameTable)
        .leftJoin(tagTable, tagJoins.tag)
        .leftJoin(homeTable, tagJoins.home)
        .leftJoin(merchantTable, tagJoins.merchant)
        .leftJoin(detailTable, tagJoins.details)
        .where(and(gt(tagNameTable.name, param('after')), lte(tagNameTable.name, param('last'))))
        .orderBy(tagNameTable.name)
        .limit(param('rows')),
    ),
  ),
  merchants: lazy(() =>
    selectVenues((select) =>
      db
        .select(select)
        .from(merchantTable)
        .where(and(gt(merchantTable.id, param('after')), lte(merchantTable.id, param('last'))))
        .orderBy(merchantTable.id)
        .limit(param('rows')),
    ),
  ),
  unknownNames: lazy(() =>
    typed(listedName, (select) => {
      const known = db.select({ name: tagNameTable.name }).from(tagNameTable)
      return db
        .select(select)
        .from(listed)
        .where(notExists(known.where(eq(tagNameTable.name, listedName.name))))
    }),
  ),
  unknownMerchants: lazy(() =>
    typed(listedName, (select) => {
      const known = db.select({ id: merchantTable.id }).from(merchantTable)
      return db
        .select(select)
        .from(listed)
        .where(notExists(known.where(eq(merchantTable.id, listedName.name))))
    }),
  ),
}

/** Sorts after every name and id. */
const end = '~'

/** Result of one request. */
export const rebuildView = z.object({
  tags: z.int().check(z.describe('Keys written for tags.')),
  tombstones: z.int().check(z.describe('Keys written for deleted tags.')),
  merchants: z.int().check(z.describe('Keys written for merchants.')),
  removed: z.int().check(z.describe('Keys deleted because they are not in the database.')),
  cursor: z.optional(z.string()).check(z.describe('Cursor of the next batch. Absent after the last batch.')),
})
type RebuildResult = z.output<typeof rebuildView>

export const rebuildQuery = z.strictObject({
  cursor: z
    .optional(z.string({ error: 'must be given once' }).check(z.maxLength(maxCursorLength)))
    .check(z.describe('`cursor` of the previous response. Absent: starts with the first batch.')),
})

/** Phases of a rebuild, in order. A cursor holds a phase and the position in it. */
const phases = ['tags', 'merchants', 'other-tags', 'other-merchants'] as const
const cursorPattern = new RegExp(`^(${phases.join('|')}):(.*)$`)

const emptyResult: RebuildResult = { tags: 0, tombstones: 0, merchants: 0, removed: 0 }
const toCursor = (phase: string | undefined, position = '') =>
  phase === undefined ? {} : { cursor: `${phase}:${position}` }

/** Runs an operation of KV. A failure or a timeout returns `503`, so that the client repeats the request. */
async function useKv<Value>(env: Bindings, work: Promise<Value>): Promise<Value> {
  const unavailable = () =>
    new ApiError('unavailable', 'KV does not respond. Repeat the request.', [], { 'retry-after': '2' })
  const value = await withTimeout(kvTimeoutMs, work).catch((error: unknown) => {
    log(env, 'KV rebuild failed', { error: String(error) })
    throw unavailable()
  })
  if (value === timedOut) throw unavailable()
  return value
}

/** Rows of D1 that are written to KV. */
interface Source<Found> {
  statement: () => Statement<Found>
  nameOf(found: Found): string
  /** The records of rows, by name. */
  recordsOf(env: Bindings, found: readonly Found[]): Promise<ReadonlyMap<string, KvRecord>>
  toKey(name: string): string
}
type KvRecord = Parameters<typeof writeKv>[2]

/**
 * Writes one batch of rows to KV, and deletes the keys of rows without a record. If a row has changed after a write, writes again: the last write has
 * the latest version.
 */
async function writeBatch<Found>(
  { env, database, after }: Batch,
  { statement, nameOf, recordsOf, toKey }: Source<Found>,
): Promise<{ records: KvRecord[]; removed: number; last: string | undefined }> {
  const read = async (last: string, rows: number) => {
    const [found] = await database.run([statement(), { after, last, rows }])
    return { names: found.map(nameOf), records: await recordsOf(env, found) }
  }
  const { names, records: first } = await read(end, rebuildBatchSize)
  const last = names.at(-1)
  if (last === undefined) return { records: [], removed: 0, last: undefined }
  const isFull = names.length === rebuildBatchSize
  let records = first
  let changed = records
  for (let writes = 0; changed.size > 0; writes++) {
    if (writes === maxWrites) throw new ApiError('busy', 'The rows change too fast. Repeat the request.')
    await useKv(env, Promise.all(Array.from(changed, ([key, value]) => writeKv(env, toKey(key), value))))
    const before = records
    records = (await read(last, names.length + rebuildBatchSize)).records
    changed = new Map([...records].filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(before.get(key))))
  }
  // The database no longer has these rows, for example tags that a recovery has undone. A scan that misses KV reads the database.
  const gone = names.filter((name) => !records.has(name))
  await useKv(env, Promise.all(gone.map((name) => env.TAGS.delete(toKey(name)))))
  return { records: [...records.values()], removed: gone.length, last: isFull ? last : undefined }
}

interface Batch {
  env: Bindings
  database: Database
  /** Position in the phase. */
  after: string
}

const tagSource: Source<FoundTag | NameElsewhere> = {
  statement: statements.tags,
  nameOf: ({ name }) => name,
  async recordsOf(env, found) {
    const elsewhere = await readTagsElsewhere(env, found.filter(isElsewhere))
    const here = found.flatMap((each) => (isElsewhere(each) ? [] : [each]))
    return new Map([...here, ...elsewhere].map(({ name, tag }) => [name, tag]))
  },
  toKey: toTagKey,
}
const merchantSource: Source<FoundVenue> = {
  statement: statements.merchants,
  nameOf: ({ id }) => id,
  recordsOf: async (_env, found) => new Map(found.map(({ id, venue }) => [id, venue])),
  toKey: toVenueKey,
}

async function writeTags(batch: Batch): Promise<RebuildResult> {
  const { records, removed, last } = await writeBatch(batch, tagSource)
  const tombstones = records.filter((record) => 'gone' in record && record.gone).length
  const next = last === undefined ? toCursor('merchants') : toCursor('tags', last)
  return { ...emptyResult, tags: records.length - tombstones, tombstones, removed, ...next }
}

async function writeMerchants(batch: Batch): Promise<RebuildResult> {
  const { records, last } = await writeBatch(batch, merchantSource)
  const next = last === undefined ? toCursor('other-tags') : toCursor('merchants', last)
  return { ...emptyResult, merchants: records.length, ...next }
}

/** Deletes one batch of keys whose names are not in the database, such as those created after the restored moment. */
const removeUnknown =
  (
    phase: string,
    next: string | undefined,
    toKey: (name: string) => string,
    statement: () => Statement<{ name: string }>,
  ) =>
  async ({ env, database, after }: Batch): Promise<RebuildResult> => {
    const prefix = toKey('')
    const options = { prefix, limit: rebuildBatchSize, ...(after === '' ? {} : { cursor: after }) }
    const page = await useKv(env, env.TAGS.list(options))
    const names = page.keys.map(({ name }) => name.slice(prefix.length))
    const [unknown] = await database.run([statement(), { names: JSON.stringify(names) }])
    await useKv(env, Promise.all(unknown.map(({ name }) => env.TAGS.delete(toKey(name)))))
    const position = page.list_complete ? toCursor(next) : toCursor(phase, page.cursor)
    return { ...emptyResult, removed: unknown.length, ...position }
  }

const steps: Readonly<Record<string, (batch: Batch) => Promise<RebuildResult>>> = {
  tags: writeTags,
  merchants: writeMerchants,
  'other-tags': removeUnknown('other-tags', 'other-merchants', toTagKey, statements.unknownNames),
  'other-merchants': removeUnknown('other-merchants', undefined, toVenueKey, statements.unknownMerchants),
}

/** Rebuilds KV from D1, one batch a request. Required after a restore of D1, because KV then has later records. */
export const tagRebuild = new Hono<Env>().post('/', query(rebuildQuery), idempotent, async (c) => {
  const { cursor = `${phases[0]}:` } = c.req.valid('query')
  const [, phase = '', after = ''] = cursorPattern.exec(cursor) ?? []
  const step = steps[phase]
  if (!step) throw invalidParameter('cursor', 'invalid_value', 'is not a cursor of this operation')
  const { database } = c.var
  database.usePrimary()
  return c.json(await step({ env: c.env, database, after }), 200)
})
