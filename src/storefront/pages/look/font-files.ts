/** Version of the font files in their addresses, because browsers keep them for a year. A test fails if the files change without it. */
export const fontVersion = 2

const list = (...ranges: readonly (readonly [from: number, to: number])[]) =>
  ranges
    .map(([from, to]) =>
      Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index)).join(''),
    )
    .join('')

/** Letters of the alphabets that a font file has. A page loads only files whose letters it shows. */
export const alphabets = {
  /** English and the languages of western Europe. */
  latin: `${list([0x20, 0x7e], [0xc0, 0xd6], [0xd8, 0xf6], [0xf8, 0xff])}\u00a0¡£°·¿×ŒœŸ–—‘’‚“”„…€−½`,
  /** Other languages of Europe in Latin script. */
  more: 'ĂăĄąĆćČčĎďĐđĘęĚěĞğİıŁłŃńŇňŐőŘřŚśŞşŠšŤťŮůŰűŹźŻżŽžȘșȚț',
  cyrillic: `${list([0x410, 0x44f])}ЁЂЄЅІЇЈЉЊЋЎЏёђєѕіїјљњћўџҐґ№`,
  greek: `${list([0x388, 0x38a], [0x38e, 0x3a1], [0x3a3, 0x3ce])}΄΅ΆΌ`,
} as const
export type Alphabet = keyof typeof alphabets

/** The font families: one for headings, one for text. Weight is the only axis of their files. */
export const families = ['serif', 'sans'] as const
export type Family = (typeof families)[number]

/** Packages of the families. All have the SIL Open Font License without reserved names. */
const packages = {
  serif: { latin: 'brygada-1918', more: 'brygada-1918', cyrillic: 'brygada-1918', greek: 'brygada-1918' },
  // Figtree has neither Cyrillic nor Greek letters; those of Manrope resemble its own.
  sans: { latin: 'figtree', more: 'figtree', cyrillic: 'manrope', greek: 'manrope' },
} as const satisfies Record<Family, Record<Alphabet, string>>

export interface FontFile {
  family: Family
  alphabet: Alphabet
  /** Name of the asset. */
  name: string
  /** File of the package that has all letters. */
  source: string
}

/** Of several files whose ranges have a letter, browsers prefer the last one. */
export const alphabetNames = ['more', 'cyrillic', 'greek', 'latin'] as const satisfies readonly Alphabet[]

/** All font files that pages can load. */
export const fontFiles: readonly FontFile[] = families.flatMap((family) =>
  alphabetNames.map((alphabet) => {
    const name = packages[family][alphabet]
    const subset = alphabet === 'more' ? 'latin-ext' : alphabet
    return {
      family,
      alphabet,
      name: `${family}-${alphabet}-${fontVersion}.woff2`,
      source: `@fontsource-variable/${name}/files/${name}-${subset}-wght-normal.woff2`,
    }
  }),
)
