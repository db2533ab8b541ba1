import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { damagedBounds } from '../../src/admin/damaged-parts.ts'
import { clearKeyCache } from '../../src/auth/api-keys.ts'
import { adminToken, createKey } from '../support/api.ts'
import { createMember, invite } from '../support/authenticator.ts'
import { multiply } from '../support/d1.ts'
import { samples } from '../support/samples.ts'
import { createWebhookHarness, type WebhookHarness } from '../support/webhook-harness.ts'

afterEach(() => vi.restoreAllMocks())

/** Writes values that the service never writes. */
const damage = (sql: string, ...values: unknown[]) =>
  env.DB.batch([
    env.DB.prepare('pragma ignore_check_constraints = on'),
    env.DB.prepare(sql).bind(...values),
    env.DB.prepare('pragma ignore_check_constraints = off'),
  ])

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
  const stage = await createWebhookHarness()
  const ids: string[] = []
  for (const text of ['One', 'Two', 'Three']) ids.push((await stage.post(`/${collection}`, body(text))).body.id)
  const [first = '', id = '', last = ''] = ids
  await damage(`update ${collection} set ${set} where id = ?`, id)
  const errors: unknown[] = []
  vi.spyOn(console, 'error').mockImplementation((line: string) => void errors.push(JSON.parse(line)))
  const points: AnalyticsEngineDataPoint[] = []
  stage.bindings.DAMAGE_POINTS = { writeDataPoint: (point = {}) => void points.push(point) }
  return { stage, first, id, last, errors, points, path: `/${collection}/${id}` }
}

const nextOf = ({ headers }: { headers: Headers }) => {
  const [, target] = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '') ?? []
  return target === undefined ? undefined : new URL(target, 'https://api.test')
}

/** Ids of a whole list, one array for each page. */
async function idsOf(stage: WebhookHarness, path: string): Promise<string[][]> {
  const pages: string[][] = []
  for (let url: URL | undefined = new URL(stage.path(path), 'https://api.test'); url; ) {
    const answer = await stage.request('GET', url.pathname + url.search)
    expect([path, answer.status]).toEqual([path, 200])
    pages.push(answer.body.map(({ id }: { id: string }) => id))
    url = nextOf(answer)
    if (pages.length > 20) throw new Error('the list does not end')
  }
  return pages
}

const admin = (stage: WebhookHarness, path: string) =>
  stage.request('GET', `/admin/merchants/${stage.venue.id}${path}`, undefined, adminToken)

describe.each(cases)('a damaged row of $collection ($set)', (given) => {
  const { name, collection, field, repair, change } = given

  test('is left out of lists, which continue after it, and is reported', async () => {
    const { stage, first, id, last, errors, points } = await threeOf(given)
    for (const order of ['asc', 'desc']) {
      const pages = await idsOf(stage, `/${collection}?limit=1&order=${order}`)
      expect(pages).toEqual(order === 'asc' ? [[first], [], [last]] : [[last], [], [first]])
    }
    errors.length = 0
    points.length = 0
    expect(await idsOf(stage, `/${collection}?ids=${[first, id, last]}`)).toEqual([[last, first]])
    const reported = { message: 'damaged rows', code: 'damaged', table: collection, merchant: stage.venue.id, count: 1 }
    expect(errors).toEqual([
      { ...reported, requestId: expect.stringMatching(/^req_/), rows: [{ id, fields: [field] }] },
    ])
    expect(points).toEqual([{ indexes: [stage.venue.id], blobs: [collection], doubles: [1] }])
    const { body } = await admin(stage, '/damaged')
    expect(body).toContainEqual({ table: collection, id, fields: [field] })
  })

  test('returns `damaged` to retrievals and updates, until an update repairs it', async () => {
    const { stage, path, id } = await threeOf(given)
    for (const [method, json] of [['GET'], ['POST', {}], ['POST', { unknown: 1 }]] as const) {
      const { status, body } = await stage.request(method, stage.path(path), json)
      const expected = json && 'unknown' in json ? [422, 'invalid_request'] : [409, 'damaged']
      expect([method, status, body.code]).toEqual([method, ...expected])
    }
    const { status, body } = await stage.post(path, repair)
    expect([status, body.id]).toEqual([200, id])
    expect((await stage.get(path)).body).toMatchObject(repairedBy(repair))
    expect((await stage.post(path, change)).status).toBe(200)
    expect((await admin(stage, '/damaged')).body.filter((row: { table: string }) => row.table === collection)).toEqual(
      [],
    )
    expect((await stage.remove(path)).body.object).toEqual(expect.objectContaining({ id, testMode: false }))
  })

  test('can be deleted, and the event contains its readable fields', async () => {
    const { stage, path, id, first, last } = await threeOf(given)
    await stage.post('/webhooks', { title: 'Till', url: `https://${stage.host}/in`, events: [`${name}.deleted`] })
    const { status, body } = await stage.remove(path)
    expect([status, body.id, body.deleted, body.object.id, field in body.object]).toEqual([200, id, true, id, false])
    expect(body.object).toMatchObject({ testMode: false, createdAt: expect.any(Number) })
    expect(JSON.stringify(body)).not.toMatch(/bearerToken|whsec|"secrets"/)
    expect((await stage.get(path)).status).toBe(404)
    await stage.deliver()
    const [call] = stage.calls.filter(({ body }) => body.type === `${name}.deleted`)
    expect([call?.body.data, call?.body.version]).toEqual([body.object, 2])
    const { body: feed } = await stage.get('/events?limit=100')
    expect(feed.at(-1)).toEqual(call?.body)
    const left = collection === 'webhooks' ? expect.arrayContaining([first, last]) : [last, first]
    expect((await idsOf(stage, `/${collection}`)).flat()).toEqual(left)
    expect(
      await stage.query(`select 1 from ${collection}_search where rowid not in (select seq from ${collection})`),
    ).toEqual([])
  })
})

