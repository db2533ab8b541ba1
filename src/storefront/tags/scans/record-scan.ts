import type { Bindings } from '../../../platform/env.ts'
import { createId } from '../../../platform/lib/ids.ts'
import { type LogMessage, log } from '../../../platform/lib/log.ts'
import type { Channel } from '../../../platform/messages.ts'
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

/** Records a scan after the redirect: an Analytics Engine data point, and a message that counts it. Never throws. */
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
  // A send can fail, so it is repeated. A message that arrives twice counts once.
  const send = async () => env.SCANS.send(scan)
  await send().catch(send).catch(logFailure('scan not counted'))
}
