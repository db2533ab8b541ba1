import { env } from 'cloudflare:workers'
import { Buffer } from 'node:buffer'
import { getTableName } from 'drizzle-orm'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { merchantTables } from '../../../src/catalogue/resources/merchant-tables.ts'
import { toBackupKey } from '../../../src/tenancy/backup/backup-file.ts'
import { changeBounds } from '../../../src/tenancy/backup/capture-changes.ts'
import { backupBounds, partBytes, storeBackup, upload } from '../../../src/tenancy/backup/store-backup.ts'
import { adminToken, call, createVenue } from '../../support/api.ts'
import { multiply, watch } from '../../support/d1.ts'
import { filling } from '../../support/filled.ts'
import { queryHome } from '../../support/home.ts'
import { setLimits } from '../../support/limits.ts'
import { moveTo } from '../../support/moves.ts'
import { tables } from '../../support/tables.ts'
import { linesOf } from './backup-lines.ts'
import { restore } from './restores.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const fill = async (n: number) => {
  const every = new Set(tables.map(getTableName))
  await env.DB.batch(filling(every, n).map((sql) => env.DB.prepare(sql)))
}

describe('a backup', () => {
  test('contains every row of every table of the merchant as it is stored, and none of others', async () => {
    for (const n of [1, 2]) await fill(n)
    const stored = await storeBackup(env, 'mer_1', 100)
    const lines = await linesOf('mer_1', 100)
    expect(lines[0]).toMatchObject({
      backup: { format: 1, merchantId: 'mer_1', takenAt: 100 },
      merchant: { id: 'mer_1', name: 'Venue 1', created_at: 1 },
      keys: [{ id: 'key_1', hash: 'hash 1' }],
    })
    const rows = lines.slice(1, -1)
    const names = merchantTables.map(({ table }) => getTableName(table))
    expect([...new Set(rows.map(({ table }) => table))]).toEqual(names)
    for (const name of names) {
      const { results } = await env.DB.prepare(`select * from ${name}`).all()
      const mine = rows.filter(({ table }) => table === name).map(({ row }) => row)
      const text = (row: unknown) => JSON.stringify(Object.entries(Object(row)).sort())
      const all = results.map(text)
      expect([name, mine.map(text).filter((row) => !all.includes(row))]).toEqual([name, []])
      expect([name, mine.length]).toEqual([name, expect.toBeOneOf([2, 3])])
    }
    expect(JSON.stringify(rows)).not.toMatch(/mer_2|_2[123]"/)
    const counts = Object.fromEntries(names.map((name) => [name, rows.filter(({ table }) => table === name).length]))
    expect(lines.at(-1)).toEqual({ end: { counts } })
    expect(stored).toEqual({ takenAt: 100, bytes: expect.any(Number), sha256: expect.any(String), rows: rows.length })
  })

  test('reads 2,500 objects with their links in pages, by an index', async () => {
    const venue = await createVenue()
    const { body: modifier } = await venue.post('/modifiers', { title: 'Milk', instructions: '' })
    const { body: product } = await venue.post('/products', { title: 'Tea', price: 1, modifiers: [modifier.id] })
    await multiply('products', product.id, 2_500)
    await env.DB.exec(
      `insert into product_modifiers (owner, target) select p.seq, m.seq from products p cross join modifiers m where p.merchant_id = '${venue.id}' and m.merchant_id = '${venue.id}' on conflict do nothing`,
    )
    const { database, trips } = watch(env.DB)
    const stored = await storeBackup({ ...env, DB: database }, venue.id, 5)
    const lines = await linesOf(venue.id, 5)
    expect(lines.at(-1)).toMatchObject({ end: { counts: { products: 2_501, product_modifiers: 2_501, modifiers: 1 } } })
    const ids = lines.flatMap(({ table, row }) => (table === 'products' ? [row?.['id']] : []))
    expect(new Set(ids).size).toBe(2_501)
    expect(trips.length).toBeLessThanOrEqual(merchantTables.length + 16)
    expect(Math.max(...trips.map(({ rowsRead }) => rowsRead))).toBeLessThan(12_000)
    expect(stored?.rows).toBeGreaterThan(5_000)
  })

  test('reads few large rows at once', async () => {
    const venue = await createVenue()
    const data = { note: 'x'.repeat(200_000) }
    for (let n = 0; n < 2; n++) await venue.post('/events', { type: 'order.created', data })
    const { results } = await env.DB.prepare('select max(id) as id from events where merchant_id = ?')
      .bind(venue.id)
      .all()
    await multiply('events', String(results[0]?.['id']), 60, { seq: 'seq + n' })
    const { database, trips } = watch(env.DB)
    await storeBackup({ ...env, DB: database }, venue.id, 6)
    expect((await linesOf(venue.id, 6)).at(-1)).toMatchObject({ end: { counts: { events: 62 } } })
    // 12 MB in pages of 4 MiB.
    const pages = trips.filter(({ statements }) => statements[0]?.includes('cross join "events"'))
    expect(pages.length).toBeGreaterThanOrEqual(3)
  })

  test('has what has changed while it was read, also rows larger than one call returns', async () => {
    const venue = await createVenue()
    setLimits(changeBounds, { changes: 5 })
    setLimits(backupBounds, { units: 50_000 })
    const { body: gone } = await venue.post('/products', { title: 'Gone', price: 1 })
    const { body: modifier } = await venue.post('/modifiers', { title: 'Milk', instructions: '' })
    const { body: linked } = await venue.post('/products', { title: 'Cake', price: 1, modifiers: [modifier.id] })
    const { body: tag } = await venue.post('/tags', {})
    await venue.post(`/products/${linked.id}/external-id`, { externalId: 'ART-1' })
    let changes = 0
    const { database } = watch(env.DB, async (statements) => {
      if (changes > 0 || !statements[0]?.includes('cross join "webhooks"')) return
      changes++
      for (const title of ['Tea', 'Té']) expect((await venue.post('/products', { title, price: 1 })).status).toBe(201)
      const data = { note: 'x'.repeat(200_000) }
      for (let n = 0; n < 9; n++)
        expect((await venue.post('/events', { type: 'order.created', data })).status).toBe(202)
      for (const path of [`/products/${gone.id}`, `/products/${linked.id}`, `/tags/${tag.id}`])
        expect((await venue.remove(path)).status).toBe(200)
    })
    const backup = await storeBackup({ ...env, DB: database }, venue.id, 7)
    expect([changes, backup?.rows]).toEqual([1, expect.any(Number)])
    await storeBackup(env, venue.id, 8)
    const sorted = async (takenAt: number) => {
      const [header, ...lines] = await linesOf(venue.id, takenAt)
      return [header?.['merchant'], lines.pop(), lines.map((line) => JSON.stringify(line)).sort()]
    }
    expect(await sorted(7)).toEqual(await sorted(8))
    expect(await queryHome(venue.id, 'select * from backup_captures where merchant_id = ?', venue.id)).toEqual([])
  })

  test('is not listed if it cannot become a snapshot', async () => {
    const venue = await createVenue()
    const log = vi.spyOn(console, 'warn').mockReturnValue()
    const { body: product } = await venue.post('/products', { title: 'Tea', price: 1 })
    await queryHome(venue.id, `insert into external_ids values (?, 0, 'products', 'STRAY', 987654)`, venue.id)
    await expect(storeBackup(env, venue.id, 9)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(/3 attempts: .*(?:external|object)/),
    })
    expect(log.mock.calls.flat().join()).toContain('backup started again')
    expect((await call('GET', `/admin/merchants/${venue.id}/backups`, adminToken)).body).toEqual([])
    expect(await env.BACKUPS.head(toBackupKey(venue.id, 9))).toBeNull()
    expect(product.id).toBeDefined()
  })
})

