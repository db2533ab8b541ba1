import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { createClient, createOperator } from '../../packages/client/src/client.ts'
import { resourcePaths } from '../../src/platform/names.ts'
import { adminToken, createVenue, origin } from '../support/api.ts'
import { multiply } from '../support/d1.ts'
import { samples } from '../support/samples.ts'
import { all, connect, instead, service } from './new-client.ts'

describe('a list of more than one page', () => {
  /** More than two pages of the default size. */
  const rows = 130
  /** A merchant can have few webhooks: more than one page of the default size. */
  const rowsOf = (collection: string) => (collection === 'webhooks' ? 60 : rows)
  const times = <Result>(count: number, make: (n: number) => Promise<Result>) =>
    Promise.all(Array.from({ length: count }, (_, n) => make(n)))

  const idsInTable = async (table: string, merchantId: string) => {
    const select = env.DB.prepare(`select id from ${table} where merchant_id = ?`)
    return (await select.bind(merchantId).all<{ id: string }>()).results.map(({ id }) => id)
  }

  /** The ids of a complete list; each occurs once. */
  async function idsOf(list: AsyncIterable<{ id: string }>) {
    const ids = (await all(list)).map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    return ids
  }

  test.each(resourcePaths)('%s', async (path) => {
    const sample = samples.find(({ collection }) => collection === path)
    const { id: merchantId, key, post } = await createVenue()
    await multiply(path, (await post(`/${path}`, sample?.body('Thing'))).body.id, rowsOf(path) - 1)
    const made = await idsInTable(path, merchantId)
    expect(made).toHaveLength(rowsOf(path))
    const client = createClient({ origin, merchantId, key, fetch: service })
    expect((await idsOf(client[path].list())).toSorted()).toEqual(made.toSorted())
  })

  test('events, deliveries and audit entries', async () => {
    const { client, sent } = await connect()
    const hook = await client.webhooks.create({ title: 'POS', url: 'http://127.0.0.1:9/', events: ['order.created'] })
    const made = await times(rows, async (n) => (await client.events.publish('order.created', { n })).id)

    sent.length = 0
    const events = await idsOf(client.events.list())
    expect(events).toHaveLength(rows + 1)
    expect(events).toEqual(expect.arrayContaining(made))
    expect(sent).toHaveLength(3)
    const page = await client.events.list({ limit: 100 }).page()
    const rest = await client.events.list({ limit: 100, after: page.cursor }).page()
    expect([...page.items, ...rest.items].map(({ id }) => id)).toEqual(events)
    expect(rest.cursor).toBeUndefined()

    const deliveries = await all(client.webhooks.deliveries(hook.id))
    expect(deliveries.map(({ eventId }) => eventId).toSorted()).toEqual(made.toSorted())

    const products = await times(rows, async (n) => (await client.products.create({ title: `${n}`, price: 1 })).id)
    const entries = await all(client.audit({ operation: 'products.create' }))
    expect(entries.map(({ object }) => object).toSorted()).toEqual(products.toSorted())
  })

  test('keys and merchants', async () => {
    const operator = createOperator({ origin, key: adminToken, fetch: service })
    const merchants = await times(rows, async (n) => (await operator.merchants.create({ name: `Bar ${n}` })).id)
    expect(await idsOf(operator.merchants.list())).toEqual(expect.arrayContaining(merchants))
    const [id = ''] = merchants
    await multiply('keys', (await operator.keys.create(id, { mode: 'live' })).id, rows - 1, { hash: 'hash || n' })
    const keys = await idsInTable('keys', id)
    expect((await idsOf(operator.keys.list(id))).toSorted()).toEqual(keys.toSorted())
  })

  test.each([
    ['of this host', `<${origin}/merchants/m/products?limit=1&cursor=b>; rel="next"`],
    ['of another host', '<https://elsewhere.example/x?limit=1&cursor=b>; rel="next"'],
    ['relative to the host', '</merchants/m/products?limit=1&cursor=b>; rel="next"'],
    ['relative to the path', '<?limit=1&cursor=b>; title="more"; rel=next'],
    ['behind others', '<?limit=1&cursor=x>; rel="first", <?limit=1&cursor=b>; rel="next"'],
  ])('continues from a link %s, on the same host and path', async (_, link) => {
    const page = (title: string, headers = {}) => Response.json([{ id: title }], { headers })
    const { client, sent, merchantId } = await connect(
      instead(
        () => page('a', { link }),
        () => page('b'),
      ),
    )
    expect(await idsOf(client.products.list({ limit: 1 }))).toEqual(['a', 'b'])
    const path = `${origin}/merchants/${merchantId}/products`
    expect(sent.map(({ url }) => url)).toEqual([`${path}?limit=1`, `${path}?limit=1&cursor=b`])
  })

  test('keeps every parameter of the link, including repeated ones', async () => {
    const link = '<?limit=2&ids=a&ids=b&position=7>; rel="next"'
    const { client, sent } = await connect(
      instead(
        () => Response.json([], { headers: { link } }),
        () => Response.json([]),
      ),
    )
    expect(await idsOf(client.products.list())).toEqual([])
    expect(new URL(sent.at(-1)?.url ?? '').search).toBe('?limit=2&ids=a&ids=b&position=7')
  })
})
