import { describe, expect, test } from 'vitest'
import { decodePage } from '../../../src/bulk/files/text/code-pages.ts'
import { findMultiByte } from '../../../src/bulk/files/text/encoding.ts'
import { createVenue, type Venue } from '../../support/api.ts'
import { check, importFile, settle, upload } from '../../support/imports.ts'

const any = { 'content-type': 'text/plain' }
const toBytes = (base64: string) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
const join = (...parts: Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]))
const ascii = (text: string) => new TextEncoder().encode(text)

/** Menus with names of fields and dishes, as spreadsheets of these countries save them. */
const files = [
  {
    encoding: 'shift_jis',
    // Some characters have bytes of ASCII punctuation.
    base64:
      'j6SVaZa8LIm/imksg0qDZYNTg4qBWyyQ4Ja+CoN1g4yDk4Nog1KBW4NxgVssNDUwLIj5gt2VqCyQW5D3gugKlFyTb4LMlVyOpoNcgVuDWCwxMjAwLJe/l50sCg==',
    found: [
      ['ブレンドコーヒー', 450, '深煎り'],
      ['能登の表示ソース', 1200, undefined],
    ],
    section: '飲み物',
  },
  {
    encoding: 'euc-jp',
    base64: 'vqbJysy+LLLBs8ospaulxqW0peqhvCzA4szACqXWpeyl86XJpbOhvKXSobwsNDUwLLD7pN/Kqiy/vMD5pOoK',
    found: [['ブレンドコーヒー', 450, '深煎り']],
    section: '飲み物',
  },
  {
    encoding: 'gb18030',
    base64: 'ssvD+yy827jxLMDgsfAsw+jK9gq5rLGjvKa2oSwzOC4wMCzIyLLLLLuoyfq6zbymyOIK6Ua8x7+nt8gsMjIuMDAs0vvBzywK',
    found: [
      ['宫保鸡丁', 38, '花生和鸡肉'],
      ['镕记咖啡', 22, undefined],
    ],
    section: '热菜',
  },
  {
    encoding: 'big5',
    base64: 'sNOrfqZXutksu/mu5izD/qdPLLuhqfoKurGm17a6LDQ1LKVErbkss1ylXLtcCqzDr12lpK/5LDYwLLa8rsYsCg==',
    found: [
      ['滷肉飯', 45, '許功蓋'],
      ['珍珠奶茶', 60, undefined],
    ],
    section: '主食',
  },
  {
    encoding: 'euc-kr',
    base64: 'uN60urjtLLChsN0sxKvF17DtuK4svLO47Qq68br2ueQsOTAwMCy9xLvnLLDtw9/A5Qq+xrjeuK7Eq7PrLDQ1MDAswL234SwK',
    found: [
      ['비빔밥', 9000, '고추장'],
      ['아메리카노', 4500, undefined],
    ],
    section: '식사',
  },
] as const

const listProducts = async (venue: Venue) =>
  (await venue.get('/products?order=asc')).body.map(
    ({ title, price, description }: { title: string; price: number; description?: string }) => [
      title,
      price,
      description,
    ],
  )

describe('an encoding with several bytes for a character', () => {
  test.each(files)('$encoding is found out by headings', async ({ encoding, base64, found, section }) => {
    const venue = await createVenue({ currency: 'JPY' })
    const done = await importFile(venue, 'mapping=auto', toBytes(base64), any)
    expect([done.reading.encoding, done.reading.questions]).toEqual([encoding, []])
    expect(await listProducts(venue)).toEqual(found)
    expect((await venue.get('/menus')).body[0].sections[0].title).toBe(section)
  })

  test('has its headings below a title, and amounts with the sign of the yen', async () => {
    const venue = await createVenue({ currency: 'JPY' })
    const [{ base64 }] = files
    const price = ascii('"\\1,200"')
    const file = toBytes(base64)
    const at = 80
    expect(new TextDecoder().decode(file.subarray(at, at + 4))).toBe('1200')
    const titled = join(ascii('Kissa Sora\n\n'), file.subarray(0, at), price, file.subarray(at + 4))
    const done = await importFile(venue, 'mapping=auto', titled, any)
    expect(done.reading.notices).toMatchObject([{ code: 'rows_above' }])
    expect(await listProducts(venue)).toEqual(files[0].found)
  })

  test('can be chosen where no heading is known, and another one after it', async () => {
    const venue = await createVenue({ currency: 'JPY' })
    // "しなもの;ねだん" and "紅茶;500".
    const file = toBytes('grWCyILggsw7gsuCvoLxCo1nkoM7NTAwCg==')
    const { body: asked } = await upload(venue, 'mapping=auto&resource=products', file, any)
    expect(asked.reading.encoding).not.toBe('shift_jis')
    const titles = async (encoding: string) => {
      const { status, body } = await venue.post(`/imports/${asked.id}/mapping`, { encoding })
      expect([status, body.reading.encoding]).toEqual([200, encoding])
      return body.reading.columns.map(({ name, samples }: { name: string; samples: string[] }) => [name, ...samples])
    }
    expect(await titles('shift_jis')).toEqual([
      ['しなもの', '紅茶'],
      ['ねだん', '500'],
    ])
    expect(await titles('euc-kr')).not.toContainEqual(['しなもの', '紅茶'])
    expect(await titles('shift_jis')).toContainEqual(['しなもの', '紅茶'])
    await venue.post(`/imports/${asked.id}/mapping`, { columns: { しなもの: 'title', ねだん: 'price' } })
    await settle(venue, asked.id)
    await venue.post(`/imports/${asked.id}/apply`, undefined)
    await settle(venue, asked.id)
    expect(await listProducts(venue)).toEqual([['紅茶', 500, undefined]])
  })

  test('can be replaced where it was found out', async () => {
    const venue = await createVenue({ currency: 'JPY' })
    const ready = await check(venue, 'mapping=auto', toBytes(files[0].base64), any)
    const { body } = await venue.post(`/imports/${ready.id}/mapping`, { encoding: 'gb18030' })
    expect([body.reading.encoding, body.reading.columns[0].name === '商品名']).toEqual(['gb18030', false])
  })
})

test.each([
  ['German', [0x4b, 0xe4, 0x73, 0x65], 'Bezeichnung;Preis;Größe'],
  ['one known heading', [0x95, 0x69, 0x96, 0xbc], ';x'],
] as const)('%s is no proof of another encoding', (_, bytes, rest) => {
  const text = `${decodePage(Uint8Array.from(bytes), 'windows-1252')}${rest}`
  const countKnown = (cells: readonly string[]) => cells.filter((cell) => cell === '品名').length
  expect(findMultiByte(text, { encoding: 'windows-1252', lines: 20 }, countKnown)).toBeUndefined()
})
