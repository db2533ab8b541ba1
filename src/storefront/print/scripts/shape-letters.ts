import { type FontPack, type FontPacks, getPackName, type PackName } from './font-pack.ts'

/** A consonant of Devanagari with its dot, the sign that joins it to the next one, vowel signs, and signs on the whole syllable. */
const consonant = '[\u0915-\u0939\u0958-\u095f]\u093c?'
const virama = '\u094d'
const syllable = `(?:${consonant}${virama})*${consonant}${virama}?[\u093a\u093b\u093e-\u094c\u094e\u094f\u0955-\u0957\u0962\u0963]*[\u0900-\u0903\u0951-\u0954]*`
/** A Thai letter with the signs above and below it, and the vowel whose ring is above the previous letter. */
const thaiSigns = '[\u0e31\u0e34-\u0e3a\u0e47-\u0e4e]'
const thaiCluster = `[\u0e01-\u0e2e]${thaiSigns}*\u0e33?`
/** Lam and alef are one letter. */
const lamAlef = '\u0644[\u0622\u0623\u0625\u0627]'

const parts = new RegExp(`${syllable}|${thaiCluster}|${lamAlef}|[^]`, 'gu')

/** Divides a text into parts that are shaped and ordered as units. */
export const toParts = (text: string): string[] => text.match(parts) ?? []

/** Points of Arabic and Hebrew. Texts are readable without them. */
const points = /[\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed]/g
/** A text without its points. */
export const withoutPoints = (text: string) => text.replace(points, '')

type Forms = FontPack['forms'][string]

/** The form of an Arabic letter, which depends on whether the adjacent letters join it. */
function shapeArabic({ forms }: FontPack, letter: string, before: string | undefined, after: string | undefined) {
  const isJoined = before !== undefined && forms[`${before}i`] !== undefined && forms[`${letter}f`] !== undefined
  const joinsNext = after !== undefined && forms[`${letter}i`] !== undefined && forms[`${after}f`] !== undefined
  return forms[letter + (isJoined ? (joinsNext ? 'm' : 'f') : joinsNext ? 'i' : '')]
}

/** Sets the consonants of a syllable as joined forms or half letters, and the last one as a full letter. */
function shapeConsonants({ forms }: FontPack, consonants: readonly string[], end: string): Forms | undefined {
  const glyphs: Forms[number][] = []
  for (let index = 0; index < consonants.length; ) {
    const [first = '', second] = consonants.slice(index, index + 2)
    const isJoined = second !== undefined && forms[first + virama + second] !== undefined
    const count = isJoined ? 2 : 1
    const letters = isJoined ? first + virama + second : first
    const isLast = index + count === consonants.length
    const joined = forms[letters + (isLast ? end : virama)]
    // The pair has no half form, so the first letter alone gets one.
    const form = joined ?? (isJoined ? forms[first + virama] : undefined)
    if (!form) return undefined
    glyphs.push(...form)
    index += joined ? count : 1
  }
  return glyphs
}

const shortI = '\u093f'
const ra = `\u0930${virama}`

/** Sets a syllable. The short i is drawn before its consonants. An r at the beginning is drawn above the end. */
function shapeSyllable(pack: FontPack, text: string): Forms | undefined {
  const { forms } = pack
  const hasReph = text.startsWith(ra) && text.length > ra.length
  const [base = ''] =
    new RegExp(`^(?:${consonant}${virama})*${consonant}${virama}?`).exec(text.slice(hasReph ? ra.length : 0)) ?? []
  const signs = [...text.slice((hasReph ? ra.length : 0) + base.length)]
  const end = base.endsWith(virama) ? virama : ''
  const consonants = base.match(new RegExp(consonant, 'g')) ?? []
  const shaped = [
    signs.includes(shortI) ? forms[shortI] : [],
    shapeConsonants(pack, consonants, end),
    ...signs.filter((sign) => sign !== shortI && !/[\u0900-\u0903]/.test(sign)).map((sign) => forms[sign]),
    hasReph ? forms[ra] : [],
    ...signs.filter((sign) => /[\u0900-\u0903]/.test(sign)).map((sign) => forms[sign]),
  ]
  return shaped.every((form) => form !== undefined) ? shaped.flat() : undefined
}

function shapeThai({ forms }: FontPack, text: string): Forms | undefined {
  const whole = forms[text]
  if (whole) return whole
  const [letter, signs] = [forms[text.slice(0, 1)], forms[text.slice(1)]]
  return letter && signs && [...letter, ...signs]
}

/** The glyphs of a part, from left to right; undefined if the script has no pack or the pack lacks a letter. */
export function shapePart(
  packs: FontPacks,
  part: string,
  before: string | undefined,
  after: string | undefined,
): { name: PackName; pack: FontPack; glyphs: Forms } | undefined {
  const name = getPackName(part)
  const pack = name && packs.get(name)
  if (!pack) return undefined
  const shape = {
    arabic: () => shapeArabic(pack, part, before, after),
    devanagari: () => pack.forms[part] ?? shapeSyllable(pack, part),
    hebrew: () => pack.forms[part],
    thai: () => shapeThai(pack, part),
  }[name]
  const glyphs = shape()
  return glyphs && { name, pack, glyphs }
}
