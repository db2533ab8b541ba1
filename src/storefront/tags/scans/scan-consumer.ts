import { and, like, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { legacyFields, listTagNames } from '../../../catalogue/resources/tags.ts'
import { lazy, param } from '../../../platform/db/database.ts'
import { merchantDatabase } from '../../../platform/db/home/merchant-connection.ts'
import { db, typed } from '../../../platform/db/query.ts'
import { eventTable } from '../../../platform/db/schema/events.ts'
import type { Bindings } from '../../../platform/env.ts'
import { log } from '../../../platform/lib/log.ts'
import { type Scan, type ScanMessage, scanMessage } from '../../../platform/messages.ts'
import { isOfTransaction } from '../../../platform/outbox/fan-out.ts'
import { readChangedTags } from '../changed-tags.ts'
import { enqueueTagSyncs, syncTag, syncVenue } from '../kv-sync.ts'
import { countScans } from './count-scans.ts'

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
