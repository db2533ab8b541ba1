import * as z from 'zod/mini'

/** How a guest came: by the printed symbol, by the chip, or by a link somebody passed on. */
export const channels = ['qr', 'nfc', 'link'] as const
export type Channel = (typeof channels)[number]

/** What travels through the queue of scans. */
export const scanMessage = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('scan'),
    /** Sorts by time; the same on every delivery of the message, so that it is counted once. */
    id: z.string(),
    merchant: z.string(),
    tag: z.string(),
    /** Milliseconds; no more than a date can hold. */
    at: z.int().check(z.minimum(0), z.maximum(8_640_000_000_000_000)),
    channel: z.enum(channels),
    timezone: z.string(),
  }),
  z.object({ kind: z.literal('tag'), names: z.array(z.string()) }),
  z.object({ kind: z.literal('merchant'), merchant: z.string() }),
])
export type ScanMessage = z.output<typeof scanMessage>

/** "There is something to deliver": which attempt of which delivery. It may get lost or come twice; D1 knows better. */
export interface DeliveryMessage {
  merchant: string
  webhook: number
  event: string
  n: number
  /** The last message of a full wave: when its delivery arrives, the next wave is released. See `webhooks/backlog.ts`. */
  more?: boolean | undefined
}
