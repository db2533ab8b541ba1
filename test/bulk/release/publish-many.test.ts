import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { purgeExpired } from '../../../src/app/maintenance/purges.ts'
import { releaseLimits } from '../../../src/bulk/release/release-limits.ts'
import { Database } from '../../../src/platform/db/database.ts'
import { stagedSeconds } from '../../../src/platform/db/schema/releases/staged-values.ts'
import { createIdAt } from '../../../src/platform/lib/ids.ts'
import { multiply, observe, rowsRead } from '../../support/d1.ts'
import { queryHome } from '../../support/home.ts'
import { setLimits } from '../../support/limits.ts'
import { isLong } from '../../support/rounds.ts'
import { countPrices, countRows, createMany, draft, setPrices } from './many-objects.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

/** Logs the transactions of the service, by their statements. `after` is called after each. */
function logTransactions(after: (texts: readonly string[]) => Promise<unknown> = () => Promise.resolve()) {
  const log: (readonly string[])[] = []
  const { run } = Database.prototype
  vi.spyOn(Database.prototype, 'run').mockImplementation(async function (this: Database, ...statements: unknown[]) {
    const texts = statements.map((statement) => (Array.isArray(statement) ? String(statement[0].sql).trim() : ''))
    log.push(texts)
    const startMs = performance.now()
    const results = await Reflect.apply(run, this, statements)
    if (isStaged(texts))
      console.log(
        `figure: ms of a transaction with ${results.flat().length} deliveries, ${Math.round(performance.now() - startMs)}`,
      )
    await after(texts)
    return results
  })
  return log
}
/** Lets deliveries wait: thousands of attempts would take minutes. */
const park = (id: string) => queryHome(id, 'update webhooks set probe_at = 4000000000 where merchant_id = ?', id)
const isUpdate = (texts: readonly string[]) => texts.some((text) => text.startsWith('update "products"'))
const isStaged = (texts: readonly string[]) => texts.at(-1)?.startsWith('delete from "staged_values"') === true
const isStaging = (texts: readonly string[]) => texts.some((text) => text.startsWith('insert into "staged_values"'))

