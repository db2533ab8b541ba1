import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { corrections } from '../../src/storefront/pages/food/own-words.ts'
import { packageWords } from '../../src/storefront/pages/food/package-words.ts'
import { foodWordsFile, renderFoodWords } from '../../tools/cli/food-words.ts'

test('the committed words of additives, cereals and nuts are those of the pinned package', async () => {
  const manifest = JSON.parse(await readFile('package.json', 'utf8'))
  expect(manifest.devDependencies['@menuella/food-safety']).toBe('1.6.0')
  expect(await readFile(foodWordsFile, 'utf8')).toBe(await renderFoodWords())
})

test('each correction replaces a word that the package has', () => {
  const words = Object.entries(packageWords).flatMap(([language, texts]) =>
    texts.flatMap((text) => text.split('|').map((word) => `${language} ${word}`)),
  )
  const corrected = Object.entries(corrections).flatMap(([language, texts]) =>
    Object.keys(texts).map((word) => `${language} ${word}`),
  )
  expect(corrected.filter((word) => !words.includes(word))).toEqual([])
})
