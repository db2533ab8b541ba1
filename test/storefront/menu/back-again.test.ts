import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { pageLanguages } from '../../../src/storefront/pages/messages.ts'
import { createVenue, send, type Venue } from '../../support/api.ts'

// A Sunday, 20:00 in UTC.
const start = Date.parse('2026-11-22T20:00:00Z')
beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: start }))
afterEach(() => vi.useRealTimers())
const seconds = (iso: string) => Date.parse(iso) / 1000

async function createDish(home: string, fields: object = {}) {
  const venue = await createVenue({ home, language: 'en', timezone: 'UTC' })
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