describe.each(['d1', 'object'] as const)('a release of many objects of a merchant at home in %s', (home) => {
  test('is published and reverted at one moment, with as many objects as it can have', async () => {
    if (!isLong) setLimits(releaseLimits, { changes: 510 })
    const count = releaseLimits.changes
    const { venue, ids } = await createMany(home, count + 1)
    for (const title of ['A', 'B']) {
      expect(
        (await venue.post('/webhooks', { title, url: `https://${title}.example.com`, events: ['*'] })).status,
      ).toBe(201)
    }
    await park(venue.id)
    const most = ids.slice(0, count)
    const { id, last } = await draft(venue, setPrices(most, 5))
    expect(last.body).toMatchObject({ changes: count })
    // One past the limit.
    const excess = await venue.post(`/releases/${id}/operations`, { operations: setPrices(ids.slice(count), 5) })
    expect(excess.status).toBe(422)
    expect(excess.body.errors).toMatchObject([{ pointer: '/operations', code: 'too_many' }])
    const log = logTransactions()
    const published = await venue.post(`/releases/${id}/publish`, {})
    expect(published.body).toMatchObject({ state: 'published', changes: count })
    // One transaction has the rows, the events, their deliveries, the change set, the audit log and the state of the release.
    const writing = log.filter(isUpdate)
    expect(writing).toHaveLength(1)
    for (const table of ['events', 'deliveries', 'change_sets', 'audit']) {
      expect(writing[0]?.some((text) => text.startsWith(`insert into "${table}"`))).toBe(true)
    }
    expect(writing[0]?.some((text) => text.startsWith('update "releases"'))).toBe(true)
    expect(writing[0]?.at(-1)).toMatch(/^delete from "staged_values"/)
    expect(await countPrices(venue)).toEqual({ 4: 1, 5: count })
    const { changeSet } = published.body
    expect(await countRows(venue.id, 'events', `change_set = '${changeSet}' and type = 'product.updated'`)).toBe(count)
    expect(await countRows(venue.id, 'audit', "operation = 'products.update'")).toBe(count)
    expect(await countRows(venue.id, 'staged_values')).toBe(0)
    const delivered = `select count(*) as count from deliveries join events on event = events.id where events.merchant_id = ? and change_set = '${changeSet}'`
    expect(await queryHome(venue.id, delivered, venue.id)).toEqual([{ count: 2 * count + 2 }])
    log.length = 0
    const undone = await venue.post(`/changes/${changeSet}/undo`, {})
    expect(undone.body).toMatchObject({ state: 'done', counts: { updated: count }, conflictCount: 0 })
    expect(log.filter(isUpdate)).toHaveLength(1)
    expect(await countPrices(venue)).toEqual({ 4: count + 1 })
    expect(await countRows(venue.id, 'staged_values')).toBe(0)
  }, 120_000)

  test('is planned again if an object changes, or its staged rows are gone, and is busy after five times', async () => {
    const { venue, ids } = await createMany(home, 501)
    vi.spyOn(Math, 'random').mockReturnValue(0)
    const [first = ''] = ids
    const { id } = await draft(venue, setPrices(ids, 5))
    const edit = () =>
      queryHome(venue.id, `update products set description = 'Black', version = version + 1 where id = ?`, first)
    const lose = () => queryHome(venue.id, 'delete from staged_values where merchant_id = ?', venue.id)
    let attempts = 0
    logTransactions(async (texts) => {
      if (!isStaging(texts)) return
      attempts++
      await edit()
    })
    expect((await venue.post(`/releases/${id}/publish`, {})).body).toMatchObject({ code: 'busy', status: 503 })
    expect(attempts).toBe(5)
    expect(await countPrices(venue)).toEqual({ 4: 501 })
    expect(await countRows(venue.id, 'staged_values')).toBe(0)
    vi.restoreAllMocks()
    const disturbances = [edit, lose]
    logTransactions(async (texts) => {
      if (isStaging(texts)) await disturbances.shift()?.()
    })
    expect((await venue.post(`/releases/${id}/publish`, {})).body).toMatchObject({ state: 'published' })
    expect(disturbances).toEqual([])
    expect(await countPrices(venue)).toEqual({ 5: 501 })
    expect((await venue.get(`/products/${first}`)).body).toMatchObject({ description: 'Black', price: 5 })
    expect(await countRows(venue.id, 'events', "type = 'release.published'")).toBe(1)
    expect(await countRows(venue.id, 'staged_values')).toBe(0)
  }, 60_000)

  test('has at most 20,000 deliveries', async () => {
    const { venue, ids } = await createMany(home, 626)
    const hook = await venue.post('/webhooks', {
      title: 'A',
      url: 'https://a.example.com',
      events: ['product.updated'],
    })
    await multiply('webhooks', hook.body.id, 31)
    await park(venue.id)
    const edge = await draft(venue, setPrices(ids.slice(0, 625), 5))
    const past = await draft(venue, setPrices(ids, 6))
    const log = logTransactions()
    const rejected = await venue.post(`/releases/${past.id}/publish`, { overwrite: true })
    expect(rejected.status).toBe(422)
    expect(rejected.body.errors).toMatchObject([{ code: 'too_many', message: expect.stringContaining('20032') }])
    expect(log.filter(isStaging)).toEqual([])
    expect((await venue.get(`/releases/${past.id}`)).body.state).toBe('draft')
    expect((await venue.post(`/releases/${edge.id}/publish`, {})).body).toMatchObject({ state: 'published' })
    expect(await countPrices(venue)).toEqual({ 4: 1, 5: 625 })
  }, 60_000)
})

test('staged values that no transaction has deleted are purged after an hour', async () => {
  const { venue } = await createMany('d1', 1)
  const nowMs = Date.now()
  const ages = [stagedSeconds * 1_000 + 1_000, 1_000]
  for (const age of ages) {
    await env.DB.prepare('insert into staged_values (merchant_id, id, data) values (?, ?, ?)')
      .bind(venue.id, createIdAt('stg', nowMs - age), '[]')
      .run()
  }
  await env.DB.prepare(`update purges set due_at = 0 where name = 'staged_values'`).run()
  expect((await purgeExpired(env, nowMs))['staged_values']).toBe(1)
  expect(await countRows(venue.id, 'staged_values')).toBe(1)
})

test('marks of options read in proportion to their number', async () => {
  const costs: number[] = []
  for (const count of [20, 40, 80]) {
    const { venue } = await createMany('d1', 1)
    const options = [
      { id: 'a', label: 'A' },
      { id: 'b', label: 'B' },
    ]
    const marks = { availability: { options: { a: { soldOut: true } } } }
    const body = (n: number) => ({ title: `M${n}`, instructions: '', options })
    const { id } = await draft(
      venue,
      Array.from({ length: count }, (_, n) => ({ op: 'create', resource: 'modifiers', body: body(n), ...marks })),
    )
    const { status, trips, settled } = await observe('POST', venue.path(`/releases/${id}/publish`), {
      key: venue.key,
      json: {},
    })
    await settled()
    expect(status).toBe(200)
    expect(await countRows(venue.id, 'events', "type = 'modifier.availability_changed'")).toBe(count)
    costs.push(rowsRead(trips))
  }
  const [few = 0, more = 0, most = 0] = costs
  expect((most - more) / (more - few)).toBeLessThan(2.3)
})
