import { sql } from 'drizzle-orm'
import { compile, directoryDatabase, lazy, param } from '../db/database.ts'
import type { Bindings } from '../env.ts'
import { toLocalDay } from '../lib/local-day.ts'
import { log } from '../lib/log.ts'
import { type ScanMessage, scanMessage } from '../messages.ts'
import { syncTag, syncVenue } from './kv-sync.ts'

/** How long it is remembered which scans were counted, in days: as long as a queue may keep a message, and a day. */
export const receiptRetentionDays = 5
export const statements = {
  add: lazy(() =>
    compile(sql`
      insert into scan_counts (merchant_id, tag, day, channel, count)
      select value ->> 'merchant', value ->> 'tag', value ->> 'day', value ->> 'channel', count(*)
      from json_each(${param('scans')})
      where value ->> 'id' not in (select id from scan_receipts where id in (select value ->> 'id' from json_each(${param('scans')})))
      group by 1, 2, 3, 4
      on conflict do update set count = count + excluded.count`),
  ),
  receive: lazy(() =>
    compile(sql`
      insert into scan_receipts (id) select value ->> 'id' from json_each(${param('scans')}) where true
      on conflict do nothing`),
  ),
  tag: lazy(() =>
    compile(sql`
      select m.timezone from tags as t join merchants as m on m.id = t.merchant_id
      where t.merchant_id = ${param('merchantId')} and t.id = ${param('id')}
        and t.test_mode >= ${param('testMode')}`),
  ),
  counts: lazy(() =>
    compile(sql`
      select day, channel, count from scan_counts
      where merchant_id = ${param('merchantId')} and tag = ${param('id')}
        and day between ${param('from')} and ${param('to')}
      order by day, channel`),
  ),
}

type Scan = Extract<ScanMessage, { kind: 'scan' }>

async function addScans(env: Bindings, scans: readonly Scan[]): Promise<void> {
  if (scans.length === 0) return
  const unique = new Map(
    scans.map(({ at, timezone, ...scan }) => [scan.id, { ...scan, day: toLocalDay(at, timezone) }]),
  )
  const values = { scans: JSON.stringify([...unique.values()]) }
  await directoryDatabase(env).run([statements.add(), values], [statements.receive(), values])
}

/** Adds up scans, each once however often its message comes, and looks after the copies of tags in KV. */
export async function consumeScans(batch: MessageBatch<unknown>, env: Bindings): Promise<void> {
  const attempt = async (messages: readonly Message[], work: () => Promise<void>) => {
    try {
      await work()
      for (const message of messages) message.ack()
    } catch (error) {
      log(env, 'scans not counted or copies not refreshed', { error: String(error) })
      for (const message of messages) message.retry({ delaySeconds: 2 })
    }
  }
  const scans: { message: Message; body: Scan }[] = []
  // KV takes one write a second for a key: what many messages ask for is done once.
  const copies = new Map<string, { messages: Message[]; refresh: () => Promise<void> }>()
  for (const message of batch.messages) {
    const body = scanMessage.safeParse(message.body).data
    if (body === undefined) {
      log(env, 'malformed scan message', { id: message.id })
      message.ack()
    } else if (body.kind === 'scan') {
      scans.push({ message, body })
    } else {
      const asked = JSON.stringify(body)
      const refresh = () => (body.kind === 'tag' ? syncTag(env, body.names) : syncVenue(env, body.merchant))
      copies.set(asked, { messages: [...(copies.get(asked)?.messages ?? []), message], refresh })
    }
  }
  const [counted, bodies] = [scans.map(({ message }) => message), scans.map(({ body }) => body)]
  await attempt(counted, () => addScans(env, bodies))
  for (const { messages, refresh } of copies.values()) await attempt(messages, refresh)
}

/** Deletes at most `:most` receipts with an id before `:before`, which no message can bring again, and tells the oldest id there is. */
export const receiptRetention = {
  purge: lazy(() =>
    compile(sql`
      delete from scan_receipts where id in (
        select id from scan_receipts where id < ${param('before')} order by id limit ${param('most')}
      ) returning 1 as gone`),
  ),
  oldest: lazy(() => compile(sql`select min(id) as oldest from scan_receipts`)),
}
