import * as z from 'zod/mini'

/** How a guest opened a tag: by the printed QR code, the NFC chip, or a shared link. */
export const channels = ['qr', 'nfc', 'link'] as const
export type Channel = (typeof channels)[number]

/** Body of a message in the queue of scans. */
export const scanMessage = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('scan'),
    /** Id of the scan. It sorts by time, and is equal in every delivery of the message, so that a scan is counted once. */
    id: z.string(),
    merchant: z.string(),
    tag: z.string(),
    /** Milliseconds since 1970-01-01 UTC, in the range of `Date`. */
    at: z.int().check(z.minimum(0), z.maximum(8_640_000_000_000_000)),
    channel: z.enum(channels),
    timezone: z.string(),
  }),
  z.object({ kind: z.literal('tag'), names: z.array(z.string()) }),
  /** The response of a transaction that may have changed tags was lost. `event` is an id with the prefix of the ids of its events. */
  z.object({ kind: z.literal('transaction'), merchant: z.string(), event: z.string() }),
  z.object({ kind: z.literal('merchant'), merchant: z.string() }),
])
export type ScanMessage = z.output<typeof scanMessage>
/** A message that counts a scan. */
export type Scan = Extract<ScanMessage, { kind: 'scan' }>

/**
 * Body of a message in the queues of deliveries: which attempt of which delivery is due. It may be lost or delivered twice; the state of
 * a delivery is in D1.
 */
export const deliveryMessage = z.object({
  merchant: z.string(),
  /** `seq` of the webhook. */
  webhook: z.number(),
  event: z.string(),
  /** Number of the attempt, from 1. */
  n: z.number(),
  /**
   * Set in the last message of a full wave. After its attempt, the next wave is released, starting after the key of this delivery. `before` is the
   * time of the endpoint's recovery, in seconds. See `webhooks/backlog.ts`.
   */
  wave: z.optional(z.object({ before: z.int(), dueAt: z.int() })),
})
export type DeliveryMessage = z.output<typeof deliveryMessage>

/** Body of a message in the queue of imports: an import has a next step. It may be lost or delivered twice; the state is in D1. */
export const importMessage = z.object({
  merchant: z.string(),
  testMode: z.boolean(),
  import: z.string(),
})
export type ImportMessage = z.output<typeof importMessage>

/**
 * Body of another message in the queue of imports: deleted objects of a merchant are to be taken out of the objects that still name them. It
 * may be lost or delivered twice; the state is in D1.
 */
export const pruningMessage = z.object({ merchant: z.string(), pruning: z.literal(true) })
export type PruningMessage = z.output<typeof pruningMessage>

/** Body of another message in the queue of imports: an undo has a next step. It may be lost or delivered twice; the state is in D1. */
export const undoMessage = z.object({
  merchant: z.string(),
  testMode: z.boolean(),
  /** Id of the change set of the undo. */
  undo: z.string(),
})
export type UndoMessage = z.output<typeof undoMessage>

/**
 * Body of a message in the queue of checks: a merchant is to be backed up if it has changed. With `scrub`, the backup of that time is searched for
 * secrets instead. With `rehearse`, its restore is rehearsed instead.
 */
export const backupMessage = z.object({
  merchant: z.string(),
  scrub: z.optional(z.int()),
  rehearse: z.optional(z.boolean()),
})
export type BackupMessage = z.output<typeof backupMessage>

/** Body of a message in the queue of moves: the move of a merchant has a next step. It may be lost or delivered twice. */
export const moveMessage = z.object({ merchant: z.string() })
export type MoveMessage = z.output<typeof moveMessage>
