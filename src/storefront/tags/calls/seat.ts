import { signHmac, verifyHmac } from '../../../platform/auth/hmac.ts'
import type { Bindings } from '../../../platform/env.ts'
import { timedOut, withTimeout } from '../../../platform/lib/time.ts'
import { type Channel, channels } from '../../../platform/messages.ts'

/**
 * A seat proves that a guest came to the menu by the redirect of a tag: channel, hour and a signature of both with the tag. It is valid for at least
 * `seatHours` and less than an hour longer, because it names only the hour.
 */
export const seatHours = 3
const hourMs = 3_600_000
/** Timeout of a signature, in milliseconds: an isolate reads the secret with its first one. Without a seat, the redirect shows the menu only. */
const seatTimeoutMs = 500

const form = /^(qr|nfc|link)\.(\d{1,9})\.([0-9A-Za-z]{16})$/

const toSignedText = (tagId: string, channel: string, hour: string) => `seat:${tagId}:${channel}:${hour}`

/** Creates the seat of a tag for a scan now. Undefined if the secret is not read in time. Rejects if it cannot be read. */
export async function signSeat(env: Bindings, tagId: string, channel: Channel): Promise<string | undefined> {
  const hour = `${Math.floor(Date.now() / hourMs)}`
  const seal = await withTimeout(seatTimeoutMs, signHmac(env, toSignedText(tagId, channel, hour)))
  return seal === timedOut ? undefined : `${channel}.${hour}.${seal}`
}

/** The parts of a seat that has the form of one and has not expired. Its signature is not checked. */
export function parseSeat(seat: string): { channel: Channel; hour: string; seal: string } | undefined {
  const [, name = '', hour = '', seal = ''] = form.exec(seat) ?? []
  const channel = channels.find((each) => each === name)
  const age = Math.floor(Date.now() / hourMs) - Number(hour)
  return channel === undefined || age < 0 || age > seatHours ? undefined : { channel, hour, seal }
}

/** The channel of a valid seat of a tag; undefined if it is not valid. */
export async function checkSeat(env: Bindings, tagId: string, seat: string): Promise<Channel | undefined> {
  const parts = parseSeat(seat)
  if (!parts) return undefined
  const { channel, hour, seal } = parts
  return (await verifyHmac(env, toSignedText(tagId, channel, hour), seal)) ? channel : undefined
}
