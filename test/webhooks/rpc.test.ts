import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { limits } from '../../src/platform/http/fields.ts'
import { Publisher } from '../../src/webhooks/rpc.ts'
import { createVenue, send } from '../support/api.ts'
import { createWebhookHarness, type WebhookHarness } from '../support/webhook-harness.ts'

afterEach(() => vi.restoreAllMocks())

const order = { orderId: '1234', total: 12.5, lines: [{ note: 'ü', gift: null }] }
describe('publishing an order', () => {
  test('sends it to every subscribed webhook with unchanged data', async () => {
    const harness = await createWebhookHarness()
    const webhook = await harness.createWebhook({ events: ['order.created'] })
    await harness.createWebhook({ events: ['product.created'] })
    const { status, body } = await harness.post('/events', { type: 'order.created', data: order })
    expect([status, body]).toEqual([202, { id: expect.stringMatching(/^evt_[0-9a-z]{26}$/) }])
    await harness.deliver()
    expect(harness.calls.map(({ url, body }) => [url, body])).toEqual([
      [
        webhook.url,
        {
          id: body.id,
          type: 'order.created',
          timestamp: new Date().toISOString(),
          merchantId: harness.venue.id,
          testMode: false,
          version: 1,
          sequence: 3,
          data: order,
        },
      ],
    ])
  })

  test.each([
    ['another event', { type: 'product.created', data: {} }, '/type invalid_value'],
    ['the test event', { type: 'webhook.test', data: {} }, '/type invalid_value'],
    ['no type', { data: {} }, '/type required'],
    ['no data', { type: 'order.created' }, '/data required'],
    ['a list', { type: 'order.created', data: [] }, '/data invalid_type'],
    ['an id', { type: 'order.created', data: {}, id: 'evt_1' }, '/id read_only_field'],
    ['more', { type: 'order.created', data: {}, at: 1 }, '/at unknown_field'],
  ])('with %s is rejected', async (_what, json, issue) => {
    const harness = await createWebhookHarness()
    const { status, body } = await harness.post('/events', json)
    const issues = body.errors.map((error: Record<string, string>) => `${error['pointer']} ${error['code']}`)
    expect([status, issues]).toEqual([422, [issue]])
    expect(await harness.events()).toEqual([])
  })

  test.each([
    ['a value that is not a number', '{"a":[{"total":1e9999}]}', '/data/a/0/total too_large'],
    ['half a character', '{"a":"\\ud83c"}', '/data/a invalid_character'],
    ['NUL', '{"a":"b\\u0000"}', '/data/a invalid_character'],
    ['NUL in a name', '{"a":{"\\u0000":1}}', '/data/a invalid_character'],
    ['much before it', `{"a":[${'1,'.repeat(125_000)}1e9999]}`, '/data/a/125000 too_large'],
    ['101 levels', `{"a":${'['.repeat(100)}1${']'.repeat(100)}}`, '/data invalid_value'],
    ['a hundred thousand levels', `{"a":${'['.repeat(1e5)}${']'.repeat(1e5)}}`, '/data invalid_value'],
  ])('with %s in the data is rejected, not changed silently', async (_what, data, issue) => {
    const harness = await createWebhookHarness()
    const headers = { authorization: `Bearer ${harness.venue.key}`, 'content-type': 'application/json' }
    const text = `{"type":"order.created","data":${data}}`
    const { status, body } = await send(harness.path('/events'), { method: 'POST', body: text, headers })
    const [error] = body.errors
    expect([status, `${error.pointer} ${error.code}`]).toEqual([422, issue])
    expect(await harness.events()).toEqual([])
  })

  test('preserves a hundred levels', async () => {
    const harness = await createWebhookHarness()
    const data = { a: JSON.parse(`${'['.repeat(99)}1${']'.repeat(99)}`) }
    expect((await harness.post('/events', { type: 'order.created', data })).status).toBe(202)
    expect((await harness.get('/events')).body[0].data).toEqual(data)
  })
})