const repairedBy = (repair: object) => Object.fromEntries(Object.entries(repair).filter(([, value]) => value !== null))

describe('an object that a damaged row refers to', () => {
  test.each([`'["x",[1],{"items":7}]'`, `'{"a"'`])('can be deleted: a menu with sections %s', async (sections) => {
    const stage = await createWebhookHarness()
    const product = (await stage.post('/products', { title: 'Tea', price: 1 })).body.id
    const sound = (await stage.post('/menus', { title: 'Sound', sections: [{ items: [product] }] })).body.id
    const broken = (await stage.post('/menus', { title: 'Broken', sections: [{ items: [product] }] })).body.id
    await damage(`update menus set sections = ${sections} where id = ?`, broken)
    expect((await stage.remove(`/products/${product}`)).status).toBe(200)
    expect((await stage.get(`/menus/${sound}`)).body.sections[0].items).toEqual([])
    expect((await stage.get(`/menus/${broken}`)).body.code).toBe('damaged')
    expect(
      await stage.query(
        'select 1 from menu_products as l join menus as m on m.seq = l.owner where m.id in (?, ?)',
        sound,
        broken,
      ),
    ).toEqual([])
    expect((await stage.remove(`/menus/${broken}`)).status).toBe(200)
  })

  test('gets its links again when an update repairs the row', async () => {
    const stage = await createWebhookHarness()
    const make = async (title: string) => (await stage.post('/products', { title, price: 1 })).body.id
    const [before, after] = [await make('Before'), await make('After')]
    const menu = (await stage.post('/menus', { title: 'Lunch', sections: [{ items: [before] }] })).body.id
    await damage(`update menus set sections = '5' where id = ?`, menu)
    expect((await stage.post(`/menus/${menu}`, { sections: [{ items: [after] }] })).status).toBe(200)
    const links = await stage.query(
      'select p.id from menu_products as l join menus as m on m.seq = l.owner join products as p on p.seq = l.target where m.id = ?',
      menu,
    )
    expect(links).toEqual([{ id: after }])
  })
})

describe('the hosted menu', () => {
  test('omits damaged menus, products and modifiers', async () => {
    const stage = await createWebhookHarness()
    const modifiers: string[] = []
    for (const title of ['Milk', 'Sugar']) {
      modifiers.push((await stage.post('/modifiers', { title, instructions: '' })).body.id)
    }
    const products: string[] = []
    for (const title of ['Tea', 'Coffee'])
      products.push((await stage.post('/products', { title, price: 1, modifiers })).body.id)
    const menus: string[] = []
    for (const title of ['Lunch', 'Dinner']) {
      menus.push((await stage.post('/menus', { title, sections: [{ items: products }] })).body.id)
    }
    await damage(`update modifiers set options = '[5]' where id = ?`, modifiers[0])
    await damage(`update products set images = '[5]' where id = ?`, products[0])
    await damage(`update menus set branding = '[5' where id = ?`, menus[0])
    const { status, body } = await stage.request('GET', `/m/${stage.venue.id}.json`)
    const titles = new Map(body.modifiers.map(({ id, title }: { id: string; title: string }) => [id, title]))
    const shown = body.menus.map((menu: { title: string; sections: { products: Shown[] }[] }) => [
      menu.title,
      menu.sections.flatMap(({ products }) =>
        products.map((product) => [product.title, product.modifiers.map((id) => titles.get(id))]),
      ),
    ])
    expect([status, shown]).toEqual([200, [['Dinner', [['Coffee', ['Sugar']]]]]])
    expect((await stage.request('GET', `/m/${stage.venue.id}`)).status).toBe(200)
  })

  test('is unavailable while the merchant is damaged', async () => {
    const stage = await createWebhookHarness()
    await damage(`update merchants set timezone = x'00' where id = ?`, stage.venue.id)
    expect((await stage.request('GET', `/m/${stage.venue.id}`)).status).toBe(503)
    const { status, body } = await stage.request('GET', `/m/${stage.venue.id}.json`)
    expect([status, body.code]).toEqual([409, 'damaged'])
    expect((await admin(stage, '/keys')).body.code).toBe('damaged')
  })
})
interface Shown {
  title: string
  modifiers: string[]
}

