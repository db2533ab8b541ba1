import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { createChargeVenue } from '../../checkout/charges/charge-venue.ts'
import { send } from '../../support/api.ts'

type Venue = Awaited<ReturnType<typeof createChargeVenue>>
const create = async (venue: Venue, path: string, body: object): Promise<string> => {
  const { status, body: made } = await venue.post(path, body)
  expect([status, made]).toEqual([201, expect.anything()])
  return made.id
}
const detail = async (venue: Venue, path: string, body: object) => {
  const { status, body: found } = await venue.post(`${path}/details`, body)
  expect([status, found]).toEqual([200, expect.anything()])
}
const charge = async (venue: Venue, ...charges: object[]) =>
  expect((await venue.manager.post('/charges', { charges })).status).toBe(200)
/** The text of the page without tags, with one space between words. */
const readPage = async (venue: Venue, query = '?lang=en') => {
  const page = String((await send(`/m/${venue.id}${query}`)).body)
  return { page, text: page.replace(/<[^>]*>/g, '').replace(/\s+/g, ' ') }
}
const createMenu = (venue: Venue, items: string[]) =>
  create(venue, '/menus', { title: 'All', allDayMenu: true, visible: true, sections: [{ title: 'S', items }] })

const service = {
  id: 'service',
  title: 'Service',
  translations: { de: { title: 'Bedienung' } },
  kind: 'service',
  type: 'PERCENTAGE',
  value: 12.5,
  orderTypes: ['dine_in'],
  minGuests: 6,
}
const box = { id: 'box', title: 'Box', kind: 'packaging', type: 'FIXED', value: 0.3, per: 'item' }
const gift = { id: 'gift', title: 'Gift wrap', kind: 'other', type: 'FIXED', value: 2, optional: true }

test('charges that apply without choice end the menu and its data, in the language of the menu', async () => {
  const venue = await createChargeVenue({ language: 'en', currency: 'GBP', timezone: 'Europe/London' })
  const tea = await create(venue, '/products', { title: 'Tea', price: 3 })
  await detail(venue, `/products/${tea}`, { translations: { de: { title: 'Tee' } } })
  await createMenu(venue, [tea])
  const data = async (query = '') => (await send(`/m/${venue.id}.json${query}`)).body.charges
  expect(await data()).toBeUndefined()
  await charge(venue, service, box, gift)
  const { translations: _, ...shown } = service
  expect(await data()).toEqual([
    { ...shown, per: 'order', taxable: true },
    { ...box, taxable: true },
  ])
  expect(
    (await data('?lang=de')).map(({ title, untranslated }: Record<string, unknown>) => [title, untranslated]),
  ).toEqual([
    ['Bedienung', undefined],
    ['Box', ['title']],
  ])
  const { text } = await readPage(venue)
  expect(text).toContain('Service: 12.5% · eating in · from 6 guestsBox: £0.30 per item')
  expect(text).not.toContain('Gift wrap')
  expect((await readPage(venue, '?lang=de')).text).toContain(
    'Bedienung: 12,5 % · vor Ort · ab 6 GästenBox: 0,30 £ pro Stück',
  )
})

test('a damaged list of charges is left out, and can be replaced', async () => {
  const venue = await createChargeVenue({ home: 'd1' })
  const tea = await create(venue, '/products', { title: 'Tea', price: 3 })
  await createMenu(venue, [tea])
  await charge(venue, box)
  await env.DB.prepare(`update charges set charges = '[{"id":"box"}]' where merchant_id = ?`).bind(venue.id).run()
  expect((await readPage(venue)).text).not.toContain('Box')
  const quote = await venue.post('/quotes', { items: [{ product: tea, quantity: 1 }] })
  expect([quote.status, quote.body.charges]).toEqual([200, undefined])
  expect((await venue.manager.get('/charges')).body.code).toBe('damaged')
  await charge(venue, box)
  expect((await readPage(venue)).text).toContain('Box')
})

