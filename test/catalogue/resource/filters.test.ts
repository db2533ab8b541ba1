import { describe, expect, test } from 'vitest'
import { createKey, createVenue, send, toIssues, type Venue } from '../../support/api.ts'
import { multiply } from '../../support/d1.ts'
import { samples } from '../../support/samples.ts'

const idsIn = (body: { id: string }[]) => body.map(({ id }) => id)
const create = async (venue: Venue, collection: string, body: object): Promise<string> =>
  (await venue.post(`/${collection}`, body)).body.id

/** Objects `a` and `b` of a collection, and queries that select only one of them, both or neither. */
const product = { title: 'Tea', price: 1 }
const coupon = { title: 'Off', type: 'FIXED', value: 1 }
const customer = { firstName: 'Ada', lastName: 'L' }
const webhook = { title: 'Hook', url: 'https://hooks.example.com/' }
const filters: [collection: string, a: object, b: object, queries: Record<string, string>][] = [
  ['products', product, { ...product, visible: false }, { 'visible=true': 'a', 'visible=false': 'b' }],
  [
    'products',
    { ...product, sku: 'T-1', upc: '0123' },
    { ...product, sku: 't-1', upc: '123', visible: false },
    {
      'sku=T-1': 'a',
      'sku=t-1': 'b',
      'sku=T-': '',
      'sku=': '',
      'upc=0123': 'a',
      'upc=123': 'b',
      'upc=0123&sku=T-1': 'a',
      'upc=123&sku=T-1': '',
      'visible=true&sku=T-1&upc=0123': 'a',
      'visible=false&sku=T-1': '',
      'visible=false&sku=t-1': 'b',
      'sku=T-1%00': '',
      'sku=%25': '',
    },
  ],
  [
    'coupons',
    { ...coupon, code: 'Straße' },
    { ...coupon, code: 'TEN', active: false },
    {
      'active=true': 'a',
      'active=false': 'b',
      'code=Stra%C3%9Fe': 'a',
      'code=STRASSE': 'a',
      'code=strasse': 'a',
      'code=ten': 'b',
      'code=TEN': 'b',
      [`code=${encodeURIComponent('ｔＥｎ')}`]: 'b',
      [`code=${encodeURIComponent('ＴＥＮ')}&active=0`]: 'b',
      'code=ten&active=true': '',
      'code=te': '',
      'code=': '',
    },
  ],
  [
    'customers',
    { ...customer, email: 'ada@example.com', phone: '+1 (2) 3' },
    { ...customer, email: 'bob@example.com' },
    {
      'email=ada@example.com': 'a',
      'email=ada%40example.com': 'a',
      'email=bob@example.com': 'b',
      'email=example.com': '',
      'phone=%2B1%20(2)%203': 'a',
      'phone=%2B1+(2)+3': 'a',
      'phone=': '',
      'email=bob@example.com&phone=%2B1+(2)+3': '',
    },
  ],
  ['webhooks', webhook, { ...webhook, active: false }, { 'active=true': 'a', 'active=false': 'b' }],
  ['menus', { title: 'All day' }, { title: 'Secret', visible: false }, { 'visible=true': 'a', 'visible=false': 'b' }],
  [
    'tags',
    { nfc: true },
    { testMode: true },
    {
      'nfc=true': 'a',
      'nfc=false': 'b',
      'testMode=false': 'a',
      'testMode=true': 'b',
      'nfc=true&testMode=true': '',
      'nfc=0&testMode=1': 'b',
    },
  ],
]

test.each(filters)('%s are filtered by equality: %o', async (collection, a, b, queries) => {
  const venue = await createVenue()
  const ids = [await create(venue, collection, a), await create(venue, collection, b)]
  for (const [query, expected] of Object.entries(queries)) {
    for (const order of ['asc', 'desc']) {
      const { status, body } = await venue.get(`/${collection}?${query}&order=${order}`)
      expect([query, status, idsIn(body).map((id) => 'ab'[ids.indexOf(id)])]).toEqual([query, 200, [...expected]])
    }
  }
})

