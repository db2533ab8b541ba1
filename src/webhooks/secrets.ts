import * as z from 'zod/mini'
import { daySeconds } from '../platform/lib/day.ts'

/** How long a replaced secret stays active beside the new one, in seconds. */
export const secretOverlapSeconds = daySeconds
/** Secrets that may be active at the same time. */
export const maxActiveSecrets = 3

/** Secrets of a webhook, newest first. The first is current; the others have been replaced at `retiredAt`, in seconds. */
const storedSecrets = z.array(z.object({ secret: z.string(), retiredAt: z.optional(z.int()) }))
export type Secrets = z.output<typeof storedSecrets>

/** Parses the stored secrets. Returns undefined where they are damaged. */
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
