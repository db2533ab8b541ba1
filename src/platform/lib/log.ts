import type { Bindings } from '../env.ts'

/**
 * Log messages that are no warnings. `info`: intended events. `error`: a request, an event or a message was lost, or a person must act. All others
 * are failures that the service retries or tolerates. Isolates start with this list only, because it is the shorter one.
 */
const levels = {
  info: [
    'backup scrubbed',
    'merchant deleted',
    'merchant moved',
    'move ended',
    'operator session ended',
    'operator signed in',
    'operator changed',
    'operator invited',
    'operator removed',
    'support started',
    'platform key created',
    'platform key revoked',
    'platform webhook changed',
    'pictures cleaned',
    'purged',
    'restore rehearsed',
    'secrets scrubbed',
    'unused pictures deleted',
  ],
  error: [
    'platform webhook deactivated',
    'KV checks given up',
    'KV rebuild failed',
    'backup damaged',
    'backup failed',
    'backup not scrubbed',
    'damaged rows',
    'dead letter',
    'documentation not read',
    'event not published',
    'export cut off',
    'import stopped',
    'malformed backup message',
    'malformed delivery message',
    'malformed import message',
    'malformed move message',
    'malformed scan message',
    'menu not read',
    'misconfigured',
    'move failed',
    'purge failed',
    'rehearsal of a restore failed',
    'request failed',
    'scan not counted',
    'tap not recorded',
  ],
} as const
type Warning =
  | 'attempt not recorded'
  | 'backup started again'
  | 'backups not enqueued'
  | 'calls not deleted'
  | 'changed tags not read'
  | 'closed merchant not deleted'
  | 'closed merchants not deleted'
  | 'codes of coupons clash'
  | 'codes of coupons not rewritten'
  | 'search terms not written'
  | 'copy of merchant not renewed'
  | 'damage not counted'
  | 'dead letters not counted'
  | 'deliveries not enqueued'
  | 'delivery not claimed'
  | 'font not read'
  | 'import not enqueued'
  | 'import step failed'
  | 'keys of Access not read'
  | 'KV checks not enqueued'
  | 'KV write failed'
  | 'limiter failed'
  | 'logo not read'
  | 'messages not read'
  | 'move not cleaned up'
  | 'move not enqueued'
  | 'move step failed'
  | 'moves not cleaned up'
  | 'moves not enqueued'
  | 'object has no record of its move'
  | 'object not renewed'
  | 'object not swept'
  | 'options not returned'
  | 'overdue imports not enqueued'
  | 'overdue undos not enqueued'
  | 'pauses not ended'
  | 'picture not resized'
  | 'picture not stored'
  | 'pictures not cleaned'
  | 'products not returned to stock'
  | 'pruning failed'
  | 'pruning not enqueued'
  | 'release not published yet'
  | 'releases not published'
  | 'reserved names not checked'
  | 'reserved names not swept'
  | 'restored tags not enqueued'
  | 'rules of a tag not applied'
  | 'scan batch failed'
  | 'scan data point not written'
  | 'scan left to the queue'
  | 'seat not signed'
  | 'secrets not scrubbed'
  | 'stale menu served'
  | 'tag not read'
  | 'undo not enqueued'
  | 'undo step failed'
  | 'unused pictures not deleted'

/** All messages of the log. A new message needs a level. */
export type LogMessage = (typeof levels)[keyof typeof levels][number] | Warning

const isOneOf = (messages: readonly string[], message: string) => messages.includes(message)

/** The level of a message, which is the method of the console that writes it. */
export const getLevel = (message: LogMessage): 'info' | 'warn' | 'error' =>
  isOneOf(levels.info, message) ? 'info' : isOneOf(levels.error, message) ? 'error' : 'warn'

/** Writes a log line as JSON, with the id of the request if there is one. Callers must not pass secrets. */
export function log(
  { REQUEST_ID: requestId }: Pick<Bindings, 'REQUEST_ID'>,
  message: LogMessage,
  details: Readonly<Record<string, unknown>>,
): void {
  console[getLevel(message)](JSON.stringify({ requestId, message, ...details }))
}
