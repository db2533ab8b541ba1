import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { admin, damage, listIds } from '../../admin/damage.ts'
import { samples } from '../../support/samples.ts'
import { createWebhookHarness } from '../../support/webhook-harness.ts'

afterEach(() => vi.restoreAllMocks())

/** Damages of each resource: the SQL, the damaged field, and a body that repairs it. */
const damages: Record<string, [set: string, field: string, repair: object][]> = {
  products: [
    [`images = '[5]'`, 'images', { images: [] }],
    [`images = '[{'`, 'images', { images: [] }],
    [`title = x'00ff'`, 'title', { title: 'Whole' }],
    [`price = 'much'`, 'price', { price: 1 }],
    ['visible = 7', 'visible', { visible: true }],
    [`description = x'00'`, 'description', { description: null }],
  ],
  modifiers: [[`options = '[{"id":1}]'`, 'options', { options: [] }]],
  menus: [
    [`sections = '["x",[1],5,null]'`, 'sections', { sections: [] }],
    [`sections = '{"a"'`, 'sections', { sections: [] }],
  ],
  coupons: [[`type = 'GIFT'`, 'type', { type: 'FIXED' }]],
  customers: [[`last_name = x'00'`, 'lastName', { lastName: 'Whole' }]],
  tags: [[`metadata = '[{"key":1}]'`, 'metadata', { metadata: [] }]],
  webhooks: [[`events = '[7]'`, 'events', { events: [] }]],
}
const cases = samples.flatMap((sample) =>
  (damages[sample.collection] ?? []).map(([set, field, repair]) => ({ ...sample, set, field, repair })),
)

/** Three objects; the one in the middle is damaged. */
async function threeOf({ collection, body, set }: (typeof cases)[number]) {
  const harness = await createWebhookHarness()
  const ids: string[] = []
  for (const text of ['One', 'Two', 'Three']) ids.push((await harness.post(`/${collection}`, body(text))).body.id)
  const [first = '', id = '', last = ''] = ids
  await damage(`update ${collection} set ${set} where id = ?`, id)
  const errors: unknown[] = []
  vi.spyOn(console, 'error').mockImplementation((line: string) => void errors.push(JSON.parse(line)))
  const points: AnalyticsEngineDataPoint[] = []
  harness.bindings.DAMAGE_POINTS = { writeDataPoint: (point = {}) => void points.push(point) }
  return { harness, first, id, last, errors, points, path: `/${collection}/${id}` }
}

