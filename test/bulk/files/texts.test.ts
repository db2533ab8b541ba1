import { describe, expect, test } from 'vitest'
import { requireKnownKind, requireNoPage } from '../../../src/bulk/files/kind.ts'
import { codePages, decodeAgain, decodePage } from '../../../src/bulk/files/text/code-pages.ts'
import { findDelimiter } from '../../../src/bulk/files/text/delimiter.ts'
import { decodeFile } from '../../../src/bulk/files/text/encoding.ts'
import { htmlToText } from '../../../src/bulk/files/text/html.ts'
import { createVenue } from '../../support/api.ts'
import { upload } from '../../support/imports.ts'

const all = Uint8Array.from({ length: 256 }, (_, index) => index)
const utf16 = (text: string, isBig: boolean) =>
  Uint8Array.from(
    [...`\uFEFF${text}`].flatMap((character) => {
      const unit = character.charCodeAt(0)
      return isBig ? [unit >> 8, unit & 0xff] : [unit & 0xff, unit >> 8]
    }),
  )

describe('an encoding', () => {
  test.each(codePages)('%s has a character for each byte, and can be decoded again as another', (page) => {
    const text = decodePage(all, page)
    expect(new Set(text).size).toBe(256)
    for (const other of codePages) expect(decodeAgain(decodeAgain(text, page, other), other, page)).toBe(text)
  })

  test.each([
    ['windows-1253', [0xc6, 0xe5, 0xf3, 0xf4, 0xdc], 'Ζεστά'],
    ['windows-1254', [0x53, 0xfd, 0x63, 0x61, 0x6b, 0xde, 0xfe, 0xd0, 0xf0, 0xdd], 'SıcakŞşĞğİ'],
    ['windows-1255', [0xe7, 0xed], 'חם'],
    ['windows-1256', [0xd3, 0xc7, 0xce, 0xe4], 'ساخن'],
    ['windows-874', [0xc3, 0xe9, 0xcd, 0xb9], 'ร้อน'],
  ] as const)('%s is read', (page, bytes, text) => {
    expect(decodePage(Uint8Array.from(bytes), page)).toBe(text)
  })

  test.each([
    ['UTF-8', new TextEncoder().encode('Käse'), 'utf-8'],
    ['UTF-8 with a byte order mark', new TextEncoder().encode('\uFEFFKäse'), 'utf-8'],
    ['UTF-16', utf16('Käse', false), 'utf-16le'],
    ['UTF-16, big end first', utf16('Käse', true), 'utf-16be'],
    ['Windows-1252', Uint8Array.of(0x4b, 0xe4, 0x73, 0x65), 'windows-1252'],
    ['Mac Roman', Uint8Array.of(0x4b, 0x8a, 0x73, 0x65), 'macintosh'],
  ])('%s is found out', (_, bytes, encoding) => {
    expect(decodeFile(bytes)).toEqual({ text: 'Käse', encoding })
  })

  test('bytes of quotes and dashes beside spaces are no letters of Mac Roman', () => {
    expect(decodeFile(Uint8Array.of(0x41, 0x20, 0x96, 0x20, 0x80, 0x35))).toEqual({
      text: 'A – €5',
      encoding: 'windows-1252',
    })
  })
})

