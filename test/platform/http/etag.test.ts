import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, test } from 'vitest'
import { createVenue, type Venue } from '../../support/api.ts'
import { observe } from '../../support/d1.ts'
import { samples } from '../../support/samples.ts'
import { form, other, tagOf, versionOf } from './entity-tags.ts'

let venue: Venue
beforeAll(async () => {
  venue = await createVenue()
})

const eventsOf = async (id: string) =>
  (await env.DB.prepare(`select type, version from events where row ->> 'id' = ? order by seq`).bind(id).all()).results

describe.each(samples)('the entity tag of a $name', ({ name, collection, body, change }) => {
  const create = async () => {
    const made = await venue.post(`/${collection}`, body('x'))
    return { etag: tagOf(made), path: `/${collection}/${made.body.id}`, id: String(made.body.id) }
  }

  test('depends only on the state of the object', async () => {
    const { path, etag } = await create()
    expect(etag).toMatch(form)
    expect(tagOf(await venue.get(path))).toBe(etag)
    expect(tagOf(await venue.request('HEAD', path))).toBe(etag)
    const updated = await venue.post(path, change)
    expect(tagOf(updated)).toMatch(form)
    expect(tagOf(updated)).not.toBe(etag)
    expect(tagOf(await venue.get(path))).toBe(tagOf(updated))
    expect(tagOf(await venue.post(path, change))).toBe(tagOf(updated))
    expect(tagOf(await venue.get(`/${collection}`))).toBe('')
    expect(tagOf(await venue.remove(path))).toBe('')
  })

  test('returns 304 without a body for the current tag', async () => {
    const { path, etag } = await create()
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`, `"a,b" ,W/${etag},`, '*', ' * ']) {
      for (const method of ['GET', 'HEAD']) {
        const response = await venue.request(method, path, undefined, { 'if-none-match': known })
        expect([known, method, response.status, response.body]).toEqual([known, method, 304, ''])
        expect([tagOf(response), response.headers.get('content-type')]).toEqual([etag, null])
        expect(response.headers.get('request-id')).toMatch(/^req_/)
        expect(response.headers.get('d1-bookmark')).not.toBeNull()
      }
    }
    const { body: whole } = await venue.get(path)
    for (const unknown of ['', '"x"', etag.slice(1, -1), etag.toLowerCase(), other(etag), 'garbage"', '"*"']) {
      const response = await venue.get(path, { 'if-none-match': unknown })
      expect([unknown, response.status, response.body]).toEqual([unknown, 200, whole])
    }
    for (const tag of [`"x", ${etag}`, `W/${etag}`])
      expect((await venue.get(path, { 'if-match': tag })).status).toBe(200)
    expect((await venue.get(path, { 'if-match': `W/${other(etag)}` })).status).toBe(412)
    expect((await venue.get(`${path}x`, { 'if-none-match': '*', 'if-match': '"x"' })).status).toBe(404)
  })

  test('a change with If-Match requires the current tag', async () => {
    const { path, etag, id } = await create()
    const before = await venue.get(path)
    for (const stale of ['"x"', `W/${other(etag)}`, etag.slice(1, -1), other(etag), 'garbage"', '"1"', '"9e9-A"']) {
      for (const [method, json] of [
        ['POST', change],
        ['POST', {}],
        ['DELETE', undefined],
      ] as const) {
        const refused = await venue.request(method, path, json, { 'if-match': stale })
        expect([stale, method, refused.status, refused.body.code]).toEqual([stale, method, 412, 'precondition_failed'])
      }
    }
    const after = await venue.get(path)
    expect([after.body, tagOf(after)]).toEqual([before.body, etag])
    expect(await eventsOf(id)).toEqual([{ type: `${name}.created`, version: 1 }])

    const updated = await venue.post(path, change, { 'if-match': `"x", ${etag}` })
    expect(updated.status).toBe(200)
    expect((await venue.post(path, change, { 'if-match': etag })).status).toBe(412)
    expect((await venue.remove(path, { 'if-match': etag })).status).toBe(412)
    // Proxies that compress a response weaken its tag.
    expect((await venue.post(path, change, { 'if-match': `W/${tagOf(updated)}` })).status).toBe(200)
    expect((await venue.post(path, change, { 'if-match': `W/${etag}` })).status).toBe(412)
    expect((await venue.post(path, {}, { 'if-match': '*' })).status).toBe(200)
    const removed = await venue.remove(path, { 'if-match': `${etag}, ${tagOf(updated)}` })
    expect([removed.status, removed.body.object]).toEqual([200, updated.body])
    expect(await eventsOf(id)).toEqual(
      ['created', 'updated', 'deleted'].map((verb, index) => ({ type: `${name}.${verb}`, version: index + 1 })),
    )
  })

  test('a change with If-None-Match is rejected for a listed tag', async () => {
    const { path, etag } = await create()
    for (const known of ['*', etag, `W/${etag}`]) {
      expect((await venue.post(path, change, { 'if-none-match': known })).status).toBe(412)
      expect((await venue.remove(path, { 'if-none-match': known })).status).toBe(412)
    }
    expect(tagOf(await venue.get(path))).toBe(etag)
    expect((await venue.post(path, change, { 'if-none-match': other(etag) })).status).toBe(200)
    expect((await venue.remove(path, { 'if-none-match': `${etag}, "x"` })).status).toBe(200)
  })

  test('is checked after all other issues', async () => {
    const stale = { 'if-match': '"0-X"' }
    const { path } = await create()
    expect((await venue.post(path, { colour: 'red' }, stale)).status).toBe(422)
    expect((await venue.post(`${path}x`, change, stale)).status).toBe(404)
    expect((await venue.post(`${path}x`, change, { 'if-match': '*' })).status).toBe(404)
    expect((await venue.remove(`${path}x`, stale)).status).toBe(404)
  })

  test('a change with If-Match compares version and time: tags of its other representations match', async () => {
    const { path, etag } = await create()
    const { updatedAt } = (await venue.get(path)).body
    // A client that has read the object in a list makes the tag itself.
    for (const digest of ['00000000000', '', `${updatedAt}.`]) {
      const tag = etag.replace(/-.*/, `-${digest}"`)
      expect((await venue.post(path, {}, { 'if-match': tag })).status).toBe(200)
      expect((await venue.get(path, { 'if-match': tag })).status).toBe(412)
    }
    const stale = etag.replace(/-.*/, `-${updatedAt - 1}."`)
    expect((await venue.post(path, {}, { 'if-match': stale })).status).toBe(412)
    expect((await venue.remove(path, { 'if-match': stale })).status).toBe(412)
  })

  test('costs no round trip', async () => {
    const { path, etag } = await create()
    const cost = async (method: string, match: string, json?: unknown) => {
      const asked = { key: venue.key, headers: { 'if-match': match }, ...(json === undefined ? {} : { json }) }
      const { status, trips } = await observe(method, venue.path(path), asked)
      return [status, trips.length]
    }
    expect(await cost('POST', etag, change)).toEqual([200, 2])
    expect(await cost('DELETE', etag)).toEqual([412, 1])
    expect(await cost('DELETE', '*')).toEqual([200, 1])
  })
})

