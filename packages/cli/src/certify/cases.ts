import { randomBytes } from 'node:crypto'
import {
  createId,
  createSecret,
  type Delivery,
  type Kit,
  oldEventMs,
  type ProductEvent,
  tooNew,
  tooOld,
} from './deliveries.ts'

/** Size of the largest body that the service accepts for an event, in bytes. */
const largeBytes = 262_144

/** Effect of an event that a receiver must show after all deliveries. */
export interface Expectation {
  event: string
  object: string
  /** How many times the event changed something. Absent: any number. */
  times?: number
  /** Price of the object in the end; null if the object must not exist. */
  price: number | null
}

/** Deliveries that are sent one after the other, or, in a list, at the same time. */
export type Step = () => Delivery | readonly Delivery[]

/** A case of the kit. */
export interface Case {
  name: string
  /** Rule that the case tests. */
  rule: string
  steps: readonly Step[]
  expected: readonly Expectation[]
}

const none = { times: 0, price: null } as const
const applied = ({ id, object, price }: ProductEvent): Expectation => ({ event: id, object, times: 1, price })
/** The event must have no effect. `current` is the event whose state the object has. */
const ignored = ({ id, object }: ProductEvent, current?: ProductEvent): Expectation => ({
  event: id,
  object,
  ...none,
  ...(current && { price: current.price }),
})

function createSignatureCases(kit: Kit): Case[] {
  const create = () => kit.product()('product.created', 1)
  const reject = (name: string, rule: string, toDelivery: (event: ProductEvent) => Delivery): Case => {
    const event = create()
    return { name, rule, steps: [() => toDelivery(event)], expected: [ignored(event)] }
  }
  const accept = (name: string, rule: string, toSignatures: (signature: string) => string): Case => {
    const event = create()
    return { name, rule, steps: [() => kit.valid(event, toSignatures)], expected: [applied(event)] }
  }
  const otherSignature = () => kit.sign('evt_other', 0, '', createSecret())
  const forged = create()
  const other = create()
  const pretended = { ...other, id: forged.id, body: { ...other.body, id: forged.id } }
  return [
    {
      name: 'forged',
      rule: 'Reject a signature of another secret, and remember the id only after the verification.',
      steps: [() => kit.invalid(pretended, { secret: createSecret() }), () => kit.valid(forged)],
      expected: [applied(forged), { event: forged.id, object: other.object, price: null }],
    },
    reject('unsigned', 'Reject a request without webhook-signature.', (event) => {
      const { 'webhook-signature': _, ...headers } = kit.valid(event).headers
      return { ...kit.valid(event), headers, isValid: false }
    }),
    reject('cut signature', 'Compare whole signatures, in constant time.', (event) => ({
      ...kit.valid(event, (signature) => signature.slice(0, 11)),
      isValid: false,
    })),
    reject('altered body', 'Verify the signature over the received body.', (event) =>
      kit.invalid(event, { body: JSON.stringify(event.body).replace('"visible":true', '"visible":false') }),
    ),
    reject('altered id', 'Verify the signature over the header webhook-id.', (event) =>
      kit.invalid(event, { id: createId('evt') }),
    ),
    reject('old timestamp', 'Reject a webhook-timestamp that is older than five minutes.', (event) =>
      kit.invalid(event, tooOld),
    ),
    reject('future timestamp', 'Reject a webhook-timestamp that is more than five minutes ahead.', (event) =>
      kit.invalid(event, tooNew),
    ),
    accept(
      'rotated secret, new first',
      'Accept if any of the signatures is valid.',
      (signature) => `${otherSignature()} ${signature}`,
    ),
    accept(
      'rotated secret, new last',
      'Accept if any of the signatures is valid.',
      (signature) => `${signature} ${otherSignature()}`,
    ),
    accept(
      'other scheme',
      'Ignore signatures of schemes that you do not know.',
      (signature) => `v1a,${randomBytes(64).toString('base64')} ${signature}`,
    ),
  ]
}

