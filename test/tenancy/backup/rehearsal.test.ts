import { createExecutionContext, createMessageBatch, getQueueResult, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import worker from '../../../src/index.ts'
import { directoryDatabase } from '../../../src/platform/db/home/d1-connection.ts'
import { getHomeObject, takePartInObject } from '../../../src/platform/db/home/object-connection.ts'
import type { Bindings } from '../../../src/platform/env.ts'
import { toBackupKey } from '../../../src/tenancy/backup/backup-file.ts'
import { checkMerchant, enqueueRehearsal } from '../../../src/tenancy/backup/nightly.ts'
import { rehearseRestore } from '../../../src/tenancy/backup/rehearse-restore.ts'
import { storeBackup } from '../../../src/tenancy/backup/store-backup.ts'
import { adminToken, call, createVenue } from '../../support/api.ts'
import { advance, backUp, fill, read } from './restores.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  vi.spyOn(console, 'error').mockReturnValue()
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const now = () => Math.floor(Date.now() / 1000)
const list = async (id: string) => (await call('GET', `/admin/merchants/${id}/backups`, adminToken)).body

describe.each(['d1', 'object'] as const)('a merchant in the home %s', (home) => {
  test('is restored into an object of its own, compared, and changed in nothing', async () => {
    const { venue } = await fill(home)
    const before = await read(venue)
    const takenAt = await backUp(venue.id)
    const [{ rows }] = await list(venue.id)
    expect(await rehearseRestore(env, venue.id)).toBe(rows)
    expect(await read(venue)).toEqual(before)
    // A value that a copy of the row would not have.
    const { body: product } = await venue.post('/products', { title: 'Later', price: 1 })
    await storeBackup(env, venue.id, takenAt + 1)
    const get = env.BACKUPS.get.bind(env.BACKUPS)
    let opened = 0
    // Its rows, its header, then the rows to compare with.
    vi.spyOn(env.BACKUPS, 'get').mockImplementation(async (key: string) =>
      get(key === toBackupKey(venue.id, takenAt + 1) && ++opened > 2 ? toBackupKey(venue.id, takenAt) : key),
    )
    await expect(rehearseRestore(env, venue.id)).rejects.toThrow(/products.* differ from the backup/)
    expect(product.id).toBeDefined()
  })

  test('is compared with the backup, also if a customer in it was erased since', async () => {
    const { venue } = await fill(home)
    const { body: customer } = await venue.post('/customers', { firstName: 'Ann', lastName: 'Example' })
    await backUp(venue.id)
    const [{ rows }] = await list(venue.id)
    expect((await venue.post(`/customers/${customer.id}/erase`, {})).status).toBe(200)
    expect(await rehearseRestore(env, venue.id)).toBe(rows)
  })

  test('is restored where its data may be', async () => {
    const { venue } = await fill(home)
    await backUp(venue.id)
    await env.DB.prepare(`update homes set jurisdiction = 'eu' where merchant_id = ?`).bind(venue.id).run()
    const choose = vi.spyOn(env.HOMES, 'jurisdiction')
    await rehearseRestore(env, venue.id)
    expect(choose.mock.calls.length > 0).toBe(home === 'object')
  })

  test('gets another backup at night if the last one is damaged', async () => {
    const { venue } = await fill(home)
    await checkMerchant(env, venue.id)
    const [{ takenAt, checkedAt }] = await list(venue.id)
    expect(checkedAt).toBe(now())
    const key = toBackupKey(venue.id, takenAt)
    const bytes = new Uint8Array((await (await env.BACKUPS.get(key))?.arrayBuffer()) ?? new ArrayBuffer(0))
    await env.BACKUPS.put(key, bytes.subarray(0, -40))
    advance(3_700)
    await checkMerchant(env, venue.id)
    const listed = await list(venue.id)
    expect(listed).toHaveLength(2)
    expect(listed[1]).toMatchObject({ takenAt, damage: expect.stringContaining('cannot be read'), checkedAt: now() })
    expect(listed[0]).toMatchObject({ takenAt: now(), checkedAt: now() })
    expect(listed[0].damage).toBeUndefined()
  })
})

test('one merchant is rehearsed a week', async () => {
  const { venue } = await fill('d1')
  await backUp(venue.id)
  const sent: { body: unknown }[] = []
  const BACKUP_CHECKS: Bindings['BACKUP_CHECKS'] = Object.assign(Object.create(null), {
    async sendBatch(messages: Iterable<{ body: unknown }>) {
      sent.push(...messages)
    },
  })
  const run = () => enqueueRehearsal({ ...env, BACKUP_CHECKS }, directoryDatabase(env), now())
  await run()
  await run()
  expect(sent).toEqual([{ body: { merchant: expect.stringMatching(/^mer_/), rehearse: true } }])
  const batch = createMessageBatch('backups', [
    { id: 'rehearsal', timestamp: new Date(), attempts: 1, body: { merchant: venue.id, rehearse: true } },
  ])
  const context = createExecutionContext()
  await worker.queue(batch, env, context)
  expect((await getQueueResult(batch, context)).retryMessages).toEqual([])
  const { body } = await call('GET', '/admin/metrics', adminToken)
  expect(body).toMatch(/restore_rehearsal_age_seconds 0\n/)
  expect(body).toMatch(/damaged_backups \d+\n/)
})

test('the object of a rehearsal that was interrupted deletes its data by itself', async () => {
  const { id } = await createVenue({ home: 'd1' })
  const home = { object: 900_001, settingsVersion: 1 }
  const untilMs = Date.now() + 1_200_000
  const row = { sql: `insert into external_ids values (?, 0, 'products', 'COPY', 1)`, values: [id], isWrite: true }
  await takePartInObject(env, id, home, { restore: 1, part: 'target', untilMs }, [row])
  const ring = () =>
    runInDurableObject(getHomeObject(env.HOMES, id, home), async (instance, { storage }) => {
      await Reflect.get(instance, 'alarm').call(instance)
      const [{ tables = 0 } = {}] = storage.sql
        .exec<{ tables: number }>(`select count(*) as tables from sqlite_master where name = 'external_ids'`)
        .toArray()
      return [tables, (await storage.getAlarm()) !== null]
    })
  expect(await ring()).toEqual([1, true])
  advance(1_201)
  expect(await ring()).toEqual([0, false])
})
