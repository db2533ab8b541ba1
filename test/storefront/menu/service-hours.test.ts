import { describe, expect, test } from 'vitest'
import { createVenue, send } from '../../support/api.ts'
import { load } from '../../support/catalogue.ts'

const seconds = (time: string) => Date.parse(time) / 1000

/** A café in Berlin with breakfast all day and supper past midnight. */
async function createCafe(merchant: object) {
  const venue = await createVenue({ timezone: 'Europe/Berlin', language: 'de', ...merchant })
  await load(venue.post, {
    modifiers: [],
    products: [{ title: 'Toast', price: 3 }],
    menus: [
      { title: 'Breakfast', sections: [{ title: 'Bread', items: [0] }] },
      { title: 'Supper', begin: '1800', end: '0200', sections: [{ title: 'Late', items: [0] }] },
    ],
  })
  return {
    ...venue,
    /** Titles of the menus that are served at a time, when something changes next, and why the venue is closed. */
    async read(time: string) {
      const { body } = await send(`/m/${venue.id}.json?at=${seconds(time)}`)
      const served = body.menus.map(({ title }: { title: string }) => title)
      return [served, new Date(body.nextChangeAt * 1000).toISOString(), body.closed]
    },
    page: async (time: string, lang: string) =>
      (await send(`/m/${venue.id}?at=${seconds(time)}&lang=${lang}`)).body.replaceAll(/<\/?bdi[^>]*>/g, ''),
  }
}

describe('a venue with closures and special hours', () => {
  const merchant = {
    openingHours: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], opens: '0800', closes: '0200' }],
    closures: [{ from: '2026-12-24', until: '2027-01-01', title: 'Weihnachten' }],
    specialHours: [{ date: '2026-12-31', opens: '1800', closes: '0100' }],
  }

  test('serves nothing while it is closed, and names what it serves next', async () => {
    const cafe = await createCafe(merchant)
    expect(await cafe.read('2026-12-23T12:00+01:00')).toEqual([['Breakfast'], '2026-12-23T17:00:00.000Z', undefined])
    // The end of the evening before survives the closure of the day.
    expect((await cafe.read('2026-12-24T01:59+01:00'))[0]).toEqual(['Breakfast', 'Supper'])
    const closed = { opensAt: seconds('2026-12-31T18:00+01:00'), until: '2027-01-01', title: 'Weihnachten' }
    expect(await cafe.read('2026-12-24T02:00+01:00')).toEqual([[], '2026-12-31T17:00:00.000Z', closed])
    expect((await cafe.read('2026-12-31T17:59+01:00'))[2]).toEqual({ opensAt: closed.opensAt })
    expect((await cafe.read('2026-12-31T18:00+01:00'))[0]).toEqual(['Breakfast', 'Supper'])
    expect((await cafe.read('2027-01-01T00:59+01:00'))[0]).toEqual(['Breakfast', 'Supper'])
    expect((await cafe.read('2027-01-01T01:00+01:00'))[2]).toMatchObject({ opensAt: seconds('2027-01-02T08:00+01:00') })
  })

  test('says so on its page', async () => {
    const cafe = await createCafe(merchant)
    const page = await cafe.page('2026-12-26T12:00+01:00', 'de')
    expect(page).toContain('Geschlossen bis Fr., 1. Januar: Weihnachten')
    expect(page).toContain('Breakfast und Supper gibt es ab Donnerstag, 18:00.')
    expect(page.match(/<small>ab [^<]*/g)).toEqual(['<small>ab Donnerstag, 18:00', '<small>ab Donnerstag, 18:00'])
    expect(await cafe.page('2026-12-26T12:00+01:00', 'en')).toContain('Closed until Fri, 1 January: Weihnachten')
    const later = await cafe.page('2026-12-23T03:00+01:00', 'de')
    expect(later).toMatch(/<p>Geschlossen · öffnet \d{1,2}:\d\d<\/p>/)
    expect(later).not.toContain('Geschlossen bis')
  })
})

test('opening hours close only if the venue says so', async () => {
  const openingHours = [{ days: ['mon'], opens: '0800', closes: '1200' }]
  const open = await createCafe({ openingHours, hoursClose: false })
  const tuesday = '2026-11-24T12:00+01:00'
  expect((await open.read(tuesday))[0]).toEqual(['Breakfast'])
  const cafe = await createCafe({ openingHours })
  expect(await cafe.read(tuesday)).toEqual([
    [],
    '2026-11-30T07:00:00.000Z',
    { opensAt: seconds('2026-11-30T08:00+01:00') },
  ])
})

test('a menu that is never served again is left out of a closed venue', async () => {
  const venue = await createVenue({ closures: [{ from: '2026-01-01', until: '2026-12-31', title: 'Adieu' }] })
  const { body: menu } = await venue.post('/menus', { title: 'Summer', sections: [] })
  await venue.post(`/menus/${menu.id}/details`, { dates: { until: '2026-09-30' } })
  const { body } = await send(`/m/${venue.id}.json?at=${seconds('2026-11-24T12:00Z')}`)
  expect([body.menus, body.closedMenus, body.nextChangeAt]).toEqual([[], [], undefined])
  expect(body.closed).toMatchObject({ until: '2026-12-31', title: 'Adieu' })
  const page = await send(`/m/${venue.id}?at=${seconds('2026-11-24T12:00Z')}`)
  expect(page.body).toContain('Adieu')
})
