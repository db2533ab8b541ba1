import { describe, expect, test } from 'vitest'
import { createKey, createVenue, toIssues, type Venue } from '../../support/api.ts'
import { observe } from '../../support/d1.ts'
import { samples } from '../../support/samples.ts'

const venue = await createVenue()
const other = await createVenue()

const eventsOf = async (from: Venue, id: string) =>
  (await from.get('/events?limit=100')).body.filter(({ data }: { data: { id: string } }) => data.id === id)
const put = (from: Pick<Venue, 'request'>, path: string, body: unknown, headers?: Record<string, string>) =>
  from.request('PUT', path, body, headers)
describe.each(samples)('the external id of a $name', ({ collection, body, change }) => {
  const at = (externalId: string) => `/${collection}/external/${encodeURIComponent(externalId)}`

  test('names the object in every operation', async () => {
    const own = await createVenue()
    const created = await put(own, at('Ä/1 %'), body('a'))
    expect(created.status).toBe(201)
    const { id } = created.body
    expect(created.headers.get('location')).toBe(own.path(`/${collection}/${id}`))
    expect(created.headers.get('external-id')).toBe('%C3%84%2F1%20%25')

    const found = await own.get(at('Ä/1 %'))
    expect([found.status, found.body.id, found.headers.get('external-id')]).toEqual([200, id, '%C3%84%2F1%20%25'])
    expect(found.body).not.toHaveProperty('externalId')
    expect(found.headers.get('etag')).toBe(created.headers.get('etag'))
    expect((await own.get(at('Ä/1 %'), { 'if-none-match': found.headers.get('etag') ?? '' })).status).toBe(304)
    const byId = await own.get(`/${collection}/${id}`)
    expect([byId.body, byId.headers.get('external-id')]).toEqual([found.body, '%C3%84%2F1%20%25'])

    const updated = await put(own, at('Ä/1 %'), change)
    expect([updated.status, updated.body]).toMatchObject([200, { id, ...change }])
    expect(updated.headers.get('external-id')).toBe('%C3%84%2F1%20%25')
    const repeated = await put(own, at('Ä/1 %'), change)
    expect([repeated.status, repeated.body]).toEqual([200, updated.body])

    const removed = await own.remove(at('Ä/1 %'))
    expect([removed.status, removed.body.id, removed.body.object]).toEqual([200, id, updated.body])
    expect((await own.get(at('Ä/1 %'))).status).toBe(404)
    expect((await own.remove(at('Ä/1 %'))).status).toBe(404)
    const events = await eventsOf(own, id)
    expect(events.map(({ type }: { type: string }) => type.split('.')[1])).toEqual(['created', 'updated', 'deleted'])
    for (const event of events) expect(event.externalId).toBe('Ä/1 %')
    // The deletion frees the external id.
    const again = await put(own, at('Ä/1 %'), body('b'))
    expect([again.status, again.body.id === id]).toEqual([201, false])
  })

  test('is set and cleared as a change of the object', async () => {
    const own = await createVenue()
    const { body: object, headers } = await own.post(`/${collection}`, body('a'))
    const path = `/${collection}/${object.id}/external-id`
    expect(headers.get('external-id')).toBeNull()
    const set = await own.post(path, { externalId: 'A' })
    expect([set.status, set.body]).toEqual([200, { id: object.id, externalId: 'A' }])
    const shown = await own.get(`/${collection}/${object.id}`)
    expect([shown.headers.get('etag'), shown.headers.get('external-id')]).toEqual([set.headers.get('etag'), 'A'])
    expect(shown.body.updatedAt ?? 1).toBeGreaterThan(object.updatedAt ?? 0)
    expect((await own.post(path, { externalId: 'A' })).headers.get('etag')).toBe(set.headers.get('etag'))

    const { body: second } = await own.post(`/${collection}`, body('b'))
    const taken = await own.post(`/${collection}/${second.id}/external-id`, { externalId: 'A' })
    expect([taken.status, taken.body.code, taken.body.errors]).toMatchObject([
      409,
      'conflict',
      [{ pointer: '/externalId', code: 'duplicate' }],
    ])
    const stale = { 'if-match': headers.get('etag') ?? '' }
    expect((await own.post(path, { externalId: 'B' }, stale)).status).toBe(412)
    const cleared = await own.post(path, { externalId: null })
    expect([cleared.status, cleared.body]).toEqual([200, { id: object.id, externalId: null }])
    expect((await own.get(at('A'))).status).toBe(404)
    expect((await own.post(`/${collection}/${second.id}/external-id`, { externalId: 'A' })).status).toBe(200)

    const events = await eventsOf(own, object.id)
    expect(events.map((event: { version: number }) => event.version)).toEqual([1, 2, 3])
    expect(events.map((event: { externalId?: string }) => event.externalId)).toEqual([undefined, 'A', undefined])
    expect(events[1].previous).toEqual({ externalId: null })
    expect(events[2].previous).toEqual({ externalId: 'A' })
    expect((await own.post(`/${collection}/nobody/external-id`, { externalId: 'A' })).status).toBe(404)
    expect(toIssues(await own.post(path, {}))).toEqual(['/externalId required'])
    expect(toIssues(await own.post(path, { externalId: 'A', id: 'x' }))).toEqual(['/id unknown_field'])
  })

  test('is found by lists, and included on request with the version', async () => {
    const own = await createVenue()
    const ids = []
    for (const externalId of ['a', 'b,c', 'd%']) ids.push((await put(own, at(externalId), body(externalId))).body.id)
    await put(own, at('a'), change)
    const plain = (await own.post(`/${collection}`, body('z'))).body.id

    const named = await own.get(`/${collection}?externalIds=a,b%252Cc&order=asc`)
    expect(named.body.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 2))
    expect((await own.get(`/${collection}?externalIds=d%2525&externalIds=nobody`)).body).toMatchObject([{ id: ids[2] }])
    expect((await own.get(`/${collection}?externalIds=a,d%2525&ids=${ids[2]}`)).body).toMatchObject([{ id: ids[2] }])
    expect((await own.get(`/${collection}?externalIds=b,c`)).body).toEqual([])

    const both = await own.get(`/${collection}?include=externalId,version&order=asc`)
    const shown = both.body.map(({ id, externalId, version }: Record<string, unknown>) => [id, externalId, version])
    expect(shown).toEqual([
      [ids[0], 'a', 2],
      [ids[1], 'b,c', 1],
      [ids[2], 'd%', 1],
      [plain, undefined, 1],
    ])
    expect((await own.get(`/${collection}?include=version`)).body[0]).not.toHaveProperty('externalId')
    const one = await own.get(`/${collection}/${ids[1]}?include=version&include=externalId`)
    expect(one.body).toMatchObject({ externalId: 'b,c', version: 1 })
    expect((await own.get(`${at('a')}?include=version`)).body).toMatchObject({ version: 2 })
    const page = await own.get(`/${collection}?include=version&limit=2`)
    const next = /<([^>]*)>/.exec(page.headers.get('link') ?? '')?.[1] ?? ''
    expect((await own.get(next.slice(own.path('').length))).body.every((each: object) => 'version' in each)).toBe(true)
  })

  test('is that of one merchant', async () => {
    await put(venue, at('mine'), body('a'))
    expect((await other.get(at('mine'))).status).toBe(404)
    expect((await other.remove(at('mine'))).status).toBe(404)
    expect((await other.get(`/${collection}?externalIds=mine`)).body).toEqual([])
    const theirs = await put(other, at('mine'), body('b'))
    expect(theirs.status).toBe(201)
    expect((await venue.get(at('mine'))).body.id).not.toBe(theirs.body.id)
    expect((await other.remove(at('mine'))).status).toBe(200)
    expect((await venue.get(at('mine'))).status).toBe(200)
  })

  test('costs no more round trips than the id', async () => {
    const calls = async (method: string, path: string, json?: unknown) => {
      const { trips } = await observe(method, venue.path(path), {
        key: venue.key,
        ...(json === undefined ? {} : { json }),
      })
      return trips.length
    }
    await put(venue, at('cost'), body('c'))
    await venue.get(at('cost'))
    expect(await calls('GET', at('cost'))).toBe(1)
    expect(await calls('GET', `/${collection}?externalIds=cost&include=externalId`)).toBe(1)
    expect(await calls('PUT', at('cost'), change)).toBe(2)
    expect(await calls('PUT', at('new'), body('d'))).toBe(2)
    expect(await calls('DELETE', at('cost'))).toBe(2)
    // The path alone shows that nothing has this external id.
    expect(await calls('GET', at('x'.repeat(129)))).toBe(0)
  })
})

