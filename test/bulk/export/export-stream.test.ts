import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { Hono } from 'hono'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { exportMemory, maxExportPageRows } from '../../../src/bulk/export/export-pages.ts'
import { exportRoutes } from '../../../src/bulk/export/export-routes.ts'
import { authenticate } from '../../../src/platform/auth/authenticate.ts'
import { pageBytes } from '../../../src/platform/db/page-budget.ts'
import { largeWork, roomWait } from '../../../src/platform/http/bodies/byte-budget.ts'
import { stall } from '../../../src/platform/http/bodies/read-chunks.ts'
import type { Env } from '../../../src/platform/http/context.ts'
import { onError } from '../../../src/platform/http/problem-details.ts'
import { createVenue, origin, type Venue } from '../../support/api.ts'
import { multiply, watch } from '../../support/d1.ts'
import { isLong } from '../../support/rounds.ts'

/** The routes without the check of the OpenAPI document, which reads responses to their end. */
const app = new Hono<Env>()
  .route('/merchants/:merchantId', new Hono<Env>().use(authenticate).route('/export', exportRoutes))
  .onError(onError)

/** Starts an export: a reader of its parts, and the round trips to D1 so far. `before` runs before each round trip. */
async function start(venue: Venue, query: string, before: (trip: number) => void = () => undefined) {
  // The test does not count the authentication.
  await venue.get('/products?limit=1')
  let trip = 0
  const { database, trips } = watch(env.DB, () => before(++trip))
  const response = await app.fetch(
    new Request(`${origin}${venue.path(`/export${query}`)}`, { headers: { authorization: `Bearer ${venue.key}` } }),
    { ...env, DB: database },
    createExecutionContext(),
  )
  const reader = response.body?.getReader()
  if (!reader) throw new Error(`no body: ${response.status}`)
  const decoder = new TextDecoder()
  const read = async () => {
    const { value } = await reader.read()
    return value === undefined ? undefined : { text: decoder.decode(value), bytes: value.byteLength }
  }
  const readAll = async () => {
    const parts: { text: string; bytes: number }[] = []
    for (let part = await read(); part; part = await read()) parts.push(part)
    return parts
  }
  return { response, trips, read, readAll, cancel: () => reader.cancel() }
}

const toLines = (parts: readonly { text: string }[]) =>
  parts
    .map(({ text }) => text)
    .join('')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

async function createProducts(count: number, fields: object = {}) {
  const venue = await createVenue()
  const { id } = (await venue.post('/products', { title: 'Tea', price: 1, ...fields })).body
  await multiply('products', id, count - 1)
  return { venue, id }
}

describe('an export of 3,000 products', () => {
  test('takes one round trip for each page, and begins after the first', async () => {
    const { venue } = await createProducts(3_000)
    const { read, readAll, trips } = await start(venue, '?resources=products')
    expect(trips).toHaveLength(1)
    expect((await read())?.text).toMatch(/^\{"export":.*\}\n$/)
    expect(trips).toHaveLength(1)
    const parts = await readAll()
    expect(trips).toHaveLength(1 + 3_000 / maxExportPageRows)
    for (const { rowsRead } of trips) expect(rowsRead).toBeLessThanOrEqual(2 * maxExportPageRows + 2)
    for (const { bytes } of parts) expect(bytes).toBeLessThanOrEqual(pageBytes)
    const lines = toLines(parts)
    expect(new Set(lines.slice(0, -1).map(({ object }) => object.id)).size).toBe(3_000)
    expect(lines.at(-1)).toEqual({ end: { counts: { products: 3_000 } } })
  })

  test('reads nothing that its reader has not asked for, and stops where the reader leaves', async () => {
    const { venue } = await createProducts(3_000)
    const { read, cancel, trips } = await start(venue, '?resources=products')
    await read()
    await read()
    await scheduler.wait(20)
    expect(trips).toHaveLength(2)
    await cancel()
    await scheduler.wait(20)
    expect(trips).toHaveLength(2)
  })
})

test('pages of large objects have at most 4 MiB', async () => {
  const metadata = Array.from({ length: 48 }, (_, n) => ({ key: `k${n}`, value: 'x'.repeat(5_000) }))
  const { venue } = await createProducts(60, { metadata })
  const parts = await (await start(venue, '?resources=products')).readAll()
  const pages = parts.filter(({ bytes }) => bytes > 1_000)
  expect(pages.length).toBeGreaterThan(3)
  for (const { bytes } of pages) expect(bytes).toBeLessThanOrEqual(pageBytes)
  expect(toLines(parts)).toHaveLength(60 + 2)
})

