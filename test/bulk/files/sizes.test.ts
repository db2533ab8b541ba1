import { describe, expect, test } from 'vitest'
import { createVenue, type Venue } from '../../support/api.ts'
import { queryHome } from '../../support/home.ts'
import { check, importFile, listIssues, settle, toCounts, toJsonLines } from '../../support/imports.ts'

const text = { 'content-type': 'text/plain' }
const auto = 'mapping=auto'
const file = (small: string, large: string) =>
  `Artikel;Größe;Preis\nCola;Klein;${small}\nCola;Groß;${large}\nKuchen;;4,50\n`

const readProducts = async (venue: Venue) => (await venue.get('/products?include=details&order=asc')).body
const pricesOf = ({ details }: { details: { sizes?: { prices: Record<string, { price: number }> } } }) =>
  Object.values(details.sizes?.prices ?? {}).map(({ price }) => price)

describe('a product and its sizes', () => {
  test('are written in one transaction: if a size cannot be written, neither is the product', async () => {
    const venue = await createVenue()
    const options = ['Klein', 'Groß'].map((label) => ({ label }))
    const body = { title: 'Size', instructions: '', type: 'RADIO', rules: { required: true }, options }
    const { body: modifier } = await venue.post('/modifiers', body)
    const ready = await check(venue, auto, file('2,40', '3,40'), text)
    expect(toCounts(ready)).toEqual({ rows: 2, checked: 2 })
    const [first] = modifier.options
    expect((await venue.post(`/modifiers/${modifier.id}`, { options: [first] })).status).toBe(200)
    await venue.post(`/imports/${ready.id}/apply`, undefined)
    const done = await settle(venue, ready.id)
    expect(toCounts(done)).toEqual({ rows: 2, checked: 2, applied: 1, created: 1, failed: 1 })
    expect(await listIssues(venue, done.id)).toEqual(['2 Größe not_found'])
    expect((await readProducts(venue)).map(({ title }: { title: string }) => title)).toEqual(['Kuchen'])
  })

  test('count as updated if only a size has another price, in the check and when it is applied', async () => {
    const venue = await createVenue()
    await importFile(venue, auto, file('2,40', '3,40'), text)
    const again = await check(venue, auto, file('2,40', '3,40'), text)
    expect(again.check).toMatchObject({ creates: 0, updates: 0, unchanged: 2 })
    await venue.post(`/imports/${again.id}/cancel`, undefined)
    const dearer = await importFile(venue, auto, file('2,40', '3,60'), text)
    expect(dearer.check).toMatchObject({ creates: 0, updates: 1, unchanged: 1 })
    expect(toCounts(dearer)).toMatchObject({ updated: 1, unchanged: 1 })
    expect((await readProducts(venue)).map(pricesOf)).toEqual([[2.4, 3.6], []])
  })

  test('of many products are all written, each with its events', async () => {
    const venue = await createVenue()
    const rows = Array.from({ length: 300 }, (_, index) => `P${index};S;1,50\nP${index};L;${2 + (index % 7)},50\n`)
    const done = await importFile(venue, auto, `Artikel;Größe;Preis\n${rows.join('')}`, text)
    expect(toCounts(done)).toMatchObject({ created: 301 })
    const found = (await venue.get('/products?include=details&order=asc&limit=100')).body
    expect(found.map(pricesOf)).toEqual(found.map((_: object, index: number) => [1.5, 2.5 + (index % 7)]))
    const events = `select type, count(*) as count from events where merchant_id = ? and type like 'product.%' group by type`
    expect(await queryHome(venue.id, events, venue.id)).toEqual([
      { type: 'product.created', count: 300 },
      { type: 'product.details_updated', count: 300 },
    ])
  })

  test('in a line of an export, too', async () => {
    const [venue, empty] = [await createVenue(), await createVenue()]
    await importFile(venue, auto, file('2,40', '3,40'), text)
    const lines = String((await venue.get('/export?resources=modifiers,products')).body)
    const done = await importFile(empty, auto, lines, text)
    expect(await listIssues(empty, done.id)).toEqual([])
    expect((await readProducts(empty)).map(pricesOf)).toEqual([[2.4, 3.4], []])
  })

  test('that a line states wrongly are an issue below their member', async () => {
    const venue = await createVenue()
    const { body: modifier } = await venue.post('/modifiers', { title: 'Size', instructions: '', options: [] })
    const sizes = { modifier: modifier.id, prices: { none: { price: 1 } } }
    const line = { resource: 'products', title: 'Tea', price: 1, modifiers: [modifier.id], details: { sizes } }
    const { id } = await check(venue, auto, toJsonLines([line, { ...line, details: { ageLimit: 18 } }]), text)
    const [issue] = await listIssues(venue, id)
    expect(issue).toMatch(/^1 \/details\/sizes/)
  })
})
