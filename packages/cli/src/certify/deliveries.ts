import { createHmac, randomBytes, randomInt } from 'node:crypto'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
/** Days between an event and its last attempts. */
const oldEventDays = 3
/** Seconds beyond the five minutes for which receivers accept a timestamp. */
const beyondToleranceSeconds = 600

/** A random id with the form of those of the service. */
export const createId = (prefix: string) =>
  `${prefix}_01${Array.from({ length: 24 }, () => alphabet[randomInt(alphabet.length)]).join('')}`
/** A new secret of a webhook. */
export const createSecret = () => `whsec_${randomBytes(32).toString('base64')}`

/** A delivery as it is sent. */
export interface Delivery {
  headers: Readonly<Record<string, string>>
  body: string
  /** Whether a receiver must accept it (2xx) or reject it (4xx). */
  isValid: boolean
  /** The body is sent in parts with pauses between them. */
  isSlow?: true
}

/** An event of a product, as far as the deliveries of a case need it. */
export interface ProductEvent {
  id: string
  type: string
  object: string
  price: number
  body: object
}

interface Settings {
  secret: string
  merchantId: string
  /** Value of the `authorization` header, for receivers that check it. */
  bearerToken?: string | undefined
}

/** Functions that make products, their events and signed deliveries. */
export function createKit({ secret, merchantId, bearerToken }: Settings) {
  let sequence = randomInt(1_000, 1_000_000)
  const nowSeconds = () => Math.floor(Date.now() / 1000)

  /** The `v1` signature of a delivery. */
  function sign(id: string, timestamp: number, body: string, key = secret): string {
    const bytes = Buffer.from(key.replace(/^whsec_/, ''), 'base64')
    return `v1,${createHmac('sha256', bytes).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  }

  /** A new product, whose events have random prices: a check cannot guess them. */
  function product() {
    const object = createId('prod')
    const createdAt = nowSeconds() - 60
    return (type: string, version: number, extra: object = {}, atMs = Date.now()): ProductEvent => {
      const id = createId('evt')
      const price = randomInt(100, 100_000) / 100
      const data = {
        id: object,
        testMode: true,
        createdAt,
        updatedAt: createdAt + version,
        title: 'Made by certify',
        price,
        visible: true,
        taxable: true,
        useCustomTaxRate: false,
        manageStock: false,
        type: 'SIMPLE',
        images: [],
        metadata: [],
        modifiers: [],
        ...extra,
      }
      const body = {
        id,
        type,
        timestamp: new Date(atMs).toISOString(),
        merchantId,
        testMode: true,
        version,
        sequence: sequence++,
        data,
        ...(type === 'product.updated' && { previous: { price: price + 1 } }),
      }
      return { id, type, object, price, body }
    }
  }

  /** Signed headers, and those that all deliveries have. */
  const headersOf = (id: string, timestamp: number, signature: string) => ({
    'content-type': 'application/json',
    'user-agent': 'merchant-ordering-certify',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signature,
    ...(bearerToken !== undefined && { authorization: `Bearer ${bearerToken}` }),
  })

  /** A delivery that a receiver must accept. `toSignatures` makes the header of the valid signature. */
  function valid({ id, body }: ProductEvent, toSignatures = (signature: string) => signature, text?: string): Delivery {
    const sent = text ?? JSON.stringify(body)
    const timestamp = nowSeconds()
    return { headers: headersOf(id, timestamp, toSignatures(sign(id, timestamp, sent))), body: sent, isValid: true }
  }

  /** A delivery that a receiver must reject. */
  function invalid(
    event: ProductEvent,
    change: Partial<Record<'secret' | 'id' | 'body', string>> & { age?: number },
  ): Delivery {
    const text = JSON.stringify(event.body)
    const timestamp = nowSeconds() - (change.age ?? 0)
    const signature = sign(event.id, timestamp, text, change.secret)
    return {
      headers: headersOf(change.id ?? event.id, timestamp, signature),
      body: change.body ?? text,
      isValid: false,
    }
  }

  /** The headers of a question to the receiver, which is signed as a delivery is. */
  function question(body: string) {
    const [id, timestamp] = [createId('chk'), nowSeconds()]
    return headersOf(id, timestamp, sign(id, timestamp, body))
  }

  return { sign, product, valid, invalid, question }
}
export type Kit = ReturnType<typeof createKit>

/** Time of an event that is delivered after days of failed attempts. */
export const oldEventMs = () => Date.now() - oldEventDays * 86_400_000
export const tooOld = { age: beyondToleranceSeconds }
export const tooNew = { age: -beyondToleranceSeconds }
