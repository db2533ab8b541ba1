import type { Bindings } from '../../../platform/env.ts'
import { createId } from '../../../platform/lib/ids.ts'
import { type LogMessage, log } from '../../../platform/lib/log.ts'
import { timedOut, withTimeout } from '../../../platform/lib/time.ts'
import type { Channel, Scan } from '../../../platform/messages.ts'
import type { Resolved } from '../isolate-cache.ts'

/** User agents of bots and link previews. Exceptions: Cubot is a brand of phones, and apps that read codes belong to guests. */
const botPattern =
  /(?<!cu)bot|crawl|spider|preview|^whatsapp|facebookexternalhit|slurp|headless|curl|wget|python|java\/|go-http|axios|\bnode/i

/** Whether a GET comes from a guest, and not from a bot, a preview or a prefetch. */
export function isGuest({ headers }: Request): boolean {
  if (botPattern.test(headers.get('user-agent') ?? '')) return false
  const purpose = `${headers.get('sec-purpose') ?? ''} ${headers.get('purpose') ?? ''} ${headers.get('x-moz') ?? ''}`
  return !/prefetch|prerender|preview/i.test(purpose)
}

/** Times of counting scans without the queue, in milliseconds. */
export const directCounts = {
  /** Maximum time that a scan waits for its count. Then the queue counts it. */
  maxMs: 5_000,
  /** A count that takes longer shows that the database is busy. */
  slowMs: 1_000,
  /** Time from the start of a count that failed or was slow, during which the queue counts the scans of the isolate. */
  pauseMs: 10_000,
} as const
/**
 * Until when the queue counts the scans of this isolate: while it counts another scan, so that a peak is counted in batches, and after a failure. A
 * time, because the count of a request that the runtime ends never settles.
 */
export const queueUntil = { ms: 0 }

/** Counts a scan in the database of its merchant, after the redirect. Throws if it may not be counted. */
async function countDirectly(env: Bindings, scan: Scan): Promise<void> {
  const startedMs = Date.now()
  queueUntil.ms = startedMs + directCounts.pauseMs
  // The response does not wait for the code that follows.
  await new Promise((resolve) => setTimeout(resolve))
  const { countScans } = await import('./count-scans.ts')
  if ((await withTimeout(directCounts.maxMs, countScans(env, [scan]))) === timedOut)
    throw new Error(`no response within ${directCounts.maxMs} ms`)
  if (Date.now() - startedMs <= directCounts.slowMs) queueUntil.ms = 0
}

/**
 * Records a scan after the redirect: an Analytics Engine data point, and its count. If the count fails, or if another scan of this isolate is being
 * counted, a message with the same id counts it, so that it counts once whatever became of the attempt. Never throws.
 */
export async function recordScan(
  env: Bindings,
  { tag, venue }: Resolved,
  channel: Channel,
  requestId: string,
): Promise<void> {
  const logFailure = (message: LogMessage) => (error: unknown) =>
    log({ REQUEST_ID: requestId }, message, { tag: tag.id, error: String(error) })
  try {
    env.SCAN_POINTS?.writeDataPoint({ indexes: [tag.merchantId], blobs: [tag.id, channel], doubles: [1] })
  } catch (error) {
    logFailure('scan data point not written')(error)
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
  if (Date.now() >= queueUntil.ms) {
    try {
      return await countDirectly(env, scan)
    } catch (error) {
      logFailure('scan left to the queue')(error)
    }
  }
  // A send can fail, so it is repeated. A message that arrives twice counts once.
  const send = async () => env.SCANS.send(scan)
  await send().catch(send).catch(logFailure('scan not counted'))
}
