import { expect, test } from 'vitest'
import { parseLanguage } from '../../../../src/platform/lib/languages/language-tag.ts'

test('a language tag is canonical, or nothing', () => {
  for (const name of ['en', 'de-CH', 'zh-Hant-TW', 'EN']) expect(parseLanguage(name)).toMatch(/^[a-z]{2}/)
  for (const name of [undefined, '', 'x', 'english please', '"><script>', 'en_GB', 'a'.repeat(99)]) {
    expect(parseLanguage(name)).toBeUndefined()
  }
})
