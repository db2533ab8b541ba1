import { createExecutionContext, createMessageBatch } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { chunkLimits } from '../../../src/bulk/import/import-limits.ts'
import worker from '../../../src/index.ts'
import { createVenue, type Venue } from '../../support/api.ts'
import { queryHome } from '../../support/home.ts'
import { check, importFile, jsonl, listIssues, settle, toCounts, toJsonLines } from '../../support/imports.ts'
import { setLimits } from '../../support/limits.ts'
import { announce, getMove, interceptD1, runMoveWith, startMove } from '../../support/moves.ts'
import { createQueue, retrieve, rows } from './import-queue.ts'

const list = async (venue: Pick<Venue, 'get'>, collection: string) =>
  (await venue.get(`/${collection}?order=asc&limit=100`)).body

afterEach(() => vi.useRealTimers())

describe('delete=missing', () => {
  const file = (...ids: string[]) => `externalId,title,price\n${ids.map((id) => `${id},${id},1\n`).join('')}`

  test('deletes objects with an external id that the file does not name, and no others', async () => {
    const venue = await createVenue()
    await importFile(venue, 'resource=products', file('A', 'B', 'C'))
    await venue.post('/products', { title: 'Own', price: 1 })
    await importFile(venue, 'resource=customers', 'externalId,firstName,lastName\nB,A,B\n')
    const done = await importFile(venue, 'resource=products&delete=missing', file('A', 'D'))
    expect(toCounts(done)).toEqual({ rows: 2, checked: 2, applied: 2, created: 1, unchanged: 1, deleted: 2 })
    const titles = (await list(venue, 'products')).map(({ title }: { title: string }) => title)
    expect(titles).toEqual(['A', 'Own', 'D'])
    expect(await list(venue, 'customers')).toHaveLength(1)
    expect(
      (await venue.get('/events?limit=100')).body.filter(({ type }: { type: string }) => type === 'product.deleted'),
    ).toHaveLength(2)
  })

  test('is a field of the import', async () => {
    const venue = await createVenue()
    const done = await importFile(venue, 'resource=products&delete=missing', file('A'))
    expect(done).toHaveProperty('delete', 'missing')
    expect(await importFile(venue, 'resource=products', file('A'))).not.toHaveProperty('delete')
  })

  test('spares objects whose external ids are names of members of every object', async () => {
    const venue = await createVenue()
    const names = file('constructor', 'toString', 'other', '__proto__')
    await importFile(venue, 'resource=products', names)
    const done = await importFile(venue, 'resource=products&delete=missing', names)
    expect(toCounts(done)).toEqual({ rows: 4, checked: 4, applied: 4, unchanged: 4 })
    expect(await list(venue, 'products')).toHaveLength(4)
  })

  test('spares an object whose external id is cleared after it was found to be missing', async () => {
    const venue = await createVenue({ home: 'd1' })
    await importFile(venue, 'resource=products', file('A', 'B', 'C'))
    const [{ id: b }] = (await venue.get('/products?externalIds=B')).body
    let searches = 0
    const clear = async () => {
      if (++searches > 1) return
      expect((await venue.post(`/products/${b}/external-id`, { externalId: null })).status).toBe(200)
    }
    const findMissing = /"version" as version.*"external_id" not in \(select entry\.key/s
    const queue = createQueue({ DB: interceptD1(findMissing, () => Promise.resolve(), clear) })
    const id = await queue.upload(venue, 'resource=products&delete=missing', file('A'))
    await queue.drain()
    await queue.apply(venue, id)
    await queue.drain()
    expect(toCounts(await retrieve(venue, id))).toEqual({ rows: 1, checked: 1, applied: 1, unchanged: 1, deleted: 1 })
    expect((await list(venue, 'products')).map(({ title }: { title: string }) => title)).toEqual(['A', 'B'])
    // Two objects are missing, then one, then none.
    expect(searches).toBe(3)
  })

  test('spares what invalid rows name', async () => {
    const venue = await createVenue()
    await importFile(venue, 'resource=products', file('A', 'B', 'C'))
    const done = await importFile(
      venue,
      'resource=products&delete=missing',
      'externalId,title,price\nA,A,2\nB,B,much\n',
    )
    expect(toCounts(done)).toMatchObject({ updated: 1, failed: 1, deleted: 1 })
    expect((await list(venue, 'products')).map(({ title }: { title: string }) => title)).toEqual(['A', 'B'])
  })

  test('deletes nothing where a row cannot be read', async () => {
    const venue = await createVenue()
    await importFile(venue, 'resource=products', file('A', 'B'))
    const done = await importFile(venue, 'resource=products&delete=missing', 'externalId,title,price\nA,A,2\nB,"B,1\n')
    expect(toCounts(done)).toEqual({ rows: 2, checked: 2, applied: 1, updated: 1, failed: 1 })
    expect(await listIssues(venue, done.id)).toEqual(['1 conflict', '3 invalid_format'])
    expect(await list(venue, 'products')).toHaveLength(2)
  })

  test('says so behind the issues of the first line', async () => {
    const venue = await createVenue()
    await importFile(venue, 'resource=products', file('A'))
    const done = await importFile(
      venue,
      'resource=products&delete=missing',
      '{"externalId":".","title":"B","price":1}\n{"externalId":"C","title":"C","price":1}\n',
      jsonl,
    )
    expect(await listIssues(venue, done.id)).toEqual(['1 /externalId invalid_format', '1 conflict'])
    expect(await list(venue, 'products')).toHaveLength(2)
  })

  test('says so in no line of the faulty rows', async () => {
    const venue = await createVenue()
    const done = await importFile(
      venue,
      'resource=products&delete=missing',
      '{"externalId":"A","title":"A","price":1}\nnonsense\n',
      jsonl,
    )
    expect(await listIssues(venue, done.id)).toEqual(['1 conflict', '2 invalid_format'])
    const { body } = await venue.get(`/imports/${done.id}/errors`, { accept: 'application/jsonl' })
    expect(body).toBe('nonsense\n')
  })

  test('takes what it deletes out of the objects that name it', async () => {
    const venue = await createVenue()
    await importFile(venue, 'resource=modifiers', '{"externalId":"M","title":"Milk","instructions":""}\n', jsonl)
    await importFile(venue, 'resource=products', 'externalId,title,price,modifiers\nA,A,1,M\nB,B,1,M\nC,C,1,\n')
    const [a, b] = (await list(venue, 'products')).map(({ id }: { id: string }) => id)
    await venue.post('/menus', { title: 'Day', sections: [{ title: 'Hot', items: [b, a] }] })
    await venue.post('/coupons', { title: 'Ten', code: 'TEN', type: 'FIXED', value: 1, products: [b] })
    const lines = [
      { resource: 'modifiers', externalId: 'N', title: 'Nuts', instructions: '' },
      { resource: 'products', externalId: 'A', title: 'A', price: 1 },
    ]
    const done = await importFile(venue, 'delete=missing', toJsonLines(lines), jsonl)
    expect(toCounts(done)).toEqual({ rows: 2, checked: 2, applied: 2, created: 1, unchanged: 1, deleted: 3 })
    expect(await list(venue, 'products')).toMatchObject([{ title: 'A', modifiers: [] }])
    expect(await list(venue, 'menus')).toMatchObject([{ sections: [{ items: [a] }] }])
    expect(await list(venue, 'coupons')).toMatchObject([{ products: [] }])
  })

  test('spares objects of the second of the upload that were created after it', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const venue = await createVenue()
    await importFile(venue, 'resource=products', file('A', 'B'))
    const { id } = await check(venue, 'resource=products&delete=missing', file('A'))
    const { body: later } = await venue.post('/products', { title: 'C', price: 1 })
    await venue.post(`/products/${later.id}/external-id`, { externalId: 'C' })
    await venue.post(`/imports/${id}/apply`, undefined)
    expect(await settle(venue, id)).toMatchObject({ state: 'done', deleted: 1 })
    expect(await list(venue, 'products')).toMatchObject([{ title: 'A' }, { title: 'C' }])
  })

  test('deletes tags of more than 8 MiB in all', async () => {
    const venue = await createVenue()
    await importFile(
      venue,
      'resource=tags',
      `externalId,nfc\n${['A', 'B', 'C', 'D', 'E', 'F', 'G'].map((id) => `${id},0\n`).join('')}`,
    )
    const metadata = JSON.stringify([{ key: 'note', value: 'x'.repeat(1_600_000), visible: false }])
    await env.DB.prepare('update tags set metadata = ? where merchant_id = ?').bind(metadata, venue.id).run()
    const done = await importFile(venue, 'resource=tags&delete=missing', 'externalId,nfc\nA,1\n')
    expect(toCounts(done)).toEqual({ rows: 1, checked: 1, applied: 1, updated: 1, deleted: 6 })
    expect(await list(venue, 'tags')).toHaveLength(1)
  })

  test.each([
    ['deletes all that is missing while its merchant moves', 14],
    // The numbers of rows differ between the databases.
    ['deletes the rest where an object disappears while its merchant moves', 13, 'Tea 3'],
  ])('%s', async (_, deleted, disappearing = '') => {
    const venue = await createVenue({ home: 'object' })
    setLimits(chunkLimits, { rows: 10 })
    await importFile(venue, 'resource=products', rows(15))
    const { id } = await check(venue, 'resource=products&delete=missing', rows(1))
    // The rows are applied, and the message of the next step is under way.
    const applied = `update imports set state = 'applying', queued_at = 1, next_chunk = 999999 where id = ? and merchant_id = ?`
    await queryHome(venue.id, applied, id, venue.id)
    const body = { merchant: venue.id, testMode: false, import: id }
    const message = { id: 'step', timestamp: new Date(), attempts: 1, body }
    await startMove(venue.id, { home: 'd1' })
    await announce(venue.id)
    const remove = `delete from products where merchant_id = ? and title = ?`
    const DB = interceptD1(/^delete from "products"/, async () => {
      if ((await getMove(venue.id)).state === 'done') await env.DB.prepare(remove).bind(venue.id, disappearing).run()
    })
    await runMoveWith(venue.id, async () => {
      const consuming = worker.queue(createMessageBatch('imports', [message]), { ...env, DB }, createExecutionContext())
      // Until the step has read what to delete, and waits behind the fence.
      await scheduler.wait(200)
      return [consuming]
    })
    expect(await getMove(venue.id)).toMatchObject({ state: 'done', home: 'd1' })
    expect(await settle(venue, id)).toMatchObject({ state: 'done', deleted })
    expect((await venue.get('/products')).body).toMatchObject([{ title: 'Tea 0' }])
  })
})
