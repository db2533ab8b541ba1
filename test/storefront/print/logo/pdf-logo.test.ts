import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { readLogo } from '../../../../src/storefront/print/logo/pdf-logo.ts'
import { createPdf } from '../../../../src/storefront/print/pdf.ts'
import { createKey, createVenue, send } from '../../../support/api.ts'
import { readPdf } from '../../../support/pdf.ts'
import { pictures, smallPicture } from '../../../support/pictures.ts'
import { chunk, createPng, createValidPng, digest, store, url } from './logo-files.ts'

/** The objects that a file embeds for a logo: dictionaries and contents, the mask first. */
async function embed(bytes: Uint8Array, type = 'image/png') {
  await store(bytes, type)
  const logo = await readLogo(env, url)
  if (!logo) return undefined
  const pdf = createPdf()
  logo.addTo(pdf.add)
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
    // Colors that nobody sees are white.
    pixels.flatMap((row) =>
      row.map((value, index) => (row[index | 3] === 0 ? 255 : value)).filter((_, index) => index % 4 !== 3),
    ),
  ])
  expect(embedded?.text).toMatch(/\/Width 3 \/Height 5 \/ColorSpace \/DeviceRGB \/BitsPerComponent 8 \/SMask \d+ 0 R/)
})

test('a PNG with a palette keeps its colors and opacities', async () => {
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
    [...[255, 255, 255], ...[4, 5, 6], ...[7, 8, 9], ...[7, 8, 9], ...[7, 8, 9], ...[4, 5, 6]],
  ])
  expect(embedded?.text).toContain('/ColorSpace /DeviceRGB /BitsPerComponent 8 /SMask')
})

test.each([
  ['gray with 16 bits', { size: [2, 1], depth: 16, kind: 0, rows: [[0, 7, 99, 255, 0]] }, [7, 7, 7, 255, 255, 255]],
  [
    'gray with 2 bits',
    { size: [3, 1], depth: 2, kind: 0, rows: [[0, 0b00_01_11_00]] },
    [0, 0, 0, 85, 85, 85, 255, 255, 255],
  ],
] as const)('a PNG is embedded with three samples of 8 bits: %s', async (_, png, colors) => {
  const embedded = await embed(await createPng(png))
  expect(embedded?.contents[0]).toEqual(colors)
})

test('a PNG is embedded in the size that paper needs, each pixel the mean of those that it covers', async () => {
  const rows = Array.from({ length: 1_200 }, (_, y) => [
    0,
    ...Array(600)
      .fill([y % 4 < 2 ? 200 : 100, 50, 0])
      .flat(),
  ])
  const embedded = await embed(await createPng({ size: [600, 1_200], kind: 2, rows }))
  expect([embedded?.width, embedded?.height]).toEqual([300, 600])
  expect(embedded?.contents[0]?.slice(0, 3)).toEqual([200, 50, 0])
  expect(embedded?.contents[0]?.slice(900, 903)).toEqual([100, 50, 0])
  const [colors] =
    (await embed(await createPng({ size: [1, 601], kind: 2, rows: Array(601).fill([0, 9, 8, 7]) })))?.contents ?? []
  expect(colors).toHaveLength(3 * 600)
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
  expect(embedded?.text).toContain('/Filter /DCTDecode')
})

describe('the decoder', () => {
  afterEach(() => vi.unstubAllGlobals())

  /** Counts the bytes that decoders are given and return. */
  function countBytes() {
    const counts = { decoders: 0, given: 0, returned: 0 }
    const Original = DecompressionStream
    class Counting {
      readonly #stream = new Original('deflate')
      constructor() {
        counts.decoders++
      }
      get writable() {
        const writer = this.#stream.writable.getWriter()
        const write = async (bytes: Uint8Array) => {
          await writer.write(bytes)
          counts.given += bytes.length
        }
        return { getWriter: () => ({ write, close: () => writer.close(), abort: () => writer.abort() }) }
      }
      get readable() {
        const reader = this.#stream.readable.getReader()
        const read = async () => {
          const result = await reader.read()
          counts.returned += result.value?.length ?? 0
          return result
        }
        return { getReader: () => ({ read, cancel: () => reader.cancel() }) }
      }
    }
    vi.stubGlobal('DecompressionStream', Counting)
    return counts
  }

  test('stops at the bytes that the header implies', async () => {
    const megabyte = new Uint8Array(1_048_576)
    const zeros = new Blob(Array<Uint8Array<ArrayBuffer>>(60).fill(megabyte)).stream()
    const data = await new Response(zeros.pipeThrough(new CompressionStream('deflate'))).bytes()
    const png = Uint8Array.from([
      ...(await createPng({ size: [64, 64], kind: 2, rows: [] })).slice(0, 33),
      ...chunk('IDAT', data),
      ...chunk('IEND', []),
    ])
    const counts = countBytes()
    await store(png, 'image/png')
    expect(await readLogo(env, url)).toMatchObject({ width: 64, height: 64 })
    expect(data.length).toBeGreaterThan(50_000)
    expect(counts.given).toBeLessThanOrEqual(8_192)
    expect(counts.returned).toBeLessThanOrEqual(8 * 1_048_576)
  })

  test('runs once for a logo, at its upload, not for each sheet', async () => {
    const { id } = await createVenue()
    const key = await createKey(id, { mode: 'live', scopes: ['merchant:write', 'tags:write'] })
    const counts = countBytes()
    const { status, body } = await key.raw('/logo', pictures.png, { 'content-type': 'image/png' })
    expect(status).toBe(201)
    expect(counts.decoders).toBe(0)
    const upright = await createValidPng()
    const uploaded = await key.raw('/logo', upright, { 'content-type': 'image/png' })
    expect(counts.decoders).toBe(1)
    const { body: link } = await key.post('/tags/sheet-link', { layout: 'tents' })
    for (let sheet = 0; sheet < 3; sheet++) {
      expect((await key.get('/tags/sheet.pdf?layout=tents')).body).toContain('/Subtype /Image')
      expect((await send(link.pdfUrl.replace('https://menu.example', ''))).body).toContain('/Subtype /Image')
    }
    expect(counts.decoders).toBe(1)
    expect(body.url).not.toBe(uploaded.body.url)
  })

  test('runs once for a picture that cannot be printed, or that was stored before', async () => {
    const counts = countBytes()
    await store(await createPng({ size: [1, 2], kind: 2, rows: [[0, 1, 2, 3]] }), 'image/png')
    for (let sheet = 0; sheet < 3; sheet++) expect(await readLogo(env, url)).toBeUndefined()
    await store(await createPng({ size: [1, 1], kind: 2, rows: [[0, 1, 2, 3]] }), 'image/png')
    for (let sheet = 0; sheet < 3; sheet++) expect(await readLogo(env, url)).toMatchObject({ width: 1, height: 1 })
    expect(counts.decoders).toBe(2)
  })
})

describe('a PDF has no logo where it', () => {
  const rows = [[0, 1, 2, 3]]
  test.each([
    ['is interlaced', () => createPng({ size: [1, 1], kind: 2, rows, interlace: 1 })],
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
