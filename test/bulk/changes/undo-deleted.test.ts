import { afterEach, describe, expect, test } from 'vitest'
import { undoBounds } from '../../../src/bulk/changes/undo/undo-steps.ts'
import { resourceList } from '../../../src/catalogue/resources/registry.ts'
import { createVenue, send } from '../../support/api.ts'
import { queryHome } from '../../support/home.ts'
import { samples } from '../../support/samples.ts'
import { batch, create, createFull, remove, settle, show, showAll, undo } from './full-venue.ts'

const bounds = { ...undoBounds }
afterEach(() => Object.assign(undoBounds, bounds))

describe.each(['d1', 'object'] as const)('undo of deletions in a home of the kind %s', (home) => {
  test('everything that a batch deleted returns in one transaction, in its places', async () => {
    const { venue, objects, tag, tea } = await createFull(home)
    const scan = async () => {
      const { status, headers } = await send(`/t/${tag.alias[0]}`)
      return [status, headers.get('location')]
    }
    const scanned = await scan()
    const before = await showAll(venue, objects)
    const count = async () => (await venue.get('/events?limit=100&order=desc')).body
    const set = await batch(venue, ...objects.toReversed().map(([resource, id]) => remove(resource, id)))
    expect(await showAll(venue, objects)).not.toEqual(before)
    const plan = (await undo(venue, set, '?dryRun=true')).body
    expect(plan).toMatchObject({ counts: { created: objects.length, updated: 0, deleted: 0 }, conflictCount: 0 })
    const { status, body } = await undo(venue, set)
    expect([status, body.conflicts]).toEqual([200, []])
    expect(body).toMatchObject({ kind: 'undo', state: 'done', counts: { created: objects.length } })
    expect(await showAll(venue, objects)).toEqual(before)
    const [details, ...others] = await count()
    // Its version follows that of the details before the deletion.
    expect(details).toMatchObject({ type: 'product.details_updated', version: 2, data: { id: tea } })
    expect(details.data.details).toEqual((await venue.get(`/products/${tea}/details`)).body)
    const raised = others.slice(0, objects.length)
    expect(raised.map(({ type, restored, version }: Record<string, unknown>) => [type, restored, version])).toEqual(
      raised.map(({ type }: { type: string }) => [type.replace(/\..*/, '.created'), true, expect.any(Number)]),
    )
    const sql = 'select count(*) as n from menu_products where owner in (select seq from menus where merchant_id = ?)'
    expect(await queryHome(venue.id, sql, venue.id)).toEqual([{ n: 4 }])
    expect(await scan()).toEqual(scanned)
    const audit = (await venue.get(`/audit?object=${objects[0]?.[1]}`)).body
    expect(JSON.stringify(audit)).toContain('products.restore')
  })

  test('a tag returns with its destination, also for the copies of tags', async () => {
    const venue = await createVenue({ home, orderingUrl: 'https://order.example/' })
    const tag = await create(venue, '/tags', {})
    await venue.post(`/tags/${tag.id}/details`, { url: 'https://order.example/terrace?table={tag}' })
    const scan = async () => (await send(`/t/${tag.alias[0]}`)).headers.get('location')
    const before = await scan()
    const set = await batch(venue, remove('tags', tag.id))
    expect(await scan()).toBeNull()
    await undo(venue, set)
    expect(before).toContain('/terrace')
    expect(await scan()).toBe(before)
  })

  test.each(resourceList.filter(({ isRestorable }) => isRestorable).map(({ path }) => ({ path })))(
    'an object of $path that was changed and deleted returns as it was before both, and leaves again',
    async ({ path }) => {
      const venue = await createVenue({ home })
      const sample = samples.find(({ collection }) => collection === path)
      const { id } = (await venue.request('PUT', `/${path}/external/EXT-1`, sample?.body('gone'))).body
      const before = await show(venue, path, id)
      const headers = { 'Change-Set': 'both' }
      const operations = [{ op: 'update', resource: path, id, body: sample?.change }, remove(path, id)]
      const sets = []
      for (const operation of operations)
        sets.push((await venue.post('/batch', { operations: [operation] }, headers)).body.changeSet)
      expect(sets[0]).toBe(sets[1])
      const first = (await undo(venue, sets[0])).body
      expect([first.counts, first.conflicts]).toEqual([{ created: 1, updated: 0, deleted: 0 }, []])
      expect(await show(venue, path, id)).toEqual(before)
      expect((await undo(venue, first.id)).body).toMatchObject({ counts: { deleted: 1 }, conflictCount: 0 })
      expect((await venue.get(`/${path}/${id}`)).status).toBe(404)
    },
  )

  test('owners that others changed since get the objects back at their places', async () => {
    const { venue, cake, tea, tart, pie, menu, coupon } = await createFull(home)
    const set = await batch(venue, remove('products', tea), remove('products', tart))
    const [first] = (await venue.get(`/menus/${menu}`)).body.sections
    await venue.post(`/menus/${menu}`, { sections: [{ ...first, title: 'New', items: [pie, cake] }] })
    const { body } = await undo(venue, set)
    expect([body.conflicts, body.counts]).toEqual([[], { created: 2, updated: 2, deleted: 0 }])
    expect((await venue.get(`/menus/${menu}`)).body.sections).toMatchObject([
      { title: 'New', items: [pie, cake, tea, tart] },
    ])
    expect((await venue.get(`/coupons/${coupon}`)).body.products).toEqual([tart, tea])
  })

  test('what cannot return is a conflict, and the rest returns', async () => {
    const { venue, cake, tea, tart, pie, menu, coupon, objects } = await createFull(home)
    await venue.request('PUT', '/products/external/PIE', { title: 'Quiche', price: 1 })
    const quiche = (await venue.get('/products/external/PIE')).body.id
    const gone = [tea, tart, pie, quiche]
    const set = await batch(venue, ...gone.map((id) => remove('products', id)), remove('coupons', coupon))
    await create(venue, '/coupons', { title: 'Ten', code: 'TEN', type: 'FIXED', value: 2 })
    await venue.request('PUT', '/products/external/PIE', { title: 'Pie', price: 1 })
    await venue.post(`/products/${tart}/restore`, {})
    await venue.post(`/products/${tart}`, { price: 9 })
    await venue.post(`/products/${pie}/restore`, {})
    await venue.remove(`/products/${pie}`)
    const { body } = await undo(venue, set)
    expect(body.counts.created).toBe(2)
    expect(body.conflicts.toSorted((a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1))).toEqual(
      [
        { resource: 'coupons', id: coupon, reason: 'rejected' },
        { resource: 'products', id: pie, reason: 'deleted' },
        { resource: 'products', id: quiche, reason: 'changed', fields: ['externalId'] },
        { resource: 'menus', id: menu, reason: 'changed', fields: ['sections'] },
      ].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    )
    expect((await venue.get(`/menus/${menu}`)).body.sections[0].items).toEqual([cake, tea, tart])
    expect((await venue.get(`/products/${tart}`)).body.price).toBe(9)
    expect(objects.length).toBeGreaterThan(0)
  })

  test('a product whose details were edited after its return stays when that return is undone', async () => {
    const { venue, tea, cake } = await createFull(home)
    const set = await batch(venue, remove('products', tea), remove('products', cake))
    const first = (await undo(venue, set)).body
    await venue.post(`/products/${tea}/details`, { ageLimit: 16 })
    const { body } = await undo(venue, first.id)
    expect(body).toMatchObject({ counts: { deleted: 1 }, conflicts: [{ id: tea, reason: 'changed' }] })
    expect((await venue.get(`/products/${tea}/details`)).body.ageLimit).toBe(16)
  })

  test('many objects return in steps, those that others name first', async () => {
    Object.assign(undoBounds, { objects: 40 })
    const venue = await createVenue({ home })
    const headers = { 'Change-Set': 'everything' }
    const run = (operations: object[]) => venue.post('/batch', { operations }, headers)
    const milk = (await create(venue, '/modifiers', { title: 'Milk', instructions: '' })).id
    const titles = Array.from({ length: 520 }, (_, n) => `Tea ${n}`)
    const ids: string[] = []
    for (const some of [titles.slice(0, 300), titles.slice(300)]) {
      const operations = some.map((title) => ({
        ...{ op: 'create', resource: 'products' },
        body: { title, price: 1, modifiers: [milk] },
      }))
      const { results } = (await venue.post('/batch', { operations })).body
      ids.push(...results.map(({ id }: { id: string }) => id))
    }
    const sections = [{ title: 'All', items: ids.slice(0, 60) }]
    const menu = (await create(venue, '/menus', { title: 'Lunch', sections })).id
    await run([remove('menus', menu)])
    await run(ids.slice(0, 300).map((id) => remove('products', id)))
    const set = (await run([...ids.slice(300).map((id) => remove('products', id)), remove('modifiers', milk)])).body
    const started = await undo(venue, set.changeSet)
    expect(started.status).toBe(202)
    const ended = await settle(venue, started.body.id)
    expect(ended).toMatchObject({ counts: { created: ids.length + 2, updated: 0, deleted: 0 }, conflictCount: 0 })
    expect((await venue.get(`/menus/${menu}`)).body.sections[0].items).toEqual(ids.slice(0, 60))
    const sql =
      'select count(*) as n from product_modifiers where owner in (select seq from products where merchant_id = ?)'
    expect(await queryHome(venue.id, sql, venue.id)).toEqual([{ n: ids.length }])
  }, 120_000)

  test('a restore is a change set, and can be undone', async () => {
    const { venue, tea, menu, objects } = await createFull(home)
    await venue.remove(`/products/${tea}`)
    const without = await showAll(venue, objects)
    await venue.post(`/products/${tea}/restore`, {})
    const [set, ...others] = (await venue.get('/changes?kind=restore')).body
    expect([set.counts, set.by, others]).toEqual([{ created: 1, updated: 0, deleted: 0 }, venue.keyId, []])
    const { objects: changed } = (await venue.get(`/changes/${set.id}`)).body
    expect(changed.map(({ id }: { id: string }) => id)).toContain(menu)
    expect((await undo(venue, set.id)).body).toMatchObject({ counts: { deleted: 1 }, conflictCount: 0 })
    expect(await showAll(venue, objects)).toEqual(without)
  })
})