describe('the events feed', () => {
  test.each([
    [`row = '[5]'`, 'row'],
    [`row = '{'`, 'row'],
    [`row = json_set(row, '$.price', 'much')`, 'row'],
    [`version = 'x'`, 'version'],
    [`at = 9e99`, 'at'],
    [`previous = '['`, 'previous'],
    [`type = x'00'`, 'type'],
  ])('omits an event with %s and continues after it', async (set, field) => {
    const stage = await createWebhookHarness()
    for (const title of ['One', 'Two', 'Three']) await stage.post('/products', { title, price: 1 })
    const [first, second, third] = await stage.events()
    await damage(`update events set ${set} where id = ?`, second?.['id'])
    const pages = await idsOf(stage, '/events?limit=1')
    expect(pages).toEqual([[first?.['id']], [], [third?.['id']]])
    expect((await admin(stage, '/damaged')).body).toEqual([{ table: 'events', id: second?.['id'], fields: [field] }])
  })

  test('fails a damaged event once and does not count it against the endpoint', async () => {
    const stage = await createWebhookHarness()
    const webhook = await stage.hook({ events: ['product.created'] })
    await stage.post('/products', { title: 'One', price: 1 })
    await damage(`update events set row = '[5]' where merchant_id = ? and type = 'product.created'`, stage.venue.id)
    await stage.post('/products', { title: 'Two', price: 1 })
    await stage.deliver()
    await stage.pass(600)
    await stage.sweep()
    await stage.deliver()
    expect(stage.calls.map(({ body }) => body.data.title)).toEqual(['Two'])
    expect(await stage.log(webhook.id)).toMatchObject([
      { state: 'delivered' },
      { state: 'failed', attempts: [{ number: 1, error: expect.stringMatching(/cannot be read/) }] },
    ])
    expect(await stage.query('select failures from webhooks where id = ?', webhook.id)).toEqual([{ failures: 0 }])
  })

  test('fails deliveries to a webhook with damaged secrets once', async () => {
    const stage = await createWebhookHarness()
    const webhook = await stage.hook({ events: ['product.created'] })
    await damage(`update webhooks set secrets = '[5' where id = ?`, webhook.id)
    await stage.post('/products', { title: 'One', price: 1 })
    await stage.deliver()
    await stage.pass(600)
    expect(await stage.sweep()).toBe(0)
    expect(stage.calls).toEqual([])
    expect(await stage.log(webhook.id)).toMatchObject([{ state: 'failed' }])
    expect((await stage.request('GET', stage.path(`/webhooks/${webhook.id}/secret`))).body.code).toBe('damaged')
  })
})

test('the delivery log omits a damaged delivery', async () => {
  const stage = await createWebhookHarness()
  const webhook = await stage.hook({ events: ['product.created'] })
  for (const title of ['One', 'Two', 'Three']) await stage.post('/products', { title, price: 1 })
  await stage.deliver()
  const [one, two, three] = (await stage.deliveries()).map(({ event }) => event)
  for (const set of [`attempts = '[5]'`, `attempts = '['`, `state = 'lost'`, `created_at = x'00'`]) {
    const [before] = await stage.query('select * from deliveries where event = ?', two)
    await damage(`update deliveries set ${set} where event = ?`, two)
    const pages: unknown[] = []
    for (
      let url: URL | undefined = new URL(stage.path(`/webhooks/${webhook.id}/deliveries?limit=1`), 'https://api.test');
      url;
    ) {
      const answer = await stage.request('GET', url.pathname + url.search)
      pages.push(answer.body.map(({ eventId }: { eventId: string }) => eventId))
      url = nextOf(answer)
    }
    expect([set, ...pages]).toEqual([set, [three], [], [one]])
    expect((await admin(stage, '/damaged')).body).toEqual([
      { table: 'deliveries', id: two, fields: [set.split(' ')[0]] },
    ])
    await damage(
      'update deliveries set attempts = ?, state = ?, created_at = ? where event = ?',
      before?.['attempts'],
      before?.['state'],
      before?.['created_at'],
      two,
    )
  }
})