describe('publishing over a binding', () => {
  const publish = async (harness: WebhookHarness, ...given: Parameters<Publisher['publish']>) => {
    const context = createExecutionContext()
    const made = await new Publisher(context, harness.bindings).publish(...given)
    await waitOnExecutionContext(context)
    return made
  }
  /** The same through a call from another Worker, which serializes arguments and errors. */
  const call = async (...given: readonly unknown[]): Promise<unknown> =>
    Reflect.apply(exports.Publisher.publish, exports.Publisher, given)
  const problemOf = (...given: readonly unknown[]) =>
    call(...given).then(
      (made) => `made ${JSON.stringify(made)}`,
      (error: unknown) => String(error),
    )

  test('has the result of publishing over HTTP', async () => {
    const harness = await createWebhookHarness()
    await harness.createWebhook()
    const { id } = await publish(harness, harness.venue.id, false, { type: 'order.created', data: order })
    await harness.deliver()
    expect(harness.calls.map(({ body }) => [body.id, body.type, body.data])).toEqual([[id, 'order.created', order]])
    await publish(harness, harness.venue.id, true, { type: 'order.created', data: order })
    await harness.deliver()
    expect(harness.calls).toHaveLength(1)
  })

  test('preserves random JSON', async () => {
    const harness = await createWebhookHarness()
    const data = JSON.parse('{"b":[1,-0.5,1e300,true,null,"ü\\n🍕"],"__proto__":{"a":[]},"constructor":{},"":""}')
    await call(harness.venue.id, false, { type: 'order.created', data })
    await call(harness.venue.id, true, { type: 'order.created', data: { zero: -0, toJSON: 'x' } })
    expect((await harness.events()).map(({ test_mode, row }) => [test_mode, row])).toEqual([
      [0, JSON.stringify(data)],
      [1, '{"zero":-0,"toJSON":"x"}'],
    ])
  })

  const valid = { type: 'order.created', data: {} }
  const cyclic: Record<string, unknown> = {}
  cyclic['self'] = cyclic
  /** A few objects, and 2^40 where each is written as often as it is named. */
  const shared = Array.from({ length: 40 }).reduce<object>((inner) => ({ a: inner, b: inner }), {})
  const nested = (levels: number) => JSON.parse(`${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`)
  test.each<[what: string, mode: unknown, event: unknown, problem: RegExp]>([
    ['a mode that is a text', 'live', valid, /TypeError: invalid_request: testMode must be true or false/],
    ['a mode that is a number', 2, valid, /TypeError: invalid_request: testMode must be true or false/],
    ['no mode', undefined, valid, /TypeError: invalid_request: testMode must be true or false/],
    ['no event', false, undefined, /TypeError: invalid_request: the event must be an object/],
    ['null', false, null, /TypeError: invalid_request: the event must be an object/],
    ['nothing in the event', false, {}, /TypeError: invalid_request: .*\/type must be given.*\/data must be given/],
    [
      'another event',
      false,
      { ...valid, type: 'product.created' },
      /invalid_request: \/type must be one of order.created/,
    ],
    ['another field', false, { ...valid, at: 1 }, /invalid_request: \/at is not a field/],
    ['a list', false, { ...valid, data: [] }, /invalid_request: \/data must be an object/],
    ['NaN', false, { ...valid, data: { a: [Number.NaN] } }, /invalid_request: \/data\/a\/0 must be a finite number/],
    ['a bigint', false, { ...valid, data: { a: 1n } }, /invalid_request: \/data\/a cannot be written as JSON/],
    ['undefined', false, { ...valid, data: { a: undefined } }, /invalid_request: \/data\/a cannot be written as JSON/],
    ['a date', false, { ...valid, data: { a: new Date(0) } }, /invalid_request: \/data\/a cannot be written as JSON/],
    ['a map', false, { ...valid, data: { a: new Map() } }, /invalid_request: \/data\/a cannot be written as JSON/],
    [
      'bytes',
      false,
      { ...valid, data: { a: new Uint8Array(1) } },
      /invalid_request: \/data\/a cannot be written as JSON/,
    ],
    [
      'a hole in a list',
      false,
      { ...valid, data: { a: Object.assign([], { 1: 1 }) } },
      /invalid_request: \/data\/a\/0 cannot be written as JSON/,
    ],
    ['a function', false, { ...valid, data: { a: () => 1 } }, /invalid_request: \/data\/a cannot be written as JSON/],
    ['a cycle', false, { ...valid, data: cyclic }, /invalid_request: \/data must not be nested deeper than 100 levels/],
    [
      '101 levels',
      false,
      { ...valid, data: nested(101) },
      /invalid_request: \/data must not be nested deeper than 100 levels/,
    ],
    ['half a character', false, { ...valid, data: { a: '\ud83c' } }, /invalid_request: \/data\/a must not contain NUL/],
    ['what is much longer as text', false, { ...valid, data: shared }, /RangeError: body_too_large: .*262144 bytes/],
    ['5 MB', false, { ...valid, data: { a: 'x'.repeat(5e6) } }, /RangeError: body_too_large: .*262144 bytes/],
  ])('rejects %s', async (_what, mode, event, problem) => {
    const harness = await createWebhookHarness()
    expect(await problemOf(harness.venue.id, mode, event)).toMatch(problem)
    expect(await harness.events()).toEqual([])
  })

  test.each([undefined, 7, {}, '', 'mer_none'])('rejects the merchant %j', async (merchantId) => {
    expect(await problemOf(merchantId, false, valid)).toMatch(/Error: (?:not_found|invalid_request): .*merchant/)
  })

  test('rejects an order that its effects prevent with an error that is no TypeError', async () => {
    const { id, post } = await createVenue()
    const stocked = { title: 'Tea', price: 1, manageStock: true, stockQuantity: 1 }
    const { body: product } = await post('/products', stocked)
    const order = (reference: string, quantity: number) => ({
      ...valid,
      effects: { stock: { reference, changes: [{ product: product.id, delta: -quantity }] } },
    })
    expect(await problemOf(id, false, order('1', 2))).toMatch(/^Error: insufficient_stock: \/effects\/stock/)
    expect(await problemOf(id, false, order('2', 1))).toMatch(/^made/)
    expect(await problemOf(id, false, order('2', 2))).toMatch(/^Error: conflict: /)
    expect(await problemOf(id, false, order('', 1))).toMatch(/^TypeError: invalid_request: /)
  })

  test('throws no TypeError while writes wait for a move', async () => {
    const { id } = await createVenue({ home: 'd1' })
    await env.DB.prepare(
      `insert into homes (merchant_id, kind, fenced_until) values (?, 'd1', unixepoch() + 60)
       on conflict do update set fenced_until = unixepoch() + 60`,
    )
      .bind(id)
      .run()
    vi.spyOn(scheduler, 'wait').mockResolvedValue()
    expect(await problemOf(id, false, valid)).toMatch(/^Error: busy: /)
  })

  test('has the size limit of HTTP', async () => {
    const harness = await createWebhookHarness()
    const { bodyBytes } = limits
    const empty = JSON.stringify({ type: 'order.created', data: { a: '' } }).length
    const event = (bytes: number) => ({ type: 'order.created', data: { a: `ü${'x'.repeat(bytes - empty - 2)}` } })
    expect(await problemOf(harness.venue.id, false, event(bodyBytes))).toMatch(/^made/)
    expect((await harness.post('/events', event(bodyBytes))).status).toBe(202)
    expect(await problemOf(harness.venue.id, false, event(bodyBytes + 1))).toMatch(/body_too_large/)
    expect((await harness.post('/events', event(bodyBytes + 1))).status).toBe(413)
    expect(await harness.events()).toHaveLength(2)
  })

  test('accepts 100 levels', async () => {
    const harness = await createWebhookHarness()
    expect(await problemOf(harness.venue.id, false, { ...valid, data: nested(100) })).toMatch(/^made/)
  })

  test('rejects invalid events and unknown merchants', async () => {
    const harness = await createWebhookHarness()
    for (const event of [{}, { type: 'product.created', data: {} }, { type: 'order.created' }, null]) {
      await expect(publish(harness, harness.venue.id, false, event)).rejects.toThrow(TypeError)
    }
    await expect(publish(harness, 'mer_none', false, { type: 'order.created', data: {} })).rejects.toThrow()
    expect(await harness.events()).toEqual([])
  })
})
