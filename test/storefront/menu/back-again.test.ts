import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { pageLanguages } from '../../../src/storefront/pages/messages.ts'
import { createVenue, send, type Venue } from '../../support/api.ts'

// A Sunday, 20:00 in UTC.
const start = Date.parse('2026-11-22T20:00:00Z')
beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: start }))
afterEach(() => vi.useRealTimers())
const seconds = (iso: string) => Date.parse(iso) / 1000

async function createDish(home: string, fields: object = {}, timezone = 'UTC') {
  const venue = await createVenue({ home, language: 'en', timezone })
  const dish = (await venue.post('/products', { title: 'Tea', price: 2, ...fields })).body.id
  await venue.post('/menus', { title: 'Day', allDayMenu: true, sections: [{ title: 'Hot', items: [dish] }] })
  return { venue, dish }
}
const mark = (venue: Pick<Venue, 'post'>, dish: string, body: object) =>
  venue.post(`/products/${dish}/availability`, body)
const read = async (id: string, lang = 'en') => {
  const [page, data] = await Promise.all([send(`/m/${id}?lang=${lang}`), send(`/m/${id}.json`)])
  const [, note = ''] = /<b>Tea ?<small>(.*?)<\/small>/.exec(page.body.replace(/<\/?bdi[^>]*>/g, '')) ?? []
  const [{ soldOut, soldOutUntil }] = data.body.menus[0].sections[0].products
  return [note, soldOut, soldOutUntil]
}

describe.each(['d1', 'object'])('a dish of a venue in %s that is marked as sold out', (home) => {
  test.each<[string, object, string, number | undefined]>([
    ['until tomorrow', { until: 'tomorrow' }, 'Sold out · back tomorrow', seconds('2026-11-23T04:00:00Z')],
    [
      'until tonight',
      { until: seconds('2026-11-22T21:30:00Z') },
      'Sold out · back 9:30 PM',
      seconds('2026-11-22T21:30:00Z'),
    ],
    [
      'until a day',
      { until: seconds('2026-11-25T07:30:00Z') },
      'Sold out · back Wednesday 7:30 AM',
      seconds('2026-11-25T07:30:00Z'),
    ],
    ['until further notice', {}, 'Sold out', undefined],
  ])('%s says when it is back', async (_, until, note, at) => {
    const { venue, dish } = await createDish(home)
    expect((await mark(venue, dish, { soldOut: true, ...until })).status).toBe(200)
    expect(await read(venue.id)).toEqual([note, true, at])
  })

  test('and is out of stock too, does not', async () => {
    const { venue, dish } = await createDish(home, { manageStock: true, stockQuantity: 0 })
    await mark(venue, dish, { soldOut: true, until: 'tomorrow' })
    expect(await read(venue.id)).toEqual(['Sold out', true, undefined])
  })
})

test.each([
  // Clocks are set back at 03:00 of the 25th, which has 25 hours, and forward at 02:00 of the 28th, which has 23.
  ['2026-10-24T22:30:00Z', '2026-10-25T05:00:00Z', 'Sold out · back 6:00'],
  ['2026-10-24T22:30:00Z', '2026-10-26T05:00:00Z', 'Sold out · back tomorrow'],
  ['2026-10-24T21:30:00Z', '2026-10-25T05:00:00Z', 'Sold out · back tomorrow'],
  ['2027-03-27T22:30:00Z', '2027-03-28T04:00:00Z', 'Sold out · back tomorrow'],
  ['2027-03-27T22:30:00Z', '2027-03-29T04:00:00Z', 'Sold out · back Monday 6:00'],
])('at %s in Berlin, a mark until %s reads "%s"', async (now, until, note) => {
  vi.setSystemTime(Date.parse(now))
  const { venue, dish } = await createDish('d1', {}, 'Europe/Berlin')
  await mark(venue, dish, { soldOut: true, until: seconds(until) })
  expect((await read(venue.id))[0]).toBe(note)
})

test('the note is in every language of the pages, with the word for tomorrow', async () => {
  const { venue, dish } = await createDish('d1')
  await mark(venue, dish, { soldOut: true, until: 'tomorrow' })
  const notes = await Promise.all(pageLanguages.map(async (language) => String((await read(venue.id, language))[0])))
  const tomorrow = pageLanguages.map((language) =>
    new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(1, 'day'),
  )
  expect(notes.filter((note, index) => !note.includes(tomorrow[index] ?? '?'))).toEqual([])
  expect(notes.filter((note) => /[{}]/.test(note))).toEqual([])
  expect(new Set(notes).size).toBe(pageLanguages.length)
})

describe.each(['d1', 'object'])('a size and an option of a venue in %s that are marked as sold out', (home) => {
  test.each<[string, object, string, number | undefined]>([
    ['until tomorrow', { until: 'tomorrow' }, 'back tomorrow', seconds('2026-11-23T04:00:00Z')],
    ['until further notice', {}, '', undefined],
  ])('%s say when they are back', async (_, until, note, at) => {
    const { venue, dish } = await createDish(home)
    const modifier = (title: string) => ({
      title,
      instructions: '',
      type: 'RADIO',
      rules: {},
      options: [{ label: `${title} 1` }, { label: `${title} 2` }],
    })
    const [size, milk] = [
      (await venue.post('/modifiers', modifier('Cup'))).body,
      (await venue.post('/modifiers', modifier('Milk'))).body,
    ]
    await venue.post(`/products/${dish}`, { modifiers: [size.id, milk.id] })
    const [small, large] = size.options
    const prices = { [small.id]: { price: 2 }, [large.id]: { price: 3 } }
    expect((await venue.post(`/products/${dish}/details`, { sizes: { modifier: size.id, prices } })).status).toBe(200)
    for (const { id, options } of [size, milk]) {
      const body = { options: { [options[0].id]: { soldOut: true, ...until } } }
      expect((await venue.post(`/modifiers/${id}/availability`, body)).status).toBe(200)
    }
    const { body: data } = await send(`/m/${venue.id}.json`)
    const [product] = data.menus[0].sections[0].products
    const marks = [...product.sizes, ...data.modifiers.find(({ id }: { id: string }) => id === milk.id).options].map(
      ({ soldOut = false, soldOutUntil }: { soldOut?: boolean; soldOutUntil?: number }) => [soldOut, soldOutUntil],
    )
    expect(marks).toEqual([
      [true, at],
      [false, undefined],
      [true, at],
      [false, undefined],
    ])
    const page = (await send(`/m/${venue.id}?lang=en`)).body.replace(/<\/?bdi[^>]*>/g, '')
    const back = note === '' ? '' : ` · ${note}`
    expect(page).toMatch(new RegExp(`<s>Cup 1 [^<]*</s>${note === '' ? '</span>' : ` <small>${note}</small></span>`}`))
    expect(page).toContain(`Milk 1 <small>Sold out${back}</small>`)
    expect(page.split('Sold out').length - 1).toBe(1)
  })
})