describe('a delimiter', () => {
  const find = (text: string, known: (header: readonly string[]) => number = () => 0) => findDelimiter(text, known)
  test.each([
    ['a;b\n1,5;2\n2,5;3\n', ';'],
    ['a,b\n"1;2;3",2\n"4;5;6",3\n', ','],
    ['a\tb\n1\t2\n', '\t'],
    ['title\nTea\n', ','],
    ['sep=;\na,b;c,d\n1,2;3,4\n', ';'],
    ['sep=|\na,b|c,d\n1,2|3,4\n', '|'],
    ['a,b,c;d\n1;2\n3;4\n5;6\n', ';'],
    ['a;b\r1;2\r', ';'],
    ['Espresso 2,40\nTee 3,10 €\n', '\t'],
    ['0761 123456\nEspresso 2,40\n', '\t'],
    ['Cola 0,5 l 2,40\nPizza, large 9,50\nTee 3,10\n', '\t'],
    ['Tea, 2,40\nMilk, 1,40\n', ','],
    ['Tea 1,400\nMilk 2,300\n', ','],
    ['Pizza 10";8\nTea;2\nMilk;1\n', ';'],
    ['a;b\n1;"x, y\nx, y\nx, y"\n2;"z"\n', ';'],
    ['a,b\n"5"" x; y; z",2\n"6"" x; y; z",3\n', ','],
  ])('of %j is %j', (text, delimiter) => expect(find(text)).toBe(delimiter))
  test('that makes more headings known wins a tie', () => {
    expect(find('title,price\nTea 1,40\n', () => 2)).toBe(',')
    expect(find('title,price;x\nTea,2;5\n', (header) => header.filter((cell) => cell === 'title').length)).toBe(',')
  })
})

describe('HTML', () => {
  test.each([
    ['<p>Crisp <b>chips</b></p>\n<br>Gluten&nbsp;free', 'Crisp chips\nGluten free'],
    ['<ul><li>One</li><li>Two</li></ul>', '• One\n• Two'],
    ['Chips &amp; Salsa', 'Chips & Salsa'],
    ['&#8364;5 &#x41;', '€5 A'],
    ['<!-- no --><style>p{}</style>Tea<script>alert(1)</script>', 'Tea'],
    ['<a href="https://x.example">Tea</a>', 'Tea'],
    ['<SCRIPT>alert(1)</SCRIPT>Tea', 'Tea'],
    ['Caf&#233;&#146;s cake &#150; 5 &#128;', 'Café’s cake – 5 €'],
  ])('%j becomes text', (html, text) => expect(htmlToText(html)).toBe(text))
  test.each(['a < b and c > d', '<3 coffee', 'Fish & Chips', '2 < 3', 'plain', '<unknown>'])('%j stays', (text) =>
    expect(htmlToText(text)).toBeUndefined(),
  )
})

describe('a file of another kind is named', () => {
  test.each([
    ['a PDF', [0x25, 0x50, 0x44, 0x46]],
    ['a picture', [0x89, 0x50, 0x4e, 0x47]],
    ['an old Excel', [0xd0, 0xcf, 0x11, 0xe0]],
    ['compressed', [0x1f, 0x8b]],
  ])('%s', (name, bytes) => expect(() => requireKnownKind(Uint8Array.from(bytes))).toThrow(name))
  test('a web page', () => expect(() => requireNoPage('<!DOCTYPE html><html>')).toThrow('a web page'))
})

test('a file of a Turkish spreadsheet is read with its code page, and its samples and objects have the right letters', async () => {
  const venue = await createVenue({ currency: 'TRY' })
  // "Ad;Fiyat" and "Sıcak çay;45,00" in windows-1254.
  const bytes = [...'Ad;Fiyat\nS\u00fdcak \u00e7ay;45,00\n'].map((character) => character.charCodeAt(0))
  const { body: asked } = await upload(venue, 'mapping=auto', Uint8Array.from(bytes), { 'content-type': 'text/plain' })
  const samplesOf = ({ reading }: { reading: { columns: { samples: string[] }[] } }) => reading.columns[0]?.samples
  expect([asked.reading.encoding, samplesOf(asked)]).toEqual(['windows-1252', ['Sýcak çay']])
  const { body: mapped } = await venue.post(`/imports/${asked.id}/mapping`, { encoding: 'windows-1254' })
  expect([mapped.reading.encoding, samplesOf(mapped)]).toEqual(['windows-1254', ['Sıcak çay']])
  const { body: rows } = await venue.get(`/imports/${asked.id}/preview`)
  expect(rows[0].object).toMatchObject({ title: 'Sıcak çay', price: 45 })
})
