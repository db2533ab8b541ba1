import { describe, expect, test } from 'vitest'
import { distancesTo, importsOf, maxFiles, maxMs, selectLeft, selectTests, takeQuick } from '../changed.ts'

const imports = new Map([
  ['src/app/app.ts', ['src/core/etag.ts', 'src/core/ids.ts']],
  ['src/core/etag.ts', ['src/core/ids.ts']],
  ['src/core/ids.ts', []],
  ['test/support/api.ts', ['src/app/app.ts']],
  ['test/unit/ids.test.ts', ['src/core/ids.ts']],
  ['test/unit/hash.test.ts', ['src/core/etag.ts']],
  ['test/integration/etags.test.ts', ['test/support/api.ts']],
  ['test/integration/lists.test.ts', ['test/support/api.ts']],
  ['test/integration/contract.test.ts', ['test/support/api.ts']],
  ['console/screens/home.tsx', ['console/texts/en.ts']],
  ['test/e2e/console/texts.test.ts', ['console/texts/en.ts']],
  ['src/catalogue/resources/coupons.ts', ['src/platform/db/schema/resources/coupons.ts']],
  ['src/platform/db/schema/resources/coupons.ts', []],
  ['src/platform/db/schema/resources/menus.ts', []],
  ['src/checkout/redemptions/verdict.ts', ['src/platform/db/schema/resources/coupons.ts']],
  ['src/checkout/stock/take.ts', ['src/platform/db/schema/resources/menus.ts']],
  ['test/checkout/redemptions/coupon-limits.test.ts', []],
  ['test/checkout/redemptions/verdict.test.ts', []],
  ['test/checkout/stock/take.test.ts', []],
  ['test/repository/guides.test.ts', []],
  ['test/repository/sources.test.ts', []],
])
const tests = [...imports.keys()].filter((file) => file.endsWith('.test.ts'))

describe('the tests for a change', () => {
  test.each([
    ['an imported file', 'src/core/ids.ts', ['unit/ids', 'integration/contract', 'unit/hash']],
    [
      'a file that a test is named after',
      'src/core/etag.ts',
      ['integration/etags', 'integration/contract', 'unit/hash'],
    ],
    ['the whole Worker', 'src/app/app.ts', ['integration/contract']],
    ['a test', 'test/integration/lists.test.ts', ['integration/lists']],
    ['a helper of tests', 'test/support/api.ts', ['integration/etags', 'integration/lists', 'integration/contract']],
    ['a page of the docs', 'docs/webhooks.md', ['repository/guides', 'repository/sources']],
    [
      'a declaration that others read through the registry',
      'src/catalogue/resources/coupons.ts',
      ['checkout/redemptions/coupon-limits', 'integration/contract', 'checkout/redemptions/verdict'],
    ],
    ['a screen', 'console/screens/home.tsx', ['e2e/console/texts', 'repository/sources']],
    ['a picture', 'docs/images/menu.png', []],
  ])('of %s are the nearest, nearest first', (_what, changed, expected) => {
    expect(selectTests([changed], tests, imports)).toEqual(expected.map((name) => `test/${name}.test.ts`))
  })

  test('are found through imports, but not through the file that imports everything', () => {
    expect([...distancesTo(['src/core/ids.ts'], imports)]).toEqual([
      ['src/core/ids.ts', 0],
      ['src/app/app.ts', 1],
      ['src/core/etag.ts', 1],
      ['test/unit/ids.test.ts', 1],
      ['test/unit/hash.test.ts', 2],
    ])
  })

  test('include those that are left to CI and concern it, nearest first', () => {
    const left = ['test/integration/lists.test.ts', 'test/unit/hash.test.ts', 'test/unit/ids.test.ts']
    expect(selectLeft(['src/core/etag.ts'], left, imports)).toEqual(['test/unit/hash.test.ts'])
    expect(selectLeft(['src/core/ids.ts', 'src/core/etag.ts'], left, imports)).toEqual([
      'test/unit/ids.test.ts',
      'test/unit/hash.test.ts',
    ])
    expect(selectLeft(['src/app/app.ts'], left, imports)).toEqual([])
  })

  test('are few enough for 20 seconds', () => {
    expect([maxFiles, maxMs]).toEqual([8, 15_000])
    const near = ['slow', 'quick', 'long', ...Array.from({ length: 9 }, (_, index) => `other ${index}`)]
    const recorded = new Map([
      ...near.map((test): [string, number] => [test, 1_000]),
      ['slow', 90_000],
      ['long', 14_001],
    ])
    const quick = ['quick', ...near.slice(3, 10)]
    expect(takeQuick(near, [], recorded)).toEqual(quick)
    expect(takeQuick(near, ['slow'], recorded)).toEqual(['slow'])
    expect(takeQuick(['unknown', 'long'], [], recorded)).toEqual(['unknown'])
  })
})

test('imports are found in every form', () => {
  const source = `import { a } from './a.ts'\nimport type { B } from '../b.ts'\nexport * from './c.ts'\nawait import('./d.ts')\nimport './e.ts'\nimport z from 'zod'`
  expect(importsOf('src/core/x.ts', source)).toEqual([
    'src/core/a.ts',
    'src/b.ts',
    'src/core/c.ts',
    'src/core/d.ts',
    'src/core/e.ts',
  ])
})
