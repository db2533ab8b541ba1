import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { getTableName } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { deleteClosedMerchants, deletionDelaySeconds } from '../../../src/admin/delete-closed.ts'
import { clearCredentialCaches } from '../../../src/platform/auth/sessions.ts'
import { directoryDatabase } from '../../../src/platform/db/home/d1-connection.ts'
import * as messages from '../../../src/platform/messages.ts'
import { adminToken, call } from '../../support/api.ts'
import { watch } from '../../support/d1.ts'
import { findObject } from '../../support/home.ts'
import { interceptD1 } from '../../support/moves.ts'
import { removePlatformWebhooks } from '../../support/platform-webhook.ts'
import { tables } from '../../support/tables.ts'
import { createQueues, createSetting, type Prepare, timed, works } from './late-work.ts'

beforeEach(() => {
  for (const level of ['warn', 'error'] as const) vi.spyOn(console, level).mockReturnValue()
})
afterEach(async () => {
  vi.restoreAllMocks()
  vi.useRealTimers()
  await removePlatformWebhooks()
})

const now = () => Math.floor(Date.now() / 1000)

/** Rows of all tables that contain a text, behind the names of their tables, and keys of files. */
async function find(text: string) {
  const names = [...new Set(tables.map(getTableName))]
  const results = await env.DB.batch(names.map((name) => env.DB.prepare(`select * from ${name}`)))
  const rows = results.flatMap(({ results: found }, index) =>
    found.map((row) => `${names[index]} ${JSON.stringify(row)}`),
  )
  const files = await Promise.all([env.BACKUPS, env.MEDIA].map(async (bucket) => (await bucket.list()).objects))
  return [...rows, ...files.flat().map(({ key }) => `file ${key}`)].filter((found) => found.includes(text))
}

async function deleteMerchant(id: string) {
  await call('POST', `/admin/merchants/${id}/close`, adminToken, { graceDays: 1 })
  for (let run = 0; run < 3; run++)
    await deleteClosedMerchants(env, directoryDatabase(env), now() + 86_400 + deletionDelaySeconds + 1)
  expect((await call('GET', `/admin/merchants/${id}`, adminToken)).status).toBe(404)
}

/** Does late work, and deletes the merchant before the write with this number. Returns whether there was such a write. */
async function runLate(prepare: Prepare, home: 'd1' | 'object', number: number): Promise<boolean> {
  const setting = await createSetting(home)
  const { id } = setting.venue
  const late = await prepare(setting)
  const object = await findObject(id)
  let [writes, isDeleted, left]: [number, boolean, string[]] = [0, false, []]
  const end = async () => {
    isDeleted = true
    await deleteMerchant(id)
    left = await find(id)
  }
  const { database, watchObjects } = watch(env.DB, async (statements) => {
    if (isDeleted || !statements.some((sql) => /^\s*insert/i.test(sql)) || ++writes < number) return
    await end()
  })
  if (number === 0) await end()
  const bindings = { ...env, ...createQueues().queues, DB: database, HOMES: watchObjects(env.HOMES) }
  await late(bindings).catch(() => undefined)
  clearCredentialCaches()
  if (!isDeleted) return false
  const added = (await find(id)).filter((row) => !left.includes(row))
  expect(added, `after a deletion before write ${number}`).toEqual([])
  if (!object) return true
  const [stored, alarm] = await runInDurableObject(object.stub, async (_, { storage }) => [
    storage.sql.exec(`select name from sqlite_master where name in ('products', 'merchants')`).toArray(),
    await storage.getAlarm(),
  ])
  expect([stored, alarm]).toEqual([[], null])
  return true
}

test('every kind of message has late work', () => {
  expect(Object.keys(works).sort()).toEqual(
    Object.keys(messages)
      .filter((name) => name.endsWith('Message'))
      .sort(),
  )
})

test('a late call leaves no object, also if the directory did not respond to an earlier one', async () => {
  const { venue } = await createSetting('object')
  const object = await findObject(venue.id)
  if (!object) throw new Error('the merchant has no object')
  const { object: number, settingsVersion } = object.home
  await deleteMerchant(venue.id)
  const use = (DB: D1Database) =>
    runInDurableObject(object.stub, (instance) => {
      Reflect.set(instance, 'env', { ...Reflect.get(instance, 'env'), DB })
    })
  const read = async () => {
    const identity = { merchantId: venue.id, object: number, settingsVersion }
    const { error } = await object.stub.run(identity, [{ sql: 'select id from products', values: [] }])
    const [tables] = await runInDurableObject(object.stub, async (_, { storage }) => [
      storage.sql.exec(`select name from sqlite_master where name = 'products'`).toArray().length,
    ])
    return { error, tables }
  }
  await use(interceptD1(/./, () => Promise.reject(new Error('D1_ERROR: Network connection lost.'))))
  expect((await read()).error).toContain('connection')
  await use(env.DB)
  expect(await read()).toEqual({ error: expect.stringContaining('does not exist'), tables: 0 })
})

describe.each(['d1', 'object'] as const)('late work for a merchant that was deleted in %s', (home) => {
  const cases = [...Object.entries(works), ['time', timed] as const].flatMap(([name, all]) =>
    all.map((prepare, index) => [`${name} ${index + 1}`, prepare] as const),
  )
  test.each(cases)('%s stores nothing', async (_name, prepare) => {
    // A move has a write for each table.
    for (let number = 0; await runLate(prepare, home, number); number += number < 8 ? 1 : 9)
      expect(number).toBeLessThan(100)
  })
})
