import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { createKey, createVenue, toIssues } from '../../support/api.ts'
import { observe } from '../../support/d1.ts'
import { createQuoteVenue } from './quote-venue.ts'

const { venue, create, createProduct, quote, codes } = await createQuoteVenue()
const tea = await createProduct()
const at = Date.UTC(2026, 10, 21, 9) / 1000

describe('the body', () => {
  const line = { product: tea, quantity: 1 }
  test.each<[string, object, string[]]>([
    ['lacks items', {}, ['/items required']],
    ['has no item', { items: [] }, ['/items too_short']],
    ['has 201 items', { items: Array(201).fill(line) }, ['/items too_many']],
    [
      'has quantities out of range',
      { items: [0, 1000, 1.5, true].map((quantity) => ({ product: tea, quantity })) },
      [
        '/items/0/quantity too_small',
        '/items/1/quantity too_large',
        '/items/2/quantity too_precise',
        '/items/3/quantity invalid_type',
      ],
    ],
    [
      'has options out of range',
      {
        items: [
          { ...line, options: Array.from({ length: 101 }, (_, n) => ({ modifier: 'm', option: `${n}` })) },
          { ...line, options: [{ modifier: 'm', option: 'o', quantity: 100 }, { modifier: 'm' }] },
        ],
      },
      ['/items/0/options too_many', '/items/1/options/0/quantity too_large', '/items/1/options/1/option required'],
    ],
    [
      'repeats an option or a code',
      {
        items: [
          {
            ...line,
            options: [
              { modifier: 'm', option: 'o' },
              { modifier: 'n', option: 'o' },
              { modifier: 'm', option: 'o', quantity: 2 },
            ],
          },
        ],
        coupons: ['TEN', 'ten', 'Ｔｅｎ'],
      },
      ['/coupons/1 duplicate', '/coupons/2 duplicate', '/items/0/options/2 duplicate'],
    ],
    ['has 11 codes', { items: [line], coupons: Array.from({ length: 11 }, (_, n) => `C${n}`) }, ['/coupons too_many']],
    [
      'has wrong types and unknown fields',
      { items: [{ ...line, price: 1 }], customer: 1, menu: '', at: -1, colour: 'red' },
      [
        '/at too_small',
        '/colour unknown_field',
        '/customer invalid_type',
        '/items/0/price unknown_field',
        '/menu too_short',
      ],
    ],
  ])('is rejected if it %s', async (_, body, issues) => {
    expect(toIssues(await venue.post('/quotes', body))).toEqual(issues)
  })

  test('is accepted at its limits', async () => {
    const { items, coupons } = await quote({
      items: Array.from({ length: 200 }, (_, n) => ({ product: tea, quantity: n === 0 ? 999 : 1, options: null })),
      coupons: Array.from({ length: 10 }, (_, n) => `NONE${n}`),
      customer: null,
      menu: null,
      at: null,
    })
    expect([items.length, items[0].quantity, coupons.length]).toEqual([200, 999, 10])
    const options = Array.from({ length: 100 }, (_, n) => ({ modifier: 'm', option: `${n}`, quantity: 99 }))
    expect((await quote({ items: [{ product: tea, quantity: 1, options }] })).issues).toHaveLength(100)
  })
})

