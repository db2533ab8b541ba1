import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { crc32 } from '../../../../src/platform/lib/encoding/crc32.ts'
import { BrokenPictureError } from '../../../../src/storefront/media/formats/bytes.ts'
import { inflateSmall, storeSmall } from '../../../../src/storefront/media/formats/inflate-small.ts'
import { cleanPicture } from '../../../../src/storefront/media/formats/picture.ts'
import { createAvif } from '../../../support/large/pictures.ts'
import { pictures, secret, smallPicture, turnedWebp } from '../../../support/pictures.ts'

const types = {
  jpeg: 'image/jpeg',
  progressive: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  lossless: 'image/webp',
  avif: 'image/avif',
} as const
const all = Object.entries(pictures).map(([name, bytes]) => ({ name, bytes }))

const concat = (...parts: readonly (Uint8Array | string)[]) => new Blob([...parts]).bytes()
const toText = (bytes: Uint8Array) => new TextDecoder('latin1').decode(bytes)

/** The problem of a file; undefined if it is accepted. */
function findProblem(file: Uint8Array): string | undefined {
  try {
    return cleanPicture(file) ? undefined : 'unknown'
  } catch (error) {
    if (error instanceof BrokenPictureError) return error.message
    throw error
  }
}

/** A copy with other bytes at an offset. */
function patch(file: Uint8Array, at: number, bytes: readonly number[]): Uint8Array {
  const copy = file.slice()
  copy.set(bytes, at)
  return copy
}

/** A chunk of a PNG. */
function createChunk(type: string, text: string): Uint8Array<ArrayBuffer> {
  const data = Uint8Array.from(type + text, (letter) => letter.charCodeAt(0))
  const number = (value: number) => [24, 16, 8, 0].map((shift) => (value >> shift) & 255)
  return Uint8Array.from([...number(text.length), ...data, ...number(crc32(data))])
}

const indexOf = (file: Uint8Array, text: string) => toText(file).indexOf(text)

describe.each(all)('$name', ({ name, bytes }) => {
  test('is upright, and has no metadata and nothing behind its end', async () => {
    expect(toText(bytes)).toContain(secret)
    const read = cleanPicture(await concat(bytes, '<?php evil(); ?>'))
    expect(read).toMatchObject({ type: types[name as keyof typeof types], width: 20, height: 40 })
    const text = toText(read?.bytes ?? new Uint8Array())
    for (const removed of [secret, 'xmpmeta', 'evil']) expect(text).not.toContain(removed)
    expect(cleanPicture(bytes)?.bytes).toEqual(read?.bytes)
  })

  test('stays the same when it is read again', () => {
    const once = cleanPicture(bytes)
    expect(once && cleanPicture(once.bytes)).toEqual(once)
  })

  test('is refused wherever it is cut off', () => {
    const accepted = Array.from(bytes.keys()).filter((length) => findProblem(bytes.subarray(0, length)) === undefined)
    expect(accepted).toEqual([])
  })

  test('is read or rejected, with any bytes', () => {
    const change = fc.tuple(fc.nat(bytes.length - 1), fc.nat(255))
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 8 }), (changes) => {
        const file = bytes.slice()
        for (const [at, byte] of changes) file[at] = byte
        findProblem(file)
      }),
    )
  })
})

test('the orientation is kept as the only metadata', () => {
  const text = toText(cleanPicture(pictures.jpeg)?.bytes ?? new Uint8Array())
  expect(text).toContain('Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06')
  expect(toText(cleanPicture(smallPicture)?.bytes ?? new Uint8Array())).not.toContain('Exif')
})

describe('another file is not a picture', () => {
  test.each([
    ['nothing', ''],
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ['HTML', '<!doctype html><script>alert(1)</script>'],
    ['GIF', 'GIF89a\x01\0\x01\0\0\0\0;'],
    ['HEIC', '\0\0\0\x18ftypheic\0\0\0\0heicmif1'],
    ['animated AVIF', '\0\0\0\x1cftypavis\0\0\0\0avisavifmif1'],
    ['PDF', '%PDF-1.7'],
  ])('%s', async (_, text) => expect(findProblem(await concat(text))).toBe('unknown'))
})

