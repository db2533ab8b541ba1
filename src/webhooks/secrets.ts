import * as z from 'zod/mini'

/** How long a secret that was replaced goes on signing beside the new one, in seconds. */
export const secretOverlapSeconds = 86_400
/** Secrets that may sign at the same time. */
export const maxActiveSecrets = 3

/** The first signs until it is replaced, the others for a day longer. */
export const storedSecrets = z.array(z.object({ secret: z.string(), retiredAt: z.optional(z.int()) }))
export type Secrets = z.output<typeof storedSecrets>

/** The secrets in a column; undefined where they cannot be read. */
export function parseSecrets(json: string): Secrets | undefined {
  try {
    return storedSecrets.safeParse(JSON.parse(json)).data
  } catch {
    return undefined
  }
}

/** Those that sign now. */
export const getActiveSecrets = (secrets: Secrets, now: number) =>
  secrets.filter(({ retiredAt }) => retiredAt === undefined || retiredAt > now - secretOverlapSeconds)
