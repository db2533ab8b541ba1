import jsQR from 'jsqr'
import { beforeAll, describe, expect, test } from 'vitest'
import { createKey, createVenue, send, type Venue } from '../../support/api.ts'
import { fillPath, toRgba } from '../../support/decode-image.ts'
import { readPdf, spell } from '../../support/pdf.ts'
import { create, download } from './sheets.ts'

const hostile = '</style></p><script>alert(1)</script><img src=x onerror=alert(1)>"\'&'

const grouped = (code: string) => code.match(/.{4}/g)?.join('-')

/** Decoded texts of all symbols of a page, in drawing order. */
const symbolsOf = (page: string) =>
  [...page.matchAll(/viewBox="0 0 (\d+) \1"[^>]*><path d="([^"]*)"/g)].map(([, size, data = '']) => {
    const rgba = toRgba(fillPath(data, Number(size)), 4)
    return jsQR(rgba.data, rgba.width, rgba.height)?.data
  })

let venue: Venue
let first: { id: string; alias: string[] }
let second: { id: string; alias: string[] }
let trial: { id: string; alias: string[] }

beforeAll(async () => {
  venue = await createVenue({ name: `Zum Löwen ${hostile}` })
  first = await create(venue, [
    { key: 'table', value: '4' },
    { key: 'area', value: 'Terrace' },
    { key: 'waiter', value: 'secret', visible: false },
  ])
  second = await create(venue, [{ key: 'طاولة', value: hostile }], { nfc: true })
  trial = await create(venue, [], { testMode: true })
})