test('products, menus and coupons are found by what they refer to, page by page', async () => {
  const [venue, other] = [await createVenue(), await createVenue()]
  const modifier = { title: 'Milk', instructions: '', type: 'RADIO', rules: {}, options: [{ label: 'Oat' }] }
  const [milk, sugar] = [await create(venue, 'modifiers', modifier), await create(venue, 'modifiers', modifier)]
  const uses = async (query: string) => idsIn((await venue.get(`/${query}`)).body)
  const both = await create(venue, 'products', { ...product, modifiers: [sugar, milk] })
  const one = await create(venue, 'products', { ...product, title: 'Coffee', modifiers: [milk], visible: false })
  expect(await uses(`products?modifier=${milk}`)).toEqual([one, both])
  expect(await uses(`products?modifier=${milk}&order=asc&limit=1`)).toEqual([both])
  expect(await uses(`products?modifier=${milk}&visible=false`)).toEqual([one])
  expect(await uses(`products?modifier=${milk}&q=coff`)).toEqual([one])
  expect(await uses(`products?modifier=${milk}&ids=${both}`)).toEqual([both])
  expect(await uses(`products?modifier=${sugar}`)).toEqual([both])
  expect(await uses('products?modifier=mod_none')).toEqual([])
  const first = await venue.get(`/products?modifier=${milk}&limit=1`)
  const next = /<[^>]*(\/products\?[^>]*)>/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
  expect([idsIn(first.body), idsIn((await venue.get(next)).body)]).toEqual([[one], [both]])

  const menu = await create(venue, 'menus', { title: 'All day', sections: [{ items: [both] }] })
  await create(venue, 'menus', { title: 'Night', sections: [{ items: [one] }] })
  const off = await create(venue, 'coupons', { ...coupon, code: 'OFF', products: [one] })
  expect([await uses(`menus?product=${both}`), await uses(`coupons?product=${one}`)]).toEqual([[menu], [off]])
  await venue.remove(`/products/${both}`)
  expect([await uses(`menus?product=${both}`), await uses(`products?modifier=${sugar}`)]).toEqual([[], []])
  expect((await other.get(`/products?modifier=${milk}`)).body).toEqual([])
  const tester = await createKey(venue.id, { mode: 'test' })
  expect((await tester.get(`/products?modifier=${milk}`)).body).toEqual([])
})

const flags = { products: 'visible', coupons: 'active', webhooks: 'active', menus: 'visible', tags: 'nfc' }
test.each(Object.entries(flags))('%s accept true, false, 1 and 0 for %s', async (collection, flag) => {
  const venue = await createVenue()
  const [sample] = samples.filter((each) => each.collection === collection)
  const [yes, no] = [
    await create(venue, collection, { ...sample?.body('x'), [flag]: true }),
    await create(venue, collection, { ...sample?.body('x'), [flag]: false }),
  ]
  for (const [value, id] of [
    ['true', yes],
    ['1', yes],
    ['false', no],
    ['0', no],
  ]) {
    expect(idsIn((await venue.get(`/${collection}?${flag}=${value}`)).body)).toEqual([id])
  }
  for (const value of ['', 'TRUE', 'yes', '2', 'null', '%20true', 'true%00']) {
    expect(toIssues(await venue.get(`/${collection}?${flag}=${value}`))).toEqual([`${flag} invalid_value`])
  }
})

