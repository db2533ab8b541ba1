import { callKinds } from '../../../../platform/db/schema/resources/tag-requests.ts'
import { parseSeat } from '../../../tags/calls/seat.ts'
import { callsEnd, callsStart, seatMark } from './seat-marks.ts'

/** Links of the page that keep the tag. */
const ownLinks = /href="\?tag=[^"&]*/g

/**
 * Opens the form of calls on a page from the cache, for a guest whose address has a seat. `asked` is the call that was taken. The seat is checked when
 * the form is sent. Other pages stay as they are.
 */
export async function fillSeat(
  response: Response,
  seat: string | undefined,
  asked: string | undefined,
): Promise<Response> {
  const parts = seat === undefined ? undefined : parseSeat(seat)
  if (seat === undefined || !parts || !response.ok || response.body === null) return response
  const headers = new Headers(response.headers)
  const page = await response.text()
  const start = page.indexOf(callsStart)
  const end = page.indexOf(callsEnd, start)
  if (start < 0 || end < 0) return new Response(page, { headers })
  const [channels, ...form] = page.slice(start + callsStart.length, end).split('>')
  const isUsable = channels !== 'nfc' || parts.channel === 'nfc'
  const taken = callKinds.find((kind) => kind === asked)
  const opened = form
    .join('>')
    .replace(seatMark, seat)
    .replace('<form ', `<form${taken === undefined ? '' : ` class="asked-${taken}"`} `)
  const filled = `${page.slice(0, start)}${isUsable ? opened : ''}${page.slice(end + callsEnd.length)}`
  // The address of the page has the seat, so that only its owner may store it.
  headers.set('cache-control', (headers.get('cache-control') ?? '').replace('public', 'private'))
  headers.set('etag', (headers.get('etag') ?? '').replace(/"$/, `-${parts.hour}"`))
  return new Response(
    filled.replace(ownLinks, (link) => `${link}&amp;seat=${seat}`),
    { headers },
  )
}
