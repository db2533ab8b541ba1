import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { menuCacheSeconds } from '../../../src/storefront/menu/cache.ts'
import { createKey, createVenue, send } from '../../support/api.ts'
import { load } from '../../support/catalogue.ts'

const seconds = (time: string) => Date.parse(time) / 1000
const now = seconds('2026-11-24T12:00+01:00')
beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: now * 1000 }))
afterEach(() => vi.useRealTimers())

/** A venue in Berlin with breakfast all day and supper in the evening. */
async function createCafe(fields: object = {}) {
  const venue = await createVenue({ timezone: 'Europe/Berlin', language: 'de', ...fields })
  await load(venue.post, {
    modifiers: [],
    products: [{ title: 'Toast', price: 3 }],
    menus: [
      { title: 'Breakfast', sections: [{ title: 'Bread', items: [0] }] },
      { title: 'Supper', begin: '1800', end: '2300', sections: [{ title: 'Late', items: [0] }] },
    ],
  })
  const titles = (menus: { title: string; nextServed?: number }[]) =>
    menus.map(({ title, nextServed }) => (nextServed === undefined ? title : [title, nextServed]))
  return {
    ...venue,
    read: async (at?: number) => {
      const { body } = await send(`/m/${venue.id}.json${at === undefined ? '' : `?at=${at}`}`)
      const { menus, closedMenus, paused, nextChangeAt, closed } = body
      return { menus: titles(menus), closedMenus: titles(closedMenus), paused, nextChangeAt, closed }
    },
    page: async (lang: string, at = now) =>
      (await send(`/m/${venue.id}?lang=${lang}&at=${at}`)).body.replaceAll(/<\/?bdi[^>]*>/g, ''),
  }
}
const supper = seconds('2026-11-24T18:00+01:00')

describe.each(['d1', 'object'])('guests of a venue in %s', (home) => {
  test('see a pause with its end and message, and what is served after it', async () => {
    const cafe = await createCafe({ home })
    const until = now + 1_800
    const message = 'Ofen <kaputt>'
    await cafe.post('/service', { paused: true, until, message })
    expect(await cafe.read(now)).toEqual({
      menus: [],
      closedMenus: [
        ['Breakfast', until],
        ['Supper', supper],
      ],
      paused: { until, message },
      nextChangeAt: until,
      closed: undefined,
    })
    expect(await cafe.read(until)).toMatchObject({ menus: ['Breakfast'], closedMenus: [['Supper', supper]] })
    expect((await cafe.read(until)).paused).toBeUndefined()
    const page = await cafe.page('de')
    expect(page).toContain('<p>Keine Bestellungen bis 12:30</p><p>Ofen &lt;kaputt&gt;</p>')
    expect(page).toContain('Breakfast gibt es ab 12:30.')
    expect(page).not.toContain('Gerade wird nichts serviert.')
    expect(await cafe.page('de', until)).not.toContain('Keine Bestellungen')
    await cafe.post('/service', { paused: true, until: supper + 60 })
    expect(await cafe.read(now)).toMatchObject({
      closedMenus: [
        ['Breakfast', supper + 60],
        ['Supper', supper + 60],
      ],
    })
  })

  test('still read the menus during a pause without an end', async () => {
    const cafe = await createCafe({ home })
    await cafe.post('/service', { paused: true })
    expect(await cafe.read(now)).toMatchObject({ menus: ['Breakfast'], closedMenus: [['Supper', supper]], paused: {} })
    expect(await cafe.page('en')).toContain('<main><div class="say"><p>No orders are being taken right now.</p></div>')
    expect(await cafe.page('ja')).toContain('ただいまご注文を承っておりません。')
    await cafe.post('/service', { paused: false })
    expect((await cafe.read(now)).paused).toBeUndefined()
    expect(await cafe.page('en')).not.toContain('No orders')
  })
})

test('a pause shows within 20 seconds, and its end at once', async () => {
  const cafe = await createCafe()
  expect((await cafe.read()).paused).toBeUndefined()
  const until = now + 120
  await cafe.post('/service', { paused: true, until })
  expect(menuCacheSeconds).toBe(20)
  vi.setSystemTime((now + menuCacheSeconds) * 1000)
  expect((await cafe.read()).paused).toEqual({ until })
  vi.setSystemTime((until - 1) * 1000)
  expect((await cafe.read()).paused).toEqual({ until })
  vi.setSystemTime(until * 1000)
  expect(await cafe.read()).toMatchObject({ menus: ['Breakfast'] })
})

test('a pause of test mode is not that of guests', async () => {
  const cafe = await createCafe()
  await (await createKey(cafe.id, { mode: 'test' })).post('/service', { paused: true })
  expect((await cafe.read(now)).paused).toBeUndefined()
})

test('a venue that is closed opens when it is neither closed nor paused, for guests and in quotes', async () => {
  const openingHours = [{ days: ['mon', 'tue', 'wed'], opens: '1400', closes: '2000' }]
  const cafe = await createCafe({ openingHours })
  const { id } = (await cafe.post('/products', { title: 'Tea', price: 2 })).body
  const opensAt = async (until: number | undefined) => {
    await cafe.post('/service', { paused: until !== undefined, ...(until && { until }) })
    const { issues } = (await cafe.post('/quotes', { items: [{ product: id, quantity: 1 }], at: now })).body
    const [closed] = issues
    expect((await cafe.read(now)).closed.opensAt).toBe(closed.opensAt)
    return closed.opensAt
  }
  const opens = seconds('2026-11-24T14:00+01:00')
  expect(await opensAt(undefined)).toBe(opens)
  expect(await opensAt(opens - 60)).toBe(opens)
  expect(await opensAt(opens + 60)).toBe(opens + 60)
  expect(await opensAt(opens + 6 * 3_600)).toBe(opens + 86_400)
})

test('structured data has closures and special hours from today on', async () => {
  const day = (date: string, hours = ['00:00', '00:00'], until = date) => ({
    '@type': 'OpeningHoursSpecification',
    validFrom: date,
    validThrough: until,
    opens: hours[0],
    closes: hours[1],
  })
  const cafe = await createCafe({
    closures: [
      { from: '2026-01-01', until: '2026-11-23' },
      { from: '2026-11-20', until: '2026-11-25' },
      { from: '2026-12-24', until: '2027-01-05', title: 'Weihnachten' },
    ],
    specialHours: [
      { date: '2026-11-23', opens: '0800', closes: '0900' },
      { date: '2026-12-31', opens: '2000', closes: '0400' },
      { date: '2026-12-31', opens: '0900', closes: '1200' },
      { date: '2027-02-01', opens: '1000', closes: '2400' },
    ],
  })
  const [, json = '{}'] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(await cafe.page('de')) ?? []
  expect(JSON.parse(json).specialOpeningHoursSpecification).toEqual([
    day('2026-11-24', undefined, '2026-11-25'),
    day('2026-12-24', undefined, '2026-12-30'),
    day('2026-12-31', ['20:00', '04:00']),
    day('2026-12-31', ['09:00', '12:00']),
    day('2027-01-01', undefined, '2027-01-05'),
    day('2027-02-01', ['10:00', '23:59']),
  ])
  const plain = await createCafe()
  expect(await plain.page('de')).not.toContain('specialOpeningHours')
})