describe('a picture is broken', () => {
  const png = pictures.png
  const size = indexOf(png, 'IHDR') + 4
  test.each<[string, Uint8Array, RegExp]>([
    ['with a wrong checksum', patch(png, size + 3, [41]), /damaged part/],
    ['with a second JPEG in its place', patch(pictures.jpeg, 2, [0xff, 0xd8]), /kind/],
    ['with an arithmetic JPEG', patch(pictures.jpeg, indexOf(pictures.jpeg, '\xff\xc0') + 1, [0xc9]), /kind/],
    ['with an orientation that browsers ignore', turnedWebp, /rotate its pixels/],
    ['with two sizes', patch(pictures.webp, indexOf(pictures.webp, 'VP8X') + 12, [99]), /two sizes/],
    ['without an AVIF item', patch(pictures.avif, indexOf(pictures.avif, 'pitm') + 8, [9, 9]), /size|pixels/],
  ])('%s', (_, file, message) => expect(findProblem(file)).toMatch(message))

  test('with more than 40 million pixels', () => {
    const start = indexOf(pictures.jpeg, '\xff\xc0') + 5
    const withSize = (height: number, width: number) =>
      patch(pictures.jpeg, start, [height >> 8, height & 255, width >> 8, width & 255])
    expect(cleanPicture(withSize(5_000, 8_000))).toMatchObject({ width: 5_000, height: 8_000 })
    expect(findProblem(withSize(5_000, 8_001))).toBe('must have at most 40,000,000 pixels')
    expect(findProblem(withSize(0, 8_000))).toBe('has no pixels')
  })

  test('with more parts than any picture needs', async () => {
    const empty = '\xff\xdb\0\x02'
    const bytes = Uint8Array.from(`\xff\xd8\xff${empty.slice(1)}${empty.repeat(20_000)}`, (c) => c.charCodeAt(0))
    expect(findProblem(await concat(bytes))).toBe('has too many parts')
  })
})

/** Text of a color profile, in UTF-16. */
const utf16 = (text: string) => [...text].map((letter) => `\0${letter}`).join('')
const readText = (file: Uint8Array) => toText(cleanPicture(file)?.bytes ?? new Uint8Array())

