import jsQR from 'jsqr'
import { describe, expect, test } from 'vitest'
import { toPng, toSvg } from '../../../src/storefront/qr/drawing.ts'
import { createSymbol, type Level, levels, type Matrix, toSymbolText } from '../../../src/storefront/qr/symbol.ts'
import { fillPath, type Picture, readPng, toRgba } from '../../support/decode-image.ts'
import { isLong } from '../../support/rounds.ts'

const text = toSymbolText('https://menu.example.com', '4F7K9Q2MXR8TWN3B')
/** As long as the address in the specification. */
const longer = toSymbolText('https://qr.restaurants.test', '4F7K9Q2MXR8TWN3B').padEnd(47, 'X')
const all: readonly Level[] = ['L', 'M', 'Q', 'H']

const read = (picture: Picture, scale = 1) => {
  const { data, width, height } = toRgba(picture, scale)
  return jsQR(data, width, height, { inversionAttempts: 'dontInvert' })?.data
}

/** The level that a symbol says it has: the first two format bits, beside the upper left finder (ISO/IEC 18004, 7.9.1). */
function levelOf(matrix: Matrix) {
  const bits = [0, 1].map((x) => (matrix[8]?.[x] ? 1 : 0) ^ (x === 0 ? 1 : 0))
  return ({ '01': 'L', '00': 'M', '11': 'Q', '10': 'H' } as const)[bits.join('')]
}

/** Dark points outside the symbol, and whether its four edges touch the margin. */
function checkQuietZone({ width, isDark }: Picture, margin: number) {
  const inner = (at: number) => at >= margin && at < width - margin
  let stray = 0
  const touched = new Set<string>()
  for (let y = 0; y < width; y++) {
    for (let x = 0; x < width; x++) {
      if (!isDark(x, y)) continue
      if (!inner(x) || !inner(y)) stray++
      if (x === margin) touched.add('left')
      if (y === margin) touched.add('top')
      if (x === width - margin - 1) touched.add('right')
      if (y === width - margin - 1) touched.add('bottom')
    }
  }
  return { stray, touched: touched.size }
}

describe('a symbol', () => {
  test('holds the address in capitals', () => {
    expect(text).toBe('HTTPS://MENU.EXAMPLE.COM/T/4F7K9Q2MXR8TWN3B')
    expect(toSymbolText('http://localhost:8787', '4F7K9Q2MXR8TWN3B')).toBe('HTTP://LOCALHOST:8787/T/4F7K9Q2MXR8TWN3B')
  })

  test('of 47 characters has 29 modules at level Q', () => {
    const matrix = createSymbol(longer)
    expect(matrix).toHaveLength(29)
    expect(levelOf(matrix)).toBe('Q')
  })

  test.each(all)('has the level asked for: %s', (level) => {
    expect(levelOf(createSymbol(text, level))).toBe(level)
  })

  test('is raised above M as far as it costs no module', () => {
    for (let length = 20; length <= 120; length++) {
      const padded = text.slice(0, 27).padEnd(length, 'X')
      const matrix = createSymbol(padded)
      const sizes = all.map((level) => createSymbol(padded, level).length)
      expect(matrix.length).toBe(sizes[1])
      const best = all.filter((_, index) => sizes[index] === matrix.length).at(-1)
      expect(levelOf(matrix)).toBe(best)
    }
  })

  test('takes an address that does not fit the short mode', () => {
    const odd = 'HTTPS://MY_HOST.EXAMPLE/T/4F7K9Q2MXR8TWN3B'
    expect(
      read(fillPath(pathIn(toSvg(createSymbol(odd), { scale: 1, margin: 4 })), createSymbol(odd).length + 8), 4),
    ).toBe(odd)
  })
})

const pathIn = (svg: string) => /<path d="([^"]*)"/.exec(svg)?.[1] ?? ''

test('the default level is one of the four', () => {
  expect(createSymbol(text)).toEqual(createSymbol(text, levelOf(createSymbol(text))))
})

const scales = [1, 2, 3, 5, 8, 13]
/** Outside CI each margin is drawn at two scales, and each level once at the largest. */
const scalesOf = (margin: number, level: Level) =>
  isLong
    ? [...scales, ...(margin % 6 === 4 ? ['largest' as const] : [])]
    : [
        ...scales.filter((_, index) => index % 3 === margin % 3),
        ...(margin === [4, 16, 10, 4][all.indexOf(level)] ? ['largest' as const] : []),
      ]

describe.each(all)('a picture at level %s', (level) => {
  const matrix = createSymbol(text, level)
  const margins = Array.from({ length: 13 }, (_, index) => index + 4)

  test.each(margins)('with margin %i is read at every scale', async (margin) => {
    const modules = matrix.length + 2 * margin
    for (const size of scalesOf(margin, level)) {
      const scale = size === 'largest' ? Math.floor(2_048 / modules) : size
      const picture = await readPng(await toPng(matrix, { scale, margin }))
      expect([picture.width, picture.height]).toEqual([modules * scale, modules * scale])
      expect(checkQuietZone(picture, margin * scale)).toEqual({ stray: 0, touched: 4 })
      // Readers want more than a pixel a module; a phone's camera has them.
      expect(read(picture, scale < 3 ? 4 : 1)).toBe(text)
    }
  })

  test.each(margins)('with margin %i is the same as SVG and as PNG', async (margin) => {
    const modules = matrix.length + 2 * margin
    const svg = toSvg(matrix, { scale: 3, margin })
    expect(svg).toContain(`width="${3 * modules}" height="${3 * modules}" viewBox="0 0 ${modules} ${modules}"`)
    const [drawn, png] = [fillPath(pathIn(svg), modules), await readPng(await toPng(matrix, { scale: 1, margin }))]
    let wrong = 0
    for (let y = 0; y < modules; y++) {
      for (let x = 0; x < modules; x++) {
        const expected = matrix[y - margin]?.[x - margin] === true
        if (drawn.isDark(x, y) !== expected || png.isDark(x, y) !== expected) wrong++
      }
    }
    expect(wrong).toBe(0)
    expect(read(drawn, 4)).toBe(text)
  })
})

test('a picture is small', async () => {
  for (const code of ['4F7K9Q2MXR8TWN3B', '0000000000000000', 'ZZZZZZZZZZZZZZZZ', 'A1B2C3D4E5F6G7H8']) {
    for (const host of ['https://menu.example.com', 'https://qr.restaurant.example']) {
      const matrix = createSymbol(toSymbolText(host, code))
      const scale = Math.floor(512 / (matrix.length + 8))
      expect((await toPng(matrix, { scale, margin: 4 })).length).toBeLessThanOrEqual(1_024)
      expect(toSvg(matrix, { scale, margin: 4 }).length).toBeLessThanOrEqual(3_072)
    }
  }
})

test('a picture is the same each time', async () => {
  const draw = async () => ({
    png: await toPng(createSymbol(text), { scale: 13, margin: 4 }),
    svg: toSvg(createSymbol(text), { scale: 13, margin: 4 }),
  })
  expect(await draw()).toEqual(await draw())
})

test('there are four levels', () => {
  expect(Object.keys(levels)).toEqual(all)
})
