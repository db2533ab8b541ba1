import { describe, expect, test } from 'vitest'
import { createKey, createVenue, toIssues, type Venue } from '../../support/api.ts'
import { isLong } from '../../support/rounds.ts'

const venue = await createVenue()
const foreign = await createVenue()
const testing = await createKey(venue.id, { mode: 'test' })

const productOf = async ({ post }: Pick<Venue, 'post'>): Promise<string> =>
  (await post('/products', { title: 'Tea', price: 1 })).body.id
const modifierOf = async ({ post }: Pick<Venue, 'post'>): Promise<string> =>
  (await post('/modifiers', { title: 'Milk', instructions: '' })).body.id
const several = <Value>(count: number, make: () => Promise<Value>) => Promise.all(Array.from({ length: count }, make))

interface Shown {
  modifiers?: string[]
  products?: string[]
  sections?: { items: string[] }[]
}

/** Every field with references: how it is set, and the pointer of its nth id. */
const referrers = [
  {
    owner: 'products',
    target: 'modifiers',
    create: modifierOf,
    naming: (modifiers: unknown[]) => ({ title: 'Tea', price: 1, modifiers }),
    field: (ids: unknown[]) => ({ modifiers: ids }),
    pointer: (index: number) => `/modifiers/${index}`,
    ids: (body: Shown) => body.modifiers,
  },
  {
    owner: 'coupons',
    target: 'products',
    create: productOf,
    naming: (products: unknown[]) => ({
      title: 'Spring',
      code: crypto.randomUUID(),
      type: 'FIXED',
      value: 1,
      products,
    }),
    field: (ids: unknown[]) => ({ products: ids }),
    pointer: (index: number) => `/products/${index}`,
    ids: (body: Shown) => body.products,
  },
  {
    owner: 'menus',
    target: 'products',
    create: productOf,
    naming: (items: unknown[]) => ({ title: 'Lunch', sections: [{ title: 'A' }, { title: 'B', items }] }),
    field: (ids: unknown[]) => ({ sections: [{}, { items: ids }] }),
    pointer: (index: number) => `/sections/1/items/${index}`,
    ids: ({ sections }: Shown) => sections?.[1]?.items,
  },
]

