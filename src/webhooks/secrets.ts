import * as z from 'zod/mini'
import { ApiError } from '../platform/errors.ts'
import { daySeconds } from '../platform/lib/day.ts'

/** How long a replaced secret stays active in addition to the new one, in seconds. */
export const secretOverlapSeconds = daySeconds
/** Maximum number of secrets that are active at the same time. */
const maxActiveSecrets = 3

/**
 * Secrets of a webhook, newest first. The first is current. The others were replaced at `retiredAt`, in seconds. `generation` counts the rotations:
 * each has an asymmetric key of its own. Absent: 0.
 */
const storedSecrets = z.array(
  z.object({ secret: z.string(), retiredAt: z.optional(z.int()), generation: z.optional(z.int()) }),
)
export type Secrets = z.output<typeof storedSecrets>

/** Parses the stored secrets. Returns undefined if they are damaged. */
export function parseSecrets(json: string): Secrets | undefined {
  try {
    return storedSecrets.safeParse(JSON.parse(json)).data
  } catch {
    return undefined
  }
}

/** The secrets that sign deliveries at `now`, in seconds. */
export const getActiveSecrets = (secrets: Secrets, now: number) =>
  secrets.filter(({ retiredAt }) => retiredAt === undefined || retiredAt > now - secretOverlapSeconds)

/** The secrets after a rotation, the new one first. Throws `conflict` if too many are active. `now` is in seconds. */
export function rotateSecrets(secrets: Secrets, secret: string, now: number): Secrets {
  const active = getActiveSecrets(secrets, now)
  if (active.length >= maxActiveSecrets) {
    throw new ApiError(
      'conflict',
      `${maxActiveSecrets} secrets are already active. A replaced secret stays active for ${secretOverlapSeconds / 3600} hours.`,
    )
  }
  const generation = 1 + (secrets[0]?.generation ?? 0)
  return [{ secret, generation }, ...active.map((old) => ({ retiredAt: now, ...old }))]
}