describe.each(cases)('a damaged row of $collection ($set)', (sample) => {
  const { name, collection, field, repair, change } = sample

  test('is left out of lists, which continue after it, and is reported', async () => {
    const { harness, first, id, last, errors, points } = await threeOf(sample)
    for (const order of ['asc', 'desc']) {
      const pages = await listIds(harness, `/${collection}?limit=1&order=${order}`)
      expect(pages).toEqual(order === 'asc' ? [[first], [], [last]] : [[last], [], [first]])
    }
    errors.length = 0
    points.length = 0
    expect(await listIds(harness, `/${collection}?ids=${[first, id, last]}`)).toEqual([[last, first]])
    const reported = {
      message: 'damaged rows',
      code: 'damaged',
      table: collection,
      merchant: harness.venue.id,
      count: 1,
    }
    expect(errors).toEqual([
      { ...reported, requestId: expect.stringMatching(/^req_/), rows: [{ id, fields: [field] }] },
    ])
    expect(points).toEqual([{ indexes: [harness.venue.id], blobs: [collection], doubles: [1] }])
    const { body } = await admin(harness, '/damaged')
    expect(body).toContainEqual({ table: collection, id, fields: [field] })
  })

  test('returns `damaged` to retrievals and updates, until an update repairs it', async () => {
    const { harness, path, id } = await threeOf(sample)
    for (const [method, json] of [['GET'], ['POST', {}], ['POST', { unknown: 1 }]] as const) {
      const { status, body } = await harness.request(method, harness.path(path), json)
      const expected = json && 'unknown' in json ? [422, 'invalid_request'] : [409, 'damaged']
      expect([method, status, body.code]).toEqual([method, ...expected])
    }
    const { status, body } = await harness.post(path, repair)
    expect([status, body.id]).toEqual([200, id])
    expect((await harness.get(path)).body).toMatchObject(repairedBy(repair))
    expect((await harness.post(path, change)).status).toBe(200)
    expect(
      (await admin(harness, '/damaged')).body.filter((row: { table: string }) => row.table === collection),
    ).toEqual([])
    expect((await harness.remove(path)).body.object).toEqual(expect.objectContaining({ id, testMode: false }))
  })

  test('can be deleted, and the event contains its readable fields', async () => {
    const { harness, path, id, first, last } = await threeOf(sample)
    await harness.post('/webhooks', { title: 'Till', url: `https://${harness.host}/in`, events: [`${name}.deleted`] })
    const { status, body } = await harness.remove(path)
    expect([status, body.id, body.deleted, body.object.id, field in body.object]).toEqual([200, id, true, id, false])
    expect(body.object).toMatchObject({ testMode: false, createdAt: expect.any(Number) })
    expect(JSON.stringify(body)).not.toMatch(/bearerToken|whsec|"secrets"/)
    expect((await harness.get(path)).status).toBe(404)
    await harness.deliver()
    const [call] = harness.calls.filter(({ body }) => body.type === `${name}.deleted`)
    expect([call?.body.data, call?.body.version]).toEqual([body.object, 2])
    const { body: feed } = await harness.get('/events?limit=100')
    expect(feed.at(-1)).toEqual(call?.body)
    const left = collection === 'webhooks' ? expect.arrayContaining([first, last]) : [last, first]
    expect((await listIds(harness, `/${collection}`)).flat()).toEqual(left)
    expect(
      await harness.query(`select 1 from ${collection}_search where rowid not in (select seq from ${collection})`),
    ).toEqual([])
  })
})

const repairedBy = (repair: object) => Object.fromEntries(Object.entries(repair).filter(([, value]) => value !== null))

describe('an object that a damaged row refers to', () => {
  test.each([`'["x",[1],{"items":7}]'`, `'{"a"'`])('can be deleted: a menu with sections %s', async (sections) => {
    const harness = await createWebhookHarness()
    const product = (await harness.post('/products', { title: 'Tea', price: 1 })).body.id
    const sound = (await harness.post('/menus', { title: 'Sound', sections: [{ items: [product] }] })).body.id
    const broken = (await harness.post('/menus', { title: 'Broken', sections: [{ items: [product] }] })).body.id
    await damage(`update menus set sections = ${sections} where id = ?`, broken)
    expect((await harness.remove(`/products/${product}`)).status).toBe(200)
    expect((await harness.get(`/menus/${sound}`)).body.sections[0].items).toEqual([])
    expect((await harness.get(`/menus/${broken}`)).body.code).toBe('damaged')
    expect(
      await harness.query(
        'select 1 from menu_products as l join menus as m on m.seq = l.owner where m.id in (?, ?)',
        sound,
        broken,
      ),
    ).toEqual([])
    expect((await harness.remove(`/menus/${broken}`)).status).toBe(200)
  })

  test('gets its links again when an update repairs the row', async () => {
    const harness = await createWebhookHarness()
    const make = async (title: string) => (await harness.post('/products', { title, price: 1 })).body.id
    const [before, after] = [await make('Before'), await make('After')]
    const menu = (await harness.post('/menus', { title: 'Lunch', sections: [{ items: [before] }] })).body.id
    await damage(`update menus set sections = '5' where id = ?`, menu)
    expect((await harness.post(`/menus/${menu}`, { sections: [{ items: [after] }] })).status).toBe(200)
    const links = await harness.query(
      'select p.id from menu_products as l join menus as m on m.seq = l.owner join products as p on p.seq = l.target where m.id = ?',
      menu,
    )
    expect(links).toEqual([{ id: after }])
  })
})

