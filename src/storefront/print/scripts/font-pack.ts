import * as z from 'zod/mini'
import { lazy } from '../../../platform/db/database.ts'
import type { Bindings } from '../../../platform/env.ts'
import { log } from '../../../platform/lib/log.ts'

/** Scripts that the standard fonts of PDF readers lack. The build draws the letters of each script from a font, as a static asset. */
export const packNames = ['arabic', 'devanagari', 'hebrew', 'thai'] as const
export type PackName = (typeof packNames)[number]

/** Blocks of the scripts. */
const blocks: Readonly<Record<PackName, RegExp>> = {
  arabic: /[\u0600-\u06ff]/,
  devanagari: /[\u0900-\u097f]/,
  hebrew: /[\u0590-\u05ff]/,
  thai: /[\u0e00-\u0e7f]/,
}

/** The script of a character that needs a pack. */
export const getPackName = (char: string): PackName | undefined => packNames.find((name) => blocks[name].test(char))

/** A glyph of a pack, and its offset in thousandths of the font size. */
type PlacedGlyph = readonly [glyph: number, dx: number, dy: number]

/**
 * The letters of a script. `glyphs` are advance widths in thousandths of the font size and outlines as PDF operators. `forms` are the glyphs of
 * letters, and of sequences that the font's rules shape differently from their letters. The forms of a joined letter have a suffix: `i` initial, `m`
 * medial, `f` final.
 */
export interface FontPack {
  version: string
  glyphs: readonly (readonly [advance: number, outline: string])[]
  forms: Readonly<Record<string, readonly PlacedGlyph[]>>
}
/** The packs that a file needs, by their scripts. */
export type FontPacks = ReadonlyMap<PackName, FontPack>

const getSchema = lazy(() =>
  z.object({
    version: z.string(),
    glyphs: z.array(z.tuple([z.number(), z.string()])),
    forms: z.record(z.string(), z.array(z.tuple([z.number(), z.number(), z.number()]))),
  }),
)

/** Name of the static asset with a pack. */
export const toPackFile = (name: PackName) => `font-${name}.json`

const cached = new Map<PackName, FontPack>()

async function readPack(env: Pick<Bindings, 'ASSETS' | 'REQUEST_ID'>, name: PackName): Promise<FontPack | undefined> {
  const known = cached.get(name)
  if (known) return known
  try {
    const response = await env.ASSETS.fetch(`https://assets.local/${toPackFile(name)}`)
    const pack = getSchema().parse(await response.json())
    cached.set(name, pack)
    return pack
  } catch (error) {
    log(env, 'font not read', { name, error: String(error) })
    return undefined
  }
}

/** Reads the packs that texts need, once per isolate. If a pack is missing, its letters cannot be set, and the PDF says so. */
export async function readFontPacks(
  env: Pick<Bindings, 'ASSETS' | 'REQUEST_ID'>,
  texts: readonly string[],
): Promise<FontPacks> {
  const names = packNames.filter((name) => texts.some((text) => blocks[name].test(text)))
  const packs = await Promise.all(names.map(async (name) => [name, await readPack(env, name)] as const))
  return new Map(packs.flatMap(([name, pack]) => (pack ? [[name, pack]] : [])))
}
