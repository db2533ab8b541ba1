import { beforeAll, describe, expect, test } from 'vitest'
import { type ApiResponse, createKey, createVenue, toIssues, type Venue } from '../../support/api.ts'
import { dump } from '../../support/d1.ts'
import { samples } from '../../support/samples.ts'

/** Two merchants, two modes. */
const parties = ['A live', 'A test', 'B live', 'B test'] as const
type Party = (typeof parties)[number]
interface Owner extends Venue {
  /** The id of the object it owns in each collection. */
  owned: Record<string, string>
}
const owners = new Map<Party, Owner>()

/** Names of a party's objects, which no response to another party may contain. */
const secretOf = (party: Party) => `secret ${party}`

beforeAll(async () => {
  for (const merchant of ['A', 'B'] as const) {
    const live = await createVenue()
    const test = { id: live.id, ...(await createKey(live.id, { mode: 'test' })) }
    owners.set(`${merchant} live`, { ...live, owned: {} }).set(`${merchant} test`, { ...test, owned: {} })
  }
  for (const [party, owner] of owners) {
    for (const { collection, body } of samples) {
      owner.owned[collection] = (await owner.post(`/${collection}`, body(secretOf(party)))).body.id
    }
  }
})

const ownerOf = (party: Party): Owner => owners.get(party) ?? expect.unreachable()
const pairs = parties.flatMap((asker) =>
  parties.filter((owner) => owner !== asker).map((owner) => [asker, owner] as const),
)
const isSameMerchant = (a: Party, b: Party) => a[0] === b[0]
/** The only access across modes: a merchant's live key and its test tags. */
const mayReach = (asker: Party, owner: Party, collection: string) =>
  collection === 'tags' && isSameMerchant(asker, owner) && asker.endsWith('live')
const strangers = (collection: string) => pairs.filter(([asker, owner]) => !mayReach(asker, owner, collection))

describe.each(samples)('$collection', ({ collection, body: bodyOf, change }) => {
  const parts = (party: Party) => ({ ...ownerOf(party), id: ownerOf(party).owned[collection] ?? '' })

  test.each(strangers(collection))('return 404 or are not listed for %s if they belong to %s', async (asker, owner) => {
    const key = ownerOf(asker)
    const { id } = parts(owner)
    const before = await dump()
    const unseen = async (query: string) => {
      const { status, body } = await key.get(`/${collection}${query}`)
      expect([query, status, JSON.stringify(body).includes(id)]).toEqual([query, 200, false])
      return body
    }
    await unseen('')
    for (const flag of ['testMode=true', 'testMode=false'].filter(() => collection === 'tags')) await unseen(`?${flag}`)
    expect(await unseen(`?ids=${id}`)).toEqual([])
    expect(await unseen(`?q=${encodeURIComponent(secretOf(owner))}`)).toEqual([])
    await unseen('?updatedSince=0&limit=100&order=asc')

    const missing = await key.get(`/${collection}/nobody`)
    const responses: ApiResponse[] = [
      await key.get(`/${collection}/${id}`),
      await key.post(`/${collection}/${id}`, change),
      await key.post(`/${collection}/${id}`, {}),
      await key.remove(`/${collection}/${id}`),
    ]
    for (const { status, body } of responses) {
      expect([status, { ...body, requestId: '' }]).toEqual([404, { ...missing.body, requestId: '' }])
    }
    expect((await key.request('HEAD', `/${collection}/${id}`)).status).toBe(404)
    expect(await dump()).toBe(before)
  })

  test('are visible only to their own merchant and mode', async () => {
    for (const asker of parties) {
      const key = ownerOf(asker)
      const made = await key.post(`/${collection}`, bodyOf('fresh'))
      for (const other of parties) {
        const isSeen = other === asker || mayReach(other, asker, collection)
        const { status } = await ownerOf(other).get(`/${collection}/${made.body.id}`)
        expect([asker, other, status]).toEqual([asker, other, isSeen ? 200 : 404])
      }
      expect((await key.remove(`/${collection}/${made.body.id}`)).status).toBe(200)
    }
  })

  test('of another merchant are forbidden for every path', async () => {
    const before = await dump()
    for (const [asker, owner] of pairs.filter(([asker, owner]) => !isSameMerchant(asker, owner))) {
      const { request } = ownerOf(asker)
      const { path, id } = parts(owner)
      const foreign = (relative: string) => `/../${path(relative).slice('/merchants/'.length)}`
      for (const [method, relative, json] of [
        ['GET', `/${collection}`, undefined],
        ['GET', `/${collection}/${id}`, undefined],
        ['POST', `/${collection}`, bodyOf('x')],
        ['POST', `/${collection}/${id}`, change],
        ['DELETE', `/${collection}/${id}`, undefined],
        ['PUT', `/${collection}/${id}`, undefined],
        ['GET', '/nothing', undefined],
      ] as const) {
        const { status, body } = await request(method, foreign(relative), json)
        expect([asker, method, relative, status, body.code]).toEqual([asker, method, relative, 403, 'forbidden'])
      }
    }
    expect((await ownerOf('A live').get(`/../mer_nobody/${collection}`)).status).toBe(403)
    expect(await dump()).toBe(before)
  })
})

/** Bodies that name an object, and the places where they do. */
const naming: [collection: string, named: string, body: (id: string) => object, pointer: string][] = [
  ['products', 'modifiers', (id) => ({ title: 'x', price: 1, modifiers: [id] }), '/modifiers/0'],
  ['menus', 'products', (id) => ({ title: 'x', sections: [{ items: [id] }] }), '/sections/0/items/0'],
  ['coupons', 'products', (id) => ({ title: 'x', code: 'X', type: 'FIXED', value: 1, products: [id] }), '/products/0'],
]

test.each(naming)('%s cannot reference the %s of others', async (collection, named, bodyOf, pointer) => {
  const before = await dump()
  for (const [asker, owner] of pairs) {
    const key = ownerOf(asker)
    const body = bodyOf(ownerOf(owner).owned[named] ?? '')
    expect(toIssues(await key.post(`/${collection}`, body))).toEqual([`${pointer} not_found`])
    const own = `/${collection}/${key.owned[collection]}`
    expect(toIssues(await key.post(own, body))).toEqual([`${pointer} not_found`])
  }
  expect(await dump()).toBe(before)
})

test('a coupon code is unique only within a merchant and mode', async () => {
  const body = { title: 'x', code: 'SAME', type: 'FIXED', value: 1 }
  for (const party of parties) expect((await ownerOf(party).post('/coupons', body)).status).toBe(201)
  for (const party of parties)
    expect((await ownerOf(party).post('/coupons', { ...body, code: 'ｓame' })).status).toBe(409)
})

test('a delete removes no references of others', async () => {
  for (const party of parties) {
    const key = ownerOf(party)
    const product = (await key.post('/products', { title: 'x', price: 1 })).body.id
    const menu = (await key.post('/menus', { title: 'x', sections: [{ items: [product] }] })).body
    for (const other of parties.filter((each) => each !== party)) await ownerOf(other).remove(`/products/${product}`)
    expect((await key.get(`/menus/${menu.id}`)).body).toEqual(menu)
  }
})