describe('the hosted menu', () => {
  test('omits damaged menus, products and modifiers', async () => {
    const harness = await createWebhookHarness()
    const modifiers: string[] = []
    for (const title of ['Milk', 'Sugar']) {
      modifiers.push((await harness.post('/modifiers', { title, instructions: '' })).body.id)
    }
    const products: string[] = []
    for (const title of ['Tea', 'Coffee'])
      products.push((await harness.post('/products', { title, price: 1, modifiers })).body.id)
    const menus: string[] = []
    for (const title of ['Lunch', 'Dinner']) {
      menus.push((await harness.post('/menus', { title, sections: [{ items: products }] })).body.id)
    }
    await damage(`update modifiers set options = '[5]' where id = ?`, modifiers[0])
    await damage(`update products set images = '[5]' where id = ?`, products[0])
    await damage(`update menus set branding = '[5' where id = ?`, menus[0])
    const { status, body } = await harness.request('GET', `/m/${harness.venue.id}.json`)
    const titles = new Map(body.modifiers.map(({ id, title }: { id: string; title: string }) => [id, title]))
    const shown = body.menus.map((menu: { title: string; sections: { products: Shown[] }[] }) => [
      menu.title,
      menu.sections.flatMap(({ products }) =>
        products.map((product) => [product.title, product.modifiers.map((id) => titles.get(id))]),
      ),
    ])
    expect([status, shown]).toEqual([200, [['Dinner', [['Coffee', ['Sugar']]]]]])
    expect((await harness.request('GET', `/m/${harness.venue.id}`)).status).toBe(200)
  })

  test('is unavailable while the merchant is damaged', async () => {
    const harness = await createWebhookHarness()
    await damage(`update merchants set timezone = x'00' where id = ?`, harness.venue.id)
    expect((await harness.request('GET', `/m/${harness.venue.id}`)).status).toBe(503)
    const { status, body } = await harness.request('GET', `/m/${harness.venue.id}.json`)
    expect([status, body.code]).toEqual([409, 'damaged'])
    expect((await admin(harness, '/keys')).body.code).toBe('damaged')
  })
})
interface Shown {
  title: string
  modifiers: string[]
}

describe('the scans of a tag', () => {
  test('omit a damaged count', async () => {
    const harness = await createWebhookHarness()
    const { body: tag } = await harness.post('/tags', {})
    const day = new Date().toISOString().slice(0, 10)
    for (const [channel, count] of [
      ['qr', 2],
      ['nfc', 'many'],
    ]) {
      await damage(
        'insert into scan_counts (merchant_id, tag, day, channel, count) values (?, ?, ?, ?, ?)',
        harness.venue.id,
        tag.id,
        day,
        channel,
        count,
      )
    }
    const { status, body } = await harness.get(`/tags/${tag.id}/scans`)
    expect([status, body]).toEqual([200, [{ day, channel: 'qr', count: 2 }]])
  })

  test("still redirect to the venue if the tag's metadata is damaged", async () => {
    const harness = await createWebhookHarness()
    const { body: tag } = await harness.post('/tags', { metadata: [{ key: 'table', value: '7' }] })
    await damage(`update tags set metadata = '[{"key":1}]' where id = ?`, tag.id)
    const name = String((await harness.query('select code from tags where id = ?', tag.id))[0]?.['code'])
    await env.TAGS.delete(`t:${name}`)
    await env.TAGS.delete(`t:${tag.id}`)
    // Longer than an isolate caches a tag.
    vi.setSystemTime(Date.now() + 60_000)
    expect((await harness.request('GET', `/t/${name}`)).status).toBe(302)
  })
})
