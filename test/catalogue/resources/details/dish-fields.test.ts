import { describe, expect, test } from 'vitest'
import {
  additiveCodes,
  allergensOfAdditives,
  cereals,
  treeNuts,
} from '../../../../src/catalogue/resources/details/food-codes.ts'
import { createVenue, toIssues } from '../../../support/api.ts'

const venue = await createVenue()
const create = async (path: string, body: object): Promise<string> => (await venue.post(path, body)).body.id
const option = (id: string) => ({ id, label: id })
const radio = { title: 'Size', instructions: '', type: 'RADIO', options: ['s', 'm', 'l'].map(option) }
const size = await create('/modifiers', radio)
const milk = await create('/modifiers', { ...radio, title: 'Milk', type: 'CHECKBOX', options: [option('oat')] })
const other = await create('/modifiers', { ...radio, title: 'Other' })
const createDish = () => create('/products', { title: 'Latte', price: 3, modifiers: [size, milk] })
const dish = await createDish()
const part = await create('/products', { title: 'Soup', price: 4 })
const set = await create('/products', { title: 'Set menu', price: 12 })
const ofDish = `/products/${dish}/details`

const prices = (...ids: string[]) => Object.fromEntries(ids.map((id, index) => [id, { price: 3 + index }]))
const all = { modifier: size, prices: prices('s', 'm', 'l') }
/** Issues of a write of details; none if it succeeds. */
async function issuesOf(path: string, body: object): Promise<string[]> {
  const response = await venue.post(path, body)
  return response.status === 200 ? [] : toIssues(response)
}

test('every name of a cereal or nut belongs to its allergen, and to no other', async () => {
  const named = (code: string, names: readonly string[]) => ({ allergens: [{ code, level: 'contains', names }] })
  expect((await venue.post(ofDish, named('gluten', cereals))).body.allergens[0].names).toEqual([...cereals])
  expect((await venue.post(ofDish, named('nuts', treeNuts))).body.allergens[0].names).toEqual([...treeNuts])
  expect(await issuesOf(ofDish, named('gluten', ['almonds']))).toEqual(['/allergens/0/names conflict'])
  expect(await issuesOf(ofDish, named('milk', ['wheat']))).toEqual(['/allergens/0/names conflict'])
  expect(await issuesOf(ofDish, named('nuts', ['coconut']))).toEqual(['/allergens/0/names/0 invalid_value'])
  expect(await issuesOf(ofDish, named('gluten', ['rye', 'rye']))).toEqual(['/allergens/0/names/1 duplicate'])
  await venue.post(ofDish, { allergens: null })
})

test.each(additiveCodes)('%s requires its allergen where allergens are stated', async (additive) => {
  const code = allergensOfAdditives[additive]
  await venue.post(ofDish, { allergens: null, additives: null })
  expect((await venue.post(ofDish, { additives: [additive] })).body.additives).toEqual([additive])
  expect(await issuesOf(ofDish, { allergens: [] })).toEqual(code ? ['/additives/0 contradicts'] : [])
  if (code === undefined) return
  expect(await issuesOf(ofDish, { allergens: [{ code, level: 'may_contain' }] })).toEqual(['/additives/0 contradicts'])
  expect(await issuesOf(ofDish, { allergens: [{ code, level: 'contains' }] })).toEqual([])
  // Edits of other fields are not judged again.
  expect((await venue.post(ofDish, { labels: ['hot'] })).status).toBe(200)
  await venue.post(ofDish, { allergens: null, additives: null, labels: null })
})

test('gluten-free is possible with gluten that is named, and only then', async () => {
  const gluten = { code: 'gluten', level: 'contains' }
  expect(await issuesOf(ofDish, { diets: ['gluten_free'], allergens: [gluten] })).toEqual(['/diets/0 contradicts'])
  expect(await issuesOf(ofDish, { diets: ['gluten_free'], allergens: [{ ...gluten, names: ['oats'] }] })).toEqual([])
  expect(await issuesOf(ofDish, { allergens: [gluten] })).toEqual(['/diets/0 contradicts'])
  await venue.post(ofDish, { diets: null, allergens: null })
})

