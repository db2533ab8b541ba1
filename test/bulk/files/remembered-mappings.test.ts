import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { importLimits } from '../../../src/bulk/import/import-limits.ts'
import { createKey, createVenue, type Venue } from '../../support/api.ts'
import { check, settle, upload } from '../../support/imports.ts'
import { setLimits } from '../../support/limits.ts'

const text = { 'content-type': 'text/plain' }
const auto = 'mapping=auto'

/** Uploads a file, and returns the reading. */
const read = async (venue: Venue, content: BodyInit, query = auto) => {
  const { status, body } = await upload(venue, query, content, text)
  expect(status).toBe(202)
  await settle(venue, body.id)
  await venue.post(`/imports/${body.id}/cancel`, undefined)
  return body.reading
}
/** Uploads a file and maps it. */
async function map(venue: Venue, content: BodyInit, mapping: object, query = auto) {
  const { body } = await upload(venue, query, content, text)
  const mapped = await venue.post(`/imports/${body.id}/mapping`, mapping)
  expect(mapped.status).toBe(200)
  return settle(venue, body.id)
}
const columnsOf = ({ columns }: { columns: { name: string; to: string | null }[] }) =>
  Object.fromEntries(columns.map(({ name, to }) => [name, to]))

describe('a mapping', () => {
  const first = 'Gericht;Preis;Herkunft\nTee;1.250;Assam\n'
  const chosen = { columns: { Herkunft: 'metadata.Origin' }, numberFormat: 'comma', menu: { title: 'Day' } }

  test('is used for the next file with the same headings, in any order, without its menu', async () => {
    const venue = await createVenue()
    await map(venue, first, chosen)
    const reading = await read(venue, 'Herkunft;Preis;Gericht\nCeylon;1.500;Kaffee\n')
    expect(reading).toMatchObject({ remembered: true, questions: [], numberFormat: 'comma' })
    expect(columnsOf(reading)).toEqual({ Gericht: 'title', Preis: 'price', Herkunft: 'metadata.Origin' })
    expect(reading).not.toHaveProperty('menu')
  })

  test.each([
    ['a heading is missing', 'Gericht;Herkunft\nTee;Assam\n', auto],
    ['a heading is new', 'Gericht;Preis;Herkunft;Art\nTee;1;Assam;x\n', auto],
    ['a heading is another one', 'Gericht;Preis;Ort\nTee;1;Assam\n', auto],
    ['the file is read as another resource', 'Gericht;Preis;Herkunft\nTee;1;Assam\n', `${auto}&resource=tags`],
  ])('is not used if %s', async (_, content, query) => {
    const venue = await createVenue()
    await map(venue, first, chosen)
    expect(await read(venue, content, query)).not.toHaveProperty('remembered')
  })

  test('of another merchant, or of the other mode, is not used', async () => {
    const [venue, other] = [await createVenue(), await createVenue()]
    await map(venue, first, chosen)
    expect(await read(other, first)).not.toHaveProperty('remembered')
    const tests = { id: venue.id, ...(await createKey(venue.id, { mode: 'test' })) }
    expect(await read(tests, first)).not.toHaveProperty('remembered')
  })

  test('keeps the encoding of files that are not Unicode, through several mappings', async () => {
    const venue = await createVenue()
    const bytes = Uint8Array.from([...'Gericht;Preis;'].map((c) => c.charCodeAt(0)).concat([0xc4, 0x72, 0x74], 10))
    const row = Uint8Array.from([...'Tee;1,50;x\n'].map((c) => c.charCodeAt(0)))
    const file = new Uint8Array([...bytes, ...row])
    const { body } = await upload(venue, auto, file, text)
    const mapAgain = async (mapping: object) => (await venue.post(`/imports/${body.id}/mapping`, mapping)).body.reading
    const names = ({ columns }: { columns: { name: string }[] }) => columns.map(({ name }) => name)
    expect(names(body.reading)).toEqual(['Gericht', 'Preis', 'Ärt'])
    expect(names(await mapAgain({ encoding: 'windows-1251' }))).toEqual(['Gericht', 'Preis', 'Дrt'])
    expect(names(await mapAgain({ columns: { Дrt: 'metadata.Kind' } }))).toEqual(['Gericht', 'Preis', 'Дrt'])
    expect(names(await mapAgain({ encoding: 'windows-1252', columns: {} }))).toEqual(['Gericht', 'Preis', 'Ärt'])
    await mapAgain({ encoding: 'windows-1251' })
    expect(columnsOf(await read(venue, file))).toEqual({ Gericht: 'title', Preis: 'price', Дrt: 'metadata.Kind' })
  })

  test('names a heading and a field that exist', async () => {
    const venue = await createVenue()
    const ready = await check(venue, auto, first.replace('1.250', '1,25'), text)
    const { status, body } = await venue.post(`/imports/${ready.id}/mapping`, {
      columns: { Preis: 'nonsense', 'a/b': 'title', Herkunft: null },
    })
    expect([status, body.errors.map(({ pointer, code }: Record<string, string>) => [pointer, code])]).toEqual([
      422,
      [
        ['/columns/Preis', 'invalid_value'],
        ['/columns/a~1b', 'not_found'],
      ],
    ])
  })

  test('gives way to newer ones beyond the limit, the longest unused first', async () => {
    const venue = await createVenue({ home: 'd1' })
    setLimits(importLimits, { rememberedMappings: 3 })
    const file = (n: number) => `Gericht;Preis;X${n}\nTee;1,50;a\n`
    const age = (seconds: number) =>
      env.DB.prepare('update import_mappings set used_at = used_at - ? where merchant_id = ?')
        .bind(seconds, venue.id)
        .run()
    for (const n of [1, 2, 3]) {
      await map(venue, file(n), { columns: { [`X${n}`]: 'metadata.x' } })
      await age(10)
    }
    expect(await read(venue, file(1))).toHaveProperty('remembered', true)
    await age(10)
    await map(venue, file(4), { columns: { X4: 'metadata.x' } })
    const known = [1, 2, 3, 4].map(async (n) => (await read(venue, file(n))).remembered === true)
    expect(await Promise.all(known)).toEqual([true, false, true, true])
  })

  test('stores no heading: a file without a heading row has people in it', async () => {
    const venue = await createVenue({ home: 'd1' })
    await map(venue, 'Brito;Preis\nTea;1,50\n', { columns: { Brito: 'title' } })
    const { results } = await env.DB.prepare('select * from import_mappings where merchant_id = ?').bind(venue.id).all()
    expect(results).toHaveLength(1)
    expect(JSON.stringify(results)).not.toContain('Brito')
  })
})
