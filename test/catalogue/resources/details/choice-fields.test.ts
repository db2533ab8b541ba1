import { describe, expect, test } from 'vitest'
import { createVenue, toIssues } from '../../../support/api.ts'

const venue = await createVenue()
const create = async (path: string, body: object): Promise<string> => (await venue.post(path, body)).body.id
const option = (id: string) => ({ id, label: id })
const radio = { title: 'Size', instructions: '', type: 'RADIO', options: ['s', 'm', 'l'].map(option) }
const size = await create('/modifiers', radio)
const milk = await create('/modifiers', { ...radio, title: 'Milk', type: 'CHECKBOX', options: [option('oat')] })
const other = await create('/modifiers', { ...radio, title: 'Other' })
const createDish = () => create('/products', { title: 'Latte', price: 3, modifiers: [size, milk] })
const ofMilk = `/modifiers/${milk}/details`

const prices = (...ids: string[]) => Object.fromEntries(ids.map((id, index) => [id, { price: 3 + index }]))
const all = { modifier: size, prices: prices('s', 'm', 'l') }
/** Issues of a write of details; none if it succeeds. */
async function issuesOf(path: string, body: object): Promise<string[]> {
  const response = await venue.post(path, body)
  return response.status === 200 ? [] : toIssues(response)
}

describe('options', () => {
  test.each<[object, string[]]>([
    [{ options: { soy: { allergens: [] } } }, ['/options/soy not_found']],
    [{ options: { oat: { max: 0 } } }, ['/options/oat/max too_small']],
    [{ options: { oat: { max: 100 } } }, ['/options/oat/max too_large']],
    [{ options: { oat: { nutrition: {} } } }, ['/options/oat/nutrition unknown_field']],
    [{ options: { oat: { modifiers: ['mod_x'] } } }, ['/options/oat/modifiers/0 not_found']],
    [{ options: { oat: { modifiers: [milk] } } }, ['/options/oat/modifiers/0 conflict']],
    [{ options: { oat: { modifiers: ['a', 'b', 'c', 'd'] } } }, ['/options/oat/modifiers too_many']],
    [
      { options: { oat: { diets: ['vegan'], allergens: [{ code: 'milk', level: 'contains' }] } } },
      ['/options/oat/diets/0 contradicts'],
    ],
    [{ sizedCosts: { soy: { s: 1 } } }, ['/sizedCosts/soy not_found']],
    [{ sizedCosts: { oat: { s: 1_000_000_001 } } }, ['/sizedCosts/oat/s too_large']],
    [{ pricing: 'lowest' }, ['/pricing invalid_value']],
    [{ min: 3, max: 2 }, ['/max conflict']],
    [{ min: 2, max: 4, pricing: 'highest', sizedCosts: { oat: { s: 0.5, gone: -1 } } }, []],
  ])('%o', async (body, issues) => {
    expect((await issuesOf(ofMilk, body)).slice(0, 1)).toEqual(issues)
  })

  test('a modifier of one choice has no max above 1', async () => {
    expect(await issuesOf(`/modifiers/${size}/details`, { max: 2 })).toEqual(['/max conflict'])
    expect(await issuesOf(`/modifiers/${size}/details`, { max: 1 })).toEqual([])
  })

  test('nest one level deep', async () => {
    const [outer, inner, deep] = [await create('/modifiers', radio), await create('/modifiers', radio), other]
    await venue.post(`/modifiers/${inner}/details`, { options: { s: { modifiers: [deep] } } })
    expect(await issuesOf(`/modifiers/${outer}/details`, { options: { m: { modifiers: [inner] } } })).toEqual([
      '/options/m/modifiers/0 conflict',
    ])
    await venue.post(`/modifiers/${inner}/details`, { options: null })
    expect(await issuesOf(`/modifiers/${outer}/details`, { options: { m: { modifiers: [inner] } } })).toEqual([])
    await venue.post(`/modifiers/${inner}/details`, { options: { s: { modifiers: [deep] } } })
    // Deeper nesting is ignored when it is read.
    expect((await venue.get(`/modifiers/${outer}/details`)).body).toEqual({})
  })

  test('what an option says goes with the option', async () => {
    const modifier = await create('/modifiers', radio)
    const path = `/modifiers/${modifier}/details`
    await venue.post(path, { options: { s: { allergens: [] }, m: { ageLimit: 18 } }, sizedCosts: { s: { x: 1 } } })
    await venue.post(`/modifiers/${modifier}`, { options: [option('m'), option('n')] })
    expect((await venue.get(path)).body).toEqual({ options: { m: { ageLimit: 18 } } })
  })
})

describe('prices of a menu', () => {
  test('take sizes, and need a price or a size', async () => {
    const product = await createDish()
    await venue.post(`/products/${product}/details`, { sizes: all })
    const path = `/menus/${await create('/menus', { title: 'Lunch' })}/details`
    const issues = (entry: object) => issuesOf(path, { prices: [{ product, ...entry }] })
    expect(await issues({})).toEqual(['/prices/0/price required'])
    expect(await issues({ sizes: {} })).toEqual(['/prices/0/price required'])
    expect(await issues({ sizes: { xl: 2 } })).toEqual(['/prices/0/sizes/xl not_found'])
    expect(await issues({ sizes: { s: -2 } })).toEqual(['/prices/0/sizes/s too_small'])
    expect((await venue.post(path, { prices: [{ product, sizes: { s: 2.5 } }] })).body.prices).toEqual([
      { product, sizes: { s: 2.5 } },
    ])
  })
})