describe('nothing stays but what shows the picture', () => {
  test('of AVIF, in any box', () => {
    const marked = createAvif({ marker: 'LEAKED' })
    expect(toText(marked).match(/LEAKED/g)?.length).toBeGreaterThan(20)
    expect(readText(marked)).not.toContain('LEAK')
    const again = cleanPicture(marked)
    expect(again && cleanPicture(again.bytes)).toEqual(again)
  })

  test('of PNG, in chunks that are larger than they can be', async () => {
    const kept = 'tRNS cHRM gAMA sBIT sRGB cICP mDCV cLLI bKGD pHYs acTL fcTL iCCP zTXt tEXt iTXt'.split(' ')
    const chunks = kept.map((type) => createChunk(type, `LEAKED${'x'.repeat(300)}`))
    const at = indexOf(pictures.png, 'IDAT') - 4
    const file = await concat(pictures.png.slice(0, at), ...chunks, pictures.png.slice(at))
    expect(toText(file)).toContain('LEAKED')
    expect(readText(file)).not.toContain('LEAK')
  })

  test('of WebP, in chunks that are longer or more than they can be', async () => {
    const chunk = (type: string, data: string) =>
      `${type}${String.fromCharCode(data.length & 255, data.length >> 8, 0, 0)}${data}${data.length & 1 ? '\0' : ''}`
    const pixels = String.fromCharCode(...pictures.webp).slice(
      indexOf(pictures.webp, 'VP8 '),
      indexOf(pictures.webp, 'EXIF'),
    )
    const marked = `${pixels}${chunk('ALPH', 'a')}${chunk('ALPH', 'LEAKED')}${chunk('VP8L', 'LEAKED')}`
    const frame = (content: string) => chunk('ANMF', '\0'.repeat(16) + content)
    const toFile = (flags: string, ...chunks: readonly string[]) => {
      const content = `WEBP${chunk('VP8X', `${flags}LEA\x13\0\0\x27\0\0LEAKED`)}${chunks.join('')}`
      const size = String.fromCharCode(content.length & 255, content.length >> 8, 0, 0)
      return Uint8Array.from(`RIFF${size}${content}`, (letter) => letter.charCodeAt(0))
    }
    for (const file of [
      toFile('\x10', marked, chunk('TEXT', 'LEAKED')),
      toFile('\x02', chunk('ANIM', '\0\0\0\0\0\0LEAKED'), frame(marked), frame(`${marked}${chunk('TEXT', 'LEAKED')}`)),
    ]) {
      const text = String.fromCharCode(...(cleanPicture(file)?.bytes ?? []))
      expect(text).toContain(pixels)
      expect(text).not.toContain('LEA')
    }
  })

  test.each(all)('of $name: what follows its end goes, parts of the format too', async ({ bytes }) => {
    const box = '\0\0\0\x10mdatLEAKED!!'
    const tails = [
      'LEAKED',
      createChunk('tEXt', 'LEAKED'),
      createChunk('IDAT', 'LEAKED'),
      box,
      'EXIF\x06\0\0\0LEAKED',
      bytes,
    ]
    for (const tail of tails) expect(cleanPicture(await concat(bytes, tail))?.bytes).toEqual(cleanPicture(bytes)?.bytes)
  })

  test.each(all)('of $name: its color profile has no texts', ({ bytes }) => {
    const text = readText(bytes)
    expect(text).toMatch(/ICC_PROFILE|iCCP|ICCP|rICC/)
    for (const removed of ['lcms', 'sawsctrl', utf16('CC0'), utf16('sRGB')]) expect(text).not.toContain(removed)
  })

  test.each(all.filter(({ name }) => name !== 'png'))('of $name: an unknown color profile is dropped', ({ bytes }) => {
    const red = indexOf(bytes, 'XYZ \0\0\0\0\0\0o\xa0')
    const text = readText(patch(bytes, red + 8, [0, 0, 0xff, 0xff]))
    expect(text).not.toMatch(/ICC_PROFILE|ICCP|rICC|mntr/)
  })
})

test.each([
  ['Display P3', [0.51512, 0.2412, -0.00105, 0.29198, 0.69225, 0.04189, 0.1571, 0.06657, 0.78407]],
  ['Adobe RGB', [0.60974, 0.31111, 0.01947, 0.20528, 0.62567, 0.06087, 0.14919, 0.06322, 0.74457]],
])('a color profile of %s is replaced by one with its numbers', (_, values) => {
  const fixed = values.flatMap((value) => {
    const number = Math.round(value * 65_536) >>> 0
    return [24, 16, 8, 0].map((shift) => (number >> shift) & 255)
  })
  const red = indexOf(pictures.webp, 'XYZ \0\0\0\0\0\0o\xa0')
  const file = [0, 1, 2].reduce<Uint8Array>(
    (copy, index) => patch(copy, red + 20 * index + 8, fixed.slice(12 * index, 12 * index + 12)),
    pictures.webp,
  )
  const cleaned = cleanPicture(file)?.bytes ?? new Uint8Array()
  const sign = 'XYZ \0\0\0\0'
  const at = toText(cleaned).indexOf(sign, indexOf(cleaned, sign) + 4)
  expect([...cleaned.slice(at + 8, at + 20)]).toEqual(fixed.slice(0, 12))
})

test('a compressed text is read like by others, up to its limit', async () => {
  const takeParts = () => undefined
  for (const text of [
    '',
    'x',
    'abc'.repeat(500),
    ...Array.from({ length: 20 }, (_, n) => `${Math.sin(n)}`.repeat(n)),
  ]) {
    const bytes = new TextEncoder().encode(text)
    const packed = await new Response(new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate'))).bytes()
    expect(inflateSmall(packed, 2_000, takeParts)).toEqual(bytes)
    expect(inflateSmall(storeSmall(bytes), 2_000, takeParts)).toEqual(bytes)
    if (bytes.length > 1) expect(inflateSmall(packed, bytes.length - 1, takeParts)).toBeUndefined()
    expect(inflateSmall(packed.subarray(0, packed.length - 6), 2_000, takeParts)).not.toEqual(
      bytes.length > 30 ? bytes : [],
    )
  }
})