describe('sizes', () => {
  test.each<[string, object, string[]]>([
    ['no modifier', { prices: prices('s') }, ['/sizes/modifier required']],
    ['an unknown modifier', { ...all, modifier: 'mod_unknown' }, ['/sizes/modifier not_found']],
    ['a modifier of another product', { ...all, modifier: other }, ['/sizes/modifier not_found']],
    ['a modifier that is no choice of one', { modifier: milk, prices: prices('oat') }, ['/sizes/modifier conflict']],
    ['a size without an entry', { ...all, prices: prices('s', 'm') }, ['/sizes/prices/l required']],
    ['a size without a price', { ...all, prices: { ...prices('s', 'm'), l: {} } }, ['/sizes/prices/l required']],
    ['a price of no option', { ...all, prices: prices('s', 'm', 'l', 'xl') }, ['/sizes/prices/xl not_found']],
    [
      'a negative price',
      { ...all, prices: { ...prices('s', 'm'), l: { price: -1 } } },
      ['/sizes/prices/l/price too_small'],
    ],
    ['a field that is not known', { ...all, amount: 3 }, ['/sizes/amount unknown_field']],
  ])('%s is an issue', async (_, sizes, issues) => {
    const path = `/products/${await createDish()}/details`
    expect(await issuesOf(path, { sizes })).toEqual(issues)
  })

  test('a merged size keeps its other members, and null removes all of them', async () => {
    const path = `/products/${await createDish()}/details`
    const sizes = {
      ...all,
      prices: { ...all.prices, l: { price: 5, sku: 'L-1', upc: '4006381333931', calories: 180 } },
    }
    expect((await venue.post(path, { sizes })).body.sizes).toEqual(sizes)
    await venue.post(path, { sizes: { prices: { l: { price: 5.5 } } } })
    expect((await venue.get(path)).body.sizes.prices.l).toEqual({ ...sizes.prices.l, price: 5.5 })
    expect((await venue.post(path, { sizes: null })).body).toEqual({})
  })

  test('a modifier has at most 30 sizes', async () => {
    const make = async (count: number) => {
      const ids = Array.from({ length: count }, (_, index) => `o${index}`)
      const modifier = await create('/modifiers', { ...radio, options: ids.map(option) })
      const product = await create('/products', { title: 'Pizza', price: 9, modifiers: [modifier] })
      return issuesOf(`/products/${product}/details`, { sizes: { modifier, prices: prices(...ids) } })
    }
    expect(await make(30)).toEqual([])
    expect(await make(31)).toEqual(['/sizes/prices too_many'])
  })

  test('readers leave out what no longer fits, and show it again if it does', async () => {
    const modifier = await create('/modifiers', radio)
    const product = await create('/products', { title: 'Tea', price: 3, modifiers: [modifier] })
    const path = `/products/${product}/details`
    const sizes = { modifier, prices: prices('s', 'm', 'l') }
    await venue.post(path, { sizes })
    await venue.post(`/modifiers/${modifier}`, { options: ['s', 'm', 'xl'].map(option) })
    expect(Object.keys((await venue.get(path)).body.sizes.prices)).toEqual(['s', 'm'])
    // A change of the sizes needs a price of the new option.
    expect(await issuesOf(path, { sizes: { prices: { s: { price: 2 } } } })).toEqual(['/sizes/prices/xl required'])
    await venue.post(`/products/${product}`, { modifiers: [] })
    expect((await venue.get(path)).body).toEqual({})
    // A change of another field does not remove them.
    await venue.post(path, { labels: ['tea'] })
    await venue.post(`/products/${product}`, { modifiers: [modifier] })
    expect((await venue.get(path)).body).toMatchObject({ labels: ['tea'], sizes: { prices: { s: { price: 3 } } } })
    // A later change of the type has no effect: guests choose exactly one size.
    await venue.post(`/modifiers/${modifier}`, { type: 'CHECKBOX' })
    expect((await venue.get(path)).body).toMatchObject({ sizes: { prices: { s: { price: 3 } } } })
    await venue.post(`/products/${product}`, { modifiers: [] })
    const included = (await venue.get(`/products?include=details&ids=${product}`)).body[0].details
    expect(included).toEqual({ labels: ['tea'] })
    await venue.remove(`/modifiers/${modifier}`)
    expect((await venue.get(path)).body).toEqual({ labels: ['tea'] })
  })
})

describe('rules for modifiers', () => {
  test.each<[object[], string[]]>([
    [[{ modifier: milk, min: 0, max: 99 }], []],
    [[{ modifier: milk, max: 100 }], ['/modifierRules/0/max too_large']],
    [[{ modifier: milk, min: -1 }], ['/modifierRules/0/min too_small']],
    [[{ modifier: milk, min: 3, max: 2 }], ['/modifierRules/0/max conflict']],
    [[{ modifier: size, max: 2 }], ['/modifierRules/0/max conflict']],
    [[{ modifier: other, max: 1 }], ['/modifierRules/0/modifier not_found']],
    [[{ modifier: milk }, { modifier: milk }], ['/modifierRules/1 duplicate']],
  ])('%o', async (modifierRules, issues) => {
    expect(await issuesOf(ofDish, { modifierRules })).toEqual(issues)
  })

  test('go with the modifier', async () => {
    const product = await createDish()
    const path = `/products/${product}/details`
    await venue.post(path, { modifierRules: [{ modifier: milk, min: 2, max: 4, title: 'Two milks' }] })
    await venue.post(`/products/${product}`, { modifiers: [size] })
    expect((await venue.get(path)).body).toEqual({})
  })
})

