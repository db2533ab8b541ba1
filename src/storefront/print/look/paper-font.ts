import * as z from 'zod/mini'
import { lazy } from '../../../platform/db/database.ts'
import type { Bindings } from '../../../platform/env.ts'
import { log } from '../../../platform/lib/log.ts'
import type { Theme } from '../../../platform/themes.ts'
import { listAlphabets } from '../../pages/look/font-faces.ts'
import { type Alphabet, alphabets, type Family, fontVersion } from '../../pages/look/font-files.ts'

/** Use of a text on paper: names, or all else. */
export type TypeRole = 'display' | 'text'

/** A family at one weight. */
interface Instance {
  family: Family
  weight: number
}

/** The fonts of each design on paper. Their families are those of its pages. */
export const paperType: Readonly<Record<Theme, Readonly<Record<TypeRole, Instance>>>> = {
  cafe: { display: { family: 'serif', weight: 600 }, text: { family: 'sans', weight: 500 } },
  bar: { display: { family: 'sans', weight: 700 }, text: { family: 'sans', weight: 500 } },
  fine: { display: { family: 'serif', weight: 400 }, text: { family: 'serif', weight: 400 } },
}

/** Name of the static asset with the letters of an alphabet. */
const toPaperFile = ({ family, weight }: Instance, alphabet: Alphabet) =>
  `paper-${family}-${weight}-${alphabet}-${fontVersion}.json`

/** A font with the letters of one alphabet. Lengths are thousandths of the font size. */
export interface PaperFont {
  /** PostScript name. */
  name: string
  ascent: number
  descent: number
  capHeight: number
  box: readonly number[]
  /** Number and width of the glyph of each character. */
  glyphs: Readonly<Record<string, readonly [glyph: number, width: number]>>
  /** Change of the distance between the characters of a pair. */
  kerning: Readonly<Record<string, number>>
  /** The TrueType file in Base64. */
  file: string
}

const getSchema = lazy(() =>
  z.object({
    ...{ name: z.string(), ascent: z.number(), descent: z.number(), capHeight: z.number(), box: z.array(z.number()) },
    glyphs: z.record(z.string(), z.tuple([z.number(), z.number()])),
    kerning: z.record(z.string(), z.number()),
    file: z.string(),
  }),
)

/** The fonts of a print. */
export type PaperFonts = Readonly<Record<TypeRole, readonly PaperFont[]>>

const cached = new Map<string, PaperFont>()

/** Reads a font, once per isolate. Undefined if it is missing: the print then uses Helvetica. */
async function readPaperFont(
  env: Pick<Bindings, 'ASSETS' | 'REQUEST_ID'>,
  file: string,
): Promise<PaperFont | undefined> {
  const known = cached.get(file)
  if (known) return known
  try {
    const response = await env.ASSETS.fetch(`https://assets.local/fonts/${file}`)
    const font = getSchema().parse(await response.json())
    cached.set(file, font)
    return font
  } catch (error) {
    log(env, 'font not read', { file, error: String(error) })
    return undefined
  }
}

/** Reads the fonts of a design for the alphabets of texts. */
export async function readPaperFonts(
  env: Pick<Bindings, 'ASSETS' | 'REQUEST_ID'>,
  theme: Theme,
  texts: readonly string[],
): Promise<PaperFonts> {
  const used = listAlphabets(texts.join(' '))
  const read = async (role: TypeRole) => {
    const fonts = await Promise.all(
      used.map((alphabet) => readPaperFont(env, toPaperFile(paperType[theme][role], alphabet))),
    )
    return fonts.flatMap((font) => font ?? [])
  }
  const [display, text] = await Promise.all([read('display'), read('text')])
  return { display, text }
}

/** The font with a character, and its glyph. */
export function findPaperGlyph(fonts: readonly PaperFont[], char: string) {
  for (const font of fonts) {
    const glyph = font.glyphs[char]
    if (glyph) return { font, glyph: glyph[0], width: glyph[1] }
  }
  return undefined
}

/** All fonts of paper, for the build. */
export const listPaperFonts = () => {
  const instances = new Map(
    Object.values(paperType).flatMap(({ display, text }) =>
      [display, text].map((instance): [string, Instance] => [`${instance.family}-${instance.weight}`, instance]),
    ),
  )
  const names: readonly Alphabet[] = ['latin', 'more', 'cyrillic', 'greek']
  return [...instances.values()].flatMap((instance) =>
    names.map((alphabet) => ({
      ...instance,
      alphabet,
      letters: alphabets[alphabet],
      file: toPaperFile(instance, alphabet),
    })),
  )
}
