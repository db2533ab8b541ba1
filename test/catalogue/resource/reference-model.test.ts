import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createVenue } from '../../support/api.ts'
import { comparable, type Fields, holds, models, patched, withIds } from '../../support/reference-model.ts'
import { toRounds } from '../../support/rounds.ts'

/** The same cases on every run; a failure names its seed and path, with which fast-check replays it. */
const runs = (numRuns: number) => ({ seed: 20_261_121, numRuns: toRounds(numRuns) })

const venue = await createVenue()
const create = async (path: string, body: object): Promise<string> => (await venue.post(path, body)).body.id
const ids = await Promise.all([0, 1, 2].map(() => create('/products', { title: 'Tea', price: 1 })))

const resources = models.filter(({ collection }) => /products|modifiers|menus|coupons/.test(collection))

test.each(resources)('random updates of $collection have the result of the model or are rejected', async (model) => {
  const { collection, base, patches, shown, names } = model
  const path = `/${collection}`
  const shownBy = (object: Fields) => comparable(collection, object)
  const outcomes = new Set<number>()
  await fc.assert(
    fc.asyncProperty(fc.array(patches, { minLength: 1, maxLength: 8 }), async (sequence) => {
      let expected = shown(base())
      let { body: before } = await venue.post(path, expected)
      const { id, createdAt, testMode } = before
      expect(shownBy(before)).toEqual({ ...expected, testMode })
      expect(before.updatedAt).toBe(createdAt)
      for (const choice of sequence) {
        const patch: Fields = Object.assign({}, withIds(choice, names === 'products' ? ids : []))
        const next = patched(model, expected, patch)
        const response = await venue.post(`${path}/${id}`, patch)
        outcomes.add(response.status)
        expect(response.status).toBe(holds(next) ? 200 : 422)
        if (response.status === 200) expected = next
        const { body: after } = await venue.get(`${path}/${id}`)
        expect([after.id, after.createdAt, shownBy(after)]).toEqual([id, createdAt, { ...expected, testMode }])
        if (response.status === 200) expect(response.body).toEqual(after)
        const isChanged = JSON.stringify({ ...before, updatedAt: after.updatedAt }) !== JSON.stringify(after)
        expect(after.updatedAt > before.updatedAt).toBe(isChanged)
        before = after
      }
      await venue.remove(`${path}/${id}`)
    }),
    runs(100),
  )
  expect([...outcomes].sort()).toEqual(path === '/products' ? [200] : [200, 422])
})

/** References between objects, by id. */
type Names = Map<string, string[]>

test('after random changes, references name exactly the objects that exist', async () => {
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
    runs(100),
  )
})
