import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { createPdf } from '../../src/print/pdf.ts'
import { readLogo } from '../../src/print/pdf-logo.ts'
import { deflate } from '../../src/qr/png.ts'
import { createKey, createVenue, send } from '../support/api.ts'
import { readPdf } from '../support/pdf.ts'
import { pictures, smallPicture } from '../support/pictures.ts'

const digest = '2v6q0k5m8r1t4x7z9c3f6h8k0n2q5s7v'
const url = `https://menu.example/i/${digest}-3`

const uint32 = (value: number) => [24, 16, 8, 0].map((shift) => (value >> shift) & 255)
const chunk = (type: string, data: Iterable<number>) => {
  const bytes = [...data]
  // Nothing reads the check sum: an upload has checked it.
  return [...uint32(bytes.length), ...[...type].map((letter) => letter.charCodeAt(0)), ...bytes, 0, 0, 0, 0]
}

interface Png {
  size: readonly [width: number, height: number]
  depth?: number
  kind: number
  rows: readonly (readonly number[])[]
  chunks?: readonly (readonly [string, readonly number[]])[]
  interlace?: number
}

/** A PNG whose rows begin with their filter. */
async function createPng({ size, depth = 8, kind, rows, chunks = [], interlace = 0 }: Png): Promise<Uint8Array> {
  const header = [...uint32(size[0]), ...uint32(size[1]), depth, kind, 0, 0, interlace]
  return Uint8Array.from([
    ...[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    ...chunk('IHDR', header),
    ...chunks.flatMap(([type, data]) => chunk(type, data)),
    ...chunk('IDAT', await deflate(Uint8Array.from(rows.flat()))),
    ...chunk('IEND', []),
  ])
}

const store = (bytes: Uint8Array, contentType: string) =>
  env.MEDIA.put(`pictures/${digest}-3`, bytes, { httpMetadata: { contentType } })

/** The objects that a file embeds for a logo: dictionaries and contents, the mask first. */
async function embed(bytes: Uint8Array, type = 'image/png') {
  await store(bytes, type)
  const logo = await readLogo(env, url)
  if (!logo) return undefined
  const pdf = createPdf()
  await logo.addTo(pdf.add)
  const file = await pdf.finish(['q Q\n'], { width: 10, height: 10, resources: '<< >>', title: 'x' })
  const text = new TextDecoder('latin1').decode(file)
  const { objects } = await readPdf(file)
  const contents = objects.slice(0, 2).map((content) => [...content].map((byte) => byte.charCodeAt(0)))
  return { width: logo.width, height: logo.height, text, contents }
}

test('a PNG with opacity is embedded with a mask, with any filters of its rows', async () => {
  const pixels = [
    [10, 20, 30, 0, 40, 50, 60, 128, 70, 80, 90, 255],
    [15, 25, 35, 10, 45, 55, 65, 20, 75, 85, 95, 30],
    [200, 100, 50, 1, 250, 3, 9, 2, 0, 255, 7, 3],
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
    [90, 80, 70, 60, 91, 82, 73, 64, 95, 86, 77, 68],
  ]
  const paeth = (a: number, b: number, c: number) => {
    const [pa, pb, pc] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)]
    return pa <= pb && pa <= pc ? a : pb <= pc ? b : c
  }
  const rows = pixels.map((row, filter) => [
    filter,
    ...row.map((value, x) => {
      const [a, b, c] = [row[x - 4] ?? 0, pixels[filter - 1]?.[x] ?? 0, pixels[filter - 1]?.[x - 4] ?? 0]
      const prediction = [0, a, b, Math.floor((a + b) / 2), paeth(a, b, c)][filter] ?? 0
      return (value - prediction + 256) & 255
    }),
  ])
  const embedded = await embed(await createPng({ size: [3, 5], kind: 6, rows }))
  expect(embedded?.contents).toEqual([
    pixels.flatMap((row) => row.filter((_, index) => index % 4 === 3)),
    pixels.flatMap((row) => row.filter((_, index) => index % 4 !== 3)),
  ])
  expect(embedded?.text).toMatch(/\/Width 3 \/Height 5 \/ColorSpace \/DeviceRGB \/BitsPerComponent 8 \/SMask \d+ 0 R/)
})

