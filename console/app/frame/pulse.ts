import { useEffect } from 'preact/hooks'
import type { Pulse } from '../../../packages/client/src/client.ts'
import { sendSigned, session } from '../session.ts'
import { noteClock } from '../time/zoned-time.ts'

/** Pause between two requests, in milliseconds. */
const pauseMs = 4_000

/** A part of the data, or the calls of guests. */
type Part = Pulse['resources'][number] | 'requests'
interface Follower {
  parts: readonly Part[]
  /** Whether the change must wait, because the person is typing into what would be replaced. */
  isBusy: () => boolean
  read: () => void
}
const followers = new Map<Follower, boolean>()

let cursor: string | undefined
/** The venue and the mode of the cursor. */
let followed = ''
let timer: ReturnType<typeof setTimeout> | undefined

async function findChanges(): Promise<readonly Part[]> {
  const { merchant, mode } = session.value ?? {}
  if (!merchant) return []
  const place = `${merchant.id} ${mode}`
  if (place !== followed) cursor = undefined
  const query = cursor === undefined ? '' : `?after=${cursor}`
  const response = await sendSigned(`/merchants/${merchant.id}/pulse${query}`)
  noteClock(response)
  if (response.status !== 200) return []
  const pulse: Pulse = await response.json()
  cursor = pulse.cursor
  followed = place
  return pulse.requests ? [...pulse.resources, 'requests'] : pulse.resources
}

async function poll(): Promise<void> {
  clearTimeout(timer)
  if (document.visibilityState !== 'visible') return
  // Without a connection the next request finds what was missed.
  const changed = await findChanges().catch((): readonly Part[] => [])
  for (const [follower, isPending] of followers) {
    const concerns = isPending || follower.parts.some((part) => changed.includes(part))
    const waits = concerns && follower.isBusy()
    followers.set(follower, waits)
    if (concerns && !waits) follower.read()
  }
  clearTimeout(timer)
  if (followers.size > 0) timer = setTimeout(poll, pauseMs)
}

/** Asks at once when the page is shown again. */
document.addEventListener('visibilitychange', () => followers.size > 0 && void poll())
addEventListener('online', () => {
  // Reads whatever failed without a connection.
  for (const follower of followers.keys()) followers.set(follower, true)
  if (followers.size > 0) void poll()
})

/** Calls `read` when somebody changes one of these parts, while the page is visible. */
export function useChanges(parts: readonly Part[], read: () => void, isBusy: () => boolean = () => false): void {
  useEffect(() => {
    const follower = { parts, read, isBusy }
    followers.set(follower, false)
    if (followers.size === 1) void poll()
    return () => {
      followers.delete(follower)
      if (followers.size === 0) clearTimeout(timer)
    }
  }, [])
}
