import { expect, test } from 'vitest'
import { createEtag } from '../../../src/platform/http/etag.ts'
import { createVenue } from '../../support/api.ts'
import { createTagCheck } from '../../support/etag-contract.ts'
import { tagOf } from './entity-tags.ts'

const venue = await createVenue()
const create = async (path: string, body: object): Promise<string> => (await venue.post(path, body)).body.id

const product = await create('/products', { title: 'Cake', price: 3 })
const other = await create('/products', { title: 'Tea', price: 2 })
const modifier = await create('/modifiers', {
  title: 'Milk',
  instructions: '',
  options: [{ id: 'oat' }, { id: 'cow' }],
})
const menu = await create('/menus', { title: 'Lunch' })
const coupon = await create('/coupons', { title: 'Ten', code: 'TEN', type: 'FIXED', value: 10 })

const french = (title: string) => ({ translations: { fr: { title } } })

/** Objects, and requests that change what a retrieve of them can contain without changing the object itself, or with it. */
const cases: readonly [path: string, changes: readonly (() => Promise<unknown>)[]][] = [
  [
    `/products/${product}`,
    [
      () => venue.post(`/products/${product}/details`, { allergens: [{ code: 'nuts', level: 'contains' }] }),
      () => venue.post(`/products/${product}/details`, french('Gâteau')),
      () => venue.post(`/products/${product}/external-id`, { externalId: 'CAKE' }),
      () => venue.post(`/products/${product}`, { price: 4 }),
      () => venue.post(`/products/${product}/details`, { allergens: null }),
    ],
  ],
  [
    `/modifiers/${modifier}`,
    [
      () =>
        venue.post(`/modifiers/${modifier}/details`, {
          translations: { fr: { options: { oat: { label: 'Avoine' } } } },
        }),
      () => venue.post(`/modifiers/${modifier}/details`, { translations: { fr: null } }),
    ],
  ],
  [
    `/menus/${menu}`,
    [
      () => venue.post(`/menus/${menu}/details`, { prices: [{ product: other, price: 1 }] }),
      // Takes the price out of the details; the menu itself does not change.
      () => venue.remove(`/products/${other}`),
    ],
  ],
  [`/coupons/${coupon}`, [() => venue.post(`/coupons/${coupon}/limits`, { maxRedemptions: 5 })]],
]

const includes = ['', '?include=details', '?include=version', '?include=externalId,details,version']
const sidesOf = (path: string) => (path.startsWith('/coupons') ? ['/limits'] : ['/details'])

test.each(cases)('the tag of %s covers all that each representation contains', async (path, changes) => {
  const addresses = [...includes.map((query) => `${path}${query}`), ...sidesOf(path).map((side) => `${path}${side}`)]
  const allowed = addresses.filter((address) => !path.startsWith('/coupons') || !address.includes('details'))
  let moved = 0
  for (const change of changes) {
    const before = await Promise.all(allowed.map((address) => venue.get(address)))
    await change()
    for (const [index, address] of allowed.entries()) {
      const { status, body, headers } = await venue.get(address, {
        'if-none-match': tagOf(before[index] ?? { headers: new Headers() }),
      })
      const now = await venue.get(address)
      const isSame = JSON.stringify(now.body) === JSON.stringify(before[index]?.body)
      const isSameHeader = now.headers.get('external-id') === before[index]?.headers.get('external-id')
      expect([address, status, body === '']).toEqual([
        address,
        isSame && isSameHeader ? 304 : 200,
        isSame && isSameHeader,
      ])
      if (!isSame) moved++
      expect(tagOf({ headers })).toBe(tagOf(now))
    }
  }
  expect(moved).toBeGreaterThanOrEqual(changes.length)
})

test('the tag of bytes that are no text covers each of them', async () => {
  // Decoded as text, all three are the same: replacement characters.
  const tags = [0xff, 0xfe, 0x80].map((byte) => createEtag(Uint8Array.of(byte).buffer))
  expect(new Set(await Promise.all(tags)).size).toBe(3)
})

test('a change is conditional on the object: the tag of any of its representations serves', async () => {
  const path = `/products/${product}`
  for (const query of includes) {
    const { headers } = await venue.get(`${path}${query}`)
    expect((await venue.post(path, {}, { 'if-match': tagOf({ headers }) })).status).toBe(200)
    expect((await venue.get(`${path}${query}`, { 'if-match': tagOf({ headers }) })).status).toBe(200)
  }
})

test('every test compares the representations of an address: one tag for two of them fails', async () => {
  const check = createTagCheck()
  const request = { method: 'GET', url: 'https://api.test/x' }
  const respond = (text: string, headers: Record<string, string>) =>
    check(request, new Response(text, { headers }), Uint8Array.from(new TextEncoder().encode(text)).buffer)
  await respond('a', { etag: '"1"' })
  await respond('a', { etag: '"1"' })
  await respond('b', { etag: '"2"' })
  await expect(respond('b', { etag: '"1"' })).rejects.toThrow('two representations')
  await expect(respond('a', { etag: '"1"', 'external-id': 'x' })).rejects.toThrow('two representations')
})
