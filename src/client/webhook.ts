import type { Coupon, Customer, Event, Menu, Modifier, Product, Tag, Webhook } from './models.ts'

interface Objects {
  product: Product
  modifier: Modifier
  menu: Menu
  coupon: Coupon
  customer: Customer
  tag: Tag
  webhook: Webhook
}

interface Notification<Type extends string, Data> extends Omit<Event, 'type' | 'data' | 'previous'> {
  type: Type
  data: Data
  /** The old values of what an update changed; null where there was none. */
  previous?: { [Key in keyof Data]?: Data[Key] | null }
}

/** What a webhook hears; `type` tells what `data` is. */
export type WebhookEvent =
  | {
      [Name in keyof Objects]: Notification<`${Name}.${'created' | 'updated' | 'deleted'}`, Objects[Name]>
    }[keyof Objects]
  | Notification<'order.created' | 'webhook.test', Record<string, unknown>>

/** An event of the list: without `data` and `previous` where the key may not read the resource. */
export type ListedEvent = Listed<WebhookEvent>
type Listed<Each> = Each extends WebhookEvent
  ? Omit<Each, 'data' | 'previous'> & Partial<Pick<Each, 'data' | 'previous'>>
  : never

/** A notification is not one of the service's, or is too old. Answer it with 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

/** How far a notification's clock may be from ours, in seconds (Standard Webhooks). */
const toleranceSeconds = 300
/** The service signs with three secrets at most; whoever sends more is not the service. */
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
  if (!bytes?.length) throw new TypeError('The secret is not one of the service: whsec_ and base64.')
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
  for (const text of signatures) {
    const signature = text.startsWith('v1,') ? fromBase64(text.slice(3)) : undefined
    // The platform compares without telling by its duration how much was right.
    if (signature && (await crypto.subtle.verify('HMAC', key, signature, utf8.encode(content)))) return true
  }
  return false
}

/**
 * The event in a notification, if the service has sent it (Standard Webhooks); throws `WebhookVerificationError` otherwise.
 * `rawBody` is the body as it came, before anything has parsed it; events come at least once: drop those whose `id` is known.
 */
export async function verifyWebhook(
  rawBody: string,
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>,
  secret: string,
): Promise<WebhookEvent> {
  const header = (name: string) => String((headers instanceof Headers ? headers.get(name) : headers[name]) ?? '')
  const [id, timestamp] = [header('webhook-id'), header('webhook-timestamp')]
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceSeconds) {
    throw new WebhookVerificationError('The notification has no time, or one too far from now.')
  }
  const signatures = header('webhook-signature').split(' ').slice(0, maxSignatures)
  if (!(await isSigned(secret, `${id}.${timestamp}.${rawBody}`, signatures))) {
    throw new WebhookVerificationError('The notification is not signed with this secret.')
  }
  return JSON.parse(rawBody)
}
