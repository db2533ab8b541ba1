import { sql } from 'drizzle-orm'
import { Hono } from 'hono'
import * as z from 'zod/mini'
import { compile, type Database, lazy, param, type Values } from '../db/database.ts'
import type { Row } from '../db/row.ts'
import type { Bindings } from '../env.ts'
import { ApiError } from '../errors.ts'
import type { Env } from '../http/context.ts'
import { invalidParameter } from '../http/pagination.ts'
import { noBody } from '../http/request-body.ts'
import { query } from '../http/validation.ts'
import { log } from '../lib/log.ts'
import { timedOut, withTimeout } from '../lib/timeout.ts'
import { venueRow, writeKv } from './kv-sync.ts'
import { parseTagRow, toTagKey, toVenueKey } from './resolve.ts'

/** KV keys that one request looks at: it writes each at most three times, within 1,000 operations an invocation. */
export const rebuildBatchSize = 100
/** Writes of a key whose row changes while it is written. */
const maxWrites = 3
const kvTimeoutMs = 10_000
/** Characters of a cursor: the longest name or cursor of KV, and room. */
const maxCursorLength = 1_024
const statements = {
  names: lazy(() =>
    compile(sql`
      select n.name, t.merchant_id, t.id, t.code, t.test_mode, t.nfc, t.version, t.metadata,
        m.timezone, m.ordering_url, m.sandbox_url, m.updated_at
      from tag_names as n left join tags as t on t.seq = n.tag left join merchants as m on m.id = t.merchant_id
      where n.name > ${param('after')} and n.name <= ${param('last')} order by n.name limit ${param('rows')}`),
  ),
  merchants: lazy(() =>
    compile(sql`
      select id, timezone, ordering_url, sandbox_url, updated_at from merchants
      where id > ${param('after')} and id <= ${param('last')} order by id limit ${param('rows')}`),
  ),
  unknownNames: lazy(() =>
    compile(sql`
      select value as name from json_each(${param('names')}) where not exists (select 1 from tag_names where name = value)`),
  ),
  unknownMerchants: lazy(() =>
    compile(sql`
      select value as name from json_each(${param('names')}) where not exists (select 1 from merchants where id = value)`),
  ),
}

/** Sorts after every name and id. */
const end = '~'

/** What one request did. */
export const rebuildView = z.object({
  tags: z.int().check(z.describe('Keys written that lead to a tag.')),
  tombstones: z.int().check(z.describe('Keys written of tags that are deleted.')),
  merchants: z.int().check(z.describe("Keys written with a merchant's addresses.")),
  removed: z.int().check(z.describe('Keys deleted because the database does not know them.')),
  cursor: z.optional(z.string()).check(z.describe('Start of the next batch. Absent after the last one.')),
})
type Rebuilt = z.output<typeof rebuildView>

export const rebuildQuery = z.strictObject({
  cursor: z
    .optional(z.string({ error: 'must be given once' }).check(z.maxLength(maxCursorLength)))
    .check(z.describe('`cursor` of the previous response. Absent: from the beginning.')),
})

/** The parts of the work, in order; a cursor names one, and how far it has come. */
const phases = ['tags', 'merchants', 'other-tags', 'other-merchants'] as const
const cursorForm = new RegExp(`^(${phases.join('|')}):(.*)$`)

const nothing: Rebuilt = { tags: 0, tombstones: 0, merchants: 0, removed: 0 }
const cursorOf = (phase: string | undefined, position = '') =>
  phase === undefined ? {} : { cursor: `${phase}:${position}` }

/** A write, deletion or listing of KV; a failure ends the request with `503`, and the same request repeats it. */
async function useKv<Value>(env: Bindings, work: Promise<Value>): Promise<Value> {
  const unavailable = () =>
    new ApiError('unavailable', 'KV does not answer. Repeat the request.', [], { 'retry-after': '2' })
  const value = await withTimeout(kvTimeoutMs, work).catch((error: unknown) => {
    log(env, 'KV not rebuilt', { error: String(error) })
    throw unavailable()
  })
  if (value === timedOut) throw unavailable()
  return value
}

interface Source<Item> {
  statement: () => ReturnType<typeof compile>
  name(row: Row): string
  item(row: Row): Item
  kvKey(name: string): string
}

