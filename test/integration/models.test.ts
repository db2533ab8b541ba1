import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { createVenue } from '../support/api.ts'
import { samples } from '../support/samples.ts'

/** The same cases on every run; a failure names its seed and path, with which fast-check replays it. */
const runs = (numRuns: number) => ({ seed: 20_261_121, numRuns })

type Fields = Record<string, unknown>

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** RFC 7396, as it is written there. */
function merge(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const merged = new Map(Object.entries(isObject(target) ? target : {}))
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key)
    else merged.set(key, merge(merged.get(key), value))
  }
  return Object.fromEntries(merged)
}

const isSet = (value: unknown) => value !== null && value !== undefined
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null, freq: 4 })
const patchOf = (shape: Record<string, fc.Arbitrary<unknown>>) => fc.record(shape, { requiredKeys: [] })
const flag = maybe(fc.boolean())
vi.setConfig({ testTimeout: 30_000 })
const venue = await createVenue()
const create = async (path: string, body: object): Promise<string> => (await venue.post(path, body)).body.id
const ids = await Promise.all([0, 1, 2].map(() => create('/products', { title: 'Tea', price: 1 })))

const defaultsOf = (collection: string) => samples.find((sample) => sample.collection === collection)?.defaults

/** A resource by the contract: what an object shows, and what patches do to it. */
interface Model {
  path: string
  base: () => Fields
  patches: fc.Arbitrary<Fields>
  /** Fields that go back to their default because of others in a patch. */
  resets: (patch: Fields) => string[]
  shown: (set: Fields) => Fields
}

const models: Model[] = [
  {
    path: '/products',
    base: () => ({ title: 'Tea', price: 1 }),
    patches: patchOf({
      title: fc.constantFrom('Tea', 'Tee', 'Thé'),
      price: fc.constantFrom(0, 1, 2.5),
      description: maybe(fc.constantFrom('', 'a', 'b')),
      visible: flag,
      manageStock: flag,
      taxRate: maybe(fc.constantFrom(0, 7)),
      metadata: maybe(fc.constantFrom([], [{ key: 'a', value: 'b' }])),
    }),
    resets: () => [],
    shown: (set) => ({ ...defaultsOf('products'), ...set }),
  },
  {
    path: '/modifiers',
    base: () => ({ title: 'Milk', instructions: '' }),
    patches: patchOf({
      instructions: fc.constantFrom('', 'a'),
      type: maybe(fc.constantFrom('CHECKBOX', 'RADIO')),
      rules: maybe(patchOf({ required: flag, allowedMultiple: flag, selectRestriction: maybe(fc.nat(3)) })),
      options: maybe(
        fc.constantFrom(
          [],
          [
            { id: 'a', preSelected: true },
            { id: 'b', preSelected: true },
          ],
          [{ id: 'c' }],
        ),
      ),
    }),
    resets: () => [],
    shown: (set) => ({ ...defaultsOf('modifiers'), ...set }),
  },
  {
    path: '/menus',
    base: () => ({ title: 'Lunch' }),
    patches: patchOf({
      visible: flag,
      showSectionNavigation: flag,
      allDayMenu: flag,
      begin: maybe(fc.constantFrom('0900', '2200')),
      end: maybe(fc.constantFrom('1500', '2200', '2400')),
      branding: maybe(
        patchOf({ banner: maybe(fc.constantFrom(false, 'https://a.b/c')), icon: flag.map((icon) => icon && null) }),
      ),
    }),
    resets: ({ begin, end, allDayMenu }) => (isSet(begin) && isSet(end) && !isSet(allDayMenu) ? ['allDayMenu'] : []),
    shown: (set) => ({ ...defaultsOf('menus'), allDayMenu: !('begin' in set && 'end' in set), ...set }),
  },
  {
    path: '/coupons',
    base: () => ({ title: 'Spring', code: crypto.randomUUID(), type: 'FIXED', value: 1 }),
    patches: patchOf({
      type: fc.constantFrom('PERCENTAGE', 'FIXED'),
      value: fc.constantFrom(0, 50, 100, 101),
      active: flag,
      minimumOrderAmount: maybe(fc.constantFrom(0, 20)),
      applyToAllProducts: flag,
      products: maybe(fc.shuffledSubarray(ids)),
    }),
    resets: ({ products, applyToAllProducts }) =>
      Array.isArray(products) && products.length > 0 && !isSet(applyToAllProducts) ? ['applyToAllProducts'] : [],
    shown: (set) => ({
      ...defaultsOf('coupons'),
      applyToAllProducts: !Array.isArray(set['products']) || set['products'].length === 0,
      ...set,
    }),
  },
]

/** Whether an object breaks no rule between its fields. */
function holds({ type, rules, options, value, begin, end, allDayMenu }: Fields): boolean {
  if (type === 'FIXED' && value === 0) return false
  if (type === 'PERCENTAGE' && !(Number(value) > 0 && Number(value) <= 100)) return false
  if (allDayMenu !== undefined && (isSet(begin) !== isSet(end) || (isSet(begin) && begin === end))) return false
  if (allDayMenu === false && !isSet(begin)) return false
  if (!isObject(rules) || !Array.isArray(options)) return true
  const restriction = Number(rules['selectRestriction'] ?? 0)
  const isSingle = type === 'RADIO' || rules['allowedMultiple'] === false
  const most = isSingle ? 1 : restriction || 250
  if (type === 'RADIO' && (rules['allowedMultiple'] === true || restriction > 1)) return false
  if (options.length > 0 && restriction > options.length) return false
  return options.filter(({ preSelected }) => preSelected).length <= most
}

