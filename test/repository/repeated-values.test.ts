import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import guests from '../../docs/guests.md?raw'
import scale from '../../docs/scale.md?raw'
import { additiveCodes, allergenCodes, diets } from '../../src/catalogue/resources/details/food-codes.ts'
import { limits } from '../../src/platform/http/fields.ts'
import { pageSize } from '../../src/platform/http/pagination.ts'
import { menuCacheSeconds } from '../../src/storefront/menu/cache.ts'
import { sheetLimits } from '../../src/storefront/print/sheet-parameters.ts'

/** The value of a constant of the console, which imports nothing from `src`: a number or a list of texts. */
function readConstant(file: string, name: string): number | readonly string[] {
  const source = readFileSync(resolve(import.meta.dirname, '../../console', file), 'utf8')
  const [, number, list] = new RegExp(`const ${name} = (?:([\\d_]+)|\\[([^\\]]*)\\])`).exec(source) ?? []
  if (number !== undefined) return Number(number.replaceAll('_', ''))
  if (list === undefined) throw new Error(`${file} declares no ${name}`)
  return [...list.matchAll(/'([^']*)'/g)].map(([, text = '']) => text)
}

describe('the console repeats', () => {
  test.each([
    ['the maximum number of tags on a sheet', 'screens/tables/print-sheet.ts', 'maxPrinted', sheetLimits.tags],
    ['the maximum number of operations of a batch', 'screens/tables/make-dialog.tsx', 'maxTables', limits.operations],
    ['the maximum number of ids of a list', 'objects/known-products.ts', 'maxIds', pageSize.max],
    ['the allergens', 'objects/contents/codes.ts', 'allergenCodes', allergenCodes],
    ['the diets', 'objects/contents/codes.ts', 'dietCodes', diets],
    ['the additives', 'objects/contents/codes.ts', 'additiveCodes', additiveCodes],
  ])('%s', (_, file, name, value) => expect(readConstant(file, name)).toEqual(value))
})

test('a constant that the console no longer declares is reported', () =>
  expect(() => readConstant('screens/menus/preview.tsx', 'menuCache')).toThrow('declares no menuCache'))

test('the guides have the lifetime of a menu', () => {
  expect(scale).toContain(`at most once in ${menuCacheSeconds} seconds in each isolate`)
  expect(guests).toContain(`at most once in ${menuCacheSeconds} seconds: one round trip`)
})
