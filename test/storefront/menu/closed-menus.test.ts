import { describe, expect, test } from 'vitest'
import { createVenue, send } from '../../support/api.ts'
import { load } from '../../support/catalogue.ts'

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
      ['Breakfast', 'served from Sunday 7:00'],
      ['Brunch', 'served from Sunday 7:00'],
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

describe('a closed menu that is served all day', () => {
  const show = async (menu: object, search: string, details?: object) => {
    const venue = await createVenue({ name: 'Bistro', timezone: 'Europe/Lisbon' })
    const { id } = (await venue.post('/menus', { title: 'Buffet', ...menu })).body
    if (details) await venue.post(`/menus/${id}/details`, details)
    const { body } = await send(`/m/${venue.id}${at('12:00')}${search}`)
    return { served: /<small>(.*?)<\/small>/.exec(body)?.[1], body: String(body) }
  }

  test('names the day without a time', async () => {
    for (const menu of [{ begin: '0000', end: '2400' }, { allDayMenu: true }]) {
      const { served, body } = await show(menu, '&lang=en', { days: ['mon', 'wed'] })
      expect(served).toBe('served from Monday')
      expect(body).toContain('<bdi>Buffet</bdi> is served from Monday.')
    }
    const advent = { dates: { from: '2026-12-24' } }
    expect((await show({}, '&lang=en', advent)).served).toMatch(/^served from Thursday,? 24 December$/)
    expect((await show({}, '&lang=de', advent)).served).toContain('ab Donnerstag, 24. Dezember')
    expect((await show({}, '&lang=ja', { days: ['mon'] })).served).toContain('月曜日から')
  })

  test('has a time if it begins at midnight and ends before the day does', async () => {
    const { served } = await show({ begin: '0000', end: '0400' }, '&lang=en', { days: ['mon'] })
    expect(served).toMatch(/^served from Monday.* 0?0:00$/)
  })

  test('has a time in the sentence of menus of which another is not served all day', async () => {
    const venue = await createVenue({ name: 'Bistro', timezone: 'Europe/Lisbon' })
    for (const menu of [{ title: 'Buffet' }, { title: 'Night', begin: '0000', end: '0400' }]) {
      const { id } = (await venue.post('/menus', menu)).body
      await venue.post(`/menus/${id}/details`, { days: ['mon'] })
    }
    const { body } = await send(`/m/${venue.id}${at('12:00')}&lang=en`)
    expect(body).toMatch(/<bdi>Buffet<\/bdi> and <bdi>Night<\/bdi> are served from Monday.* 0?0:00\./)
  })
})

test.each(['en', 'de', 'fr', 'ja', 'ar', 'pt'])('times have one format on a page in %s', async (lang) => {
  const bistro = await createBistro({ openingHours: [{ days: ['mon'], opens: '0700', closes: '2300' }] })
  const read = (body: string) => new Set(Array.from(body.matchAll(/(?<![\d:])(\d+)[:.](\d\d)/g), ([, hour]) => hour))
  for (const moment of ['15:00', '05:00']) {
    const { body } = await send(`${bistro.page}${at(moment)}&lang=${lang}`)
    const text = String(body).replace(/<script.*?<\/script>|<style.*?<\/style>/gs, '')
    const hours = read(text)
    expect([lang, moment, hours.has('7') && hours.has('07')]).toEqual([lang, moment, false])
    expect(hours.size).toBeGreaterThan(2)
  }
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
    const [, list = ''] = /<nav class="bar" aria-label="Menus">.*?<ul>(.*?)<\/ul><\/nav>/.exec(body) ?? []
    const links = Array.from(list.matchAll(/<a class="m" href="#(\w+)"><bdi>(.*?)<\/bdi>/g), ([, id, title]) => [
      id,
      title,
    ])
    expect(links.map(([, title]) => title)).toEqual(['Supper', 'Breakfast', 'Brunch'])
    for (const [id] of links) expect(body).toContain(`<article class="menu" id="${id}">`)
  })

  test('are left out where there is one menu', async () => {
    const venue = await createVenue()
    await venue.post('/menus', { title: 'All day' })
    expect((await send(`/m/${venue.id}`)).body).not.toContain('class="bar"')
  })
})
