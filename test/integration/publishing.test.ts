import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { Publisher } from '../../src/delivery/publisher.ts'
import { send } from '../support/api.ts'
import { createStage, type Stage } from '../support/stage.ts'

afterEach(() => vi.restoreAllMocks())

const order = { orderId: '1234', total: 12.5, lines: [{ note: 'ü', gift: null }] }
describe('publishing an order', () => {
  test('tells every webhook that listens to it, with the data as it was given', async () => {
    const stage = await createStage()
    const webhook = await stage.hook({ events: ['order.created'] })
    await stage.hook({ events: ['product.created'] })
    const { status, body } = await stage.post('/events', { type: 'order.created', data: order })
    expect([status, body]).toEqual([202, { id: expect.stringMatching(/^evt_[0-9a-z]{26}$/) }])
    await stage.deliver()
    expect(stage.calls.map(({ url, body }) => [url, body])).toEqual([
      [
        webhook.url,
        {
          id: body.id,
          type: 'order.created',
          timestamp: new Date().toISOString(),
          merchantId: stage.venue.id,
          testMode: false,
          version: 1,
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
  ])('with %s is refused', async (_what, json, fault) => {
    const stage = await createStage()
    const { status, body } = await stage.post('/events', json)
    const faults = body.errors.map((error: Record<string, string>) => `${error['pointer']} ${error['code']}`)
    expect([status, faults]).toEqual([422, [fault]])
    expect(await stage.events()).toEqual([])
  })

  test.each([
    ['a number that is none', '{"a":[{"total":1e9999}]}', '/data/a/0/total too_large'],
    ['half a character', '{"a":"\\ud83c"}', '/data/a invalid_character'],
    ['NUL', '{"a":"b\\u0000"}', '/data/a invalid_character'],
    ['NUL in a name', '{"a":{"\\u0000":1}}', '/data/a invalid_character'],
    ['much before it', `{"a":[${'1,'.repeat(125_000)}1e9999]}`, '/data/a/125000 too_large'],
    ['101 levels', `{"a":${'['.repeat(100)}1${']'.repeat(100)}}`, '/data invalid_value'],
    ['a hundred thousand levels', `{"a":${'['.repeat(1e5)}${']'.repeat(1e5)}}`, '/data invalid_value'],
  ])('with %s in the data is refused, not changed silently', async (_what, data, fault) => {
    const stage = await createStage()
    const headers = { authorization: `Bearer ${stage.venue.key}`, 'content-type': 'application/json' }
    const text = `{"type":"order.created","data":${data}}`
    const { status, body } = await send(stage.path('/events'), { method: 'POST', body: text, headers })
    const [error] = body.errors
    expect([status, `${error.pointer} ${error.code}`]).toEqual([422, fault])
    expect(await stage.events()).toEqual([])
  })

  test('keeps a hundred levels as they are', async () => {
    const stage = await createStage()
    const data = { a: JSON.parse(`${'['.repeat(99)}1${']'.repeat(99)}`) }
    expect((await stage.post('/events', { type: 'order.created', data })).status).toBe(202)
    expect((await stage.get('/events')).body[0].data).toEqual(data)
  })
})

describe('publishing over a binding', () => {
  const publish = async (stage: Stage, ...given: Parameters<Publisher['publish']>) => {
    const context = createExecutionContext()
    const made = await new Publisher(context, stage.bindings).publish(...given)
    await waitOnExecutionContext(context)
    return made
  }

  test('is the same as over HTTP', async () => {
    const stage = await createStage()
    await stage.hook()
    const { id } = await publish(stage, stage.venue.id, false, { type: 'order.created', data: order })
    await stage.deliver()
    expect(stage.calls.map(({ body }) => [body.id, body.type, body.data])).toEqual([[id, 'order.created', order]])
    await publish(stage, stage.venue.id, true, { type: 'order.created', data: order })
    await stage.deliver()
    expect(stage.calls).toHaveLength(1)
  })

  test('refuses what is no event, and a merchant that does not exist', async () => {
    const stage = await createStage()
    for (const event of [{}, { type: 'product.created', data: {} }, { type: 'order.created' }, null]) {
      await expect(publish(stage, stage.venue.id, false, event)).rejects.toThrow(TypeError)
    }
    await expect(publish(stage, 'mer_none', false, { type: 'order.created', data: {} })).rejects.toThrow()
    expect(await stage.events()).toEqual([])
  })
})