test('the audit log omits a damaged entry', async () => {
  const stage = await createWebhookHarness()
  for (const title of ['One', 'Two', 'Three']) await stage.post('/products', { title, price: 1 })
  const { body: all } = await stage.get('/audit?operation=products.create')
  await damage(`update audit set at = 'once' where id = ?`, all[1].id)
  expect(await idsOf(stage, '/audit?operation=products.create&limit=1')).toEqual([[all[0].id], [], [all[2].id]])
  expect((await admin(stage, '/damaged')).body).toEqual([{ table: 'audit', id: all[1].id, fields: ['at'] }])
})

test('a damaged key is not listed, gives no access, and can be revoked', async () => {
  const stage = await createWebhookHarness()
  const { key, keyId } = await createKey(stage.venue.id, { mode: 'live', scopes: ['tags:read'] })
  await damage(`update keys set scopes = '[5]' where id = ?`, keyId)
  clearKeyCache()
  expect((await stage.request('GET', stage.path('/tags'), undefined, key)).status).toBe(401)
  const { body } = await admin(stage, '/keys')
  expect(body.map(({ id }: { id: string }) => id)).toEqual([stage.venue.keyId])
  expect((await admin(stage, '/damaged')).body).toEqual([{ table: 'keys', id: keyId, fields: ['scopes'] }])
  const path = `/admin/merchants/${stage.venue.id}/keys/${keyId}`
  expect((await stage.request('POST', `${path}/roll`, {}, adminToken)).body.code).toBe('damaged')
  const { status, body: removed } = await stage.request('DELETE', path, undefined, adminToken)
  expect([status, removed.object]).toEqual([200, { id: keyId }])
})

test('a damaged merchant is not listed; the others are', async () => {
  const [first, second, third] = [
    await createWebhookHarness(),
    await createWebhookHarness(),
    await createWebhookHarness(),
  ]
  await damage(`update merchants set name = x'00' where id = ?`, second.venue.id)
  const { status, body } = await first.request('GET', '/admin/merchants?limit=3', undefined, adminToken)
  expect([status, body.map(({ id }: { id: string }) => id)]).toEqual([200, [third.venue.id, first.venue.id]])
  const one = await first.request('GET', `/admin/merchants/${second.venue.id}`, undefined, adminToken)
  expect([one.status, one.body.code]).toEqual([409, 'damaged'])
  expect((await admin(second, '/damaged')).body).toEqual([
    { table: 'merchants', id: second.venue.id, fields: ['name'] },
  ])
  expect((await admin(first, '/damaged')).body).toEqual([])
})

describe('the scans of a tag', () => {
  test('omit a damaged count', async () => {
    const stage = await createWebhookHarness()
    const { body: tag } = await stage.post('/tags', {})
    const day = new Date().toISOString().slice(0, 10)
    for (const [channel, count] of [
      ['qr', 2],
      ['nfc', 'many'],
    ]) {
      await damage('insert into scan_counts values (?, ?, ?, ?, ?)', stage.venue.id, tag.id, day, channel, count)
    }
    const { status, body } = await stage.get(`/tags/${tag.id}/scans`)
    expect([status, body]).toEqual([200, [{ day, channel: 'qr', count: 2 }]])
  })

  test("still redirect to the venue if the tag's metadata is damaged", async () => {
    const stage = await createWebhookHarness()
    const { body: tag } = await stage.post('/tags', { metadata: [{ key: 'table', value: '7' }] })
    await damage(`update tags set metadata = '[{"key":1}]' where id = ?`, tag.id)
    const name = String((await stage.query('select code from tags where id = ?', tag.id))[0]?.['code'])
    await env.TAGS.delete(`t:${name}`)
    await env.TAGS.delete(`t:${tag.id}`)
    // Longer than an isolate caches a tag.
    vi.setSystemTime(Date.now() + 60_000)
    expect((await stage.request('GET', `/t/${name}`)).status).toBe(302)
  })
})