describe.each(samples)('a list of $collection', ({ collection, body: bodyOf, change }) => {
  const other = collection === 'products' ? 'menus' : 'products'

  test('returns the given ids on one page, without unknown ones', async () => {
    const venue = await createVenue()
    const stranger = await createVenue()
    const a = await create(venue, collection, bodyOf('a'))
    const b = await create(venue, collection, bodyOf('b'))
    const foreign = await create(stranger, collection, bodyOf('b'))
    const gone = await create(venue, collection, bodyOf('gone'))
    await venue.remove(`/${collection}/${gone}`)
    const request = (ids: string) => venue.get(`/${collection}?ids=${ids}`)
    expect(idsIn((await request(a)).body)).toEqual([a])
    expect(idsIn((await request(`${a},${b}`)).body)).toEqual([b, a])
    expect(idsIn((await request(`${b},${a},${a}`)).body)).toEqual([b, a])
    expect(idsIn((await request(`${a}%2C${b}&order=asc`)).body)).toEqual([a, b])
    expect((await request(`${gone},${foreign},nobody,%25,%00,'`)).body).toEqual([])
    expect(idsIn((await request(`${foreign},${b},${gone}`)).body)).toEqual([b])
    expect((await request('x'.repeat(64))).body).toEqual([])
    for (const bad of ['', ',', `${a},`, `,${a}`, `${a},,${b}`, 'x'.repeat(65)]) {
      expect(toIssues(await request(bad))).toEqual(['ids invalid_format'])
    }
  })

  test('accepts at most a hundred ids, on pages only if limit is set', async () => {
    const venue = await createVenue()
    const id = await create(venue, collection, bodyOf('a'))
    await multiply(collection, id, 100)
    const all = idsIn((await venue.get(`/${collection}?limit=100`)).body)
    const { headers, body } = await venue.get(`/${collection}?ids=${all.toReversed()}`)
    expect([idsIn(body), headers.get('link')]).toEqual([all, null])
    expect(toIssues(await venue.get(`/${collection}?ids=${all},${all[0]}`))).toEqual(['ids too_many'])
    const page = await venue.get(`/${collection}?ids=${all}&limit=60`)
    expect(idsIn(page.body)).toEqual(all.slice(0, 60))
    const [, next = ''] = /<(.*)>/.exec(page.headers.get('link') ?? '') ?? []
    const last = await send(next, { headers: { authorization: `Bearer ${venue.key}` } })
    expect([idsIn(last.body), last.headers.get('link')]).toEqual([all.slice(60), null])
  })

  test('updatedSince includes the given second', async () => {
    const venue = await createVenue()
    const old = await create(venue, collection, bodyOf('a'))
    const id = await create(venue, collection, bodyOf('b'))
    const later = (await venue.post(`/${collection}/${id}`, change)).body.updatedAt
    const since = async (query: string) => idsIn((await venue.get(`/${collection}?updatedSince=${query}`)).body)
    expect(await since(`${later}`)).toEqual([id])
    expect(await since(`${later + 1}`)).toEqual([])
    expect(await since('0')).toEqual([old, id])
    expect(await since('0&order=asc')).toEqual([old, id])
    expect(await since(`0&ids=${id},${old}`)).toEqual([old, id])
    expect(await since(`0&ids=${old}`)).toEqual([old])
    expect(toIssues(await venue.get(`/${collection}?updatedSince=0&order=desc`))).toEqual(['order invalid_value'])
    expect(await since(`${later}&ids=${old},${id}`)).toEqual([id])
    expect(await since('999999999999999')).toEqual([])
    for (const bad of ['', '-1', '1.5', '1e9', 'now', '9999999999999999', '2026-01-01']) {
      expect(toIssues(await venue.get(`/${collection}?updatedSince=${bad}`))).toEqual(['updatedSince invalid_format'])
    }
  })

  test('reports every invalid parameter at once', async () => {
    const venue = await createVenue()
    for (const [query, ...issues] of [
      ['page=2', 'page unknown_parameter'],
      ['Limit=2', 'Limit unknown_parameter'],
      ['limit%00=2', 'limit\0 unknown_parameter'],
      ['offset=1&offset=2', 'offset unknown_parameter'],
      ['title=Tea', 'title unknown_parameter'],
      ['merchantId=mer_1', 'merchantId unknown_parameter'],
      ['__proto__=1&constructor=2', '__proto__ unknown_parameter', 'constructor unknown_parameter'],
      ['ids[]=1', 'ids[] unknown_parameter'],
      ['limit=2&limit=2', 'limit invalid_type'],
      ['cursor=a&cursor=b', 'cursor invalid_type'],
      ['order=asc&order=asc', 'order invalid_value'],
      ['updatedSince=1&updatedSince=1', 'updatedSince invalid_type'],
      ['q=a&q=b', 'q invalid_type'],
      [
        'q=a&limit=101&order=up&cursor=x&ids=&updatedSince=-1&colour=red',
        'limit too_large',
        'cursor invalid_format',
        'order invalid_value',
        'ids invalid_format',
        'updatedSince invalid_format',
        'colour unknown_parameter',
      ],
    ]) {
      expect([query, toIssues(await venue.get(`/${collection}?${query}`))]).toEqual([query, issues.sort()])
    }
    expect((await venue.get(`/${collection}?`)).status).toBe(200)
  })

  test(`rejects the filters of ${other}`, async () => {
    const venue = await createVenue()
    const known = filters.flatMap(([of, , , queries]) =>
      Object.keys(queries).flatMap((query) => [...new URLSearchParams(query).keys()].map((name) => `${of} ${name}`)),
    )
    const names = [...new Set(known.map((each) => each.split(' ')[1] ?? ''))]
    for (const name of names.filter((each) => !known.includes(`${collection} ${each}`))) {
      expect(toIssues(await venue.get(`/${collection}?${name}=1`))).toEqual([`${name} unknown_parameter`])
    }
  })
})