test('of forty concurrent updates, each successful one has read the previous one', async () => {
  const { body, headers } = await venue.post('/products', { title: 'Tea', price: 0 })
  const path = `/products/${body.id}`
  const seen = new Map([[tagOf({ headers }), 0]])
  let won = 0
  async function racer(number: number) {
    const { body: product, ...read } = await venue.get(path)
    const etag = tagOf(read)
    const response = await venue.post(path, { price: product.price + 1, sku: `${number}` }, { 'if-match': etag })
    expect([200, 412]).toContain(response.status)
    if (response.status === 412) return
    won++
    expect(versionOf(tagOf(response))).toBe(versionOf(etag) + 1)
    expect(seen.has(tagOf(response))).toBe(false)
    seen.set(tagOf(response), response.body.price)
  }
  await Promise.all(Array.from({ length: 40 }, (_, number) => racer(number)))
  const final = await venue.get(path)
  expect(won).toBeGreaterThan(0)
  expect(won).toBeLessThanOrEqual(40)
  // Nothing was lost: the price counts the successes, and their versions leave no gap.
  expect([final.body.price, versionOf(tagOf(final))]).toEqual([won, won + 1])
  expect([...seen.values()].sort((a, b) => a - b)).toEqual(Array.from({ length: won + 1 }, (_, price) => price))
  expect(await eventsOf(body.id)).toHaveLength(won + 1)
})