function createOrderCases(kit: Kit): Case[] {
  const create = () => kit.product()('product.created', 1)
  const [once, atOnce, late, between] = [create(), create(), create(), create()]
  const moved = kit.product()
  const [first, second, third] = [moved('product.created', 1), moved('product.updated', 2), moved('product.updated', 3)]
  const gone = kit.product()
  const born = gone('product.created', 1)
  const [stale, deleted] = [gone('product.updated', 2), gone('product.deleted', 3)]
  const unknown = kit.product()('product.deleted', 5)
  return [
    {
      name: 'duplicate',
      rule: 'Ignore an event id that you have processed.',
      steps: [() => kit.valid(once), () => kit.valid(once)],
      expected: [applied(once)],
    },
    {
      name: 'simultaneous duplicate',
      rule: 'Record the event id in the transaction of its effect.',
      steps: [() => [kit.valid(atOnce), kit.valid(atOnce)]],
      expected: [applied(atOnce)],
    },
    {
      name: 'late duplicate',
      rule: 'Remember all event ids for at least four days, not only the last one.',
      steps: [() => kit.valid(late), () => kit.valid(between), () => kit.valid(late)],
      expected: [applied(late), applied(between)],
    },
    {
      name: 'out of order',
      rule: 'Apply an event only if its version is greater than that of your object, also for objects that you do not have.',
      steps: [() => kit.valid(third), () => kit.valid(second), () => kit.valid(first)],
      expected: [applied(third), ignored(second, third), ignored(first, third)],
    },
    {
      name: 'after deletion',
      rule: 'Keep the version of a deleted object: an older event must not bring the object back.',
      steps: [() => kit.valid(born), () => kit.valid(deleted), () => kit.valid(stale)],
      expected: [{ event: deleted.id, object: deleted.object, times: 1, price: null }, ignored(stale)],
    },
    {
      name: 'unknown object deleted',
      rule: 'Accept the deletion of an object that you do not have.',
      steps: [() => kit.valid(unknown)],
      expected: [{ event: unknown.id, object: unknown.object, price: null }],
    },
  ]
}

/** A body of exactly `largeBytes`. */
function createLargeBody({ body }: ProductEvent): string {
  const text = JSON.stringify({ ...body, padding: '' })
  return text.replace('"padding":""', `"padding":"${'x'.repeat(largeBytes - Buffer.byteLength(text))}"`)
}

/** The same event with bytes that a parser does not keep: white space, escapes and digits, and letters of several bytes. */
const createOddBody = ({ body, price }: ProductEvent) =>
  JSON.stringify(body, undefined, 1)
    .replace('Made by certify', 'Cr\\u00e8me br\u00FBl\u00E9e \u{1F35B} \\/ \\u2028 <b>&amp;')
    .replace(`"price": ${price}`, `"price" :\t${price.toFixed(4)}`)

function createBodyCases(kit: Kit): Case[] {
  const create = (extra?: object, atMs?: number) => kit.product()('product.created', 1, extra, atMs)
  const [unknownFields, odd, large, slow, delayed] = [
    create({ addedLater: { nested: [1, null] } }),
    create(),
    create(),
    create(),
    create({}, oldEventMs()),
  ]
  const unknown = kit.product()('product.certified', 1)
  const accept = (name: string, rule: string, event: ProductEvent, step: Step): Case => ({
    name,
    rule,
    steps: [step],
    expected: [applied(event)],
  })
  return [
    accept('late', 'Accept an event that happened days ago: judge the age by webhook-timestamp.', delayed, () =>
      kit.valid(delayed),
    ),
    {
      name: 'unknown type',
      rule: 'Accept (2xx) and ignore event types that you do not know.',
      steps: [() => kit.valid(unknown)],
      expected: [ignored(unknown)],
    },
    accept('unknown fields', 'Ignore fields that you do not know.', unknownFields, () =>
      kit.valid({ ...unknownFields, body: { ...unknownFields.body, addedLater: true } }),
    ),
    accept('exact bytes', 'Verify the body before it is parsed or decoded.', odd, () =>
      kit.valid(odd, undefined, createOddBody(odd)),
    ),
    accept('256 KiB', 'Accept bodies of 256 KiB.', large, () => kit.valid(large, undefined, createLargeBody(large))),
    accept('slow', 'Accept a body that takes seconds to arrive.', slow, () => ({ ...kit.valid(slow), isSlow: true })),
  ]
}

/** The first case, on whose effect all others depend, and the others. */
export function createCases(kit: Kit): { first: Case; others: readonly Case[] } {
  const product = kit.product()
  const [created, updated] = [product('product.created', 1), product('product.updated', 2)]
  return {
    first: {
      name: 'valid',
      rule: 'Accept a valid delivery (2xx) and apply it.',
      steps: [() => kit.valid(created)],
      expected: [applied(created)],
    },
    others: [
      {
        name: 'update',
        rule: 'Apply product.updated: data is the whole object.',
        steps: [() => kit.valid(updated)],
        expected: [applied(updated)],
      },
      ...createOrderCases(kit),
      ...createSignatureCases(kit),
      ...createBodyCases(kit),
    ],
  }
}