describe('the modes of a merchant', () => {
  test('have namespaces of their own', async () => {
    const own = await createVenue()
    const test = await createKey(own.id, { mode: 'test' })
    for (const { collection, body } of samples.filter((sample) => sample.collection !== 'tags')) {
      const live = await put(own, `/${collection}/external/A`, body('a'))
      expect((await test.get(`/${collection}/external/A`)).status).toBe(404)
      const tested = await put(test, `/${collection}/external/A`, body('b'))
      expect([live.status, tested.status, live.body.id === tested.body.id]).toEqual([201, 201, false])
      await test.remove(`/${collection}/external/A`)
      expect((await own.get(`/${collection}/external/A`)).body.id).toBe(live.body.id)
    }
  })

  test('share one namespace of tags', async () => {
    const own = await createVenue()
    const test = await createKey(own.id, { mode: 'test' })
    const live = await put(own, '/tags/external/A', {})
    expect((await test.get('/tags/external/A')).status).toBe(404)
    expect((await test.get('/tags?externalIds=A')).body).toEqual([])
    expect((await test.remove('/tags/external/A')).status).toBe(404)
    expect((await put(test, '/tags/external/A', {})).status).toBe(409)
    expect((await put(own, '/tags/external/A', { testMode: true })).body.id).toBe(live.body.id)
    expect((await test.get('/tags/external/A')).body.id).toBe(live.body.id)
    expect((await put(test, '/tags/external/A', { nfc: true })).status).toBe(200)
    // An external id may have the name of another path of tags.
    for (const name of ['scans', 'sheet', 'nfc-link', 'external-id']) {
      expect((await put(own, `/tags/external/${name}`, {})).status).toBe(201)
      expect((await own.get(`/tags/external/${name}`)).status).toBe(200)
    }
  })
})

test('an event of a deletion that prunes carries the external id of the pruned object', async () => {
  const own = await createVenue()
  const { body: product } = await put(own, '/products/external/P', { title: 'Tea', price: 1 })
  await put(own, '/menus/external/M', { title: 'All', sections: [{ items: [product.id] }] })
  await own.remove('/products/external/P')
  const { body: events } = await own.get('/events')
  expect(events.map(({ type, externalId }: Record<string, string>) => [type, externalId])).toEqual([
    ['product.created', 'P'],
    ['menu.created', 'M'],
    ['product.deleted', 'P'],
    ['menu.updated', 'M'],
  ])
})
