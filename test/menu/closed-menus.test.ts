import { describe, expect, test } from 'vitest'
import { createVenue, send } from '../support/api.ts'
import { load } from '../support/catalogue.ts'

const at = (time: string) => `?at=2026-11-21T${time}:00Z`
const seconds = (time: string) => Date.parse(`${time}Z`) / 1000

/** A bistro in Lisbon: breakfast and brunch begin at the same time, supper ends the day. */
async function createBistro(merchant: object = {}) {
  const venue = await createVenue({ name: 'Bistro', timezone: 'Europe/Lisbon', ...merchant })
  await load(venue.post, {
    modifiers: [],
    products: [
      { title: 'Toast', price: 3 },
      { title: 'Stew', price: 14 },
    ],
    menus: [
      {
        title: 'Supper',
        description: 'By the fire.',
        begin: '1900',
        end: '2300',
        sections: [{ title: 'Pots', items: [1] }],
      },
      { title: 'Brunch', begin: '0700', end: '1400', sections: [{ title: 'Bread', items: [0] }] },
      { title: 'Breakfast', begin: '0700', end: '1000', sections: [{ title: 'Bread', items: [0] }] },
    ],
  })
  return { ...venue, page: `/m/${venue.id}`, data: `/m/${venue.id}.json` }
}
const readJsonLd = (body: string) => JSON.parse(/ld\+json">(.*?)<\/script>/s.exec(body)?.[1] ?? '')

describe('a venue outside its opening hours', () => {
  test('shows its menus, collapsed, each with the time at which it is served next', async () => {
    const bistro = await createBistro()
    const { body } = await send(bistro.page + at('15:00'))
    const summary = /<details><summary><h2><bdi>(.*?)<\/bdi><\/h2><small>(.*?)<\/small>/g
    const text: string = body
    expect(Array.from(text.matchAll(summary), ([, title, served]) => [title, served])).toEqual([
      ['Breakfast', 'served from Sunday 07:00'],
      ['Brunch', 'served from Sunday 07:00'],
      ['Supper', 'served from 19:00'],
    ])
    for (const part of ['Stew', 'Toast', '19:00 – 23:00', 'By the fire.', 'Nothing is being served right now.']) {
      expect(text).toContain(part)
    }
    expect(body).toContain('<bdi>Supper</bdi> is served from 19:00.')
  })

  test('names all menus that open next, in one sentence', async () => {
    const bistro = await createBistro()
    const { body } = await send(bistro.page + at('05:00'))
    expect(body).toContain('<bdi>Breakfast</bdi> and <bdi>Brunch</bdi> are served from 7:00.')
    const german = (await send(`${bistro.page}${at('05:00')}&lang=de`)).body
    expect(german).toContain('<bdi>Breakfast</bdi> und <bdi>Brunch</bdi> gibt es ab 7:00.')
  })

  test('ends a sentence once where the time ends with a full stop', async () => {
    const bistro = await createBistro({ currency: 'CAD', timezone: 'America/Toronto' })
    const { body } = await send(`${bistro.page}${at('10:00')}&lang=en`)
    expect(body).toMatch(/are served from 7:00\sa\.m\.<\/p>/)
  })

  test('has complete JSON-LD at any hour', async () => {
    const bistro = await createBistro()
    const complete = readJsonLd((await send(bistro.page + at('08:00'))).body)
    expect(complete.hasMenu.map(({ name }: { name: string }) => name)).toEqual(['Breakfast', 'Brunch', 'Supper'])
    const closed = readJsonLd((await send(bistro.page + at('15:00'))).body)
    expect(closed).toEqual(complete)
  })

  test('lists closed menus with the time at which each is served next in the data', async () => {
    const bistro = await createBistro()
    const { body } = await send(bistro.data + at('15:00'))
    expect(body.menus).toEqual([])
    expect(body.closedMenus).toMatchObject([
      { title: 'Breakfast', nextServed: seconds('2026-11-22T07:00:00') },
      { title: 'Brunch', nextServed: seconds('2026-11-22T07:00:00') },
      { title: 'Supper', nextServed: seconds('2026-11-21T19:00:00'), sections: [{ products: [{ title: 'Stew' }] }] },
    ])
    expect([body.nextMenus, body.nextChangeAt]).toEqual([['Supper'], seconds('2026-11-21T19:00:00')])
    const open = (await send(bistro.data + at('12:00'))).body
    expect(open.menus).toMatchObject([{ title: 'Brunch' }])
    expect(open.menus[0]).not.toHaveProperty('nextServed')
    expect(open.closedMenus.map(({ title }: { title: string }) => title)).toEqual(['Breakfast', 'Supper'])
    expect(open.nextMenus).toEqual([])
  })
})

test('a menu from 0000 to 2400 is shown without times', async () => {
  const venue = await createVenue()
  await venue.post('/menus', { title: 'Always', begin: '0000', end: '2400' })
  await venue.post('/menus', { title: 'Nearly', begin: '0000', end: '2359' })
  const { body } = await send(`/m/${venue.id}${at('12:00')}`)
  expect(body.match(/<p>[^<]+ – [^<]+<\/p>/g)).toEqual(['<p>12:00 AM – 11:59 PM</p>'])
})

test('menus are sorted by title, with numbers in numeric order', async () => {
  const venue = await createVenue()
  for (const title of ['Room 10', 'ängel', 'Room 9', 'Zebra', 'apple']) await venue.post('/menus', { title })
  const { body } = await send(`/m/${venue.id}.json`)
  expect(body.menus.map(({ title }: { title: string }) => title)).toEqual([
    ...['ängel', 'apple', 'Room 9', 'Room 10', 'Zebra'],
  ])
})

describe('links between menus', () => {
  test('lead to each menu where there is more than one', async () => {
    const bistro = await createBistro()
    const { body } = await send(bistro.page + at('20:00'))
    const [, list = ''] = /<nav class="menus" aria-label="Menus"><ul>(.*?)<\/ul><\/nav>/.exec(body) ?? []
    const links = Array.from(list.matchAll(/<a href="#(\w+)"><bdi>(.*?)<\/bdi>/g), ([, id, title]) => [id, title])
    expect(links.map(([, title]) => title)).toEqual(['Supper', 'Breakfast', 'Brunch'])
    for (const [id] of links) expect(body).toContain(`<article class="menu" id="${id}">`)
  })

  test('are left out where there is one menu', async () => {
    const venue = await createVenue()
    await venue.post('/menus', { title: 'All day' })
    expect((await send(`/m/${venue.id}`)).body).not.toContain('class="menus"')
  })
})