describe('the sheet', () => {
  test('leaves used positions of the first page empty', async () => {
    const { body } = await venue.get('/tags/sheet?skip=11')
    const pages = body.split('<section class="page">').slice(1)
    expect(pages.map((page: string) => symbolsOf(page).length)).toEqual([1, 2])
    expect(pages[0].match(/<div><\/div>/g)).toHaveLength(11)
    // Only parts of pages are counted.
    expect((await venue.get('/tags/sheet?skip=12')).body).not.toContain('<div></div>')
    const { body: link } = await venue.post('/tags/sheet-link', { skip: 11 })
    const { body: linked } = await send(link.url.replace('https://menu.example', ''))
    expect(linked.match(/<div><\/div>/g)).toHaveLength(11)
    expect((await readPdf((await download(venue, '?skip=11')).bytes)).pages).toHaveLength(2)
    for (const skip of ['100', '-1', 'x']) expect((await venue.get(`/tags/sheet?skip=${skip}`)).status).toBe(422)
    expect((await venue.post('/tags/sheet-link', { skip: 100 })).status).toBe(422)
    expect((await venue.post('/tags/sheet-link', { skip: 99 })).status).toBe(201)
    expect((await venue.get('/tags/sheet?skip=99')).status).toBe(200)
  })

  test('shows the visible metadata, symbol, address and code of each tag, in the order of their labels', async () => {
    const { status, headers, body } = await venue.get('/tags/sheet')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=UTF-8')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body).toContain('>Table 4</bdi>')
    expect(body).toContain('<p class="area"><bdi dir="auto" lang="">Terrace</bdi></p>')
    expect(body).toContain('<p class="address" dir="ltr"><bdi>menu.example/t</bdi></p>')
    expect(headers.get('tags-omitted')).toBe('0')
    expect(body).not.toContain('secret')
    const codes = [first, second, trial].map(({ alias }) => alias[0] ?? '')
    expect(symbolsOf(body)).toEqual(codes.map((code) => `HTTPS://MENU.EXAMPLE/T/${code}`))
    expect([...body.matchAll(/class="code" dir="ltr"><bdi>([^<]*)/g)].map(([, code]) => code)).toEqual(
      codes.map(grouped),
    )
    expect(body.match(/aria-label="TEST"/g)).toHaveLength(1)
    expect(body.match(/aria-label="NFC"/g)).toHaveLength(1)
  })

  test('escapes names and allows no scripts', async () => {
    const { headers, body } = await venue.get('/tags/sheet')
    const [, style = ''] = /<style>([^<]*)<\/style>/.exec(body) ?? []
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(style)))
    expect(headers.get('content-security-policy')).toBe(
      `default-src 'none'; style-src 'sha256-${btoa(String.fromCharCode(...digest))}'; img-src data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    )
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(body).not.toMatch(
      /<script|<img|<link(?! rel="icon" href="data:)|\son\w+=["x]|\sstyle=|https?:\/\/(?!www\.w3\.org)/i,
    )
    expect(body.match(/<style/g)).toHaveLength(1)
    expect(body).toContain('&lt;script&gt;')
  })

  test('sets the direction of each text by its first letter', async () => {
    const { body } = await venue.get('/tags/sheet')
    expect(body).toMatch(/<bdi dir="auto" lang="">طاولة /)
  })

  test.each([
    ['', 'A4 portrait', 1],
    ['?format=letter', 'Letter portrait', 1],
    ['?layout=tents', 'A4 portrait', 2],
    ['?layout=tents&format=letter', 'Letter portrait', 2],
    ['?layout=stickers&format=a4', 'A4 portrait', 1],
    ['?layout=avery-5160', 'Letter portrait', 1],
    ['?layout=avery-l7160&format=a4', 'A4 portrait', 1],
    ['?layout=avery-22806', 'Letter portrait', 1],
    ['?layout=a6-tents', 'A4 landscape', 2],
    ['?layout=a5-posters', 'A4 landscape', 1],
    ['?layout=round-50&format=letter', 'Letter portrait', 1],
  ])('has the requested format and layout: %s', async (search, paper, faces) => {
    const { body } = await venue.get(`/tags/sheet${search}`)
    expect(body).toContain(`@page{size:${paper};margin:0}`)
    expect(symbolsOf(body)).toHaveLength(3 * faces)
    expect(body.match(/<section class="page">/g)).toHaveLength(/tents|posters/.test(search) ? 2 : 1)
  })

  test('contains the requested tags', async () => {
    const { body } = await venue.get(`/tags/sheet?ids=${first.id},tag_nothing`)
    expect(symbolsOf(body)).toEqual([`HTTPS://MENU.EXAMPLE/T/${first.alias[0]}`])
    expect(symbolsOf((await venue.get('/tags/sheet?testMode=false')).body)).toHaveLength(2)
    expect(symbolsOf((await venue.get('/tags/sheet?nfc=1')).body)).toHaveLength(1)
  })

  test('says that there are no tags, in the language of the venue', async () => {
    const empty = await createVenue({ name: 'Wirtschaft', currency: 'EUR', timezone: 'Europe/Berlin' })
    const { body } = await empty.get('/tags/sheet')
    expect(body).toContain('<html lang="de" dir="ltr">')
    expect(body).toContain('<p>Es gibt keine Codes zu drucken.</p>')
    const { response, bytes } = await download(empty)
    expect(response.status).toBe(200)
    const { pages, texts } = await readPdf(bytes)
    expect([pages.length, texts.map(spell)]).toEqual([1, ['Es gibt keine Codes zu drucken.']])
  })

  test('invites to scan in the language of the venue, or with a text of its own', async () => {
    const lisbon = await createVenue({ name: 'Taberna', currency: 'EUR', timezone: 'Europe/Lisbon' })
    await create(lisbon, [{ key: 'mesa', value: '1' }])
    expect((await lisbon.get('/tags/sheet')).body).toContain(
      '<p class="scan"><bdi>Leia o código para ver o menu</bdi></p>',
    )
    const { body } = await lisbon.get(`/tags/sheet?text=${encodeURIComponent('Peça aqui <já>')}`)
    expect(body).toContain('<p class="scan"><bdi dir="auto" lang="">Peça aqui &lt;já&gt;</bdi></p>')
    const texts = (await readPdf((await download(lisbon, '?text=Pedidos')).bytes)).texts.map(spell)
    expect(texts).toContain('Pedidos')
    expect(texts).not.toContain('Leia o código para ver o menu')
  })
})

