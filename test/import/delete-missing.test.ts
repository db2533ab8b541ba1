import { createExecutionContext, createMessageBatch } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { consumeImports } from '../../src/import/import-consumer.ts'
import { chunkLimits } from '../../src/import/import-limits.ts'
import { createVenue, type Venue } from '../support/api.ts'
import { queryHome } from '../support/home.ts'
import { check, importFile, listIssues, settle, toCounts } from '../support/imports.ts'
import { setLimits } from '../support/limits.ts'
import { announce, getMove, runMoveWith, startMove } from '../support/moves.ts'
import { rows } from './import-queue.ts'

const list = async (venue: Pick<Venue, 'get'>, collection: string) =>
  (await venue.get(`/${collection}?order=asc&limit=100`)).body

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

  test('spares objects whose external ids are names of members of every object', async () => {
    const venue = await createVenue()
    const names = file('constructor', 'toString', 'other', '__proto__')
    await importFile(venue, 'resource=products', names)
    const done = await importFile(venue, 'resource=products&delete=missing', names)
    expect(toCounts(done)).toEqual({ rows: 4, checked: 4, applied: 4, unchanged: 4 })
    expect(await list(venue, 'products')).toHaveLength(4)
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

  test('deletes all that is missing while its merchant moves', async () => {
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
    await runMoveWith(venue.id, async () => {
      const consuming = consumeImports(createMessageBatch('imports', [message]), env, createExecutionContext())
      // Until the step has read what to delete, and waits behind the fence.
      await scheduler.wait(200)
      return [consuming]
    })
    expect(await getMove(venue.id)).toMatchObject({ state: 'done', home: 'd1' })
    expect(await settle(venue, id)).toMatchObject({ state: 'done', deleted: 14 })
    expect((await venue.get('/products')).body).toMatchObject([{ title: 'Tea 0' }])
  })
})
