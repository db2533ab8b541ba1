import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { deleteClosedMerchants, deletionDelaySeconds } from '../../../src/admin/delete-closed.ts'
import worker from '../../../src/index.ts'
import { clearCredentialCaches } from '../../../src/platform/auth/sessions.ts'
import { directoryDatabase } from '../../../src/platform/db/home/d1-connection.ts'
import { readTag } from '../../../src/storefront/tags/resolve.ts'
import { settleSeconds } from '../../../src/tenancy/backup/restore/run-restore.ts'
import { Publisher } from '../../../src/webhooks/rpc.ts'
import { adminToken, call, createVenue } from '../../support/api.ts'
import { multiply } from '../../support/d1.ts'
import { queryHome, ringAlarm } from '../../support/home.ts'
import { check } from '../../support/imports.ts'
import { admin, advance, backUp, fill, read, restore } from './restores.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

describe.each(['d1', 'object'] as const)('a restore in the home %s', (home) => {
  test('restores the state of the merchant, byte for byte', async () => {
    const { venue, product, modifier } = await fill(home)
    // Webhooks come back inactive: here they are before.
    for (const { id } of (await venue.get('/webhooks')).body) await venue.post(`/webhooks/${id}`, { active: false })
    const before = await read(venue)
    const takenAt = await backUp(venue.id)
    await venue.remove(`/products/${product}`)
    await venue.remove(`/modifiers/${modifier}`)
    for (const { id } of (await venue.get('/tags')).body) await venue.remove(`/tags/${id}`)
    await venue.post('/products', { title: 'New word', price: 1 })
    await admin(venue.id, '', { name: 'Damaged', currency: 'USD' })
    const damaged = await read(venue)
    expect(damaged).not.toEqual(before)

    const { states, savedAt, omitted } = await restore(venue.id, takenAt)
    expect([states, omitted]).toEqual([['saving', 'deleting', 'loading', 'done'], {}])
    expect(await read(venue)).toEqual(before)
    expect((await call('GET', `/admin/merchants/${venue.id}`, adminToken)).body).toMatchObject({
      currency: 'EUR',
      status: 'active',
    })
    // The state before the restore is in a backup of its own.
    await restore(venue.id, savedAt)
    expect(await read(venue)).toEqual(damaged)
  })

  test('lets imports, publishers and alarms wait until it is done, so that nothing is lost between', async () => {
    const { venue } = await fill(home)
    const { id } = await check(venue, 'resource=products', 'title,price\nCake,3\n')
    const takenAt = await backUp(venue.id)
    const applying = `update imports set state = 'applying' where id = ? and merchant_id = ?`
    await queryHome(venue.id, applying, id, venue.id)
    await admin(venue.id, 'restore', { takenAt, replace: true })
    advance(settleSeconds)
    vi.spyOn(scheduler, 'wait').mockResolvedValue()
    vi.spyOn(console, 'error').mockReturnValue()
    const publisher = new Publisher(createExecutionContext(), env)
    const publish = () => publisher.publish(venue.id, false, { type: 'order.created', data: { total: 2 } })
    const { id: early } = await publish()
    let last = ''
    for (let state = ''; state !== 'done'; ) {
      state = (await admin(venue.id, 'restore/continue')).body.state
      if (state === 'done') break
      last = state
      await expect(publish()).rejects.toThrow('busy')
      const body = { merchant: venue.id, testMode: false, import: id }
      const batch = createMessageBatch('imports', [{ id: 'step', timestamp: new Date(), attempts: 1, body }])
      const context = createExecutionContext()
      await worker.queue(batch, env, context)
      // While rows are loaded there may be no such import.
      const { retryMessages } = await getQueueResult(batch, context)
      if (state === 'deleting') expect(retryMessages).toHaveLength(1)
      if (home === 'object') await ringAlarm(venue.id)
    }
    expect(last).toBe('loading')
    const { savedAt } = (await call('GET', `/admin/merchants/${venue.id}/restore`, adminToken)).body
    expect((await publish()).id).toBeDefined()
    expect(JSON.stringify((await venue.get('/events?limit=100')).body)).not.toContain(early)
    expect((await venue.get(`/imports/${id}`)).body.state).toBe('ready')
    expect((await venue.get('/products?q=cake')).body).toEqual([])
    // Earlier writes are in the backup of that state.
    advance(1)
    await restore(venue.id, savedAt)
    expect(JSON.stringify((await venue.get('/events?limit=100')).body)).toContain(early)
  })

  test('brings back a merchant that was deleted, with its keys, its home and its tags', async () => {
    const { venue } = await fill(home)
    for (const { id } of (await venue.get('/webhooks')).body) await venue.post(`/webhooks/${id}`, { active: false })
    const before = await read(venue)
    const merchant = (await call('GET', `/admin/merchants/${venue.id}`, adminToken)).body
    const tags = (await venue.get('/tags')).body
    const takenAt = await backUp(venue.id)
    await admin(venue.id, 'close', { graceDays: 1 })
    advance(86_400 + deletionDelaySeconds)
    const gone = async () => (await call('GET', `/admin/merchants/${venue.id}`, adminToken)).status === 404
    for (let run = 0; run < 5 && !(await gone()); run++)
      await deleteClosedMerchants(env, directoryDatabase(env), Math.floor(Date.now() / 1000))
    expect(await gone()).toBe(true)
    clearCredentialCaches()

    const { states, savedAt } = await restore(venue.id, takenAt, {})
    expect([states, savedAt]).toEqual([['loading', 'done'], undefined])
    expect(await read(venue)).toEqual(before)
    const again = (await call('GET', `/admin/merchants/${venue.id}`, adminToken)).body
    expect(again).toEqual({ ...merchant, updatedAt: again.updatedAt })
    expect(tags.length).toBeGreaterThan(1)
    for (const { id } of tags) {
      const found = await readTag(env, [id], true)
      expect(found?.tag).toMatchObject({ id, gone: false })
    }
  })

  test('gives objects other row numbers where those of the backup belong to another merchant', async () => {
    const { venue, product } = await fill(home)
    for (const { id } of (await venue.get('/webhooks')).body) await venue.post(`/webhooks/${id}`, { active: false })
    const before = await read(venue)
    const takenAt = await backUp(venue.id)
    await venue.remove(`/products/${product}`)
    const other = await createVenue()
    const { body: later } = await other.post('/products', { title: 'Later word', price: 1 })
    await restore(venue.id, takenAt)
    expect(await read(venue)).toEqual(before)
    expect((await other.get('/products?q=word')).body.map(({ id }: { id: string }) => id)).toEqual([later.id])
  })

  test('calls no endpoint twice: webhooks are inactive, open deliveries and imports are cancelled', async () => {
    const venue = await createVenue({ home })
    const url = 'https://hooks.example.com/a'
    const { body: hook } = await venue.post('/webhooks', { title: 'Till', url, events: ['product.created'] })
    const { body: off } = await venue.post('/webhooks', { title: 'Off', url, events: ['*'], active: false })
    await venue.post('/products', { title: 'Tea', price: 1 })
    await queryHome(
      venue.id,
      `update deliveries set state = 'pending', due_at = 1 where webhook in (select seq from webhooks where merchant_id = ?)`,
      venue.id,
    )
    // No message of this import is under way.
    const uploaded = await check(venue, 'resource=products', 'title,price\nCake,3\n')
    await queryHome(venue.id, `update imports set state = 'applying' where id = ?`, uploaded.id)
    const takenAt = await backUp(venue.id)
    await restore(venue.id, takenAt)
    const [first, second] = (await venue.get('/webhooks?order=asc')).body
    expect(first).toMatchObject({ id: hook.id, active: false })
    expect(first.disabledReason).toContain(`Restored from the backup of ${new Date(takenAt * 1000).toISOString()}`)
    expect([second.id, second.disabledReason]).toEqual([off.id, undefined])
    const deliveries = (await venue.get(`/webhooks/${hook.id}/deliveries`)).body
    expect(deliveries.map(({ state }: { state: string }) => state)).toEqual(['cancelled'])
    expect((await venue.get(`/imports/${uploaded.id}`)).body.state).toBe('cancelled')
  })

  test('restores search words that are longer than a parameter of the database', async () => {
    const venue = await createVenue({ home })
    // Each pair of characters counts as a word.
    const description = String.fromCharCode(...Array.from({ length: 320 }, (_, index) => 0x4e00 + index))
    const { body: product } = await venue.post('/products', { title: 'Tea', description, price: 1 })
    await multiply('products', product.id, 499)
    const takenAt = await backUp(venue.id)
    expect((await restore(venue.id, takenAt)).omitted).toEqual({})
    expect((await venue.get(`/products?q=${description.slice(0, 3)}&limit=100`)).body).toHaveLength(100)
  })

  test('erases customers again that were erased since, also those that were deleted before', async () => {
    const venue = await createVenue({ home })
    const create = async (firstName: string) =>
      (await venue.post('/customers', { firstName, lastName: 'Núñezowa', email: `${firstName}@example.com` })).body.id
    const [deleted, erased, kept] = [await create('Deleted'), await create('Erased'), await create('Kept')]
    await venue.remove(`/customers/${deleted}`)
    const takenAt = await backUp(venue.id)
    for (const id of [deleted, erased]) expect((await venue.post(`/customers/${id}/erase`, {})).status).toBe(200)
    await restore(venue.id, takenAt)
    expect((await venue.get('/customers')).body.map(({ id }: { id: string }) => id)).toEqual([kept])
    const events = JSON.stringify((await venue.get('/events')).body)
    expect([/Deleted@|Erased@/.test(events), events.includes('Kept@example.com')]).toEqual([false, true])
  })
})
