import { env } from 'cloudflare:workers'
import { afterEach, expect, test, vi } from 'vitest'
import journal from '../../migrations/meta/_journal.json' with { type: 'json' }
import { clearKeyCache } from '../../src/platform/auth/api-keys.ts'
import { createVenue, send } from '../support/api.ts'
import { observe } from '../support/d1.ts'

const run = (statement: string) => env.DB.prepare(statement).run()
const problem = (detail: unknown) => ({
  status: 503,
  body: expect.objectContaining({ code: 'unavailable', status: 503, detail }),
})
const lacking = (count: number, first: string) =>
  problem(
    `The database lacks ${count} of ${journal.entries.length} migrations, the first is ${first}. ` +
      'Apply them: npx wrangler d1 migrations apply DB, with --local or --remote.',
  )

afterEach(() => vi.restoreAllMocks())

test('the journal lists every migration of the folder in order', () => {
  expect(journal.entries.map(({ tag }) => `${tag}.sql`)).toEqual(env.MIGRATIONS.map(({ name }) => name))
})

test('a database with every migration is healthy, in one round trip', async () => {
  const { status, trips } = await observe('GET', '/health')
  expect([status, trips.length]).toEqual([200, 1])
})

test('a database with migrations of a later release is healthy', async () => {
  await run(`insert into d1_migrations (name) values ('9999_later.sql')`)
  expect((await send('/health')).status).toBe(200)
  await run(`delete from d1_migrations where name = '9999_later.sql'`)
})

test('a database with missing migrations is unhealthy, and the response lists them', async () => {
  const { tag } = journal.entries.at(-1) ?? { tag: '' }
  await run(`delete from d1_migrations where name = '${tag}.sql'`)
  expect(await send('/health')).toMatchObject(lacking(1, `${tag}.sql`))
  await run(`insert into d1_migrations (name) values ('${tag}.sql')`)
  expect((await send('/health')).status).toBe(200)
})

test('a database without migrations is unhealthy', async () => {
  await run('alter table d1_migrations rename to kept')
  expect(await send('/health')).toMatchObject(lacking(journal.entries.length, `${journal.entries[0]?.tag}.sql`))
  await run('alter table kept rename to d1_migrations')
})

test('a request to a missing table returns 503 without further queries', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const venue = await createVenue()
  const missing = problem('The database lacks migrations of this release. GET /health lists them.')
  await venue.get('/customers')
  const ordinary = await observe('GET', venue.path('/customers'), { key: venue.key })
  await run('alter table keys rename to kept_keys')
  await run('alter table customers rename to kept_customers')
  const response = await observe('GET', venue.path('/customers'), { key: venue.key })
  expect(response).toMatchObject(missing)
  expect(response.trips).toHaveLength(ordinary.trips.length)
  clearKeyCache()
  expect(await venue.get('/customers')).toMatchObject(missing)
  expect(log).toHaveBeenCalledWith(expect.stringContaining('no such table: customers'))
  await run('alter table kept_keys rename to keys')
  await run('alter table kept_customers rename to customers')
  expect((await venue.get('/customers')).status).toBe(200)
})
