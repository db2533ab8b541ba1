import { ConnectionError } from '../../../packages/client/src/client-errors.ts'
import { api } from '../../app/api.ts'
import { t } from '../../app/language.ts'
import { isTemporary } from '../../app/problems.ts'
import { draftPrefix, session } from '../../app/session.ts'
import { currentTime, fromLocalTime, localDay, toLocalTime } from '../../app/time/zoned-time.ts'
import { noteMark, type WaitingTap, waitingTaps } from '../../objects/stock/sold-out.ts'
import { showError, showStatus } from '../../ui/toasts.tsx'

/** Age up to which taps are sent without a question, in milliseconds. */
const sentWithoutAskingMs = 10 * 60_000
const daySeconds = 86_400
/** Start of the business day unless a mark has told another one: that of a new venue. */
const defaultDayStart = '04:00'
const dayStartName = 'console.dayStart'

export const isOld = ({ at }: WaitingTap) => Date.now() - at > sentWithoutAskingMs

/** Signing out removes names with this prefix. */
const storageName = () => `${draftPrefix}${session.value?.merchant.id} ${session.value?.mode} taps`

function keep(taps: readonly WaitingTap[]): void {
  waitingTaps.value = taps
  if (taps.length === 0) localStorage.removeItem(storageName())
  else localStorage.setItem(storageName(), JSON.stringify(taps))
}

/** Reads the taps that an earlier visit could not send. */
export function readTaps(): void {
  const now = currentTime()
  const stored: WaitingTap[] = JSON.parse(localStorage.getItem(storageName()) ?? '[]')
  keep(stored.filter(({ until }) => typeof until !== 'number' || until > now))
}

export const dropTap = (id: string): void => keep(waitingTaps.value.filter((tap) => tap.id !== id))

/** Remembers when marks until tomorrow end, for taps without a connection. */
export function noteDayStart(until: number | 'further_notice' | undefined): void {
  if (typeof until === 'number') localStorage.setItem(dayStartName, toLocalTime(until).slice(11))
}

/** The next start of a business day, in seconds. */
function findTomorrow(): number {
  const now = currentTime()
  const clock = localStorage.getItem(dayStartName) ?? defaultDayStart
  const starts = [0, 1, 2].map((days) => fromLocalTime(`${localDay(days)}T${clock}`))
  return starts.find((start) => start !== undefined && start > now) ?? Math.round(now) + daySeconds
}

/** Keeps a tap if the device is offline or the rejection is temporary. The last tap on an object counts. Returns whether it waits. */
export function keepTap(
  error: unknown,
  tap: Omit<WaitingTap, 'key' | 'at' | 'until'> & { until?: number | 'tomorrow' | 'further_notice' },
): boolean {
  if (!isTemporary(error) || (navigator.onLine && error instanceof ConnectionError)) return false
  const { until, ...rest } = tap
  const end = until === 'tomorrow' ? findTomorrow() : until
  const next = { ...rest, ...(end !== undefined && { until: end }), key: crypto.randomUUID(), at: Date.now() }
  keep([...waitingTaps.value.filter(({ id }) => id !== tap.id), next])
  if (navigator.onLine) setTimeout(sendRecent, retryMs)
  else showStatus(t().soldOut.waits(tap.title))
  return true
}

async function send({ id, modifier, soldOut, until, key: idempotencyKey }: WaitingTap): Promise<void> {
  const { products, modifiers } = api()
  const mark = { soldOut, ...(until !== undefined && { until }) }
  if (modifier !== undefined) await modifiers.setAvailability(modifier, { [id]: mark }, { idempotencyKey })
  else if (soldOut) noteMark(id, await products.soldOut(id, until, { idempotencyKey }))
  else noteMark(id, await products.available(id, { idempotencyKey }))
}

/** Pause after a temporary rejection, in milliseconds. */
const retryMs = 10_000

/** Sends taps in their order, until one gets no response, or a temporary rejection. Those that the service rejects are dropped. */
async function sendAll(isWanted: (tap: WaitingTap) => boolean): Promise<void> {
  const sent: string[] = []
  for (const tap of waitingTaps.value.filter(isWanted)) {
    try {
      await send(tap)
      sent.push(tap.title)
    } catch (error) {
      if (!(error instanceof ConnectionError)) showError(error)
      if (isTemporary(error)) {
        // A device can be online before its requests arrive.
        if (navigator.onLine) setTimeout(sendRecent, retryMs)
        break
      }
    }
    // Not by its id: the object may have been tapped since.
    keep(waitingTaps.value.filter(({ key }) => key !== tap.key))
  }
  if (sent.length > 0) showStatus(t().soldOut.sent(sent.join(', ')))
}

let sending = Promise.resolve()
/** Sends waiting taps, after those that are being sent: a tap can start to wait at the same time. */
export const sendTaps = (isWanted: (tap: WaitingTap) => boolean): Promise<void> =>
  (sending = sending.then(() => sendAll(isWanted)))

/** Sends the taps that need no question. */
export const sendRecent = () => sendTaps((tap) => !isOld(tap))
addEventListener('online', () => void sendRecent())
