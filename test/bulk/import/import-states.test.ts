import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { chunkLimits, messageLimits } from '../../../src/bulk/import/import-limits.ts'
import { createVenue, type Venue } from '../../support/api.ts'
import { observe, watch } from '../../support/d1.ts'
import { check, importFile, jsonl, listIssues, settle, toCounts } from '../../support/imports.ts'
import { setLimits } from '../../support/limits.ts'
import { interceptD1 } from '../../support/moves.ts'
import { isLong } from '../../support/rounds.ts'
import { createQueue, retrieve, rows } from './import-queue.ts'

afterEach(() => vi.useRealTimers())
const countProducts = async ({ id }: Pick<Venue, 'id'>) =>
  (
    await env.DB.prepare('select count(*) as count from products where merchant_id = ?')
      .bind(id)
      .first<{ count: number }>()
  )?.count

describe('an import', () => {
  test('makes each step once, however often its message comes, at once or later', async () => {
    setLimits(chunkLimits, { rows: 5 })
    setLimits(messageLimits, { steps: 1 })
    const venue = await createVenue()
    const queue = createQueue()
    const id = await queue.upload(venue, 'resource=products&apply=true', `title,price\n${'Tea,1\n'.repeat(12)}`)
    const [message] = queue.sent.splice(0)
    if (!message) throw new Error('no message')
    const progress: unknown[] = []
    for (let step = 0; step < 8; step++) {
      // All three requests read the import before the first of them writes.
      await Promise.all([queue.consume(message), queue.consume(message), queue.consume(message)])
      const { state, checked, applied, created } = await retrieve(venue, id)
      progress.push([state, checked, applied, created])
    }
    await queue.consume(message)
    expect(progress).toEqual([
      ['checking', 5, 0, 0],
      ['checking', 10, 0, 0],
      ['checking', 12, 0, 0],
      ['applying', 12, 0, 0],
      ['applying', 12, 5, 5],
      ['applying', 12, 10, 10],
      ['applying', 12, 12, 12],
      ['done', 12, 12, 12],
    ])
    expect(await countProducts(venue)).toBe(12)
  })

  test('goes on after D1 failed before or after any of its round trips', async () => {
    const venue = await createVenue()
    let failAt = 0
    let trip = 0
    let isLost = false
    const flaky = watch(env.DB, () => {
      if (++trip === failAt && !isLost) throw new Error('D1_ERROR: Network connection lost.')
    })
    const queue = createQueue({ DB: flaky.database })
    // All points in CI, and otherwise every fourth and the last one.
    const points = Array.from({ length: 12 }, (_, n) => n + 1).filter((n) => isLong || n % 4 === 1 || n === 12)
    for (failAt of points) {
      isLost = false
      const logged = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
      const id = await createQueue().upload(venue, 'resource=products&apply=true', rows(3, failAt * 10))
      const message = { merchant: venue.id, testMode: false, import: id }
      trip = 0
      await queue.consume(message)
      isLost = true
      await queue.consume(message)
      await queue.drain()
      logged.mockRestore()
      expect([failAt, toCounts(await retrieve(venue, id))]).toEqual([
        failAt,
        { rows: 3, checked: 3, applied: 3, created: 3 },
      ])
    }
    expect(await countProducts(venue)).toBe(3 * points.length)
  })

  test('gives way to others after some steps', async () => {
    const venue = await createVenue()
    const queue = createQueue()
    const count = chunkLimits.rows * (messageLimits.steps + 1)
    const id = await queue.upload(venue, 'resource=products', rows(count))
    const [message] = queue.sent.splice(0)
    if (!message) throw new Error('no message')
    expect(await queue.consume(message)).toEqual({ acked: 1, retried: 0 })
    expect(await retrieve(venue, id)).toMatchObject({
      state: 'checking',
      checked: chunkLimits.rows * messageLimits.steps,
    })
    expect(queue.sent).toEqual([message])
    await queue.drain()
    expect(await retrieve(venue, id)).toMatchObject({ state: 'ready', checked: count })
  })

  test('that is cancelled keeps the rows that were applied', async () => {
    setLimits(chunkLimits, { rows: 5 })
    const venue = await createVenue()
    const queue = createQueue()
    const count = chunkLimits.rows * (messageLimits.steps + 2)
    const id = await queue.upload(venue, 'resource=products&apply=true', rows(count))
    const [message] = queue.sent.splice(0)
    if (!message) throw new Error('no message')
    await queue.consume(message)
    await queue.consume(message)
    const { body } = await venue.post(`/imports/${id}/cancel`, undefined)
    expect(body.state).toBe('cancelled')
    expect(body.applied).toBeGreaterThan(0)
    expect(body.applied).toBeLessThan(count)
    await queue.consume(message)
    expect(await retrieve(venue, id)).toMatchObject({ state: 'cancelled', applied: body.applied })
    expect(await countProducts(venue)).toBe(body.applied)
    expect((await venue.post(`/imports/${id}/cancel`, undefined)).status).toBe(200)
    expect((await venue.post(`/imports/${id}/apply`, undefined)).body).toMatchObject({ status: 409, code: 'conflict' })
  })

  test('that is cancelled writes no details, also in a step that has begun', async () => {
    const venue = await createVenue({ home: 'd1' })
    const details = { allergens: [{ code: 'milk', level: 'contains' }] }
    const file = ['A', 'B'].map((externalId) => ({ externalId, title: externalId, price: 1, details }))
    const queue = createQueue()
    const query = 'resource=products&apply=true'
    const id = await queue.upload(venue, query, file.map((row) => JSON.stringify(row)).join('\n'), jsonl)
    const path = (externalId: string) => `/products/external/${externalId}?include=details`
    let isCancelled = false
    const DB = interceptD1(/insert into "details"/, async () => {
      if (isCancelled) return
      isCancelled = true
      await venue.post(`/imports/${id}/cancel`, undefined)
    })
    const [message] = queue.sent
    if (!message) throw new Error('no message')
    const slow = createQueue({ DB })
    for (let n = 0; n < 5; n++) await slow.consume(message)
    expect(await retrieve(venue, id)).toMatchObject({ state: 'cancelled', applied: 2 })
    for (const externalId of ['A', 'B']) expect((await venue.get(path(externalId))).body.details).toEqual({})
  })

  test('that is done can be applied again without effect, and not cancelled', async () => {
    const venue = await createVenue()
    const done = await importFile(venue, 'resource=products', rows(1))
    expect((await venue.post(`/imports/${done.id}/apply`, undefined)).body).toEqual(done)
    expect((await venue.post(`/imports/${done.id}/cancel`, undefined)).status).toBe(409)
    expect(await countProducts(venue)).toBe(1)
  })

  test('that is cancelled while its applying is requested is not said to be applied', async () => {
    const venue = await createVenue({ home: 'd1' })
    const { id } = await check(venue, 'resource=products', rows(1))
    const cancel = async () => {
      expect((await venue.post(`/imports/${id}/cancel`, undefined)).status).toBe(200)
    }
    const DB = interceptD1(/^update "imports" set .*"queued_at" = \?/, cancel)
    const { status, body } = await observe('POST', venue.path(`/imports/${id}/apply`), {
      key: venue.key,
      bindings: { DB },
    })
    expect([status, body.detail]).toEqual([409, 'An import in the state cancelled cannot be applied.'])
  })

  test('that is being checked cannot be applied', async () => {
    const venue = await createVenue()
    const id = await createQueue().upload(venue, 'resource=products', rows(1))
    expect((await venue.post(`/imports/${id}/apply`, undefined)).status).toBe(409)
  })

  test('checks again what changed since the check', async () => {
    const venue = await createVenue()
    const { id } = (await venue.post('/products', { title: 'Tea', price: 1 })).body
    const checked = await check(venue, 'resource=products', `id,title,price\n${id},Tea,2\n,Cake,1\n`)
    await venue.remove(`/products/${id}`)
    await venue.post(`/imports/${checked.id}/apply`, undefined)
    const done = await settle(venue, checked.id)
    expect(toCounts(done)).toMatchObject({ applied: 2, created: 2 })
    const coupon = 'title,code,type,value\nTen,TEN,FIXED,1\n'
    const second = await check(venue, 'resource=coupons', coupon)
    await venue.post('/coupons', { title: 'Other', code: 'ten', type: 'FIXED', value: 1 })
    await venue.post(`/imports/${second.id}/apply`, undefined)
    expect(toCounts(await settle(venue, second.id))).toEqual({ rows: 1, checked: 1, failed: 1 })
    expect(await listIssues(venue, second.id)).toEqual(['2 code duplicate'])
  })

  test('counts rows as failed that the code which applies them cannot read, though the check could', async () => {
    const venue = await createVenue()
    const checked = await check(venue, 'resource=products', rows(4))
    // As a release that reads rows otherwise would find them: a key is no longer valid, and a quoted cell does not end.
    await env.DB.prepare(
      `update import_chunks set rows = json_set(rows, '$[1].raw[0]', '.', '$[3].issue', json(?)) where import_id = ?`,
    )
      .bind(
        JSON.stringify({ code: 'invalid_format', message: 'has a quoted cell without a closing quote' }),
        checked.id,
      )
      .run()
    await venue.post(`/imports/${checked.id}/apply`, undefined)
    const done = await settle(venue, checked.id)
    expect(toCounts(done)).toEqual({ rows: 4, checked: 4, applied: 2, created: 2, failed: 2 })
    expect(await listIssues(venue, checked.id)).toEqual(['3 externalId invalid_format', '5 invalid_format'])
    expect(await countProducts(venue)).toBe(2)
  })

  test('raises the events and audit entries of its changes', async () => {
    const venue = await createVenue()
    await importFile(venue, 'resource=products', rows(2))
    const events = (await venue.get('/events')).body
    expect(events.map(({ type, externalId }: Record<string, string>) => [type, externalId])).toEqual([
      ['product.created', 'E0'],
      ['product.created', 'E1'],
    ])
    const byKey = ({ key }: { key: string }) => key === venue.keyId
    const entries = (await venue.get('/audit')).body.filter(byKey)
    expect(entries.map(({ operation }: { operation: string }) => operation).toSorted()).toEqual([
      'imports.apply',
      'imports.create',
      'products.create',
      'products.create',
    ])
  })
})
