import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { settleSeconds } from '../../../src/tenancy/backup/restore/run-restore.ts'
import { hashCustomer } from '../../../src/tenancy/people/erasures.ts'
import { adminToken, createVenue } from '../../support/api.ts'
import { multiply, observe } from '../../support/d1.ts'
import { queryHome } from '../../support/home.ts'
import { admin, advance, backUp } from './restores.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** Restores a backup. Returns the state behind each request, and the numbers of queries and of calls of R2 in it. */
async function observeRestore(id: string, takenAt: number) {
  await admin(id, 'restore', { takenAt, replace: true })
  advance(settleSeconds)
  const requests: { state: string; queries: number; heads: number }[] = []
  while (requests.at(-1)?.state !== 'done') {
    expect(requests.length).toBeLessThan(10)
    const head = vi.spyOn(env.MEDIA, 'head')
    const { status, body, trips } = await observe('POST', `/admin/merchants/${id}/restore/continue`, {
      key: adminToken,
    })
    expect([status, body.detail]).toEqual([200, undefined])
    const queries = trips.reduce((sum, { statements }) => sum + statements.length, 0)
    requests.push({ state: body.state, queries, heads: head.mock.calls.length })
    head.mockRestore()
  }
  return requests
}

/** A venue whose backup has 120 customers that were erased since. */
async function createErased(hasProduct = false) {
  const venue = await createVenue({ home: 'd1' })
  if (hasProduct) await venue.post('/products', { title: 'Tea', price: 1 })
  const { body } = await venue.post('/customers', { firstName: 'Ann', lastName: 'Example', email: 'ann@example.com' })
  await multiply('customers', body.id, 119)
  const takenAt = await backUp(venue.id)
  const customers = await queryHome(venue.id, 'select id from customers where merchant_id = ?', venue.id)
  for (const { id } of customers) {
    const hash = await hashCustomer(venue.id, String(id))
    await env.DB.prepare('insert into erasures values (?, ?, 1)').bind(venue.id, hash).run()
  }
  return { venue, takenAt }
}

test('a file that cannot be read behind the comparison takes nothing of what was loaded', async () => {
  const { venue, takenAt } = await createErased(true)
  await admin(venue.id, 'restore', { takenAt, replace: true })
  advance(settleSeconds)
  const findCompared = () =>
    env.DB.prepare('select compared_at from restores where merchant_id = ?').bind(venue.id).first('compared_at')
  while ((await findCompared()) === null) await admin(venue.id, 'restore/continue')
  vi.spyOn(env.BACKUPS, 'get').mockResolvedValueOnce(null)
  expect((await admin(venue.id, 'restore/continue')).status).toBe(409)
  let state = ''
  for (let requests = 0; state !== 'done' && requests < 20; requests++)
    ({ state } = (await admin(venue.id, 'restore/continue')).body)
  expect(state).toBe('done')
  expect((await venue.get('/products')).body).toHaveLength(1)
  expect((await venue.get('/customers')).body).toEqual([])
})

describe('a restore stays within the calls of an invocation', () => {
  test('with many pictures', async () => {
    const venue = await createVenue()
    const insert = `with recursive n(i) as (select 1 union all select i + 1 from n where i < 1100)
      insert into pictures (merchant_id, test_mode, digest, widths, bytes, is_logo, check_at, deleting)
      select ?, 0, printf('%032d', i), '[800]', 1000, 0, 9999999999, 0 from n`
    await queryHome(venue.id, insert, venue.id)
    const requests = await observeRestore(venue.id, await backUp(venue.id))
    expect(requests.map(({ state, heads }) => [state, heads])).toEqual([
      ['deleting', 0],
      ['loading', 0],
      ['loading', 500],
      ['loading', 500],
      ['done', 100],
    ])
  })

  test('with many customers that were erased since', async () => {
    const { venue, takenAt } = await createErased()
    const requests = await observeRestore(venue.id, takenAt)
    // A request erases 20 customers again.
    expect(requests.map(({ state }) => state)).toEqual(['deleting', 'loading', ...Array(5).fill('loading'), 'done'])
    expect(Math.max(...requests.map(({ queries }) => queries))).toBeLessThan(650)
    expect((await venue.get('/customers')).body).toEqual([])
  })
})