test('objects that are created, changed or deleted during it make no other object repeat or vanish', async () => {
  const { venue, id } = await createProducts(2 * maxExportPageRows)
  const copy = (n: number) => `prod_00${String(n).padStart(24, '0')}`
  const { read, readAll } = await start(venue, '?resources=products')
  const parts = [await read(), await read()].filter((part) => part !== undefined)
  const deleted = [copy(1), copy(maxExportPageRows + 1)]
  for (const each of deleted) expect((await venue.remove(`/products/${each}`)).status).toBe(200)
  await venue.post(`/products/${id}`, { price: 2 })
  const created = (await venue.post('/products', { title: 'New', price: 1 })).body
  const lines = toLines([...parts, ...(await readAll())])
  const ids = lines.slice(1, -1).map(({ object }) => object.id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids).toHaveLength(2 * maxExportPageRows)
  expect(ids.includes(deleted[0])).toBe(true)
  expect(ids.includes(deleted[1])).toBe(false)
  // The events after `lastEvent` are what a copy lacks.
  const { lastEvent } = lines[0].export
  const events: { type: string; data: { id: string } }[] = (await venue.get(`/events?after=${lastEvent}`)).body
  expect(events.map(({ type, data }) => [type, data.id])).toEqual([
    ...deleted.map((each) => ['product.deleted', each]),
    ['product.updated', id],
    ['product.created', created.id],
  ])
})

test('an export that fails is cut off, has no last line, and is logged', async () => {
  const { venue } = await createProducts(maxExportPageRows + 1)
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const { read } = await start(venue, '?resources=products', (trip) => {
    if (trip === 3) throw new Error('D1 is gone')
  })
  const texts = [await read(), await read()].map((part) => part?.text ?? '')
  await expect(read()).rejects.toThrow()
  const lines = logged.mock.calls.map(([line]) => JSON.parse(String(line)))
  logged.mockRestore()
  expect(texts.join('').split('\n')).toHaveLength(1 + maxExportPageRows + 1)
  expect(texts.join('')).not.toContain('"end"')
  expect(lines).toEqual([expect.objectContaining({ message: 'export cut off', merchant: venue.id })])
})

test('an export that fails before it begins is a problem', async () => {
  const { venue } = await createProducts(1)
  const { response } = await start(venue, '?resources=products', () => {
    throw new Error('D1_ERROR: D1 is gone')
  })
  expect([response.status, response.headers.get('content-type')]).toEqual([503, 'application/problem+json'])
})

describe('twenty exports of a merchant', () => {
  test('whose readers stop hold little each, and nothing when the readers leave', async () => {
    const { venue } = await createProducts(600)
    const exports = await Promise.all(Array.from({ length: 20 }, () => start(venue, '?resources=products')))
    const count = () => [largeWork.leases, largeWork.bytes]
    expect(count()).toEqual([20, 20 * exportMemory.held])
    for (const { read } of exports) await read()
    for (const { read } of exports) expect((await read())?.text.split('\n').length).toBeGreaterThan(100)
    expect(largeWork.bytes).toBeLessThanOrEqual(32 * 1024 * 1024)
    const trips = exports.reduce((sum, each) => sum + each.trips.length, 0)
    await scheduler.wait(20)
    // One for the header, and one for the page.
    expect([trips, exports.reduce((sum, each) => sum + each.trips.length, 0)]).toEqual([40, 40])
    for (const { cancel } of exports) await cancel()
    expect(count()).toEqual([0, 0])
  })

  test('hold nothing when the readers leave before the first part', async () => {
    const { venue } = await createProducts(1)
    const exports = await Promise.all(Array.from({ length: 20 }, () => start(venue, '?resources=products')))
    for (const { cancel } of exports) await cancel()
    expect(largeWork.leases).toBe(0)
  })

  test('are cut off, logged, and hold nothing when the readers take nothing for 30 seconds', async () => {
    const { venue } = await createProducts(600)
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const { maxMs } = stall
    onTestFinished(() => {
      stall.maxMs = maxMs
      logged.mockRestore()
    })
    expect(maxMs).toBe(30_000)
    stall.maxMs = 1_000
    const exports = await Promise.all(Array.from({ length: 20 }, () => start(venue, '?resources=products')))
    for (const { read } of exports.slice(0, 10)) await read()
    expect(largeWork.leases).toBe(20)
    for (let tries = 0; largeWork.leases > 0 && tries < 300; tries++) await scheduler.wait(10)
    expect(largeWork.leases).toBe(0)
    for (const { read } of exports) await expect(read()).rejects.toThrow('stalled')
    expect(logged.mock.calls.filter(([line]) => String(line).includes('export cut off'))).toHaveLength(10)
  })

  test('end completely, also where there is only room for small pages', async () => {
    const count = isLong ? 600 : 200
    const { venue } = await createProducts(count, { metadata: [{ key: 'note', value: 'x'.repeat(2_000) }] })
    const own = largeWork.open('another merchant')
    roomWait.maxMs = 40
    onTestFinished(() => {
      own.close()
      roomWait.maxMs = 5_000
    })
    await own.hold(largeWork.maxShare)
    const others = largeWork.open('a third one')
    await others.hold(largeWork.maxBytes - largeWork.maxShare - 2 * exportMemory.held)
    onTestFinished(others.close)
    const { readAll } = await start(venue, '?resources=products')
    const parts = await readAll()
    expect(toLines(parts)).toHaveLength(count + 2)
    for (const { bytes } of parts) expect(bytes).toBeLessThanOrEqual(3 * exportMemory.smallPageBytes)
    expect(largeWork.leases).toBe(2)
  })
})
