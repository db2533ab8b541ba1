import * as z from 'zod/mini'
import { daySeconds } from '../platform/lib/day.ts'

/** How long a replaced secret stays active in addition to the new one, in seconds. */
export const secretOverlapSeconds = daySeconds
/** Maximum number of secrets that are active at the same time. */
export const maxActiveSecrets = 3

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
