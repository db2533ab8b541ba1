import { describe, expect, test, vi } from 'vitest'
import { undoBounds } from '../../../src/bulk/changes/undo/undo-steps.ts'
import { limits } from '../../../src/platform/http/fields.ts'
import { createKey, createVenue, type Venue } from '../../support/api.ts'
import { importFile } from '../../support/imports.ts'
import { setLimits } from '../../support/limits.ts'
import { isLong } from '../../support/rounds.ts'

const create = (title: string, more: object = {}) => ({
  op: 'create',
  resource: 'products',
  body: { title, price: 1, ...more },
})
const update = (id: string, body: object, more: object = {}) => ({
  op: 'update',
  resource: 'products',
  id,
  body,
  ...more,
})
const run = async ({ post }: Pick<Venue, 'post'>, ...operations: object[]) => {
  const { status, body } = await post('/batch', { operations })
  expect(status).toBe(200)
  return {
    changeSet: body.changeSet as string,
    ids: body.results.map(({ id }: { id: string }) => id) as string[],
  }
}
const undo = ({ post }: Pick<Venue, 'post'>, id: string, query = '') => post(`/changes/${id}/undo${query}`, undefined)
const withoutTimes = (object: Record<string, unknown>) => ({ ...object, updatedAt: 0 })

/** All objects of a collection, in the order of their creation. */
async function listAll({ get }: Pick<Venue, 'get'>, collection: string) {
  const all: Record<string, unknown>[] = []
  for (let path = `/${collection}?order=asc&limit=100&include=details,externalId`; path !== ''; ) {
    const { body, headers } = await get(path)
    all.push(...body)
    path = /<[^?]*(\?[^>]*)>/.exec(headers.get('link') ?? '')?.[1] ?? ''
    if (path !== '') path = `/${collection}${path}`
  }
  return all
}

/** Waits until an undo in steps has ended. */
async function settle({ get }: Pick<Venue, 'get'>, id: string) {
  return vi.waitUntil(
    async () => {
      const { body } = await get(`/changes/${id}`)
      return body.state === 'undoing' ? undefined : body
    },
    { timeout: 60_000, interval: 100 },
  )
}

/** Lets fewer objects fit one transaction than in the service, unless all of its objects are tested, as in CI. */
function setBounds(objects: number) {
  setLimits(undoBounds, { objects })
  if (!isLong) setLimits(limits, { operations: limits.operations / 5 })
}

