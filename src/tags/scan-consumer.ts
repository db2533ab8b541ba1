import { sql } from 'drizzle-orm'
import { Hono } from 'hono'
import * as z from 'zod/mini'
import { DamagedError, readRows } from '../db/damaged-rows.ts'
import { compile, directoryDatabase, lazy, param } from '../db/database.ts'
import type { Bindings, Env } from '../env.ts'
import { type Issue, invalid, notFound } from '../errors.ts'
import { query } from '../http/validation.ts'
import { ByteCache } from '../lib/byte-cache.ts'
import { createId } from '../lib/ids.ts'
import { log } from '../lib/log.ts'
import { type Channel, channels, type ScanMessage, scanMessage } from '../messages.ts'
import type { Resolved } from './isolate-cache.ts'
import { syncTag, syncVenue } from './kv-sync.ts'

/** How long it is remembered which scans were counted, in days: as long as a queue may keep a message, and a day. */
export const receiptRetentionDays = 5
/** Most days that one question may span. */
export const maxDays = 366

/** Robots and previews by the names they give themselves; a Cubot is a phone, and apps that read codes are guests. */
const botPattern =
  /(?<!cu)bot|crawl|spider|preview|^whatsapp|facebookexternalhit|slurp|headless|curl|wget|python|java\/|go-http|axios|\bnode/i

/** Whether a GET is that of a guest, and not of a robot, a preview or a page that is loaded in advance. */
export function isGuest({ headers }: Request): boolean {
  if (botPattern.test(headers.get('user-agent') ?? '')) return false
  const purpose = `${headers.get('sec-purpose') ?? ''} ${headers.get('purpose') ?? ''} ${headers.get('x-moz') ?? ''}`
  return !/prefetch|prerender|preview/i.test(purpose)
}

/** Records a scan, behind the redirect: a point for analysis, and a message to be added up. Never throws. */
export async function recordScan(
  env: Bindings,
  { tag, venue }: Resolved,
  channel: Channel,
  requestId: string,
): Promise<void> {
  const failed = (message: string) => (error: unknown) =>
    log({ REQUEST_ID: requestId }, message, { tag: tag.id, error: String(error) })
  try {
    env.SCAN_POINTS?.writeDataPoint({ indexes: [tag.merchantId], blobs: [tag.id, channel], doubles: [1] })
  } catch (error) {
    failed('scan not analysed')(error)
  }
  const scan = {
    kind: 'scan',
    id: createId('scan'),
    merchant: tag.merchantId,
    tag: tag.id,
    at: Date.now(),
    channel,
    timezone: venue.timezone,
  } as const
  // Queues refuse messages at times. One that comes twice for it is counted once.
  const send = async () => env.SCANS.send(scan)
  await send().catch(send).catch(failed('scan not counted'))
}

/** Budget for formats of time zones, in bytes, and about what the runtime takes for one of them. */
export const formatMemoryBytes = 4 * 1024 * 1024
const formatBytes = 64 * 1024
const dayFormats = new ByteCache<Intl.DateTimeFormat>(formatMemoryBytes, () => formatBytes)

/** One message with a time zone that this runtime does not know must not keep others from being counted. */
function createDayFormat(timezone: string): Intl.DateTimeFormat {
  const options = { dateStyle: 'short' } as const
  try {
    return new Intl.DateTimeFormat('en-CA', { ...options, timeZone: timezone })
  } catch {
    return new Intl.DateTimeFormat('en-CA', { ...options, timeZone: 'UTC' })
  }
}

/** The day of a moment by a venue's clock, as YYYY-MM-DD. */
export function toLocalDay(ms: number, timezone: string): string {
  let format = dayFormats.get(timezone)
  if (!format) {
    format = createDayFormat(timezone)
    dayFormats.set(timezone, format)
  }
  return format.format(ms)
}

const statements = {
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

const isDay = (text: string) =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.slice(0, 10) === text
const day = z.optional(
  z.string({ error: 'must be given once' }).check(z.refine(isDay, { error: 'must be a day as YYYY-MM-DD' })),
)
export const countsQuery = z.strictObject({ from: day, to: day })

export const countView = z.object({ day: z.string(), channel: z.enum(channels), count: z.int() })
const dayMs = 86_400_000
const shiftDay = (day: string, days: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)

/** How often a tag was scanned, by day and channel. */
export const scanRoutes = new Hono<Env>().get('/:id/scans', query(countsQuery), async (c) => {
  const { merchantId, testMode } = c.var.scope
  const asked = c.req.valid('query')
  const values = { merchantId, id: c.req.param('id'), testMode: testMode ? 1 : 0 }
  const [[venue] = []] = await c.var.database.run([statements.tag(), values])
  if (!venue) throw notFound()
  const to = asked.to ?? toLocalDay(Date.now(), String(venue['timezone']))
  const from = asked.from ?? shiftDay(to, -29)
  const issue = (message: string): Issue => ({ parameter: 'from', code: 'invalid_value', message })
  if (from > to) throw invalid([issue('must not be behind to')])
  if (from < shiftDay(to, 1 - maxDays)) throw invalid([issue(`must be within ${maxDays} days of to`)])
  const [rows = []] = await c.var.database.run([statements.counts(), { ...values, from, to }])
  return c.json(
    readRows(c.var.database, rows, (counted) => {
      const { data, error } = countView.safeParse(counted)
      if (data) return data
      const fields = [...new Set(error.issues.map(({ path: [column] }) => String(column)))]
      const id = `${values.id} ${String(counted['day'])} ${String(counted['channel'])}`
      throw new DamagedError({ table: 'scan_counts', id, merchantId, fields })
    }),
    200,
  )
})