describe('bundles', () => {
  const ofSet = `/products/${set}/details`
  const group = (items: object[], more: object = {}) => ({ title: 'Starter', min: 1, max: 1, items, ...more })
  const inGroup = (...items: object[]) => ({ bundle: { groups: [group(items)] } })

  test.each<[string, object, string[]]>([
    ['no group', { bundle: { groups: [] } }, ['/bundle/groups required']],
    ['an unknown part', inGroup({ product: 'prod_x' }), ['/bundle/groups/0/items/0/product not_found']],
    ['itself', inGroup({ product: set }), ['/bundle/groups/0/items/0/product conflict']],
    ['a part twice', inGroup({ product: part }, { product: part }), ['/bundle/groups/0/items/1 duplicate']],
    ['a value that is not a size', inGroup({ product: part, size: 's' }), ['/bundle/groups/0/items/0/size not_found']],
    [
      'a negative surcharge',
      inGroup({ product: part, surcharge: -1 }),
      ['/bundle/groups/0/items/0/surcharge too_small'],
    ],
    ['max below min', { bundle: { groups: [group([], { min: 2 })] } }, ['/bundle/groups/0/max conflict']],
    ['max of 0', { bundle: { groups: [group([], { min: 0, max: 0 })] } }, ['/bundle/groups/0/max conflict']],
    ['max of 21', { bundle: { groups: [group([], { max: 21 })] } }, ['/bundle/groups/0/max too_large']],
    [
      'an id twice',
      { bundle: { groups: [group([], { id: 'a' }), group([], { id: 'a' })] } },
      ['/bundle/groups/1/id duplicate'],
    ],
    ['21 groups', { bundle: { groups: Array.from({ length: 21 }, () => group([])) } }, ['/bundle/groups too_many']],
    [
      '101 parts',
      inGroup(...Array.from({ length: 101 }, (_, index) => ({ product: part, size: `s${index}` }))),
      ['/bundle/groups/0/items too_many'],
    ],
  ])('%s is an issue', async (_, body, issues) => {
    expect((await issuesOf(ofSet, body)).slice(0, 1)).toEqual(issues)
  })

  test('a group keeps its id by its title; a deleted part, or one that became a bundle, goes', async () => {
    const [first, second] = [await createDish(), await createDish()]
    const items = [{ product: first, surcharge: 1.5 }, { product: second }]
    const made = (await venue.post(ofSet, inGroup(...items))).body.bundle.groups
    expect(made).toEqual([{ ...group(items), id: expect.stringMatching(/^grp_/) }])
    expect((await venue.post(ofSet, inGroup(...items.toReversed()))).body.bundle.groups[0].id).toBe(made[0].id)
    await venue.remove(`/products/${first}`)
    expect((await venue.get(ofSet)).body.bundle.groups[0].items).toEqual([{ product: second }])
    await venue.post(`/products/${second}/details`, inGroup({ product: part }))
    expect((await venue.get(ofSet)).body.bundle.groups[0].items).toEqual([])
    expect(await issuesOf(ofSet, inGroup({ product: second }))).toEqual(['/bundle/groups/0/items/0/product conflict'])
  })
})

test('products by weight have a unit, and neither sizes nor parts', async () => {
  const path = `/products/${await createDish()}/details`
  expect(await issuesOf(path, { soldBy: { step: 0.05 } })).toEqual(['/soldBy/unit required'])
  expect(await issuesOf(path, { soldBy: { unit: 'lb' } })).toEqual(['/soldBy/unit invalid_value'])
  expect(await issuesOf(path, { soldBy: { unit: 'kg', step: 0.0005 } })).toEqual(['/soldBy/step too_small'])
  expect(await issuesOf(path, { soldBy: { unit: 'kg', step: 999.1 } })).toEqual(['/soldBy/step too_large'])
  expect((await venue.post(path, { soldBy: { unit: '100g', step: 0.05 } })).body.soldBy).toEqual({
    unit: '100g',
    step: 0.05,
  })
  expect(await issuesOf(path, { sizes: all })).toEqual(['/sizes conflict'])
  const bundle = { groups: [{ title: 'A', min: 0, max: 1, items: [{ product: part }] }] }
  expect(await issuesOf(path, { bundle })).toEqual(['/bundle conflict'])
})

test('sizes that are not shown do not prevent a unit, and a unit is not shown beside sizes', async () => {
  const product = await createDish()
  const path = `/products/${product}/details`
  await venue.post(path, { sizes: all })
  await venue.post(`/products/${product}`, { modifiers: [milk] })
  expect((await venue.post(path, { soldBy: { unit: 'kg' } })).body).toEqual({ soldBy: { unit: 'kg' } })
  await venue.post(`/products/${product}`, { modifiers: [size] })
  expect((await venue.get(path)).body).toEqual({ sizes: all })
})

test('labels: 20 of 40 characters', async () => {
  const labels = Array.from({ length: 20 }, (_, index) => `${index}`.padEnd(40, 'x'))
  expect((await venue.post(ofDish, { labels })).body.labels).toEqual(labels)
  expect(await issuesOf(ofDish, { labels: [...labels, 'one more'] })).toEqual(['/labels too_many'])
  expect(await issuesOf(ofDish, { labels: ['x'.repeat(41)] })).toEqual(['/labels/0 too_long'])
  expect(await issuesOf(ofDish, { labels: ['a', ' a '] })).toEqual(['/labels/1 duplicate'])
})