test('a PNG with a palette keeps it, and its opacities', async () => {
  const png = await createPng({
    size: [3, 2],
    depth: 2,
    kind: 3,
    rows: [
      [0, 0b00_01_10_00],
      [0, 0b10_10_01_00],
    ],
    chunks: [
      ['PLTE', [1, 2, 3, 4, 5, 6, 7, 8, 9]],
      ['tRNS', [0, 128]],
    ],
  })
  const embedded = await embed(png)
  expect(embedded?.contents).toEqual([
    [0, 128, 255, 255, 255, 128],
    [0b00_01_10_00, 0b10_10_01_00],
  ])
  expect(embedded?.text).toContain(
    '/ColorSpace [/Indexed /DeviceRGB 2 <010203040506070809>] /BitsPerComponent 2 /SMask',
  )
})

test('a JPEG is embedded as it is', async () => {
  const turned = await embed(pictures.jpeg, 'image/jpeg')
  expect(turned).toBeUndefined()
  // Without EXIF.
  const length = 2 + (((pictures.jpeg[4] ?? 0) << 8) | (pictures.jpeg[5] ?? 0))
  const rest = pictures.jpeg.slice(2 + length)
  const second = 2 + (((rest[2] ?? 0) << 8) | (rest[3] ?? 0))
  const plain = Uint8Array.from([0xff, 0xd8, ...rest.slice(second)])
  const embedded = await embed(plain, 'image/jpeg')
  expect([embedded?.width, embedded?.height]).toEqual([40, 20])
  expect(embedded?.contents[0]).toEqual([...plain])
  expect(embedded?.text).toContain('/ColorSpace /DeviceRGB /BitsPerComponent 8  /Length')
  expect(embedded?.text).toContain('/Filter [/FlateDecode /DCTDecode]')
})

describe('a PDF has no logo where it', () => {
  const rows = [[0, 1, 2, 3]]
  test.each([
    ['is interlaced', () => createPng({ size: [1, 1], kind: 2, rows, interlace: 1 })],
    ['has samples of 16 bits', () => createPng({ size: [1, 1], depth: 16, kind: 2, rows })],
    ['is turned', () => createPng({ size: [1, 1], kind: 2, rows, chunks: [['eXIf', [1]]] })],
    ['is too large', () => createPng({ size: [2_001, 2_000], kind: 2, rows })],
    ['is cut off', () => createPng({ size: [1, 2], kind: 2, rows })],
    ['is not a PNG', async () => new Uint8Array(9)],
  ])('%s', async (_name, create) => {
    await store(await create(), 'image/png')
    expect(await readLogo(env, url)).toBeUndefined()
  })

  test('is of another format, or elsewhere', async () => {
    await store(smallPicture, 'image/webp')
    for (const address of [url, 'https://otter.example/logo.png', `https://menu.example/i/${digest}-9`, undefined]) {
      expect(await readLogo(env, address)).toBeUndefined()
    }
  })
})

test('sheets print the logo of the venue, with its policy', async () => {
  const { id } = await createVenue()
  const key = await createKey(id, { mode: 'live', scopes: ['merchant:write', 'tags:write'] })
  await key.post('/tags', { metadata: [{ key: 'table', value: '4' }] })
  const png = await createPng({ size: [1, 1], kind: 2, rows: [[0, 1, 2, 3]] })
  await store(png, 'image/png')
  await key.post('', { logo: url, language: 'pt' })
  const { body, headers } = await key.get('/tags/sheet?layout=avery-5160')
  expect(body).toContain(`<img class="logo" src="${url}" alt="">`)
  expect(body).toContain('<html lang="pt" dir="ltr">')
  expect(headers.get('content-security-policy')).toContain("img-src 'self' https: data:;")
  const { body: link } = await key.post('/tags/sheet-link', { layout: 'tents' })
  const { body: pdf } = await send(link.pdfUrl.replace('https://menu.example', ''))
  expect(pdf).toContain('/Subtype /Image')
  await key.post('', { logo: null })
  const plain = await key.get('/tags/sheet?layout=avery-5160')
  expect(plain.body).not.toContain('<img')
  expect(plain.headers.get('content-security-policy')).toContain('img-src data:;')
})
