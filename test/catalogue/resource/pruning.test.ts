import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { maintain } from '../../../src/app/maintenance/maintenance.ts'
import { overduePruningSeconds } from '../../../src/bulk/pruning.ts'
import { pruneBounds } from '../../../src/catalogue/resource/pruning/continue-pruning.ts'
import { maxPrunedTogether } from '../../../src/catalogue/resource/statements/prune-statements.ts'
import { sharedDatabase } from '../../../src/platform/db/home/d1-connection.ts'
import { adminToken, call } from '../../support/api.ts'
import { multiply, type Trip, watch } from '../../support/d1.ts'
import { queryHome } from '../../support/home.ts'
import { setLimits } from '../../support/limits.ts'
import { createQueue, createUsed, expectPruned, findLeft, listEvents, marker, send } from './pruned-venue.ts'

const written = (trips: readonly Trip[]) => trips.map(({ rowsWritten }) => rowsWritten)

test(`up to ${maxPrunedTogether} references are removed in the transaction of the deletion`, async () => {
  const objects = await createUsed(maxPrunedTogether)
  const queue = createQueue()
  expect((await send(objects.venue, queue, 'DELETE', `/modifiers/${objects.used}`)).status).toBe(200)
  expect(queue.sent).toEqual([])
  await expectPruned(objects.venue, objects, maxPrunedTogether)
})