describe('the list of damaged rows', () => {
  test('reads a bounded number of rows in each request and finds every damaged row', async () => {
    const stage = await createWebhookHarness()
    const { body: product } = await stage.post('/products', { title: 'Tea', price: 1 })
    const count = damagedBounds.rows * (damagedBounds.statements + 1)
    await multiply('products', product.id, count)
    const expected = await stage.query(
      'select id from products where merchant_id = ? and seq % 1000 = 7 order by id',
      stage.venue.id,
    )
    await damage(`update products set images = '[5]' where merchant_id = ? and seq % 1000 = 7`, stage.venue.id)
    const found: string[] = []
    let requests = 0
    for (let path: string | undefined = '/damaged'; path !== undefined; requests++) {
      const answer = await admin(stage, path)
      expect(answer.body.length).toBeLessThanOrEqual(damagedBounds.rows * damagedBounds.statements)
      found.push(...answer.body.map(({ id }: { id: string }) => id))
      const next = nextOf(answer)
      path = next && `/damaged${next.search}`
    }
    expect([found, requests]).toEqual([expected.map(({ id }) => id), 2])
    expect(found.length).toBeGreaterThan(2)
  })

  test('contains members, their passkeys, and invitations', async () => {
    const stage = await createWebhookHarness()
    const { id } = stage.venue
    const { authenticator } = await createMember(id)
    await invite(id, 'staff')
    await stage.query(
      `insert into users select ?1 || '-' || value, ?1, ?1 || value, 'staff', 'Bo', 1, null from json_each(?2)`,
      id,
      JSON.stringify(Array.from({ length: 25 }, (_, index) => 10 + index)),
    )
    await stage.query(
      `insert into passkeys select users.person || 'key', users.person, public_key, algorithm, 0, transports, 1, null, null
       from users, passkeys where merchant_id = ? and users.id like '%-%' and passkeys.id = ?`,
      id,
      authenticator.id,
    )
    expect((await admin(stage, '/damaged')).body).toEqual([])
    await damage(`update users set role = 'king', name = x'00' where id = ?`, `${id}-12`)
    await damage(`update passkeys set counter = 'many' where id in (?, ?)`, authenticator.id, `${id}34key`)
    await damage(`update invitations set expires_at = 'late' where merchant_id = ?`, id)
    const { body } = await admin(stage, '/damaged')
    expect(body).toHaveLength(4)
    expect(body).toEqual(
      expect.arrayContaining([
        { table: 'users', id: `${id}-12`, fields: ['role', 'name'] },
        { table: 'passkeys', id: authenticator.id, fields: ['counter'] },
        { table: 'passkeys', id: `${id}34key`, fields: ['counter'] },
        { table: 'invitations', id: expect.stringMatching(/^inv_/), fields: ['expiresAt'] },
      ]),
    )
  })

  test.each(['live', 'test'] as const)('contains limits and redemptions of coupons in %s mode', async (mode) => {
    const stage = await createWebhookHarness()
    const { post } = await createKey(stage.venue.id, { mode })
    const body = { title: 'Ten', code: 'TEN', type: 'PERCENTAGE', value: 10 }
    const { id: coupon } = (await post('/coupons', body)).body
    const { id: other } = (await post('/coupons', { ...body, code: 'TWENTY' })).body
    for (const id of [coupon, other]) await post(`/coupons/${id}/limits`, { endsAt: 9_999_999_999 })
    const { id: redemption } = (await post('/redemptions', { code: 'TEN', order: '1' })).body
    expect((await post('/redemptions', { code: 'TEN', order: '2' })).status).toBe(201)
    expect((await admin(stage, '/damaged')).body).toEqual([])
    await damage(
      `update coupon_limits set ends_at = 'late', max_discount = 'much' where coupon = (select seq from coupons where id = ?)`,
      coupon,
    )
    await damage(`update redemptions set amount = 'much' where id = ?`, redemption)
    expect((await admin(stage, '/damaged')).body).toEqual([
      { table: 'coupon_limits', id: coupon, fields: ['endsAt', 'maxDiscount'] },
      { table: 'redemptions', id: redemption, fields: ['amount'] },
    ])
  })

  test.each([
    ['?cursor=x', 422],
    ['?limit=1', 422],
  ] as const)('with %s returns %i', async (search, status) => {
    const stage = await createWebhookHarness()
    expect((await admin(stage, `/damaged${search}`)).status).toBe(status)
  })

  test('of an unknown merchant returns `not_found`', async () => {
    const stage = await createWebhookHarness()
    const answer = await stage.request('GET', '/admin/merchants/mer_none/damaged', undefined, adminToken)
    expect(answer.status).toBe(404)
  })
})