test.each(models)('any updates of $path leave what the contract says, or are refused by it', async (model) => {
  const { path, base, patches, resets, shown } = model
  const outcomes = new Set<number>()
  await fc.assert(
    fc.asyncProperty(fc.array(patches, { minLength: 1, maxLength: 8 }), async (sequence) => {
      let expected = shown(base())
      let { body: before } = await venue.post(path, expected)
      const { id, createdAt, testMode } = before
      expect(before).toEqual({ ...expected, id, createdAt, testMode, updatedAt: createdAt })
      for (const patch of sequence) {
        const reset = resets(patch)
        const kept = Object.fromEntries(Object.entries(expected).filter(([key]) => !reset.includes(key)))
        const next = shown(Object.assign({}, merge(kept, patch)))
        const answer = await venue.post(`${path}/${id}`, patch)
        outcomes.add(answer.status)
        expect(answer.status).toBe(holds(next) ? 200 : 422)
        if (answer.status === 200) expected = next
        const { body: after } = await venue.get(`${path}/${id}`)
        const { updatedAt } = after
        expect(after).toEqual({ ...expected, id, createdAt, testMode, updatedAt })
        if (answer.status === 200) expect(answer.body).toEqual(after)
        const isChanged = JSON.stringify({ ...before, updatedAt }) !== JSON.stringify(after)
        expect(updatedAt > before.updatedAt).toBe(isChanged)
        before = after
      }
      await venue.remove(`${path}/${id}`)
    }),
    runs(25),
  )
  expect([...outcomes].sort()).toEqual(path === '/products' ? [200] : [200, 422])
})

/** What names what, by id. */
type Names = Map<string, string[]>

test('any creations, updates and deletions leave lists that name exactly what still exists', async () => {
  const number = fc.nat(50)
  const step = fc.record({
    act: fc.constantFrom('product', 'modifier', 'name', 'rename', 'delete', 'delete', 'delete owner'),
    owner: fc.constantFrom('products', 'coupons', 'menus'),
    pick: number,
    picks: fc.uniqueArray(number, { maxLength: 4 }),
  })
  const naming: Record<string, (ids: string[]) => object> = {
    products: (modifiers) => ({ modifiers }),
    coupons: (products) => ({ products }),
    menus: (items) => ({ sections: [{ items: [] }, { items }] }),
  }
  const named = (owner: string, body: Fields) => {
    if (owner !== 'menus') return body[owner === 'products' ? 'modifiers' : 'products']
    return Array.isArray(body['sections']) ? (body['sections'][1]?.items ?? []) : []
  }

  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30 }), async (steps) => {
      const { get, post, remove } = await createVenue()
      const owners: Record<string, Names> = { products: new Map(), coupons: new Map(), menus: new Map() }
      const all: Record<string, string[]> = { products: [], modifiers: [] }
      const chosen = <Value>(from: readonly Value[], picks: number[]) => [
        ...new Set(from.length === 0 ? [] : picks.map((pick) => from.at(pick % from.length))),
      ]
      for (const { act, owner, pick, picks } of steps) {
        const target = owner === 'products' ? 'modifiers' : 'products'
        const names = owners[owner] ?? new Map()
        const ids = chosen(all[target] ?? [], picks).filter((id) => id !== undefined)
        const [one] = chosen([...names.keys()], [pick])
        const change = naming[owner]?.(ids) ?? {}
        if (act === 'product' || (act === 'name' && owner === 'products')) {
          const body = { title: 'Tea', price: 1, ...(act === 'name' ? change : {}) }
          const made = (await post('/products', body)).body.id
          all['products']?.push(made)
          owners['products']?.set(made, act === 'name' ? ids : [])
        } else if (act === 'modifier') {
          all['modifiers']?.push((await post('/modifiers', { title: 'Milk', instructions: '' })).body.id)
        } else if (act === 'name') {
          const coupon = { title: 'Spring', code: crypto.randomUUID(), type: 'FIXED', value: 1 }
          const made = await post(`/${owner}`, { ...(owner === 'coupons' ? coupon : { title: 'Lunch' }), ...change })
          names.set(made.body.id, ids)
        } else if (act === 'rename' && one !== undefined) {
          expect((await post(`/${owner}/${one}`, change)).status).toBe(200)
          names.set(one, ids)
        } else if (act === 'delete') {
          const [doomed] = chosen(all[target] ?? [], [pick])
          if (doomed === undefined) continue
          expect((await remove(`/${target}/${doomed}`)).status).toBe(200)
          all[target] = (all[target] ?? []).filter((id) => id !== doomed)
          owners[target]?.delete(doomed)
          for (const each of target === 'modifiers' ? ['products'] : ['coupons', 'menus']) {
            for (const [id, list] of owners[each] ?? [])
              owners[each]?.set(
                id,
                list.filter((other) => other !== doomed),
              )
          }
        } else if (act === 'delete owner' && one !== undefined && owner !== 'products') {
          expect((await remove(`/${owner}/${one}`)).status).toBe(200)
          names.delete(one)
        }
      }
      for (const [owner, names] of Object.entries(owners)) {
        const { body } = await get(`/${owner}?limit=100&order=asc`)
        const shown = body.map((object: Fields) => [object['id'], named(owner, object)])
        expect(shown).toEqual([...names].sort(([a], [b]) => (a < b ? -1 : 1)))
      }
    }),
    runs(25),
  )
})