test('of forty updates with one tag, one succeeds', async () => {
  const { body, headers } = await venue.post('/products', { title: 'Tea', price: 0 })
  const match = { 'if-match': tagOf({ headers }) }
  const prices = Array.from({ length: 40 }, (_, number) => number + 1)
  const responses = await Promise.all(prices.map((price) => venue.post(`/products/${body.id}`, { price }, match)))
  const winners = responses.filter(({ status }) => status === 200)
  expect([winners.length, responses.filter(({ status }) => status === 412).length]).toEqual([1, 39])
  expect((await venue.get(`/products/${body.id}`)).body.price).toBe(winners[0]?.body.price)
})

test('of updates and deletes with one tag, one succeeds', async () => {
  for (let round = 0; round < 10; round++) {
    const { body, headers } = await venue.post('/products', { title: 'Tea', price: 0 })
    const match = { 'if-match': tagOf({ headers }) }
    const path = `/products/${body.id}`
    const responses = await Promise.all(
      [1, 2, 3].flatMap((price) => [venue.post(path, { price }, match), venue.remove(path, match)]),
    )
    const statuses = responses.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(new Set(statuses).difference(new Set([200, 404, 412])).size).toBe(0)
  }
})

test('an update that loses the race is rejected and not merged', async () => {
  const { body, headers } = await venue.post('/products', { title: 'Tea', price: 0 })
  const path = `/products/${body.id}`
  let overtaken = false
  const { status, trips } = await observe('POST', venue.path(path), {
    key: venue.key,
    json: { title: 'Late' },
    headers: { 'if-match': tagOf({ headers }) },
    async before([sql = '']) {
      if (overtaken || !sql.startsWith('update')) return
      overtaken = true
      // A change by another isolate: within one isolate, updates of an object take turns.
      await env.DB.prepare('update products set price = 1, version = version + 1 where id = ?').bind(body.id).run()
    },
  })
  expect([status, overtaken, trips.length]).toEqual([412, true, 4])
  expect((await venue.get(path)).body).toMatchObject({ title: 'Tea', price: 1 })
})

test('a rejected delete leaves referencing objects unchanged', async () => {
  const product = await venue.post('/products', { title: 'Tea', price: 0 })
  const menu = await venue.post('/menus', { title: 'Day', sections: [{ items: [product.body.id] }] })
  expect((await venue.remove(`/products/${product.body.id}`, { 'if-match': '"2-X"' })).status).toBe(412)
  const after = await venue.get(`/menus/${menu.body.id}`)
  expect([after.body, tagOf(after)]).toEqual([menu.body, tagOf(menu)])
  expect((await venue.remove(`/products/${product.body.id}`, { 'if-match': tagOf(product) })).status).toBe(200)
  expect(tagOf(await venue.get(`/menus/${menu.body.id}`))).toMatch(/^"2-/)
})

test('conflicts and unknown references are reported before a stale tag', async () => {
  const coupon = (code: string) => venue.post('/coupons', { title: 'x', code, type: 'FIXED', value: 1 })
  const [taken, { body }] = [await coupon('TAKEN'), await coupon('FREE')]
  const update = async (json: object) =>
    (await venue.post(`/coupons/${body.id}`, json, { 'if-match': '"7-X"' })).body.code
  expect(taken.status).toBe(201)
  expect(await update({ code: 'taken' })).toBe('conflict')
  expect(await update({ products: ['prod_none'] })).toBe('invalid_request')
  expect(await update({ code: 'OTHER' })).toBe('precondition_failed')
  expect((await venue.get(`/coupons/${body.id}`)).body).toEqual(body)
})

test('returned fields without a version change the tag too', async () => {
  const { body: webhook, headers } = await venue.post('/webhooks', { title: 'x', url: 'https://hooks.example.com/a' })
  const [path, etag] = [`/webhooks/${webhook.id}`, tagOf({ headers })]
  await venue.post(`${path}/token/rotate`, {})
  const rotated = await venue.get(path, { 'if-none-match': etag })
  expect([rotated.status, rotated.body.bearerToken === webhook.bearerToken]).toEqual([200, false])
  // Counters are not fields that clients write, so an update of a client does not conflict with them.
  expect((await venue.post(path, { title: 'y' }, { 'if-match': etag })).status).toBe(200)

  const { body: tag } = await venue.post('/tags', {})
  const at = async (PUBLIC_BASE_URL: string) =>
    tagOf(await observe('GET', venue.path(`/tags/${tag.id}`), { key: venue.key, bindings: { PUBLIC_BASE_URL } }))
  expect(await at('https://one.example')).toBe(await at('https://one.example'))
  expect(await at('https://one.example')).not.toBe(await at('https://two.example'))
})