describe('the PDF', () => {
  test('has the same texts in the fonts of the design', async () => {
    const { response, bytes } = await download(venue)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': 'inline; filename="tags.pdf"',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
    const pdf = await readPdf(bytes)
    const texts = pdf.texts.map(spell)
    expect(texts).toEqual(expect.arrayContaining(['Table 4', 'Terrace']))
    for (const { alias } of [first, second, trial]) expect(texts).toContain(grouped(alias[0] ?? ''))
    expect(texts.filter((text) => text === 'TEST')).toHaveLength(1)
    expect(texts.filter((text) => text === 'NFC')).toHaveLength(1)
    expect(texts.join()).not.toContain('secret')
    expect(pdf.objects.join()).not.toMatch(/\/Image|JavaScript|\/URI/)
    // Two alphabets, each for names and for other texts.
    expect(pdf.objects.join().match(/\/FontFile2/g)).toHaveLength(4)
    // Letters of other scripts are drawn.
    expect(pdf.objects.filter((object) => object.startsWith('<< /Type /Font /Subtype /Type3'))).toHaveLength(1)
  })

  test('omits text without a font and says so', async () => {
    const armenian = await create(venue, [{ key: 'սեղան', value: hostile }])
    const texts = (await readPdf((await download(venue, `?ids=${armenian.id}`)).bytes)).texts.map(spell)
    await venue.remove(`/tags/${armenian.id}`)
    expect(texts.some((text) => text.startsWith('</style></p>'))).toBe(true)
    expect(texts.at(-1)).toMatch(/The web page of this sheet prints all of it/)
    const plain = (await readPdf((await download(venue, `?ids=${first.id}`)).bytes)).texts.map(spell)
    expect(plain.join()).not.toContain('web page')
  })

  test('is deterministic', async () => {
    expect((await download(venue)).bytes).toEqual((await download(venue)).bytes)
  })

  test.each([
    ['', '0 0 595.28 841.89'],
    ['?format=letter', '0 0 612 792'],
    ['?layout=avery-5160', '0 0 612 792'],
    ['?layout=a6-tents', '0 0 841.89 595.28'],
  ])('has the size of the paper: %s', async (search, box) => {
    expect((await readPdf((await download(venue, search)).bytes)).box).toBe(box)
  })
})

describe.each(['sheet', 'sheet.pdf'])('GET /tags/%s', (path) => {
  test.each([
    ['format=A4', 'format', 'invalid_value'],
    ['format=', 'format', 'invalid_value'],
    ['layout=posters', 'layout', 'invalid_value'],
    ['layout=tents&layout=tents', 'layout', 'invalid_value'],
    ['layout=avery-5160&format=a4', 'format', 'invalid_value'],
    ['layout=avery-l7160&format=letter', 'format', 'invalid_value'],
    ['limit=10', 'limit', 'unknown_parameter'],
    ['cursor=x', 'cursor', 'unknown_parameter'],
    ['order=asc', 'order', 'unknown_parameter'],
    [`text=${'x'.repeat(61)}`, 'text', 'too_long'],
    ['text=%20', 'text', 'too_short'],
    [`area=${'x'.repeat(256)}`, 'area', 'too_long'],
    [`ids=${Array(101).fill('tag_1')}`, 'ids', 'too_many'],
    ['colour=red', 'colour', 'unknown_parameter'],
  ])('rejects ?%s', async (search, parameter, code) => {
    const { status, body } = await venue.get(`/tags/${path}?${search}`)
    expect(status).toBe(422)
    expect(body.errors).toMatchObject([{ parameter, code }])
  })

  test('requires the scope tags:read', async () => {
    const other = await createKey(venue.id, { mode: 'live', scopes: ['products:read'] })
    expect((await other.get(`/tags/${path}`)).status).toBe(403)
    const reader = await createKey(venue.id, { mode: 'live', scopes: ['tags:read'] })
    expect((await reader.get(`/tags/${path}`)).status).toBe(200)
    expect((await send(venue.path(`/tags/${path}`))).status).toBe(401)
    const stranger = await createVenue()
    expect((await stranger.request('GET', `/../${venue.id}/tags/${path}`)).status).toBe(403)
  })

  test('shows only test tags to a test key', async () => {
    const tester = await createKey(venue.id, { mode: 'test' })
    if (path === 'sheet') {
      expect(symbolsOf((await tester.get('/tags/sheet')).body)).toEqual([`HTTPS://MENU.EXAMPLE/T/${trial.alias[0]}`])
    } else {
      const texts = (await readPdf((await download({ ...tester, id: venue.id })).bytes)).texts.map(spell)
      expect(texts.filter((text) => /^\w{4}(-\w{4}){3}$/.test(text))).toEqual([grouped(trial.alias[0] ?? '')])
    }
  })

  test('does not conflict with the routes of tags', async () => {
    expect((await venue.get(`/tags/${first.id}`)).body.id).toBe(first.id)
    expect((await venue.get('/tags/sheets')).status).toBe(404)
  })
})
