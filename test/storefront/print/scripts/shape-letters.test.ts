import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, test } from 'vitest'
import { createPdfFonts } from '../../../../src/storefront/print/pdf-fonts.ts'
import {
  type FontPacks,
  packNames,
  readFontPacks,
  toPackFile,
} from '../../../../src/storefront/print/scripts/font-pack.ts'
import { shapePart, toParts } from '../../../../src/storefront/print/scripts/shape-letters.ts'
import { send } from '../../../support/api.ts'

let packs: FontPacks
beforeAll(async () => {
  packs = await readFontPacks(env, ['ا', 'א', 'ก', 'क'])
})

/** The forms of a pack that a text uses, in the order in which it is read. */
function listForms(text: string): (string | undefined)[] {
  const parts = toParts(text)
  return parts.map((part, index) => {
    const shaped = shapePart(packs, part, parts[index - 1], parts[index + 1])
    return Object.entries(shaped?.pack.forms ?? {}).find(([, form]) => form === shaped?.glyphs)?.[0]
  })
}

test('packs are read for the scripts of texts only', async () => {
  expect([...packs.keys()]).toEqual([...packNames])
  expect([...(await readFontPacks(env, ['Table 4', 'שולחן'])).keys()]).toEqual(['hebrew'])
  expect((await readFontPacks(env, ['Table', '卓'])).size).toBe(0)
  for (const pack of packs.values()) expect(pack.version).toContain('Open Font License')
  expect((await send(`/${toPackFile('thai')}`)).status).toBe(404)
})

describe('Arabic letters', () => {
  test.each([
    ['طاولة', ['طi', 'اf', 'و', 'لi', 'ةf']],
    ['قهوة', ['قi', 'هm', 'وf', 'ة']],
    ['لا', ['لا']],
    ['سلام', ['سi', 'لاf', 'م']],
    ['پنجره', ['پi', 'نm', 'جm', 'رf', 'ه']],
    ['ا', ['ا']],
  ])('are joined: %s', (text, forms) => {
    expect(listForms(text)).toEqual(forms)
  })
})

test.each([
  ['हिन्दी', 2],
  ['क्षत्रिय', 3],
  ['स्त्री', 1],
  ['कर्म', 2],
])('%s has %i syllables', (text, count) => {
  expect(toParts(text)).toHaveLength(count)
  expect(createPdfFonts([], packs).set(text)).toBeDefined()
})

test('a short i comes before its consonants, and an r above the end of its syllable', () => {
  const [devanagari] = [packs.get('devanagari')]
  const glyphs = (text: string) => shapePart(packs, text, undefined, undefined)?.glyphs
  const form = (key: string) => devanagari?.forms[key] ?? []
  expect(glyphs('न्दि')).toEqual([...form('\u093f'), ...form('न्'), ...form('द')])
  expect(glyphs('र्म')).toEqual([...form('म'), ...form('र्')])
  expect(glyphs('त्र')).toEqual(form('त्र'))
})

test('points are left out; a script without a font is not set', () => {
  const fonts = createPdfFonts([], packs)
  expect(fonts.set('شُكْرًا')?.width).toBe(fonts.set('شكرا')?.width)
  expect(fonts.set('שָׁלוֹם')?.width).toBe(fonts.set('שלום')?.width)
  for (const text of ['աղյուսակ', 'ტერასა', 'Table ა']) expect(fonts.set(text)).toBeUndefined()
})

test('a font has only the glyphs that are used', async () => {
  const fonts = createPdfFonts([], packs)
  fonts.set('שולחן')
  const objects: (string | Uint8Array)[] = []
  await fonts.fonts((object) => `${objects.push(object)} 0 R`)
  const texts = objects.filter((object) => typeof object === 'string')
  expect(texts.filter((object) => object.includes('/Subtype /Type3') && object.includes('/LastChar 5'))).toHaveLength(1)
  // Five outlines and the table of letters.
  expect(objects.length - texts.length).toBe(6)
})