/** Writes one batch of rows to KV, again where a row changes meanwhile: the last write has the last version. */
async function writeBatch<Item extends Parameters<typeof writeKv>[2]>(
  { env, database, after }: Work,
  { statement, name, item, kvKey }: Source<Item>,
): Promise<{ items: Item[]; last: string | undefined }> {
  const read = async (last: string, rows: number) => {
    const values: Values = { after, last, rows }
    const [found = []] = await database.run([statement(), values])
    return new Map(found.map((row) => [name(row), item(row)]))
  }
  let items = await read(end, rebuildBatchSize)
  const last = [...items.keys()].at(-1)
  if (last === undefined) return { items: [], last: undefined }
  const isFull = items.size === rebuildBatchSize
  let changed = items
  for (let writes = 0; changed.size > 0; writes++) {
    if (writes === maxWrites) throw new ApiError('busy', 'The rows change too fast. Repeat the request.')
    await useKv(env, Promise.all(Array.from(changed, ([key, value]) => writeKv(env, kvKey(key), value))))
    const before = items
    items = await read(last, before.size + rebuildBatchSize)
    changed = new Map([...items].filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(before.get(key))))
  }
  return { items: [...items.values()], last: isFull ? last : undefined }
}

interface Work {
  env: Bindings
  database: Database
  /** Where this phase goes on. */
  after: string
}

const tagSource = {
  statement: statements.names,
  name: (row: Row) => String(row['name']),
  item: (row: Row) => parseTagRow(row).tag,
  kvKey: toTagKey,
}
const merchantSource = {
  statement: statements.merchants,
  name: (row: Row) => String(row['id']),
  item: (row: Row) => venueRow.parse(row),
  kvKey: toVenueKey,
}

async function writeTags(work: Work): Promise<Rebuilt> {
  const { items, last } = await writeBatch(work, tagSource)
  const tombstones = items.filter(({ gone }) => gone).length
  const next = last === undefined ? cursorOf('merchants') : cursorOf('tags', last)
  return { ...nothing, tags: items.length - tombstones, tombstones, ...next }
}

async function writeMerchants(work: Work): Promise<Rebuilt> {
  const { items, last } = await writeBatch(work, merchantSource)
  const next = last === undefined ? cursorOf('other-tags') : cursorOf('merchants', last)
  return { ...nothing, merchants: items.length, ...next }
}

/** Deletes one batch of keys that the database does not know: of what was made after the moment that was restored. */
const removeUnknown =
  (phase: string, next: string | undefined, keyOf: (name: string) => string, statement: Source<never>['statement']) =>
  async ({ env, database, after }: Work): Promise<Rebuilt> => {
    const prefix = keyOf('')
    const options = { prefix, limit: rebuildBatchSize, ...(after === '' ? {} : { cursor: after }) }
    const listed = await useKv(env, env.TAGS.list(options))
    const names = listed.keys.map(({ name }) => name.slice(prefix.length))
    const [unknown = []] = await database.run([statement(), { names: JSON.stringify(names) }])
    await useKv(env, Promise.all(unknown.map(({ name }) => env.TAGS.delete(keyOf(String(name))))))
    const position = listed.list_complete ? cursorOf(next) : cursorOf(phase, listed.cursor)
    return { ...nothing, removed: unknown.length, ...position }
  }

const steps: Readonly<Record<string, (work: Work) => Promise<Rebuilt>>> = {
  tags: writeTags,
  merchants: writeMerchants,
  'other-tags': removeUnknown('other-tags', 'other-merchants', toTagKey, statements.unknownNames),
  'other-merchants': removeUnknown('other-merchants', undefined, toVenueKey, statements.unknownMerchants),
}

/** Makes KV agree with D1, one batch for each request: for after a restore, when KV knows what the database no longer does. */
export const tagRebuild = new Hono<Env>().post('/', query(rebuildQuery), noBody, async (c) => {
  const { cursor = `${phases[0]}:` } = c.req.valid('query')
  const [, phase = '', after = ''] = cursorForm.exec(cursor) ?? []
  const step = steps[phase]
  if (!step) throw invalidParameter('cursor', 'invalid_value', 'is not a cursor of this operation')
  const { database } = c.var
  database.usePrimary()
  return c.json(await step({ env: c.env, database, after }), 200)
})