describe('menu and customer', () => {
  test('must exist', async () => {
    const customer = await create('/customers', { firstName: 'Ana', lastName: 'Silva' })
    const menu = await create('/menus', { title: 'Day' })
    const hidden = await create('/menus', { title: 'Staff', visible: false })
    const items = [{ product: tea, quantity: 1 }]
    expect(await codes({ items, customer, menu })).toEqual([])
    expect(await codes({ items, customer: 'cus_none', menu: 'menu_none' })).toEqual([
      '/menu unknown_menu',
      '/customer unknown_customer',
    ])
    expect(await codes({ items, menu: hidden })).toEqual(['/menu not_visible'])
  })

  // Lisbon: 01:00 became 02:00 on 2026-03-29 (UTC 01:00), and 02:00 became 01:00 on 2026-10-25 (UTC 01:00).
  test('hours are those of the clock at the venue, also when it changes', async () => {
    const lisbon = await createVenue({ timezone: 'Europe/Lisbon' })
    const product = (await lisbon.post('/products', { title: 'Tea', price: 2 })).body.id
    const open = async (begin: string, end: string, times: Record<string, boolean>) => {
      const menu = (await lisbon.post('/menus', { title: 'Menu', begin, end })).body.id
      for (const [time, isOpen] of Object.entries(times)) {
        const order = { items: [{ product, quantity: 1 }], menu, at: Date.parse(time) / 1000 }
        const { issues } = (await lisbon.post('/quotes', order)).body
        expect([time, issues.map(({ code }: { code: string }) => code)]).toEqual([
          time,
          isOpen ? [] : ['outside_menu_hours'],
        ])
      }
    }
    await open('0700', '1130', {
      '2026-01-15T06:59:59Z': false,
      '2026-01-15T07:00:00Z': true,
      '2026-01-15T11:29:59Z': true,
      '2026-01-15T11:30:00Z': false,
      '2026-07-15T05:59:59Z': false,
      '2026-07-15T06:00:00Z': true,
    })
    // From 01:00 to 02:00: skipped in March, repeated in October.
    await open('0100', '0200', {
      '2026-03-29T00:59:59Z': false,
      '2026-03-29T01:00:00Z': false,
      '2026-10-24T23:59:59Z': false,
      '2026-10-25T00:00:00Z': true,
      '2026-10-25T01:00:00Z': true,
      '2026-10-25T01:59:59Z': true,
      '2026-10-25T02:00:00Z': false,
    })
  })
})

describe('access', () => {
  const order = { items: [{ product: tea, quantity: 1 }] }
  test('requires both scopes', async () => {
    const scoped = async (scopes: string[]) =>
      (await (await createKey(venue.id, { mode: 'live', scopes })).post('/quotes', order)).status
    expect(await scoped(['products:read', 'coupons:read'])).toBe(200)
    expect(await scoped(['products:write', 'coupons:write'])).toBe(200)
    expect(await scoped(['products:read'])).toBe(403)
    expect(await scoped(['coupons:read', 'events:write'])).toBe(403)
  })

  test('costs one round trip, one more for unknown ids, stores nothing, and ignores Idempotency-Key', async () => {
    await venue.get('/products')
    const headers = { 'idempotency-key': 'same' }
    const items = [{ product: tea, quantity: 1 }]
    for (const [body, cost] of [
      [{ items }, 1],
      // The primary is queried, too. An object is a primary itself.
      [
        { items: [...items, ...items], coupons: ['A', 'B'], customer: 'c', menu: 'm' },
        env.DEFAULT_HOME === 'object' ? 1 : 2,
      ],
    ] as const) {
      const {
        status,
        trips,
        headers: answered,
      } = await observe('POST', venue.path('/quotes'), {
        key: venue.key,
        json: body,
        headers,
      })
      expect([status, trips.length, answered.get('idempotent-replayed')]).toEqual([200, cost, null])
      expect(trips.reduce((written, trip) => written + trip.rowsWritten, 0)).toBe(0)
    }
    expect(
      (await venue.get('/events?limit=100')).body.filter(({ type }: { type: string }) => type.includes('quote')),
    ).toEqual([])
  })

  test('returns the same bytes for the same order and time', async () => {
    const request = async () => {
      const { status, body } = await venue.post('/quotes', { ...order, at })
      return [status, JSON.stringify(body)]
    }
    expect(await request()).toEqual(await request())
    const before = Math.floor(Date.now() / 1000)
    expect((await quote(order)).at).toBeGreaterThanOrEqual(before)
  })
})