test('every amount that guests read has its own decimals, and the page says to what totals are rounded', async () => {
  const venue = await createChargeVenue({ language: 'en', currency: 'JPY', timezone: 'Asia/Tokyo' })
  let digits = 10
  /** An amount finer than the currency, unlike all others. */
  const next = () => 300 + ++digits / 1_000
  const amounts: number[] = []
  const fine = () => {
    const amount = next()
    amounts.push(amount)
    return amount
  }
  const options = [
    { id: 's', label: 'Small' },
    { id: 'l', label: 'Large' },
  ]
  const size = await create(venue, '/modifiers', { title: 'Size', instructions: '', type: 'RADIO', options })
  const milk = await create(venue, '/modifiers', {
    title: 'Milk',
    instructions: '',
    options: [{ id: 'oat', label: 'Oat', additionalCost: fine() }],
  })
  await detail(venue, `/modifiers/${milk}`, { sizedCosts: { oat: { s: fine() } } })
  const plain = await create(venue, '/products', { title: 'Tea', price: fine() })
  await detail(venue, `/products/${plain}`, { deposit: { amount: fine() } })
  const sized = await create(venue, '/products', { title: 'Coffee', price: next(), modifiers: [size, milk] })
  const prices = {
    s: { price: fine(), deposit: { amount: fine() } },
    l: { price: next(), deposit: { amount: fine() } },
  }
  await detail(venue, `/products/${sized}`, { sizes: { modifier: size, prices } })
  const set = await create(venue, '/products', { title: 'Set', price: next() })
  await detail(venue, `/products/${set}`, {
    bundle: { groups: [{ id: 'g', title: 'Drink', min: 1, max: 1, items: [{ product: plain, surcharge: fine() }] }] },
  })
  const menu = await createMenu(venue, [plain, sized, set])
  await detail(venue, `/menus/${menu}`, {
    prices: [
      { product: sized, sizes: { l: fine() } },
      { product: set, price: fine() },
    ],
  })
  await charge(venue, { ...box, value: fine() })
  const { page, text } = await readPage(venue)
  const missing = amounts.filter((amount) => !text.includes(`¥${amount}`))
  expect([amounts.length, missing]).toEqual([11, []])
  expect(text).toContain('Totals are rounded to ¥1.')
  expect(page).toContain(`"price":${amounts[2]}`)
})

test('a menu with prices of its currency only does not say that totals are rounded', async () => {
  for (const [currency, price] of [
    ['JPY', 319],
    ['KWD', 0.125],
    ['EUR', 3.5],
    [null, 3.25],
  ] as const) {
    const venue = await createChargeVenue({ language: 'en', currency })
    const product = await create(venue, '/products', { title: 'Tea', price })
    await createMenu(venue, [product])
    expect((await readPage(venue)).text).not.toContain('Totals are rounded')
    await venue.post(`/products/${product}`, { price: price + 0.0005 })
    expect((await readPage(venue)).text).toContain('Totals are rounded')
  }
})

test('deposits stand behind prices: of products, of sizes if they differ, and of parts', async () => {
  const venue = await createChargeVenue({ language: 'en', currency: 'EUR', timezone: 'Europe/Dublin' })
  const options = [
    { id: 's', label: 'Small' },
    { id: 'l', label: 'Large' },
  ]
  const size = await create(venue, '/modifiers', { title: 'Size', instructions: '', type: 'RADIO', options })
  const cola = await create(venue, '/products', { title: 'Cola', price: 3 })
  await detail(venue, `/products/${cola}`, { deposit: { amount: 0.25, title: 'Bottle' } })
  const [beer, cider] = [
    await create(venue, '/products', { title: 'Beer', price: 4, modifiers: [size] }),
    await create(venue, '/products', { title: 'Cider', price: 4, modifiers: [size] }),
  ]
  const prices = { s: { price: 4 }, l: { price: 6, deposit: { amount: 1 } } }
  await detail(venue, `/products/${beer}`, { deposit: { amount: 0.5 }, sizes: { modifier: size, prices } })
  const equal = { s: { price: 4 }, l: { price: 6 } }
  await detail(venue, `/products/${cider}`, { deposit: { amount: 0.5 }, sizes: { modifier: size, prices: equal } })
  const set = await create(venue, '/products', { title: 'Set', price: 9 })
  await detail(venue, `/products/${set}`, {
    bundle: { groups: [{ id: 'g', title: 'Drink', min: 1, max: 1, items: [{ product: cola }] }] },
  })
  await createMenu(venue, [cola, beer, cider, set])
  const { text } = await readPage(venue)
  expect(text).toContain('Cola€3.00 plus €0.25 deposit')
  expect(text).toContain('Small €4.00 plus €0.50 deposit · Large €6.00 plus €1.00 deposit')
  expect(text).toContain('Small €4.00 · Large €6.00 plus €0.50 deposit')
  expect(text.match(/Cola plus €0.25 deposit/g)).toHaveLength(1)
  const { body } = await send(`/m/${venue.id}.json`)
  expect(body.menus[0].sections[0].products[1].sizes[1].deposit).toEqual({ amount: 1 })
})
