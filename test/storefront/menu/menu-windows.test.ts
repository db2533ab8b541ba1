import { describe, expect, test } from 'vitest'
import { createVenue, send } from '../../support/api.ts'
import { load } from '../../support/catalogue.ts'

// Times of Lisbon in winter, which is UTC. 20 November 2026 is a Friday.
const at = (time: string) => `?at=${time}Z`
const seconds = (time: string) => Date.parse(`${time}Z`) / 1000

interface Menu {
  title: string
  nextServed?: number
  sections: { products: { title: string; price: number }[] }[]
}

/** A bar with the menus of the test, each with its details. */
async function createBar(menus: readonly { fields: object; details: object }[], merchant: object = {}) {
  const venue = await createVenue({ name: 'Bar', timezone: 'Europe/Lisbon', ...merchant })
  const products = [
    { title: 'Beer', price: 5 },
    { title: 'Olives', price: 3 },
  ]
  const sections = [{ title: 'All', items: [0, 1] }]
  await load(venue.post, { modifiers: [], products, menus: menus.map(({ fields }) => ({ sections, ...fields })) })
  const listed = (await venue.get('/menus?order=asc')).body
  const ids: string[] = listed.map(({ id }: { id: string }) => id)
  for (const [index, { details }] of menus.entries()) {
    expect((await venue.post(`/menus/${ids[index]}/details`, details)).status).toBe(200)
  }
  const read = async (time: string) => {
    const { body } = await send(`/m/${venue.id}.json${at(time)}`)
    const menus: { menus: Menu[]; closedMenus: Menu[]; nextChangeAt?: number } = body
    return menus
  }
  const page = async (time: string, query = ''): Promise<string> =>
    (await send(`/m/${venue.id}${at(time)}${query}`)).body
  return { ...venue, ids, items: listed[0].sections[0].items, read, page }
}
const titles = (menus: readonly Menu[]) => menus.map(({ title }) => title)

describe('a menu with days or dates', () => {
  const menus = [
    { fields: { title: 'Late', begin: '2200', end: '0200' }, details: { days: ['fri'] } },
    { fields: { title: 'Advent' }, details: { dates: { from: '2026-11-29', until: '2026-12-24' } } },
  ]

  test('is open when its window, its days and its dates allow, and says when it is served next', async () => {
    const { read } = await createBar(menus)
    expect(await read('2026-11-20T21:59:59')).toMatchObject({
      menus: [],
      closedMenus: [
        { title: 'Advent', nextServed: seconds('2026-11-29T00:00:00') },
        { title: 'Late', nextServed: seconds('2026-11-20T22:00:00') },
      ],
      nextMenus: ['Late'],
      nextChangeAt: seconds('2026-11-20T22:00:00'),
    })
    expect(await read('2026-11-21T01:59:59')).toMatchObject({
      menus: [{ title: 'Late', days: ['fri'] }],
      closedMenus: [{ title: 'Advent', dates: { from: '2026-11-29', until: '2026-12-24' } }],
      nextChangeAt: seconds('2026-11-21T02:00:00'),
    })
    expect(await read('2026-11-21T02:00:00')).toMatchObject({
      menus: [],
      closedMenus: [{ title: 'Advent' }, { title: 'Late', nextServed: seconds('2026-11-27T22:00:00') }],
    })
  })

  test('is gone when its last date has passed', async () => {
    const { read } = await createBar(menus)
    expect(titles((await read('2026-12-24T23:59:59')).menus)).toEqual(['Advent'])
    const after = await read('2026-12-25T00:00:00')
    expect([titles(after.menus), titles(after.closedMenus)]).toEqual([[], ['Late']])
  })

  test('shows its days, dates and hours', async () => {
    const { page } = await createBar(menus)
    const now = await page('2026-11-20T23:00:00')
    expect(now).toContain('<p>Fri · 22:00 – 2:00</p>')
    expect(now).toMatch(/<p>29 Nov\s–\s24 Dec 2026<\/p>/)
    expect(await page('2026-11-20T23:00:00', '&lang=de')).toContain('<p>Fr · 22:00')
    // A weekday would be ambiguous.
    expect(await page('2026-11-20T23:00:00', '&lang=en')).toMatch(/served from Sunday,? 29 November</)
    expect(await page('2026-11-21T12:00:00', '&lang=en')).toMatch(/served from Friday,? 27 November at 22:00/)
  })
})

describe('the order of menus', () => {
  test('is what is served first, then the position, then the title, with numbers by their value', async () => {
    const menu = (title: string, details: object = {}, fields: object = {}) => ({
      fields: { title, ...fields },
      details,
    })
    const morning = { begin: '0700', end: '1000' }
    const { read } = await createBar([
      menu('Menu 10'),
      menu('Menu 2'),
      menu('Last', { position: 9 }),
      menu('First', { position: 0 }),
      menu('Closed 2', {}, morning),
      menu('Closed 1', { position: 5 }, morning),
      menu('Closed 0', {}, morning),
    ])
    const { menus, closedMenus } = await read('2026-11-20T12:00:00')
    expect(titles(menus)).toEqual(['First', 'Last', 'Menu 2', 'Menu 10'])
    expect(titles(closedMenus)).toEqual(['Closed 1', 'Closed 0', 'Closed 2'])
  })
})

describe('prices of a menu', () => {
  const happy = { fields: { title: 'Happy hour', begin: '1700', end: '1900' }, details: {} }
  const all = { fields: { title: 'Drinks' }, details: {} }

  test('replace those of its products on the menu', async () => {
    const bar = await createBar([happy, all])
    const [beer] = bar.items
    await bar.post(`/menus/${bar.ids[0]}/details`, { prices: [{ product: beer, price: 3.5 }] })
    const { menus } = await bar.read('2026-11-20T18:00:00')
    const prices = menus.map(({ title, sections }) => [title, sections[0]?.products.map(({ price }) => price)])
    expect(prices).toEqual([
      ['Drinks', [5, 3]],
      ['Happy hour', [3.5, 3]],
    ])
    expect(await bar.page('2026-11-20T18:00:00')).toMatch(/Beer<\/bdi><\/b><span>3,50\s€/)
  })

  test('are those of a quote that names the menu while it is served', async () => {
    const bar = await createBar([happy, all])
    const [beer, olives] = bar.items
    await bar.post(`/menus/${bar.ids[0]}/details`, { prices: [{ product: beer, price: 3.5 }], days: ['fri'] })
    const quote = async (time: string, menu?: string) => {
      const items = [beer, olives].map((product) => ({ product, quantity: 2 }))
      const { body } = await bar.post('/quotes', { items, at: seconds(time), menu })
      return [body.total, body.issues.map(({ code }: { code: string }) => code)]
    }
    expect(await quote('2026-11-20T17:00:00', bar.ids[0])).toEqual([13, []])
    expect(await quote('2026-11-20T17:00:00')).toEqual([16, []])
    expect(await quote('2026-11-20T17:00:00', bar.ids[1])).toEqual([16, []])
    expect(await quote('2026-11-20T19:00:00', bar.ids[0])).toEqual([16, ['outside_menu_hours']])
    expect(await quote('2026-11-21T17:00:00', bar.ids[0])).toEqual([16, ['outside_menu_hours']])
    await bar.post(`/menus/${bar.ids[0]}`, { visible: false })
    expect(await quote('2026-11-20T17:00:00', bar.ids[0])).toEqual([16, ['not_visible']])
  })
})
