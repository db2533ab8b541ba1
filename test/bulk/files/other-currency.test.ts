import { expect, test } from 'vitest'
import { createVenue, send } from '../../support/api.ts'
import { check, importFile, listIssues, toCounts } from '../../support/imports.ts'

const text = { 'content-type': 'text/plain' }
const auto = 'mapping=auto'
const amount = 300
/** Rows of which every tenth is in the currency of the venue. */
const rows = Array.from({ length: amount }, (_, index) => `P${index};${index % 10 === 9 ? '€' : 'US$'} 2.50\n`)

const list = async (venue: Awaited<ReturnType<typeof createVenue>>, id: string, severity: string) =>
  (await venue.get(`/imports/${id}/errors?severity=${severity}`)).body

test('a column in another currency is one issue, and the rows are counted and left out', async () => {
  const venue = await createVenue({ currency: 'EUR' })
  const done = await importFile(venue, auto, `Artikel;Preis\n${rows.join('')}`, text)
  expect(toCounts(done)).toEqual({ rows: amount, checked: amount, applied: 30, created: 30, failed: 270 })
  expect(done.check.leftOut).toBe(270)
  expect(await listIssues(venue, done.id)).toEqual(['2 Preis other_currency'])
  expect(await list(venue, done.id, 'notice')).toEqual([])
  expect(await list(venue, done.id, 'all')).toHaveLength(1)
  expect(done.reading.notices).toEqual([
    { code: 'other_currency', column: 'Preis', count: 270, message: 'is not in EUR, the currency of the venue' },
  ])
  expect((await venue.get('/products?limit=100')).body).toHaveLength(30)
  // The file of faulty rows has all of them.
  const faulty = await send(venue.path(`/imports/${done.id}/errors`), {
    headers: { authorization: `Bearer ${venue.key}`, accept: 'text/csv' },
  })
  const lines = String(faulty.body).trim().split('\n')
  expect(lines).toHaveLength(271)
  expect(lines.slice(1).every((line) => line.includes('US$') && line.includes('currency of the venue'))).toBe(true)
})

test('each column, and a document, has its own issue', async () => {
  const venue = await createVenue({ currency: 'EUR' })
  const item = (id: string) => ({
    ...{ type: 'ITEM', id },
    item_data: {
      name: id,
      variations: [
        { id: `${id}1`, item_variation_data: { name: 'S', price_money: { amount: 200, currency: 'USD' } } },
        { id: `${id}2`, item_variation_data: { name: 'L', price_money: { amount: 300, currency: 'USD' } } },
      ],
    },
  })
  const ready = await check(venue, auto, JSON.stringify([item('A'), item('B'), item('C')]), text)
  expect(ready).toMatchObject({ failed: 3 })
  expect(new Set(await listIssues(venue, ready.id))).toEqual(new Set(['1 /price other_currency']))
  expect(ready.reading.notices).toContainEqual(expect.objectContaining({ code: 'other_currency', count: 3 }))
})

test('a row with another fault lists that one', async () => {
  const venue = await createVenue({ currency: 'EUR' })
  const file = 'Artikel;Preis;MwSt\nA;US$ 2.50;7\nB;US$ 2.50;much\nC;US$ 3.50;7\n'
  const ready = await check(venue, auto, file, text)
  expect(ready).toMatchObject({ failed: 3, state: 'failed' })
  expect(await listIssues(venue, ready.id)).toEqual(['2 Preis other_currency', '3 MwSt invalid_type'])
})
