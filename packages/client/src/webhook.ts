import type { EventData } from './event-data.ts'
import type { Event } from './models.ts'

interface Notification<Type extends string, Data> extends Omit<Event, 'type' | 'data' | 'previous'> {
  type: Type
  data: Data
  /** Previous values of the fields that an update changed; null if a field had no value. */
  previous?: { [Key in keyof Data]?: Data[Key] | null }
}

/** An event that a webhook receives; `type` determines the type of `data`. */
export type WebhookEvent = { [Type in keyof EventData]: Notification<Type, EventData[Type]> }[keyof EventData]

/** An event of the list; without `data` and `previous` if the key cannot read the resource. */
export type ListedEvent = Listed<WebhookEvent>
type Listed<Each> = Each extends WebhookEvent
  ? Omit<Each, 'data' | 'previous'> & Partial<Pick<Each, 'data' | 'previous'>>
  : never

/** The signature of a notification is wrong, or its timestamp is too far from now. Respond with 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

/** Maximum difference between the notification's timestamp and now, in seconds (Standard Webhooks). */
const toleranceSeconds = 300
/** Maximum number of signatures that are checked. The service sends at most three. */
const maxSignatures = 10

const utf8 = new TextEncoder()
function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

async function isSigned(secret: string, content: string, signatures: readonly string[]): Promise<boolean> {
  const bytes = fromBase64(secret.replace(/^whsec_/, ''))
  if (!bytes?.length) throw new TypeError('The secret must be whsec_ followed by base64.')
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
  for (const text of signatures) {
    const signature = text.startsWith('v1,') ? fromBase64(text.slice(3)) : undefined
    // `verify` compares in constant time.
    if (signature && (await crypto.subtle.verify('HMAC', key, signature, utf8.encode(content)))) return true
  }
  return false
}

/**
 * Verifies a notification (Standard Webhooks) and returns its event; throws `WebhookVerificationError` if it is not authentic.
 * `rawBody` is the unparsed body. Events are delivered at least once: ignore an `id` that you have processed.
 */
export async function verifyWebhook(
  rawBody: string,
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>,
  secret: string,
): Promise<WebhookEvent> {
  const header = (name: string) => String((headers instanceof Headers ? headers.get(name) : headers[name]) ?? '')
  const [id, timestamp] = [header('webhook-id'), header('webhook-timestamp')]
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceSeconds) {
    throw new WebhookVerificationError('The timestamp of the notification is missing or too far from now.')
  }
  const signatures = header('webhook-signature').split(' ').slice(0, maxSignatures)
  if (!(await isSigned(secret, `${id}.${timestamp}.${rawBody}`, signatures))) {
    throw new WebhookVerificationError('The signature of the notification does not match the secret.')
  }
  return JSON.parse(rawBody)
}