test('a backup that an invocation cannot read is tried once, within its calls', async () => {
  const venue = await createVenue({ home: 'd1' })
  vi.spyOn(console, 'warn').mockReturnValue()
  setLimits(backupBounds, { calls: 5 })
  const get = vi.spyOn(env.BACKUPS, 'delete')
  await expect(storeBackup(env, venue.id, 9)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('in 1 attempts: it has more pages'),
  })
  expect(get).toHaveBeenCalledOnce()
})

test('a backup starts again if the merchant moves during it', async () => {
  const venue = await createVenue({ home: 'object' })
  const { body: modifier } = await venue.post('/modifiers', { title: 'Milk', instructions: '' })
  const { body: product } = await venue.post('/products', { title: 'Tea', price: 1, modifiers: [modifier.id] })
  await venue.post(`/products/${product.id}/external-id`, { externalId: 'ART-1' })
  let moved: Promise<unknown> | undefined
  const HOMES: typeof env.HOMES = Object.assign(Object.create(null), {
    idFromName: (name: string) => env.HOMES.idFromName(name),
    get(id: DurableObjectId) {
      const stub = env.HOMES.get(id)
      const run = async (...[identity, statements]: Parameters<typeof stub.run>) => {
        if (statements.some(({ sql }) => /cross join "product_modifiers"/.test(sql))) {
          moved ??= moveTo(venue.id, 'd1')
          await moved
        }
        return stub.run(identity, statements)
      }
      return { run }
    },
  })
  const stored = await storeBackup({ ...env, HOMES }, venue.id, 9)
  expect(await moved).toMatchObject({ state: 'done' })
  expect((await restore(venue.id, stored?.takenAt ?? 0)).omitted).toEqual({})
  expect((await venue.get('/products/external/ART-1')).body).toMatchObject({ id: product.id, modifiers: [modifier.id] })
})

test('an upload of any length arrives, in parts where it is long', async () => {
  const pattern = Uint8Array.from({ length: 251 }, (_, index) => index)
  for (const length of [0, 10, partBytes, partBytes + 1, 2 * partBytes + 12_345]) {
    const bytes = Buffer.alloc(length, pattern)
    const stream = new Response(bytes).body ?? new ReadableStream()
    expect((await upload(env.BACKUPS, 'test', stream)).bytes).toBe(length)
    const stored = Buffer.from((await (await env.BACKUPS.get('test'))?.arrayBuffer()) ?? new ArrayBuffer(1))
    expect([stored.length, stored.equals(bytes)]).toEqual([length, true])
  }
})
