import type { Bindings } from '../env.ts'
import { createId } from '../lib/ids.ts'
import { log } from '../lib/log.ts'
import type { Channel } from '../messages.ts'
import type { Resolved } from './isolate-cache.ts'

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