describe.each(['d1', 'object'])('undo in a home of the kind %s', (home) => {
  test('sets fields back that nobody has changed since, and lists the others', async () => {
    const venue = await createVenue({ home })
    const { ids } = await run(venue, create('Tea'), create('Milk', { sku: 'M' }), create('Cake'))
    const [tea = '', milk = '', cake = ''] = ids
    const before = await listAll(venue, 'products')
    const { changeSet } = await run(
      venue,
      update(tea, { price: 2, description: 'Hot' }, { details: { labels: ['hot'] } }),
      update(milk, { price: 2, sku: null }),
      update(cake, { price: 2, title: 'Pie' }),
    )
    await venue.post(`/products/${cake}`, { price: 3, visible: false })
    const plan = (await undo(venue, changeSet, '?dryRun=true')).body
    expect(plan).toMatchObject({ dryRun: true, counts: { created: 0, updated: 3, deleted: 0 }, conflictCount: 1 })
    expect((await venue.get(`/changes/${changeSet}`)).body.state).toBe('done')

    const { status, body } = await undo(venue, changeSet)
    expect(status).toBe(200)
    const conflicts = [{ resource: 'products', id: cake, reason: 'changed', fields: ['price'] }]
    expect(body).toMatchObject({ kind: 'undo', state: 'done', undoes: changeSet, conflictCount: 1, conflicts })
    expect(plan.conflicts).toEqual(conflicts)
    const after = await listAll(venue, 'products')
    expect(after.slice(0, 2).map(withoutTimes)).toEqual(before.slice(0, 2).map(withoutTimes))
    expect(after[2]).toMatchObject({ price: 3, title: 'Cake', visible: false })
    expect((await venue.get(`/changes/${changeSet}`)).body).toMatchObject({ state: 'undone', undoneBy: body.id })
  })

  test('deletes created objects, unless somebody has changed them since', async () => {
    const venue = await createVenue({ home })
    const { changeSet, ids } = await run(
      venue,
      { ...create('Tea'), ref: '#tea' },
      { ...create('Cake'), details: { labels: ['sweet'] } },
      { op: 'create', resource: 'menus', body: { title: 'All', sections: [{ title: 'A', items: ['#tea'] }] } },
    )
    await venue.post(`/products/${ids[1]}/details`, { labels: ['salty'] })
    const { body } = await undo(venue, changeSet)
    expect(body).toMatchObject({
      counts: { created: 0, updated: 0, deleted: 2 },
      conflicts: [{ id: ids[1], reason: 'changed', fields: ['details.labels'] }],
    })
    expect((await listAll(venue, 'products')).map(({ id }) => id)).toEqual([ids[1]])
    expect(await listAll(venue, 'menus')).toEqual([])
  })

  test('a second undo has the result of the first one, also at the same time; an undo can be undone', async () => {
    const venue = await createVenue({ home })
    const { ids } = await run(venue, create('Tea'))
    const { changeSet } = await run(venue, update(ids[0] ?? '', { price: 2 }))
    const all = await Promise.all([1, 2, 3].map(() => undo(venue, changeSet)))
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(new Set(all.map(({ body }) => body.id)).size).toBe(1)
    expect((await venue.get('/changes?kind=undo')).body).toHaveLength(1)
    expect((await listAll(venue, 'products'))[0]).toMatchObject({ price: 1 })
    await undo(venue, all[0]?.body.id)
    expect((await listAll(venue, 'products'))[0]).toMatchObject({ price: 2 })
  })

  test('shows objects before and after', async () => {
    const venue = await createVenue({ home })
    const { ids } = await run(venue, create('Tea'), create('Milk'))
    const { changeSet } = await run(venue, update(ids[0] ?? '', { price: 2 }), create('Cake'), {
      op: 'delete',
      resource: 'products',
      id: ids[1],
    })
    const { objects } = (await venue.get(`/changes/${changeSet}`)).body
    const byChange = Object.fromEntries(objects.map((object: { change: string }) => [object.change, object]))
    expect(byChange).toMatchObject({
      updated: { id: ids[0], before: { price: 1 }, after: { price: 2 } },
      created: { after: { title: 'Cake', price: 1 } },
      deleted: { id: ids[1], before: { title: 'Milk' } },
    })
    const first = await venue.get(`/changes/${changeSet}?limit=2`)
    const next = /cursor=(\w+)/.exec(first.headers.get('link') ?? '')?.[1]
    const rest = await venue.get(`/changes/${changeSet}?limit=2&cursor=${next}`)
    expect([...first.body.objects, ...rest.body.objects]).toEqual(objects)
    const blind = await createKey(venue.id, { mode: 'live', scopes: ['changes:read'] })
    const seen = (await blind.get(`/changes/${changeSet}`)).body.objects
    expect(seen.map((object: object) => Object.keys(object))).toEqual([1, 2, 3].map(() => ['resource', 'id', 'change']))
  })

  test('an import of many rows after some were edited: all others are set back, in steps', async () => {
    setBounds(isLong ? 100 : 30)
    const venue = await createVenue({ home })
    const count = isLong ? 2_000 : 120
    const rows = (price: number) =>
      `externalId,title,price,description\n${Array.from({ length: count }, (_, n) => `E${n},Tea ${n},${price},P${price}\n`).join('')}`
    await importFile(venue, 'resource=products', rows(1))
    const before = await listAll(venue, 'products')
    const { changeSet } = await importFile(venue, 'resource=products', rows(2))
    const edited = before.slice(0, 20).map(({ id }) => String(id))
    for (const id of edited) await venue.post(`/products/${id}`, { price: 9, description: 'Mine' })
    const { status, body } = await undo(venue, changeSet)
    expect(status).toBe(202)
    const ended = await settle(venue, body.id)
    expect(ended).toMatchObject({ counts: { updated: count - 20 }, conflictCount: 20 })
    expect(ended.conflicts.map(({ id }: { id: string }) => id)).toEqual(edited)
    const after = await listAll(venue, 'products')
    expect(after.slice(20).map(withoutTimes)).toEqual(before.slice(20).map(withoutTimes))
    expect(after.slice(0, 20).every(({ price }) => price === 9)).toBe(true)
    expect((await venue.get(`/changes/${changeSet}`)).body.state).toBe('undone')
    expect((await undo(venue, changeSet)).body.id).toBe(body.id)
  }, 120_000)

  test('an import of new objects that name each other is deleted, in steps', async () => {
    setBounds(isLong ? 50 : 20)
    const venue = await createVenue({ home })
    const count = isLong ? 600 : 120
    const { changeSet } = await importFile(
      venue,
      'resource=products',
      `externalId,title,price\n${Array.from({ length: count }, (_, n) => `E${n},Tea ${n},1\n`).join('')}`,
    )
    const ended = await settle(venue, (await undo(venue, changeSet)).body.id)
    expect(ended).toMatchObject({ counts: { created: 0, updated: 0, deleted: count }, conflictCount: 0 })
    expect(await listAll(venue, 'products')).toEqual([])
  }, 120_000)
})

test('an undo needs the scopes to write what it changes', async () => {
  const venue = await createVenue()
  const { changeSet } = await run(venue, create('Tea'))
  const key = (scopes: string[]) => createKey(venue.id, { mode: 'live', scopes })
  expect((await undo(await key(['products:write']), changeSet)).status).toBe(403)
  expect((await undo(await key(['changes:write']), changeSet)).status).toBe(403)
  expect((await undo(await key(['changes:write', 'products:write']), changeSet)).status).toBe(200)
  expect((await undo(venue, 'chs_none')).status).toBe(404)
})

test('stock is never set back', async () => {
  const venue = await createVenue()
  const { ids } = await run(venue, create('Tea', { manageStock: true, stockQuantity: 9 }))
  const { changeSet } = await run(venue, update(ids[0] ?? '', { stockQuantity: 5, price: 2 }))
  await undo(venue, changeSet)
  expect((await listAll(venue, 'products'))[0]).toMatchObject({ price: 1, stockQuantity: 5 })
})
