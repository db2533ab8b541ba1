import { createRequire } from 'node:module'
import * as fontkit from 'fontkit'
import type { FontPack, PackName } from '../../../src/storefront/print/scripts/font-pack.ts'

const require = createRequire(import.meta.url)

/** Opens the bold font of a script. Its package has the Open Font License. */
export function openFont(name: PackName) {
  const font = fontkit.openSync(
    require.resolve(`@fontsource/noto-sans-${name}/files/noto-sans-${name}-${name}-700-normal.woff`),
  )
  if (!('layout' in font)) throw new Error(`the font of ${name} is a collection`)
  return font
}
type Font = ReturnType<typeof openFont>

const list = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index))

/** Collects the glyphs and forms of a pack. */
class PackBuilder {
  readonly font: Font
  readonly #scale: number
  readonly #glyphs: [number, string][] = []
  readonly #indexes = new Map<number, number>()
  readonly forms: Record<string, [number, number, number][]> = {}

  constructor(font: Font) {
    this.font = font
    this.#scale = 1000 / font.unitsPerEm
  }

  #round(value: number) {
    return Math.round(value * this.#scale)
  }

  /** Adds a glyph and returns its index. */
  #add(glyph: fontkit.Glyph): number {
    const known = this.#indexes.get(glyph.id)
    if (known !== undefined) return known
    const index = this.#glyphs.push([this.#round(glyph.advanceWidth), this.#draw(glyph)]) - 1
    this.#indexes.set(glyph.id, index)
    return index
  }

  /** The outline as PDF operators. Quadratic curves become cubic ones. */
  #draw({ path }: fontkit.Glyph): string {
    let [x, y] = [0, 0]
    const operators = path.commands.map(({ command, args }) => {
      const [startX, startY] = [x, y]
      const [a = 0, b = 0, c = 0, d = 0] = args
      if (args.length > 0) [x, y] = [args.at(-2) ?? 0, args.at(-1) ?? 0]
      const format = (values: readonly number[]) => values.map((value) => this.#round(value)).join(' ')
      switch (command) {
        case 'moveTo':
          return `${format(args)} m`
        case 'lineTo':
          return `${format(args)} l`
        case 'quadraticCurveTo':
          return `${format([startX + (2 / 3) * (a - startX), startY + (2 / 3) * (b - startY), c + (2 / 3) * (a - c), d + (2 / 3) * (b - d), c, d])} c`
        case 'bezierCurveTo':
          return `${format(args)} c`
        default:
          return 'h'
      }
    })
    return operators.join(' ')
  }

  /** The program fails for some signs that a letter cannot carry. */
  #layout(text: string): fontkit.GlyphRun | undefined {
    try {
      return this.font.layout(text)
    } catch {
      return undefined
    }
  }

  /** Glyphs of a text by the rules of the font. Leaves out the glyphs of joiners, which are blank. Undefined if the font lacks a letter. */
  shape(text: string): [number, number, number][] | undefined {
    const run = this.#layout(text)
    if (!run) return undefined
    const { glyphs, positions } = run
    const placed = glyphs.flatMap((glyph, index): [number, number, number][] => {
      const { xOffset = 0, yOffset = 0 } = positions[index] ?? {}
      const isBlank =
        glyph.path.commands.length === 0 && glyph.codePoints.every((point) => point === 0x200d || point === 0x20)
      return isBlank ? [] : [[this.#add(glyph), this.#round(xOffset), this.#round(yOffset)]]
    })
    return glyphs.some(({ id }) => id === 0) ? undefined : placed
  }

  /** Sets a form, if the font has its letters. */
  set(key: string, form = this.shape(key)) {
    if (form) this.forms[key] = form
  }

  /** Sets a form from the glyph of one character, without the font's rules. */
  setGlyph(key: string, char: string) {
    const point = char.codePointAt(0) ?? 0
    if (this.font.hasGlyphForCodePoint(point)) this.forms[key] = [[this.#add(this.font.glyphForCodePoint(point)), 0, 0]]
  }

  finish(version: string): FontPack {
    return { version, glyphs: this.#glyphs, forms: this.forms }
  }
}

/** Letters, digits and punctuation of Arabic, Persian, Kurdish and Urdu. */
const arabicLetters = [
  ...[...list(0x621, 0x63a), ...list(0x640, 0x64a), ...list(0x660, 0x66d), ...list(0x6f0, 0x6f9)],
  ...'،؛؟۔ٱٹپچڈڑژڕڤکگڵںھہۀۂۃۆۇۈۋیۍێەےۓ',
]

/**
 * Arabic letters, by the characters of their joined forms. In Unicode's order these are isolated, final, initial and medial; their compatibility
 * decomposition is the letter. For U+0649, only the right-joining forms are used.
 */
function addArabic(pack: PackBuilder) {
  const letters = new Set(arabicLetters)
  for (const char of letters) pack.setGlyph(char, char)
  const characters = [...list(0xfb50, 0xfbe7), ...list(0xfbfc, 0xfbff), ...list(0xfe80, 0xfefc)]
  for (const [letter, forms] of Map.groupBy(characters, (char) => char.normalize('NFKC'))) {
    if (![...letter].every((char) => letters.has(char))) continue
    const suffixes = ['', 'f', 'i', 'm']
    for (const [index, form] of forms.entries()) {
      const suffix = suffixes[index]
      if (suffix !== undefined) pack.setGlyph(letter + suffix, form)
    }
  }
  for (const suffix of ['f', 'i', 'm']) pack.setGlyph(`\u0640${suffix}`, '\u0640')
}

const virama = '\u094d'

/** Devanagari: letters, half letters, pairs that are one glyph, and their half forms. */
function addDevanagari(pack: PackBuilder) {
  for (const char of list(0x900, 0x97f)) pack.setGlyph(char, char)
  const letters = list(0x915, 0x939)
  const consonants = [...letters, ...letters.map((letter) => `${letter}\u093c`)]
  for (const letter of consonants) {
    pack.set(letter)
    pack.set(letter + virama, pack.shape(`${letter}${virama}\u200d`))
  }
  for (const first of letters) {
    for (const second of letters) {
      const pair = first + virama + second
      const whole = pack.shape(pair)
      const apart = [...(pack.forms[first + virama] ?? []), ...(pack.forms[second] ?? [])]
      if (first === '\u0930' || JSON.stringify(whole) === JSON.stringify(apart)) continue
      pack.set(pair, whole)
      pack.set(pair + virama, pack.shape(`${pair}${virama}\u200d`))
    }
  }
  // The r above the end of a syllable: its glyph without the letter.
  const [[ka] = []] = pack.shape('\u0915') ?? []
  pack.set(
    `\u0930${virama}`,
    pack.shape(`\u0930${virama}\u0915`)?.filter(([glyph]) => glyph !== ka),
  )
}

/** Thai: letters, and the signs on a letter of usual height; of tall letters, the letter with its signs. */
function addThai(pack: PackBuilder) {
  for (const char of list(0xe01, 0xe7f)) pack.setGlyph(char, char)
  const [above, below, tones] = [
    ['\u0e31', ...list(0xe34, 0xe37), '\u0e47', '\u0e4d'],
    list(0xe38, 0xe3a),
    list(0xe48, 0xe4c),
  ]
  const vowels = [...above, ...below]
  const signs = [...[...vowels, ...tones, '\u0e33'], ...vowels.flatMap((vowel) => tones.map((tone) => vowel + tone))]
  const letter = '\u0e01'
  for (const sign of signs) pack.set(sign, pack.shape(letter + sign)?.slice(1))
  // The ring of this vowel is below a tone, and its other part after the letter.
  for (const tone of tones) {
    const above = pack.shape(`${letter}\u0e4d${tone}`)?.slice(1)
    const behind = pack.shape('\u0e32')
    if (above && behind) pack.set(`${tone}\u0e33`, [...above, ...behind])
  }
  // Letters that change with their signs, or whose signs are drawn elsewhere.
  for (const tall of ['\u0e0d', '\u0e10', '\u0e1b', '\u0e1d', '\u0e1f', '\u0e2c']) {
    for (const sign of signs) pack.set(tall + sign)
  }
}

const builders: Readonly<Record<PackName, (pack: PackBuilder) => void>> = {
  arabic: addArabic,
  devanagari: addDevanagari,
  hebrew: (pack) => {
    for (const char of list(0x5be, 0x5f4)) pack.setGlyph(char, char)
  },
  thai: addThai,
}

/** Draws the letters of a script from its font. */
export function buildFontPack(name: PackName): FontPack {
  const font = openFont(name)
  const pack = new PackBuilder(font)
  builders[name](pack)
  return pack.finish(`${font.fullName} ${font.version}, ${font.copyright}, Open Font License 1.1`)
}
