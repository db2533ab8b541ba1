import { env } from 'cloudflare:workers'
import { afterEach, expect, test, vi } from 'vitest'
import { maintain } from '../../../src/app/maintenance/maintenance.ts'
import { Database } from '../../../src/platform/db/database.ts'
import { sharedDatabase } from '../../../src/platform/db/home/d1-connection.ts'
import { merchantDatabase } from '../../../src/platform/db/home/merchant-connection.ts'
import { withLateDatabase } from '../../support/database-clock.ts'
import { findObject, ringAlarm } from '../../support/home.ts'
import { moveTo } from '../../support/moves.ts'
import { countPrices, countRows, createMany, draft, setPrices } from './many-objects.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** Calls `act` once, behind the first rows that are staged. */
function whileStaged(act: () => Promise<unknown>) {
  const { run } = Database.prototype
  let isOver = false
  vi.spyOn(Database.prototype, 'run').mockImplementation(async function (this: Database, ...statements: unknown[]) {
    const results = await Reflect.apply(run, this, statements)
    const isStaging = statements.some((each) => Array.isArray(each) && /into "staged_values"/.test(each[0].sql))
    if (isStaging && !isOver) {
      isOver = true
      await act()
    }
    return results
  })
}

test.each(['object', 'd1'] as const)(
  'a release whose merchant moves to %s while it is published is whole',
  async (to) => {
    const { venue, ids } = await createMany(to === 'object' ? 'd1' : 'object', 501)
    const { id } = await draft(venue, setPrices(ids, 5))
    whileStaged(() => moveTo(venue.id, to))
    const { status, body } = await venue.post(`/releases/${id}/publish`, {})
    vi.restoreAllMocks()
    // The home that was left rejects the transaction, which goes on at the new one, or is planned again for its row numbers.
    expect([status, body.state]).toEqual([200, 'published'])
    expect(await countPrices(venue)).toEqual({ 5: 501 })
    expect(await countRows(venue.id, 'events', "type = 'product.updated'")).toBe(501)
    expect(await countRows(venue.id, 'events', "type = 'release.published'")).toBe(1)
  },
  60_000,
)

test('on the schema of the release before, a large release waits for the table of staged rows, and others do not', async () => {
  const { venue, ids } = await createMany('d1', 502)
  const large = await draft(venue, setPrices(ids.slice(0, 501), 5))
  const small = await draft(venue, setPrices(ids.slice(2), 6))
  await env.DB.exec('alter table staged_values rename to later_values')
  try {
    expect((await venue.post(`/releases/${large.id}/publish`, {})).status).toBe(503)
    expect(await countPrices(venue)).toEqual({ 4: 502 })
    expect((await venue.post(`/releases/${small.id}/publish`, {})).body).toMatchObject({ state: 'published' })
  } finally {
    await env.DB.exec('alter table later_values rename to staged_values')
  }
  expect(await countPrices(venue)).toEqual({ 4: 2, 6: 500 })
  const overwritten = await venue.post(`/releases/${large.id}/publish`, { overwrite: true })
  expect(overwritten.body).toMatchObject({ state: 'published' })
  expect(await countPrices(venue)).toEqual({ 5: 501, 6: 1 })
}, 60_000)

/** Runs the cron, or lets the alarm of an object ring. */
async function sweep({ id }: { id: string }) {
  if (await findObject(id)) await ringAlarm(id)
  else await maintain(env, sharedDatabase(env), (merchantId) => merchantDatabase(env, { merchantId, home: undefined }))
}

test.each([
  ['d1', -2],
  ['d1', 2],
  ['object', -2],
  ['object', 2],
] as const)(
  'in %s, a database whose clock differs by %i s decides when a release is due, once',
  async (home, seconds) => {
    const { venue, ids } = await createMany(home, 2)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    const at = Math.floor(Date.now() / 1_000) + 90
    const operations = setPrices(ids, 5)
    const { id } = (await venue.post('/releases', { title: 'At', publishAt: at, operations })).body
    const sweepAt = (second: number) => {
      vi.setSystemTime((second - seconds) * 1_000)
      return withLateDatabase(seconds, () => Promise.all([sweep(venue), sweep(venue)]))
    }
    await sweepAt(at - 1)
    expect((await venue.get(`/releases/${id}`)).body.state).toBe('scheduled')
    await sweepAt(at)
    const { body } = await venue.get(`/releases/${id}`)
    expect(body).toMatchObject({ state: 'published', publishAt: at })
    expect(Math.abs(body.publishedAt - at)).toBeLessThanOrEqual(Math.abs(seconds))
    expect(await countPrices(venue)).toEqual({ 5: 2 })
    expect(await countRows(venue.id, 'events', "type = 'release.published'")).toBe(1)
  },
)
