import { expect, test } from 'vitest'
import { allergenCodes, diets } from '../../../../src/catalogue/resources/details/food-codes.ts'
import { createVenue, toIssues } from '../../../support/api.ts'

const venue = await createVenue()
const product: string = (await venue.post('/products', { title: 'Tea', price: 2 })).body.id
const menu: string = (await venue.post('/menus', { title: 'Lunch' })).body.id
const paths = { product: `/products/${product}/details`, menu: `/menus/${menu}/details` }

const contains = (codes: readonly string[]) => codes.map((code) => ({ code, level: 'contains' }))
const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const range = (max: number) => ({ too_small: [-1], too_large: [max + 1], invalid_type: [true] })

test.each<['product' | 'menu', string, unknown[], Record<string, unknown[]>]>([
  ['product', 'alcoholByVolume', [0, 4.25, '100', 0], { ...range(100), too_precise: [0.125] }],
  ['product', 'ageLimit', [1, 99], { too_small: [0], too_large: [100], too_precise: [16.5] }],
  ['product', 'allergens', [[], contains(allergenCodes), []], { invalid_type: ['milk'] }],
  ['product', 'diets', [[], ['lactose_free'], [...diets]], { invalid_type: ['vegan'] }],
  ['menu', 'position', [0, 1_000_000], { ...range(1_000_000), too_precise: [0.5] }],
  ['menu', 'days', [['sun'], days], { too_short: [[]], invalid_type: ['mon'] }],
  ['menu', 'prices', [[], [{ product, price: 0 }], [{ product, price: 1e9 }]], { invalid_type: [{}] }],
])('%s: %s has limits', async (name, field, good, bad) => {
  for (const value of good) {
    const shown = typeof value === 'string' ? Number(value) : value
    expect((await venue.post(paths[name], { [field]: value })).body[field]).toEqual(shown)
  }
  for (const [code, values] of Object.entries(bad)) {
    for (const value of values) {
      expect([value, toIssues(await venue.post(paths[name], { [field]: value }))]).toEqual([
        value,
        [`/${field} ${code}`],
      ])
    }
  }
})

test.each<['product' | 'menu', object, string[]]>([
  ['product', { allergens: contains(['milk', 'milk']) }, ['/allergens/1 duplicate']],
  ['product', { allergens: contains(['soap']) }, ['/allergens/0/code invalid_value']],
  ['product', { allergens: [{ code: 'milk' }] }, ['/allergens/0/level required']],
  ['product', { diets: ['vegan', 'vegan'] }, ['/diets/1 duplicate']],
  ['product', { diets: ['paleo'] }, ['/diets/0 invalid_value']],
  ['product', { nutrition: { basis: 'kilo' } }, ['/nutrition/basis invalid_value']],
  ['product', { nutrition: { basis: '100g', salt: -0.1 } }, ['/nutrition/salt too_small']],
  ['product', { nutrition: { basis: '100g', energyKcal: 100_001 } }, ['/nutrition/energyKcal too_large']],
  ['product', { translations: { fr: { title: '' } } }, ['/translations/fr/title too_short']],
  ['product', { translations: { fr: { title: 'x'.repeat(256) } } }, ['/translations/fr/title too_long']],
  ['product', { translations: { fr: 'x' } }, ['/translations/fr invalid_type']],
  ['menu', { days: ['mon', 'mon'] }, ['/days/1 duplicate']],
  ['menu', { days: ['monday'] }, ['/days/0 invalid_value']],
  ['menu', { dates: { from: '2026-02-30' } }, ['/dates/from invalid_format']],
  ['menu', { dates: { from: '2026-1-1', until: 5 } }, ['/dates/from invalid_format', '/dates/until invalid_type']],
  ['menu', { dates: { from: '2026-12-02', until: '2026-12-01' } }, ['/dates/until conflict']],
  [
    'menu',
    {
      prices: [
        { product, price: 1 },
        { product, price: 2 },
      ],
    },
    ['/prices/1 duplicate'],
  ],
  ['menu', { prices: [{ product, price: -1 }] }, ['/prices/0/price too_small']],
])('%s: %o has issues', async (name, body, issues) => {
  expect(toIssues(await venue.post(paths[name], body))).toEqual(issues)
})

test('a menu has at most 1,000 prices', async () => {
  const prices = Array.from({ length: 1_001 }, (_, index) => ({ product: `prod_${index}`, price: 1 }))
  expect(toIssues(await venue.post(paths.menu, { prices }))).toEqual(['/prices too_many'])
  expect(toIssues(await venue.post(paths.menu, { prices: prices.slice(1) }))).toHaveLength(1_000)
})

test('the end of the dates is compared with a beginning that was set before', async () => {
  await venue.post(paths.menu, { dates: { from: '2026-12-01', until: '2026-12-31' } })
  expect(toIssues(await venue.post(paths.menu, { dates: { until: '2026-11-30' } }))).toEqual(['/dates/until conflict'])
  expect((await venue.post(paths.menu, { dates: { from: null, until: '2026-11-30' } })).body.dates).toEqual({
    until: '2026-11-30',
  })
})
