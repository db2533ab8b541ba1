import { describe, expect, test } from 'vitest'
import { adminToken, call, createKey, createVenue, send } from '../../support/api.ts'
import { samples } from '../../support/samples.ts'
import { documentation } from './openapi-document.ts'

describe('the OpenAPI document', async () => {
  const venue = await createVenue()
  const reader = await createKey(venue.id, { mode: 'live', scopes: ['customers:read'] })
  const stranger = await createVenue()

  /** Each response is checked against the document. */
  const { request } = venue

  const { body: modifier } = await venue.post('/modifiers', { title: 'Milk', instructions: '' })
  const { body: product } = await venue.post('/products', { title: 'Tea', price: 4 })
  const named = { product: product.id, modifier: modifier.id }

  test.each(samples.map((sample) => [sample.collection, sample] as const))(
    'describes the responses of %s',
    async (collection, { body, change, full }) => {
      const [plain, whole] = [
        await request('POST', `/${collection}`, body('a')),
        await request('POST', `/${collection}`, full(named)),
      ]
      expect([plain.status, whole.status]).toEqual([201, 201])
      const path = `/${collection}/${whole.body.id}`
      expect((await request('GET', path)).status).toBe(200)
      expect((await request('GET', path, undefined, { 'If-None-Match': '*' })).status).toBe(304)
      expect((await request('POST', path, change)).status).toBe(200)
      for (const method of ['GET', 'POST', 'DELETE']) {
        const json = method === 'POST' ? change : undefined
        expect((await request(method, path, json, { 'If-Match': '"stale"' })).status).toBe(412)
      }
      const key = { 'Idempotency-Key': path }
      for (const [json, status] of [
        [change, 200],
        [change, 200],
        [{}, 422],
      ] as const) {
        expect((await request('POST', path, json, key)).status).toBe(status)
      }
      const page = await request('GET', `/${collection}?limit=1&order=asc`)
      expect(page.headers.get('link')).toMatch(/rel="next"$/)
      expect((await request('GET', `/${collection}?ids=${plain.body.id},${whole.body.id}`)).body).toHaveLength(2)

      expect((await request('GET', `/${collection}?nonsense=1&limit=0`)).status).toBe(422)
      expect((await request('POST', `/${collection}`, { id: 'x', nonsense: 1 })).status).toBe(422)
      expect((await request('POST', path, { nonsense: 1 })).status).toBe(422)
      expect((await request('POST', path, [])).status).toBe(400)
      expect((await request('POST', path, {}, { 'content-type': 'text/plain' })).status).toBe(415)
      expect((await request('POST', path, { title: 'x'.repeat(262_144) })).status).toBe(413)
      expect((await request('GET', path, undefined, { 'D1-Bookmark': 'nonsense' })).status).toBe(400)
      expect((await request('GET', `/${collection}/%ff`)).status).toBe(400)

      expect((await request('DELETE', path)).status).toBe(200)
      for (const [method, json] of [['GET'], ['POST', change], ['DELETE']] as const) {
        expect((await request(method, path, json)).status).toBe(404)
        for (const [key, status] of [
          ['Bearer nonsense', 401],
          [`Bearer ${stranger.key}`, 403],
        ] as const) {
          expect((await request(method, path, json, { authorization: key })).status).toBe(status)
        }
      }
      if (collection !== 'customers') {
        expect((await request('GET', path, undefined, { authorization: `Bearer ${reader.key}` })).status).toBe(403)
      }
    },
  )

  test('describes the conflict of a coupon code', async () => {
    const coupon = { title: 'Spring', code: 'Twice', type: 'FIXED', value: 1 }
    expect((await request('POST', '/coupons', coupon)).status).toBe(201)
    expect((await request('POST', '/coupons', coupon)).status).toBe(409)
  })

  test('describes the responses of operator routes', async () => {
    async function request(method: string, path: string, json?: unknown, token = adminToken) {
      const response = await call(method, path, token, json)
      return response
    }
    const [collection, object] = ['/admin/merchants', `/admin/merchants/${venue.id}`]
    const urls = { orderingUrl: 'https://menu.example/{tag}', sandboxUrl: 'https://menu.example/test' }
    expect(
      (await request('POST', collection, { name: 'A', timezone: 'Europe/Paris', currency: 'EUR', ...urls })).status,
    ).toBe(201)
    expect((await request('POST', object, { currency: 'USD' })).status).toBe(200)
    expect((await request('GET', object)).status).toBe(200)
    expect((await request('GET', `${collection}?limit=1`)).status).toBe(200)
    const { body: key } = await request('POST', `${object}/keys`, {
      mode: 'test',
      scopes: ['tags:read'],
      title: 'Till',
    })
    expect((await request('POST', `${object}/keys/${key.id}/roll`, { overlap: 60 })).status).toBe(201)
    expect((await request('GET', `${object}/keys`)).status).toBe(200)
    expect((await request('DELETE', `${object}/keys/${key.id}`)).status).toBe(200)
    expect((await request('DELETE', `${object}/keys/${key.id}`)).status).toBe(404)
    for (const path of [collection, object, `${object}/keys`, `${object}/keys/${key.id}/roll`]) {
      expect((await request('POST', path, { nonsense: 1 })).status).toBe(422)
      expect((await request('POST', path, {}, 'nonsense')).status).toBe(401)
    }
  })

  test('describes the responses of the tag import', async () => {
    const path = `/admin/merchants/${venue.id}/tags`
    const timestamp = { _seconds: 1_600_000_000, _nanoseconds: 0 }
    const old = { id: 'old-1', alias: ['T-4'], message: 'Hello', edited: true, qr: false, timestamp }
    for (const [body, status] of [
      [old, 201],
      [old, 409],
      [{ nonsense: 1 }, 422],
    ] as const) {
      const response = await call('POST', path, adminToken, body)
      expect(response.status).toBe(status)
    }
  })

  test('describes the responses of deliveries and secrets', async () => {
    const { body: webhook } = await venue.post('/webhooks', {
      title: 'A',
      url: 'https://hooks.example.com/',
      events: ['*'],
    })
    const path = `/webhooks/${webhook.id}`
    const { status, body } = await request('POST', `${path}/test`)
    expect(status).toBe(202)
    expect((await request('POST', `${path}/deliveries/${body.id}/retry`)).status).toBe(202)
    expect((await request('POST', `${path}/recover`, { since: Math.floor(Date.now() / 1000) })).status).toBe(202)
    expect((await request('POST', `${path}/recover`, {})).status).toBe(422)
    const log = await request('GET', `${path}/deliveries?limit=1`)
    expect(log.body).toHaveLength(1)
    expect((await request('GET', `${path}/deliveries?state=nonsense`)).status).toBe(422)
    for (const [method, rest] of [
      ['GET', 'secret'],
      ['POST', 'secret/rotate'],
      ['POST', 'secret/rotate'],
      ['POST', 'token/rotate'],
    ] as const) {
      expect((await request(method, `${path}/${rest}`)).status).toBe(200)
      expect((await request(method, `/webhooks/none/${rest}`)).status).toBe(404)
    }
    expect((await request('POST', `${path}/secret/rotate`)).status).toBe(409)
    expect((await venue.post(path, { active: false })).status).toBe(200)
    for (const rest of ['test', `deliveries/${body.id}/retry`, 'recover']) {
      const json = rest === 'recover' ? { since: Math.floor(Date.now() / 1000) } : undefined
      expect((await request('POST', `${path}/${rest}`, json)).status).toBe(409)
      expect((await request('POST', `/webhooks/none/${rest}`, json)).status).toBe(404)
    }
    expect((await request('GET', '/webhooks/none/deliveries')).status).toBe(404)
  })

  test('describes the responses of events', async () => {
    expect((await request('POST', '/events', { type: 'order.created', data: { total: 1 } })).status).toBe(202)
    expect((await request('POST', '/events', { type: 'product.created', data: {} })).status).toBe(422)
    const page = await request('GET', '/events?limit=100')
    expect(page.body.length).toBeGreaterThan(0)
    expect((await request('GET', `/events?limit=1&after=${page.body[0].id}`)).status).toBe(200)
    expect((await request('GET', '/events?after=none')).status).toBe(422)
    expect((await request('GET', '/audit?limit=1')).body).toHaveLength(1)
    expect((await request('GET', '/audit?cursor=none')).status).toBe(422)
  })

  test('describes the responses of scans and chips', async () => {
    const { body: tag } = await venue.post('/tags', { metadata: [{ key: 'table', value: '4' }] })
    const { body: gone } = await venue.post('/tags', {})
    await venue.remove(`/tags/${gone.id}`)
    expect((await request('GET', `/tags/${tag.id}/scans?from=2026-11-01&to=2026-11-30`)).status).toBe(200)
    expect((await request('GET', `/tags/${tag.id}/scans?from=nonsense`)).status).toBe(422)
    expect((await request('GET', '/scans?from=2026-11-01&to=2026-11-30')).status).toBe(200)
    expect((await request('GET', '/scans?to=nonsense')).status).toBe(422)
    expect((await request('GET', `/tags/${gone.id}/scans`)).status).toBe(404)
    expect((await request('GET', '/tags/sheet?area=x')).status).toBe(200)
    expect((await request('GET', '/tags/sheet.pdf?area=x&layout=tents')).status).toBe(200)
    expect((await request('GET', '/tags/sheet.pdf?format=a0')).status).toBe(422)
    const link = await request('POST', `/tags/${tag.id}/nfc-link`)
    expect(link.status).toBe(201)
    expect((await request('POST', `/tags/${gone.id}/nfc-link`)).status).toBe(404)

    const pathOf = (url: string) => new URL(url).pathname
    const [code, goneCode] = [tag.alias[0], gone.alias[0]]
    const etag = (await send(`/t/${code}/qr.png`)).headers.get('etag') ?? ''
    const { body: cake } = await venue.post('/products', { title: 'Cake', price: 3 })
    const sections = [{ title: 'Sweet', items: [cake.id, product.id] }]
    await venue.post('/menus', { title: 'All day', visible: true, allDayMenu: true, sections })
    for (const [path, status, headers] of [
      [pathOf(tag.url), 302],
      [pathOf(tag.nfcUrl), 302],
      [`/t/${goneCode}`, 410],
      ['/t/nonsense', 404],
      ['/n/nonsense/nonsense', 404],
      [pathOf(link.body.url), 200],
      ['/chip/a/b/c', 404],
      [`/t/${code}/qr.png`, 200],
      [`/t/${code}/qr.png`, 304, { 'if-none-match': etag }],
      [`/t/${code}/qr.svg`, 200],
      [`/t/${code}/qr.svg?size=1`, 422],
      [`/t/${goneCode}/qr.svg`, 410],
      ['/t/nonsense/qr.png', 404],
      [`/m/${venue.id}?lang=fr`, 200],
      ['/m/nonsense', 404],
      [`/m/${venue.id}?at=nonsense`, 422],
      [`/m/${venue.id}.json?tag=${tag.id}`, 200],
      [`/m/${venue.id}.json?at=nonsense`, 422],
      ['/m/nonsense.json', 404],
    ] as const) {
      const response = await send(path, { headers: headers ?? {} })
      expect(response.status, path).toBe(status)
      if (path.startsWith(`/m/${venue.id}.json?tag`)) {
        expect(response.body.menus.at(-1).sections[0].products).toHaveLength(2)
        expect(response.body.tag.label).toBe('Table 4')
      }
    }
  })

  test('describes the public responses', async () => {
    for (const path of ['/health', ...Object.keys(documentation)]) {
      expect((await send(path)).status).toBe(200)
    }
  })
})
