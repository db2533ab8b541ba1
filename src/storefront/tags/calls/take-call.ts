import type { Context } from 'hono'
import { createCaller, createEventValues } from '../../../catalogue/resource/caller.ts'
import { merchantDatabase } from '../../../platform/db/home/merchant-connection.ts'
import { type CallKind, callKinds } from '../../../platform/db/schema/resources/tag-requests.ts'
import { findServiceState, getPause } from '../../../platform/db/service/service-state.ts'
import { commitNamed } from '../../../platform/db/transaction.ts'
import { ApiError } from '../../../platform/errors.ts'
import type { Env } from '../../../platform/http/context.ts'
import { isLimited, isOneMissTooMany } from '../../../platform/http/rate-limit.ts'
import { readBytes } from '../../../platform/http/request-body.ts'
import { createServiceHours, isVenueOpen } from '../../../platform/lib/hours/service-hours.ts'
import { createId } from '../../../platform/lib/ids.ts'
import { createClock } from '../../../platform/lib/opening-hours.ts'
import { parseTagNames, trimmed } from '../../../platform/lib/tag-code.ts'
import { nowInSeconds } from '../../../platform/lib/time.ts'
import type { Channel } from '../../../platform/messages.ts'
import { fanOut, toPendingDeliveries } from '../../../platform/outbox/fan-out.ts'
import {
  callPage,
  deletedPage,
  invalidPage,
  limitedPage,
  unavailablePage,
  unknownCodePage,
} from '../../pages/error-pages.ts'
import { takesCalls } from '../isolate-cache.ts'
import { restoreTagLater } from '../observe-tags.ts'
import { resolveScan } from '../resolve.ts'
import type { TagRecord } from '../tag-record.ts'
import { callLimits } from './call-limits.ts'
import { type CallingVenue, callStatements, readCallingVenue } from './call-statements.ts'
import { checkSeat } from './seat.ts'

/** Maximum number of bytes of a form. */
export const maxFormBytes = 2_048
const formType = /^application\/x-www-form-urlencoded\s*(?:;|$)/i

async function readForm(c: Context<Env>): Promise<URLSearchParams> {
  if (!formType.test(c.req.header('content-type') ?? ''))
    throw new ApiError('unsupported_media_type', 'The body must be sent as application/x-www-form-urlencoded.')
  return new URLSearchParams(new TextDecoder().decode(await readBytes(c, maxFormBytes)))
}

/** Whether the venue serves nobody at a time in seconds, by its hours. */
const isClosed = (venue: CallingVenue, at: number) =>
  !isVenueOpen(createServiceHours(venue), createClock(venue.timezone)(at))

/** Why a venue takes no calls of a kind from a channel; undefined if it does. */
async function findRefusal(c: Context<Env>, kind: CallKind, channel: Channel): Promise<'off' | 'closed' | undefined> {
  const { database, scope } = c.var
  const [[row], [service]] = await database.run(
    [callStatements.venue(), { ...scope }],
    [findServiceState(), { ...scope }],
  )
  if (!row || row['suspended'] === 1) return 'closed'
  const venue = readCallingVenue(row)
  const { actions = [], requireTap = false } = venue.menuBar ?? {}
  if (!actions.includes(kind) || (requireTap && channel !== 'nfc')) return 'off'
  const now = nowInSeconds()
  return getPause(service, now) !== undefined || isClosed(venue, now) ? 'closed' : undefined
}

/** Stores a call and raises `tag.requested`, unless the same call is open. Returns what became of it. */
async function storeCall(c: Context<Env>, tag: string, kind: CallKind): Promise<'open' | 'gone' | 'full'> {
  const caller = createCaller(c)
  const values = { ...createEventValues(caller), call: createId('call'), tag, kind }
  const { outcome, deliveries } = await commitNamed(
    caller,
    {},
    values,
    { forget: callStatements.forget(), insert: callStatements.insert(), raise: callStatements.raise() },
    { outcome: callStatements.outcome(), deliveries: fanOut() },
  )
  caller.enqueue(toPendingDeliveries(deliveries))
  const [found] = outcome
  return found?.isTag !== 1 ? 'gone' : found.isOpen === 1 ? 'open' : 'full'
}

/** Takes a call of a guest: the form of the hosted menu, whose `seat` the redirect of the tag has added. */
export async function takeCall(c: Context<Env>): Promise<Response> {
  const merchantId = trimmed(c.req.param('merchantId') ?? '')
  const form = await readForm(c)
  const [name, seat] = [form.get('tag') ?? '', form.get('seat') ?? '']
  const kind = callKinds.find((each) => each === form.get('kind'))
  if (kind === undefined || parseTagNames(name).length === 0) return invalidPage(c)
  const restore = (tag: TagRecord, names: readonly string[]) =>
    c.executionCtx.waitUntil(restoreTagLater(c.env, tag, names))
  const found = await resolveScan(c.env, name, restore, isLimited(c))
  if (found === 'unavailable') return unavailablePage(c)
  if (found === 'limited') return limitedPage(c)
  if (found === 'unknown') return (await isOneMissTooMany(c)) ? limitedPage(c) : unknownCodePage(c)
  const { tag, venue } = found
  if (tag.gone || (venue.deletesAt !== undefined && venue.deletesAt <= nowInSeconds())) return deletedPage(c)
  const channel = tag.merchantId === merchantId ? await checkSeat(c.env, tag.id, seat) : undefined
  const language = c.req.query('lang')
  const parameters = { tag: tag.id, ...(channel && { seat }), ...(language !== undefined && { lang: language }) }
  const toMenu = (more: Readonly<Record<string, string>> = {}) =>
    `/m/${tag.merchantId}?${new URLSearchParams({ ...parameters, ...more })}`
  if (channel === undefined) return (await isOneMissTooMany(c)) ? limitedPage(c) : callPage(c, 403, 'seat', toMenu())
  if (venue.suspended) return callPage(c, 409, 'closed', toMenu())
  if (!takesCalls(found)) return callPage(c, 403, 'off', toMenu())
  c.set('scope', { merchantId, testMode: tag.testMode })
  c.set('database', merchantDatabase(c.env, { merchantId, home: undefined }))
  c.var.database.usePrimary()
  const refusal = await findRefusal(c, kind, channel)
  if (refusal !== undefined) return callPage(c, refusal === 'off' ? 403 : 409, refusal, toMenu())
  const outcome = await storeCall(c, tag.id, kind)
  if (outcome === 'gone') return deletedPage(c)
  if (outcome === 'full') return callPage(c, 429, 'full', toMenu(), callLimits.ofTagSeconds)
  return new Response(null, {
    status: 303,
    headers: { location: toMenu({ asked: kind }), 'cache-control': 'no-store' },
  })
}
