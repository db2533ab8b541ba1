import { type Alphabet, alphabets, type Family, fontFiles } from './font-files.ts'

/** Path of the font files. */
const fontPath = '/fonts/'

/**
 * Fonts of most devices as fallbacks, scaled to the width of ours, so that lines do not break elsewhere when a font arrives. Some systems find a bold
 * font only by its PostScript name.
 */
const fallbacks = {
  serif: [
    { weight: '400', local: ['Times New Roman', 'Nimbus Roman', 'Noto Serif'], scale: '115%' },
    { weight: '600 700', local: ['TimesNewRomanPS-BoldMT', 'NimbusRoman-Bold', 'NotoSerif-Bold'], scale: '109%' },
  ],
  sans: [
    { weight: '400', local: ['Arial', 'Nimbus Sans', 'Roboto'], scale: '104%' },
    { weight: '600 700', local: ['Arial-BoldMT', 'NimbusSans-Bold', 'Roboto-Bold'], scale: '96%' },
  ],
} as const satisfies Record<Family, object>

/** Character ranges of an alphabet, as `unicode-range` writes them. */
function toUnicodeRange(alphabet: Alphabet): string {
  const points = [...alphabets[alphabet]].map((letter) => letter.codePointAt(0) ?? 0).toSorted((a, b) => a - b)
  const ranges: [from: number, to: number][] = []
  for (const point of points) {
    const last = ranges.at(-1)
    if (last && point <= last[1] + maxGap) last[1] = point
    else ranges.push([point, point])
  }
  const hex = (point: number) => point.toString(16).toUpperCase()
  return ranges.map(([from, to]) => (from === to ? `U+${hex(from)}` : `U+${hex(from)}-${hex(to)}`)).join()
}
/** Ranges may include this many letters that the font lacks: browsers take these from the next font, and the rules stay short. */
const maxGap = 24

/** The alphabets besides western European Latin that a text uses. */
export const listAlphabets = (text: string): Alphabet[] => [
  'latin',
  ...rare.flatMap(([alphabet, letters]) => (letters.test(text) ? [alphabet] : [])),
]
const rare = [
  ['more', new RegExp(`[${alphabets.more}]`)],
  ['cyrillic', /[\u0400-\u04ff]/],
  ['greek', /[\u0370-\u03ff]/],
] as const

/** The rules that load the fonts of some families for some alphabets. A file is loaded when a page shows one of its letters. */
export function createFontFaces(used: readonly Family[], needed: readonly Alphabet[]): string {
  const own = fontFiles
    .filter(({ family, alphabet }) => used.includes(family) && needed.includes(alphabet))
    .map(
      ({ family, alphabet, name }) =>
        `@font-face{font-family:${family}-own;font-weight:400 700;font-display:swap;src:url(${fontPath}${name}) format("woff2");unicode-range:${toUnicodeRange(alphabet)}}`,
    )
  const others = used.flatMap((family) =>
    fallbacks[family].map(
      ({ weight, local, scale }) =>
        `@font-face{font-family:${family}-else;font-weight:${weight};src:${local.map((name) => `local("${name}")`).join()};size-adjust:${scale}}`,
    ),
  )
  return [...own, ...others].join('')
}

/** Font families in the order of preference, as values of `font-family`. */
export const fontStacks = {
  serif: 'serif-own,serif-else,Georgia,serif',
  sans: 'sans-own,sans-else,system-ui,sans-serif',
} as const satisfies Record<Family, string>