describe('more references', () => {
  test('are removed in transactions of bounded size, whatever their number', async () => {
    const most: number[] = []
    for (const count of [1_100, 2_200, 4_400]) {
      const objects = await createUsed(count)
      const { database, trips } = watch(env.DB)
      const queue = createQueue({ DB: database })
      const { status, body, trips: deletion } = await send(objects.venue, queue, 'DELETE', `/modifiers/${objects.used}`)
      expect([status, body.id]).toEqual([200, objects.used])
      await queue.drain()
      await expectPruned(objects.venue, objects, count)
      expect(trips.length).toBeLessThanOrEqual(Math.ceil(count / pruneBounds.owners) + 8)
      most.push(Math.max(...written(deletion), ...written(trips)))
    }
    console.log(
      `figure: most rows written in one transaction to delete a modifier of 1100, 2200, 4400 products, ${most}`,
    )
    expect(Math.max(...most)).toBeLessThanOrEqual(12 * pruneBounds.owners)
    expect(Math.max(...most) - Math.min(...most)).toBeLessThanOrEqual(20)
  })

  test('a run ends after its transactions, and the next message goes on', async () => {
    setLimits(pruneBounds, { steps: 2 })
    const objects = await createUsed(1_600)
    const queue = createQueue()
    await send(objects.venue, queue, 'DELETE', `/modifiers/${objects.used}`)
    expect(queue.sent).toEqual([{ merchant: objects.venue.id, pruning: true }])
    await queue.consumeNext()
    expect(await findLeft(objects.venue, objects.used)).toMatchObject({ links: 1_600 - 2 * pruneBounds.owners })
    expect(queue.sent).toHaveLength(1)
    await queue.drain()
    await expectPruned(objects.venue, objects, 1_600)
  })

  test('the object is deleted at once for every reader', async () => {
    const { venue, used, kept, product } = await createUsed(1_001)
    const queue = createQueue()
    await venue.post(`/modifiers/${used}/details`, { translations: { de: { title: marker } } })
    const { body: menu } = await venue.post('/menus', { title: 'Food', sections: [{ title: 'All', items: [product] }] })
    expect((await send(venue, queue, 'DELETE', `/modifiers/${used}`)).status).toBe(200)
    expect(await findLeft(venue, used)).toMatchObject({ links: 1_001, rows: 1 })
    for (const path of [
      '/modifiers',
      '/modifiers?include=externalId,details',
      `/modifiers?q=${marker}`,
      `/modifiers?ids=${used}`,
      '/modifiers?externalIds=used',
      `/products?modifier=${used}`,
      `/products/${product}`,
      `/menus/${menu.id}`,
      '/export?resources=modifiers,products',
    ]) {
      const { status, body } = await venue.get(path)
      expect([path, status]).toEqual([path, 200])
      expect(JSON.stringify(body), path).not.toContain(marker)
    }
    const quote = await venue.post('/quotes', { items: [{ product, quantity: 1 }] })
    expect(quote.status).toBe(200)
    const damaged = await call('GET', `/admin/merchants/${venue.id}/damaged`, adminToken)
    const usage = await call('GET', `/admin/merchants/${venue.id}/usage`, adminToken)
    expect([damaged.status, damaged.body.length ?? 0, usage.body.objects.modifiers]).toEqual([
      200,
      0,
      { live: 1, test: 0 },
    ])
    for (const [method, path, json] of [
      ['GET', `/modifiers/${used}`, undefined],
      ['GET', '/modifiers/external/used', undefined],
      ['GET', `/modifiers/${used}/details`, undefined],
      ['POST', `/modifiers/${used}`, { title: 'Again' }],
      ['DELETE', `/modifiers/${used}`, undefined],
    ] as const) {
      expect([path, (await venue.request(method, path, json)).status]).toEqual([path, 404])
    }
    // Its external id is free, and no request can name the object any more.
    const again = { title: 'New', instructions: '' }
    expect((await venue.request('PUT', '/modifiers/external/used', again)).status).toBe(201)
    expect((await venue.post('/products', { title: 'Cake', price: 1, modifiers: [used] })).status).toBe(422)
    // A product that has not followed can be changed, and given other modifiers.
    expect((await venue.post(`/products/${product}`, { price: 2 })).body.price).toBe(2)
    expect((await venue.post(`/products/${product}`, { modifiers: [kept] })).body.modifiers).toEqual([kept])
    expect(await findLeft(venue, used)).toMatchObject({ links: 1_000 })
    await queue.drain()
    expect(await findLeft(venue, used)).toEqual({ naming: 0, links: 0, rows: 0 })
    expect((await venue.get(`/products/${product}`)).body.modifiers).toEqual([kept])
  })

  test('a kill in any state leaves what the scheduled task continues', async () => {
    setLimits(pruneBounds, { owners: 400 })
    const writes = /^\s*(insert|update|delete)/i
    for (let kill = 0; kill < 4; kill++) {
      const objects = await createUsed(1_001)
      let transactions = 0
      const { database } = watch(env.DB, (statements) => {
        if (statements.some((text) => writes.test(text)) && transactions++ === kill) throw new Error('killed')
      })
      const queue = createQueue({ DB: database })
      await send(objects.venue, queue, 'DELETE', `/modifiers/${objects.used}`)
      expect(await queue.consumeNext()).toBe(false)
      // The message is lost, too.
      expect(queue.sent).toEqual([])
      const before = await findLeft(objects.venue, objects.used)
      expect(before).toMatchObject({ rows: 1, links: Math.max(0, 1_001 - 400 * kill) })
      await maintain(queue.bindings, sharedDatabase(queue.bindings))
      expect(queue.sent).toEqual([])
      await env.DB.prepare('update modifiers set created_at = 1, updated_at = updated_at - ? where id = ?')
        .bind(overduePruningSeconds + 1, objects.used)
        .run()
      await maintain(queue.bindings, sharedDatabase(queue.bindings))
      expect(queue.sent).toEqual([{ merchant: objects.venue.id, pruning: true }])
      await queue.drain()
      await expectPruned(objects.venue, objects, 1_001)
    }
  })

  test('a message that comes twice changes nothing again', async () => {
    const objects = await createUsed(1_001)
    const queue = createQueue()
    await send(objects.venue, queue, 'DELETE', `/modifiers/${objects.used}`)
    queue.sent.push(...queue.sent)
    await queue.drain()
    await expectPruned(objects.venue, objects, 1_001)
  })

  test('to objects of a batch are removed like those of single deletions', async () => {
    const { venue, used, kept, product } = await createUsed(1_001)
    const queue = createQueue()
    const operations = [
      { op: 'delete', resource: 'modifiers', externalId: 'used' },
      { op: 'delete', resource: 'modifiers', id: kept },
      { op: 'update', resource: 'products', id: product, body: { price: 3 } },
    ]
    const dryRun = await send(venue, queue, 'POST', '/batch?dryRun=true', { operations })
    expect([dryRun.status, queue.sent]).toEqual([200, []])
    const { status, body } = await send(venue, queue, 'POST', '/batch', { operations })
    expect([status, body.results?.length]).toEqual([200, 3])
    expect((await venue.get('/modifiers')).body).toEqual([])
    expect(queue.sent).toHaveLength(1)
    await queue.drain()
    expect(await findLeft(venue, used)).toEqual({ naming: 0, links: 0, rows: 0 })
    expect(await findLeft(venue, kept)).toEqual({ naming: 0, links: 0, rows: 0 })
    const events = await listEvents(venue)
    expect(events.slice(0, 2).map(({ type }) => type)).toEqual(['modifier.deleted', 'modifier.deleted'])
    expect((await venue.get(`/products/${product}`)).body).toMatchObject({ price: 3, modifiers: [] })
  })

  test('of a product in menus and coupons are removed, with its marks and its own references', async () => {
    const { venue, used, product } = await createUsed(1)
    const queue = createQueue()
    await venue.post(`/products/${product}/availability`, { soldOut: true })
    const { body: coupon } = await venue.post('/coupons', {
      title: 'Ten',
      code: 'TEN',
      type: 'FIXED',
      value: 1,
      applyToAllProducts: false,
      products: [product],
    })
    const { body: menu } = await venue.post('/menus', { title: 'Food', sections: [{ title: 'All', items: [product] }] })
    await multiply('coupons', coupon.id, 1_001)
    await queryHome(
      venue.id,
      'insert into coupon_products (owner, target) select coupons.seq, products.seq from coupons cross join products where coupons.merchant_id = ? and products.id = ? on conflict do nothing',
      venue.id,
      product,
    )
    expect((await send(venue, queue, 'DELETE', `/products/${product}`)).status).toBe(200)
    expect((await venue.get('/stock')).body).toEqual([])
    // The product no longer names the modifier.
    expect((await send(venue, queue, 'DELETE', `/modifiers/${used}`)).status).toBe(200)
    await queue.drain()
    expect(await queryHome(venue.id, 'select id from products where merchant_id = ?', venue.id)).toEqual([])
    expect((await venue.get(`/menus/${menu.id}`)).body.sections[0].items).toEqual([])
    expect((await venue.get(`/coupons/${coupon.id}`)).body.products).toEqual([])
    const events = await queryHome(
      venue.id,
      "select distinct test_mode from events where merchant_id = ? and type <> ''",
      venue.id,
    )
    expect(events).toEqual([{ test_mode: 0 }])
  })
})
