import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { themes } from '../../src/platform/themes.ts'
import { getContrast } from '../../src/storefront/pages/accent-color.ts'
import { createFontFaces } from '../../src/storefront/pages/look/font-faces.ts'
import {
  alphabetNames,
  alphabets,
  families,
  fontFiles,
  fontVersion,
} from '../../src/storefront/pages/look/font-files.ts'
import { palettes, signals } from '../../src/storefront/pages/look/tokens.ts'
import { createConsoleTokens } from '../../tools/cli/build/console-tokens.ts'
import { buildWebFont } from '../../tools/cli/fonts/web-fonts.ts'

const root = resolve(import.meta.dirname, '../..')

describe('the fonts of pages', () => {
  const built = Promise.all(fontFiles.map(async (font) => ({ ...font, bytes: await buildWebFont(font) })))

  test('a page in Latin script loads at most 40 KB', async () => {
    const latin = (await built).filter(({ alphabet }) => alphabet === 'latin' || alphabet === 'more')
    expect(latin).toHaveLength(2 * families.length)
    expect(latin.reduce((sum, { bytes }) => sum + bytes.length, 0)).toBeLessThanOrEqual(40_960)
  })

  test('the version changes with the files, because browsers keep them', async () => {
    const hash = createHash('sha256')
    for (const { name, bytes } of await built) hash.update(name).update(bytes)
    expect({ [fontVersion]: hash.digest('hex').slice(0, 16) }).toMatchInlineSnapshot(`
      {
        "2": "865261e67bb11825",
      }
    `)
  })

  test('no letter is in two alphabets, so that none loads a second file', () => {
    const letters = Object.values(alphabets).flatMap((alphabet) => [...alphabet])
    expect(letters.filter((letter, index) => letters.indexOf(letter) !== index)).toEqual([])
  })

  test('a page loads only the families that it uses', () => {
    expect(createFontFaces(['sans'], alphabetNames)).not.toContain('serif-own')
    expect(createFontFaces(families, alphabetNames).match(/url\(/g)).toHaveLength(fontFiles.length)
  })
})

describe('the tokens', () => {
  const contrasts = themes.flatMap((theme) =>
    (['light', 'dark'] as const).flatMap((scheme) => {
      const { paper, card, tint, ink, soft, mark } = palettes[theme][scheme]
      return [paper, card, tint].flatMap((background) =>
        Object.entries({ ink, soft, mark }).map(([name, color]) => ({
          name: `${theme} ${scheme} ${name} on ${background}`,
          contrast: getContrast(color, background),
        })),
      )
    }),
  )

  test('texts can be read in all designs', () => {
    expect(contrasts).toHaveLength(3 * 2 * 3 * 3)
    expect(contrasts.filter(({ contrast }) => contrast < 4.5)).toEqual([])
  })

  test('the console takes all of them, and declares none of its own', async () => {
    const styles = createConsoleTokens()
    const { paper, ink } = palettes.cafe.light
    expect(styles).toContain(`--paper:light-dark(${paper}, `)
    expect(styles).toContain(`--ink:light-dark(${ink}, `)
    const base = await readFile(resolve(root, 'console/styles/base.css'), 'utf8')
    for (const name of [...Object.keys(palettes.cafe.light), ...Object.keys(signals)]) {
      expect(styles).toContain(`--${name}:`)
      expect(base).not.toContain(`--${name}:`)
    }
  })
})
