import { expect } from 'vitest'
import type { Venue } from './api.ts'
import { queryHome } from './home.ts'

type Fields = Record<string, unknown>
interface Created {
  id: string
  options?: { id: string; label: string }[]
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A value with its texts, and the names of its members, replaced. */
export function replaceTexts(value: unknown, replace: (text: string) => string): unknown {
  if (typeof value === 'string') return replace(value)
  if (Array.isArray(value)) return value.map((inner) => replaceTexts(inner, replace))
  if (!isFields(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [replace(key), replaceTexts(inner, replace)]))
}

const read = async ({ get }: Pick<Venue, 'get'>, collection: string): Promise<(Created & { title: string })[]> =>
  (await get(`/${collection}?include=details&limit=100&order=asc`)).body

/** Names of all objects of a venue and of their parts by id: their titles and labels. */
async function readNames(venue: Pick<Venue, 'get'>) {
  const names = new Map<string, string>()
  for (const collection of ['modifiers', 'products', 'menus']) {
    for (const { id, title, options = [] } of await read(venue, collection)) {
      names.set(id, title)
      for (const option of options) names.set(option.id, `${title} ${option.label}`)
    }
  }
  return names
}

/** The details of all objects by title, with names instead of ids, so that those of two venues can be compared. */
export async function readNamedDetails(venue: Pick<Venue, 'get'>): Promise<Record<string, unknown>> {
  const names = await readNames(venue)
  const found: Fields = {}
  for (const collection of ['modifiers', 'products', 'menus']) {
    for (const object of await read(venue, collection)) {
      const details = 'details' in object ? object.details : undefined
      found[object.title] = replaceTexts(details, (text) => names.get(text) ?? text)
    }
  }
  return found
}

/**
 * A venue whose details name an object or an option in every way they can. The bundle is older than its parts, and the modifier with modifiers of its
 * options older than these, so that each stands before what it names in an export. Ids of options are the service's own.
 */
export async function createNamedDishes(venue: Pick<Venue, 'id' | 'get' | 'post'>) {
  const create = async (collection: string, body: object): Promise<string> => {
    const response = await venue.post(`/${collection}`, body)
    expect([response.status, response.body.errors]).toEqual([201, undefined])
    return response.body.id
  }
  const setDetails = async (path: string, body: object) => {
    const response = await venue.post(`/${path}/details`, body)
    expect([path, response.status, response.body.errors]).toEqual([path, 200, undefined])
  }
  const createModifier = (title: string, labels: readonly string[], more: object = {}) =>
    create('modifiers', {
      ...{ title, instructions: '', ...more },
      options: labels.map((label) => ({ label, additionalCost: 0.5 })),
    })
  const set = await create('products', { title: 'Set', price: 9 })
  const milk = await createModifier('Milk', ['Whole', 'Oat'])
  const foam = await createModifier('Foam', ['More', 'None'])
  const cocoa = await createModifier('Cocoa', ['Dark', 'Light'])
  const size = await createModifier('Size', ['S', 'M', 'L'], { type: 'RADIO' })
  const modifiers = [size, milk, cocoa]
  const latte = await create('products', { title: 'Latte', price: 3, modifiers })
  const tea = await create('products', { title: 'Tea', price: 2, modifiers: [size, milk] })
  const cake = await create('products', { title: 'Cake', price: 4 })
  const menu = await create('menus', { title: 'All', sections: [{ title: 'All', items: [set, latte, tea, cake] }] })
  const names = await readNames(venue)
  const ids = new Map(Array.from(names, ([id, name]) => [name, id]))
  const of = (name: string): string => {
    const id = ids.get(name)
    if (id === undefined) throw new Error(`nothing is named ${name}`)
    return id
  }
  const prices = (...amounts: [string, number][]) =>
    Object.fromEntries(amounts.map(([label, price]) => [of(`Size ${label}`), { price, sku: `SKU-${label}` }]))
  await setDetails(`modifiers/${milk}`, {
    options: {
      [of('Milk Whole')]: { allergens: [{ code: 'milk', level: 'contains' }], modifiers: [foam, cocoa] },
      [of('Milk Oat')]: { allergens: [], max: 2, modifiers: [foam] },
    },
    sizedCosts: {
      [of('Milk Oat')]: { [of('Size S')]: 0.3, [of('Size M')]: 0.4, [of('Size L')]: 0.6 },
      [of('Milk Whole')]: { [of('Size L')]: 0.1 },
    },
    translations: { fr: { title: 'Lait', options: { [of('Milk Oat')]: { label: 'Avoine' } } } },
  })
  const sized = (details: object) => ({
    ...{ allergens: [], sizes: { modifier: size, prices: prices(['S', 3], ['M', 3.5], ['L', 4.2]) } },
    ...details,
  })
  await setDetails(
    `products/${latte}`,
    sized({
      modifierRules: [
        { modifier: milk, min: 1, title: 'Which milk?' },
        { modifier: cocoa, max: 1 },
      ],
    }),
  )
  await setDetails(`products/${tea}`, sized({ labels: ['hot'] }))
  const group = (id: string, items: object[]) => ({ id, title: id, min: 1, max: 1, items })
  const inSizes = (product: string) =>
    ['S', 'L'].map((label) => ({ product, size: of(`Size ${label}`), surcharge: label === 'L' ? 1 : 0 }))
  const groups = [
    group('drink', [...inSizes(latte), ...inSizes(tea)]),
    group('food', [{ product: cake, surcharge: 0.5 }]),
  ]
  await setDetails(`products/${set}`, { bundle: { groups, splitTax: true }, diets: ['vegetarian'] })
  await setDetails(`menus/${menu}`, {
    prices: [
      { product: latte, sizes: { [of('Size S')]: 2.5, [of('Size L')]: 3.9 } },
      { product: tea, price: 1.5, sizes: { [of('Size L')]: 2.9 } },
      { product: cake, price: 3.5 },
    ],
    position: 3,
  })
  return { ids, of, setDetails }
}

const perDetails = `update details set data = json_set(data, '$.later', json('{"kept":[1,{"too":true}]}')) where merchant_id = ?`

/** Adds a member that this release does not know to all details of a venue. */
export const addUnknownMembers = (merchantId: string) => queryHome(merchantId, perDetails, merchantId)

/** Number of details of a venue with the unknown member, and of all. */
export async function countUnknownMembers(merchantId: string): Promise<[number, number]> {
  const sql = `select count(data -> '$.later.kept[1].too') as kept, count(*) as count from details where merchant_id = ?`
  const [row = {}] = await queryHome(merchantId, sql, merchantId)
  return [Number(Reflect.get(row, 'kept')), Number(Reflect.get(row, 'count'))]
}