describe.each(referrers)('references of $owner', ({ owner, target, create, naming, field, pointer, ids }) => {
  test('must exist; each unknown id is reported with its pointer', async () => {
    const [a, b] = [await create(venue), await create(venue)]
    const deleted = await create(venue)
    await venue.remove(`/${target}/${deleted}`)
    const wrong = [
      await create(foreign),
      await create(testing),
      deleted,
      `${a}x`,
      a.toUpperCase(),
      owner,
      '%',
      "' or 1=1 --",
    ]
    const issues = wrong.map((_, index) => `${pointer(index + 1)} not_found`).sort()
    expect(toIssues(await venue.post(`/${owner}`, naming([a, ...wrong, b])))).toEqual(issues)
    const { body: made } = await venue.post(`/${owner}`, naming([a]))
    expect(toIssues(await venue.post(`/${owner}/${made.id}`, field([a, ...wrong, b])))).toEqual(issues)
    expect((await venue.get(`/${owner}/${made.id}`)).body).toEqual(made)
    // Returns the same problem if the owner does not exist: the body is checked first.
    expect(toIssues(await venue.post(`/${owner}/nothing`, field(wrong.slice(0, 1))))).toEqual([
      `${pointer(0)} not_found`,
    ])
  })

  test('must be of the same merchant and mode', async () => {
    for (const { post, get } of [venue, foreign, testing]) {
      const id = await create({ post })
      const made = await post(`/${owner}`, naming([id]))
      expect([made.status, ids(made.body)]).toEqual([201, [id]])
      expect((await get(`/${owner}/${made.body.id}`)).body).toMatchObject(made.body)
    }
  })

  test('are removed when their object is deleted; the order and other fields are unchanged', async () => {
    const all = await several(5, () => create(venue))
    const hostile = { title: 'Quote " \\ \' 🍵 \u2028 \u0001 \n{"$":[]}' }
    const { body: made } = await venue.post(`/${owner}`, { ...naming(all.toReversed()), ...hostile })
    const { body: other } = await venue.post(`/${owner}`, naming([all[0]]))
    const { body: bystander } = await venue.post(`/${owner}`, naming([]))
    let before = made
    for (const doomed of [all[2], all[4]]) {
      expect((await venue.remove(`/${target}/${doomed}`)).status).toBe(200)
      const { body: after } = await venue.get(`/${owner}/${made.id}`)
      expect(ids(after)).toEqual(ids(before)?.filter((id) => id !== doomed))
      expect(after.updatedAt).toBeGreaterThan(before.updatedAt)
      const rest = { modifiers: 0, products: 0, sections: 0, updatedAt: 0 }
      expect({ ...after, ...rest }).toEqual({ ...before, ...rest })
      before = after
    }
    expect(ids(before)).toEqual([all[3], all[1], all[0]])
    expect((await venue.get(`/${owner}/${other.id}`)).body).toEqual(other)
    expect((await venue.get(`/${owner}/${bystander.id}`)).body).toEqual(bystander)
  })

  test('can be removed and added by updates; the owner can be deleted first', async () => {
    const [a, b] = [await create(venue), await create(venue)]
    const { body: made } = await venue.post(`/${owner}`, naming([a, b]))
    for (const next of [[b], [], [b, a], [a]]) {
      expect(ids((await venue.post(`/${owner}/${made.id}`, field(next))).body)).toEqual(next)
    }
    const { body: before } = await venue.get(`/${owner}/${made.id}`)
    expect((await venue.remove(`/${target}/${b}`)).status).toBe(200)
    expect((await venue.get(`/${owner}/${made.id}`)).body).toEqual(before)
    expect((await venue.remove(`/${owner}/${made.id}`)).status).toBe(200)
    expect((await venue.remove(`/${target}/${a}`)).status).toBe(200)
  })

  test('never dangle when a create or an update races with a delete', async () => {
    // Each of the pauses meets each other one; in CI twice.
    const races = isLong ? 30 : 15
    const outcomes = new Set<number>()
    for (let race = 0; race < races; race++) {
      const [doomed, kept] = [await create(venue), await create(venue)]
      const { body: made } = await venue.post(`/${owner}`, naming([kept]))
      const [removed, created, updated] = await Promise.all([
        scheduler.wait(race % 5).then(() => venue.remove(`/${target}/${doomed}`)),
        scheduler.wait(race % 3).then(() => venue.post(`/${owner}`, naming([kept, doomed]))),
        scheduler.wait(race % 2).then(() => venue.post(`/${owner}/${made.id}`, field([doomed, kept]))),
      ])
      expect(removed.status).toBe(200)
      for (const response of [created, updated]) {
        outcomes.add(response.status)
        if (response.status === 422) expect(response.body.errors).toMatchObject([{ code: 'not_found' }])
        else expect(response.status).toBe(response === created ? 201 : 200)
      }
      const left = await venue.get(`/${owner}/${made.id}`)
      expect(ids(left.body)).toEqual([kept])
      if (created.status === 201) expect(ids((await venue.get(`/${owner}/${created.body.id}`)).body)).toEqual([kept])
    }
    // The deletion was the first in some races and the last in others.
    expect([...outcomes].sort()).toEqual([200, 201, 422])
  })
})

test('a delete removes a product from all menus and coupons', async () => {
  const [doomed, kept] = [await productOf(venue), await productOf(venue)]
  const sections = [{ items: [doomed] }, { items: [kept, doomed] }, { items: [] }, { items: [doomed, kept] }]
  const menus = await several(3, async () => (await venue.post('/menus', { title: 'Lunch', sections })).body)
  const coupons = await several(
    3,
    async () => (await venue.post('/coupons', referrers[1]?.naming([doomed, kept]))).body,
  )
  expect((await venue.remove(`/products/${doomed}`)).status).toBe(200)
  for (const menu of menus) {
    const { body } = await venue.get(`/menus/${menu.id}`)
    expect(body.sections.map(({ items }: { items: string[] }) => items)).toEqual([[], [kept], [], [kept]])
    expect(body.sections.map(({ id }: { id: string }) => id)).toEqual(menu.sections.map(({ id }: { id: string }) => id))
    expect(body.updatedAt).toBeGreaterThan(menu.updatedAt)
  }
  for (const coupon of coupons) {
    const { body } = await venue.get(`/coupons/${coupon.id}`)
    expect(body).toEqual({ ...coupon, products: [kept], updatedAt: body.updatedAt })
    expect(body.updatedAt).toBeGreaterThan(coupon.updatedAt)
  }
})
