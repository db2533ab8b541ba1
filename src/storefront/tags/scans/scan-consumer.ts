import { and, eq, exists, inArray, like, not, notExists, notInArray, or, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { legacyFields, listTagNames } from '../../../catalogue/resources/tags.ts'
import { compile, lazy, param } from '../../../platform/db/database.ts'
import { sharedDatabase } from '../../../platform/db/home/d1-connection.ts'
import { homeFields, isFenced, toHome } from '../../../platform/db/home/home.ts'
import { merchantDatabase } from '../../../platform/db/home/merchant-connection.ts'
import { db, typed } from '../../../platform/db/query.ts'
import { homeTable } from '../../../platform/db/schema/directory/homes.ts'
import { eventTable } from '../../../platform/db/schema/events.ts'
import { scanCountTable as counts, scanReceiptTable as receipts } from '../../../platform/db/schema/scan-counts.ts'
import { excluded } from '../../../platform/db/sql-name.ts'
import type { Bindings } from '../../../platform/env.ts'
import { toLocalDay } from '../../../platform/lib/day.ts'
import { log } from '../../../platform/lib/log.ts'
import { type ScanMessage, scanMessage } from '../../../platform/messages.ts'
import { isOfTransaction } from '../../../platform/outbox/fan-out.ts'
import { readChangedTags } from '../changed-tags.ts'
import { enqueueTagSyncs, syncTag, syncVenue } from '../kv-sync.ts'

const findRows = lazy(() =>
  typed({ row: eventTable.row, type: eventTable.type }, (select) =>
    db
      .select(select)
      .from(eventTable)
      .where(and(isOfTransaction(sql`${param('merchantId')}`), like(eventTable.type, 'tag.%'))),
  ),
)

/** Names of the tag in the row of an event. Absent and damaged values are left out. */
const namedRow = z.object({
  id: z.string(),
  code: z.catch(z.optional(z.string()), undefined),
  legacy: z.catch(z.optional(legacyFields), undefined),
})

/** Enqueues the sync of the tags that a transaction changed, if the transaction was committed. Throws if the database or the queue fails. */
async function syncTagsOf(env: Bindings, merchantId: string, event: string): Promise<void> {
  const database = merchantDatabase(env, { merchantId, home: undefined })
  database.usePrimary()
  const [rows] = await database.run([findRows(), { merchantId, event }])
  const named = rows.map(({ row, type }) => ({ tag: namedRow.parse(JSON.parse(row)), type }))
  // Events of details do not record the names of the tag.
  const detailed = named.filter(({ type }) => type === 'tag.details_updated').map(({ tag }) => tag.id)
  const read = detailed.length > 0 ? await readChangedTags(env, merchantId, detailed) : undefined
  await enqueueTagSyncs(
    env,
    named.map(({ tag }) => read?.get(tag.id)?.names ?? listTagNames(tag)),
  )
}

type Scan = Extract<ScanMessage, { kind: 'scan' }>
type CountedScan = Omit<Scan, 'at' | 'timezone'> & { day: string }

/**
 * Maximum delay before a failed message is delivered again, in seconds. All attempts together take 3.7 days: longer than outages, and less than the
 * four days for which a queue keeps a message.
 */
const maxRetryDelaySeconds = 3_600

/**
 * Maximum number of names of tags and merchants that one run writes to KV. Each takes up to five calls: reads before and after the write, and those
 * of an object. An invocation may make 1,000.
 */
export const maxSyncedNames = 150

/** A field of a scan in the list `:scans`. */
const field = (key: keyof CountedScan) => sql<string>`value ->> ${sql.raw(`'${key}'`)}`
const scans = sql`json_each(${param('scans')})`
const isElsewhere = and(eq(homeTable.merchantId, field('merchant')), or(eq(homeTable.kind, 'object'), isFenced))
/** The data of the scan's merchant is in this database, and its writes do not wait for the end of a move. */
const isHere = notExists(db.select({ one: sql`1` }).from(homeTable).where(isElsewhere))
const elsewhereFields = { merchantId: homeTable.merchantId, ...homeFields }

/** Number of characters of an id, from its end, that its receipt has: 60 random bits. */
const receiptLength = 12
/**
 * Length of the receipts in a row, in characters, from which on further scans have rows of receipts: about 1,500 scans of a tag on a day. Each
 * count writes the row again.
 */
export const maxReceiptsLength = 20_000

const receipt = sql`substr(${field('id')}, ${sql.raw(String(-receiptLength))}) || ' '`
const countKey = [counts.merchantId, counts.tag, counts.day, counts.channel]
/** The row of the count has the scan's receipt. */
const isCounted = exists(
  db
    .select({ one: sql`1` })
    .from(counts)
    .where(
      and(
        eq(counts.merchantId, field('merchant')),
        eq(counts.tag, field('tag')),
        eq(counts.day, field('day')),
        eq(counts.channel, field('channel')),
        sql`instr(${counts.receipts}, ' ' || ${receipt}) > 0`,
      ),
    ),
)

const statements = {
  /** Adds the scans that have no receipt to their counts, with their receipts. */
  count: lazy(() => {
    const received = db
      .select({ id: receipts.id })
      .from(receipts)
      .where(inArray(receipts.id, sql`(select ${field('id')} from ${scans})`))
    const isNew = and(notInArray(field('id'), received), not(isCounted), isHere)
    const hasRoom = sql`${counts.keepsReceipts} and length(${counts.receipts}) < ${sql.raw(String(maxReceiptsLength))}`
    return compile(
      db
        .insert(counts)
        .select(
          db
            .select({
              merchantId: field('merchant').as('merchantId'),
              tag: field('tag').as('tag'),
              day: field('day').as('day'),
              channel: field('channel').as('channel'),
              count: sql<number>`count(*)`.as('count'),
              receipts: sql<string>`' ' || group_concat(${receipt}, '')`.as('receipts'),
              keepsReceipts: sql<boolean>`1`.as('keepsReceipts'),
            })
            .from(scans)
            .where(isNew)
            .groupBy(field('merchant'), field('tag'), field('day'), field('channel')),
        )
        .onConflictDoUpdate({
          target: countKey,
          set: {
            count: sql`${counts.count} + ${excluded(counts.count)}`,
            receipts: sql`${counts.receipts} || iif(${hasRoom}, substr(${excluded(counts.receipts)}, 2), '')`,
          },
        }),
    )
  }),
  /** Homes of merchants whose data is not in the shared database. */
  findElsewhere: lazy(() =>
    typed(elsewhereFields, (select) =>
      db.select(select).from(scans).innerJoin(homeTable, isElsewhere).groupBy(homeTable.merchantId),
    ),
  ),
  /** Writes a row for each scan whose receipt is not in the row of the count. */
  insertReceipts: lazy(() =>
    compile(
      db
        .insert(receipts)
        .select(
          db
            .select({ id: field('id').as('id'), merchantId: field('merchant').as('merchantId') })
            .from(scans)
            .where(and(not(isCounted), isHere)),
        )
        .onConflictDoNothing(),
    ),
  ),
}

/**
 * Counts scans of merchants in the shared database, and those of others in their objects. One transaction with their receipts, so that a message that
 * is delivered twice counts once.
 */
async function countScans(env: Bindings, scans: readonly Scan[]): Promise<void> {
  if (scans.length === 0) return
  const unique = new Map(
    scans.map(({ at, timezone, ...scan }): [string, CountedScan] => [
      scan.id,
      { ...scan, day: toLocalDay(at, timezone) },
    ]),
  )
  const values = { scans: JSON.stringify([...unique.values()]) }
  const [, , elsewhere] = await sharedDatabase(env).run(
    [statements.count(), values],
    [statements.insertReceipts(), values],
    [statements.findElsewhere(), values],
  )
  const countElsewhere = async ({ merchantId, ...home }: (typeof elsewhere)[number]) => {
    const own = {
      scans: JSON.stringify(
        unique
          .values()
          .filter(({ merchant }) => merchant === merchantId)
          .toArray(),
      ),
    }
    const database = merchantDatabase(env, { merchantId, home: toHome(home) })
    await database.run([statements.count(), own], [statements.insertReceipts(), own])
  }
  await Promise.all(elsewhere.map(countElsewhere))
}

/** Acknowledges messages whose work succeeded, and retries the others. */
async function settle(env: Bindings, messages: readonly Message[], work: () => Promise<void>): Promise<void> {
  try {
    await work()
    for (const message of messages) message.ack()
  } catch (error) {
    log(env, 'scan batch failed', { error: String(error) })
    for (const message of messages)
      message.retry({ delaySeconds: Math.min(2 ** message.attempts, maxRetryDelaySeconds) })
  }
}

function makeSync(env: Bindings, message: Exclude<ScanMessage, Scan>): Promise<void> {
  if (message.kind === 'tag') return syncTag(env, message.names)
  if (message.kind === 'merchant') return syncVenue(env, message.merchant)
  return syncTagsOf(env, message.merchant, message.event)
}

/** Consumes a batch of the scan queue: counts scans, and writes tags and merchants to KV. */
export async function consumeScans(batch: MessageBatch<unknown>, env: Bindings): Promise<void> {
  const scans: { message: Message; body: Scan }[] = []
  // KV accepts one write per second and key, so equal messages cause one sync.
  const syncs = new Map<string, { messages: Message[]; sync: () => Promise<void>; count: number }>()
  for (const message of batch.messages) {
    const body = scanMessage.safeParse(message.body).data
    if (body === undefined) {
      log(env, 'malformed scan message', { id: message.id })
      message.ack()
    } else if (body.kind === 'scan') {
      scans.push({ message, body })
    } else {
      const key = JSON.stringify(body)
      const count = body.kind === 'tag' ? body.names.length : 1
      const messages = [...(syncs.get(key)?.messages ?? []), message]
      syncs.set(key, { messages, sync: () => makeSync(env, body), count })
    }
  }
  const scanMessages = scans.map(({ message }) => message)
  await settle(env, scanMessages, () =>
    countScans(
      env,
      scans.map(({ body }) => body),
    ),
  )
  let names = 0
  for (const { messages, sync, count } of syncs.values()) {
    names += count
    // The first message always runs, so that every message is eventually settled.
    if (names > count && names > maxSyncedNames) for (const message of messages) message.retry({ delaySeconds: 1 })
    else await settle(env, messages, sync)
  }
}
