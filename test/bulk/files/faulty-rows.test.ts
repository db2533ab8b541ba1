import { describe, expect, test } from 'vitest'
import { createVenue, type Venue } from '../../support/api.ts'
import { check, importFile, settle } from '../../support/imports.ts'

const text = { 'content-type': 'text/plain' }
const auto = 'mapping=auto'

const download = async (venue: Venue, id: string, accept = 'text/csv') =>
  String((await venue.get(`/imports/${id}/errors`, { accept })).body)

describe('the faulty rows of a mapped file', () => {
  test('come back as they were, with what is wrong, and can be corrected and sent again', async () => {
    const venue = await createVenue()
    const file = 'Artikel;VK;Bemerkung\nTee;1,50;gut\nKuchen;viel;"süß; fein"\nSaft;2,00;\nSuppe;03.05.2026;=1+1\n'
    const done = await importFile(venue, auto, file, text)
    const faulty = await download(venue, done.id)
    expect(faulty.split('\r\n')).toEqual([
      'Artikel;VK;Bemerkung;error',
      'Kuchen;viel;"süß; fein";must be a number',
      expect.stringMatching(/^Suppe;03\.05\.2026;'=1\+1;"was changed by a spreadsheet; .*"$/),
      '',
    ])
    const again = await check(venue, auto, faulty.replace('viel', '3,20').replace('03.05.2026', '4,10'), text)
    expect([again.state, again.check]).toMatchObject(['ready', { creates: 2, leftOut: 0 }])
    const { notices } = again.reading
    expect(notices.map(({ column }: { column: string }) => column)).toEqual(['Bemerkung'])
  })

  test('are all rows of a product if one of its variants is wrong, wherever they are in the file', async () => {
    const venue = await createVenue()
    const rows = [
      'Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price',
      'brew,Brew,Size,Small,B-S,3.50',
      'soda,Soda,Title,Default Title,S,2.80',
      'brew,,,Large,B-L,much',
      '',
    ]
    const done = await importFile(venue, auto, rows.join('\n'), text)
    expect((await download(venue, done.id)).split('\r\n')).toEqual([
      `${rows[0]},error`,
      `${rows[1]},must be a number`,
      `${rows[3]},must be a number`,
      '',
    ])
  })

  test('of many chunks come in the order of the file', async () => {
    const venue = await createVenue()
    const prices = Array.from({ length: 600 }, (_, n) => (n % 200 === 7 ? 'x' : '1'))
    const done = await importFile(
      venue,
      auto,
      `Artikel;Preis\n${prices.map((p, n) => `T${n};${p}`).join('\n')}\n`,
      text,
    )
    expect((await download(venue, done.id)).split('\r\n').map((line) => line.split(';')[0])).toEqual([
      'Artikel',
      'T7',
      'T207',
      'T407',
      '',
    ])
  })

  test('follow the mapping: rows that are read now are no longer among them', async () => {
    const venue = await createVenue()
    const ready = await check(venue, auto, 'Artikel;Preis;VK neu\nTee;x;1,50\nSaft;2,00;\n', text)
    expect(await download(venue, ready.id)).toContain('Tee')
    await venue.post(`/imports/${ready.id}/mapping`, { columns: { Preis: null, 'VK neu': 'price' } })
    expect((await settle(venue, ready.id)).state).toBe('ready')
    expect(await download(venue, ready.id)).toMatch(/^Artikel;Preis;VK neu;error\r\nSaft;2,00;;.*required|given/)
  })

  test('of lines and of documents come as lines of JSON', async () => {
    const venue = await createVenue()
    const lines =
      '{"resource":"products","title":"Tea","price":1}\n{"resource":"products","title":"Cake","price":"x"}\n'
    const own = await importFile(venue, auto, lines, text)
    expect((await download(venue, own.id, 'application/jsonl')).split('\n')).toEqual([
      expect.stringMatching(/^\{"resource":"products","title":"Cake","price":"x","error":"must be a number/),
      '',
    ])
    const menu = {
      '@type': 'Menu',
      name: 'Day',
      hasMenuItem: [{ name: 'Tea', offers: { price: '2' } }, { name: 'Pie' }],
    }
    const document = await importFile(venue, auto, JSON.stringify(menu), text)
    expect((await download(venue, document.id, 'application/jsonl')).split('\n')).toEqual([
      expect.stringMatching(/^\{"resource":"products","title":"Pie","error":/),
      '',
    ])
  })
})
