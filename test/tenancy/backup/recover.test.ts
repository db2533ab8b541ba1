import { env } from 'cloudflare:workers'
import { describe, expect, test, vi } from 'vitest'
import type { Bindings } from '../../../src/platform/env.ts'
import { recoveryDays } from '../../../src/tenancy/backup/recover-routes.ts'
import { runMove } from '../../../src/tenancy/move/run-move.ts'
import { adminToken, call, createVenue, toIssues } from '../../support/api.ts'
import { type Before, observe } from '../../support/d1.ts'
import { queryHome } from '../../support/home.ts'
import { getMove, moveTo, startMove } from '../../support/moves.ts'
import { advance, backUp, restore } from './restores.ts'

const recover = (id: string, at: unknown) => call('POST', `/admin/merchants/${id}/recover`, adminToken, { at })
const now = () => Math.floor(Date.now() / 1000)

test('is not supported for the shared database, and names what to do instead', async () => {
  const venue = await createVenue({ home: 'd1' })
  const { status, body } = await recover(venue.id, now() - 60)
  expect([status, body.code]).toEqual([409, 'not_supported'])
  expect(body.detail).toContain('Time Travel')
})

test('needs a time at which the object had the data, and no move under way', async () => {
  const venue = await createVenue({ home: 'd1' })
  await moveTo(venue.id, 'object')
  const before = await recover(venue.id, now() - 600)
  expect([before.status, before.body.detail]).toEqual([
    409,
    expect.stringContaining('has the data of the merchant since'),
  ])
  const { endedAt } = await getMove(venue.id)
  expect((await recover(venue.id, endedAt)).body.detail).toContain('has the data of the merchant since')
  await env.DB.prepare('update moves set ended_at = ended_at - 1 where merchant_id = ?').bind(venue.id).run()
  expect((await recover(venue.id, endedAt)).body.detail).toContain('does not keep earlier data')
  await startMove(venue.id, { home: 'd1' })
  expect((await recover(venue.id, now())).body).toMatchObject({
    code: 'conflict',
    detail: expect.stringContaining('moved'),
  })
})

test('needs that time also if a later move has failed', async () => {
  const venue = await createVenue({ home: 'd1' })
  await moveTo(venue.id, 'object')
  // The copying took a minute.
  await age(venue.id)
  await startMove(venue.id, { home: 'd1' })
  await env.DB.prepare(`update moves set started_at = 0 where merchant_id = ? and state = 'copying'`)
    .bind(venue.id)
    .run()
  await runMove(env, venue.id)
  expect(await getMove(venue.id)).toMatchObject({ state: 'failed' })
  expect((await recover(venue.id, now() - 30)).body.detail).toContain('has the data of the merchant since')
})

test('refuses a time at which a restore had deleted rows', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  const venue = await createVenue({ home: 'object' })
  await age(venue.id)
  const takenAt = await backUp(venue.id)
  advance(10)
  const { startedAt, finishedAt } = await restore(venue.id, takenAt)
  advance(10)
  const details = []
  for (const at of [startedAt - 1, startedAt, finishedAt, finishedAt + 1])
    details.push((await recover(venue.id, at)).body.detail)
  vi.useRealTimers()
  const [open, closed] = [
    expect.stringContaining('does not keep earlier data'),
    expect.stringContaining('being restored'),
  ]
  expect(details).toEqual([open, closed, closed, open])
})

/** Makes objects seem a minute older. */
const age = (id: string) =>
  env.DB.prepare('update home_objects set created_at = created_at - 60 where merchant_id = ?').bind(id).run()

/** Objects on a platform that keeps earlier data, whose recovery is that of the test. */
function createRecoverable(recover: () => Promise<void>) {
  let mark: string | undefined
  const fakes = {
    prepareRecovery: async (_: number, next: string) => {
      mark = next
      return true
    },
    async recover() {
      await recover()
      mark = undefined
    },
    hasMark: async (wanted: string) => mark === wanted,
  }
  return new Proxy(env.HOMES, {
    get(homes, name) {
      const value = Reflect.get(homes, name)
      if (name !== 'get') return typeof value === 'function' ? value.bind(homes) : value
      const open = (id: DurableObjectId) =>
        new Proxy(homes.get(id), { get: (stub, key) => Reflect.get(key in fakes ? fakes : stub, key) })
      return open
    },
  })
}

describe('a recovery', () => {
  const request = (id: string, HOMES: Bindings['HOMES'], before?: Before) =>
    observe('POST', `/admin/merchants/${id}/recover`, {
      key: adminToken,
      json: { at: now() },
      bindings: { HOMES },
      ...(before && { before }),
    })

  test('is made after its entry in the log of changes', async () => {
    const venue = await createVenue({ home: 'object' })
    await age(venue.id)
    const recover = vi.fn(async () => undefined)
    const HOMES = createRecoverable(recover)
    const log = vi.spyOn(console, 'error').mockReturnValue()
    const failed = await request(venue.id, HOMES, (statements) => {
      if (statements.some((sql) => /^update "merchants"/.test(sql)))
        throw new Error('D1_ERROR: Network connection lost.')
    })
    expect([failed.status, recover.mock.calls.length]).toEqual([503, 0])
    log.mockRestore()
    const { status, body } = await request(venue.id, HOMES)
    expect([status, body.erased, recover.mock.calls.length]).toEqual([200, 0, 1])
  })

  test('to a time in a move that has failed since captures no changes', async () => {
    const venue = await createVenue({ home: 'object' })
    await age(venue.id)
    const insert = `insert into homes (merchant_id, kind, moving) values (?, 'd1', 1)`
    const HOMES = createRecoverable(async () => void (await queryHome(venue.id, insert, venue.id)))
    expect((await request(venue.id, HOMES)).status).toBe(200)
    await venue.post('/products', { title: 'Tea', price: 1 })
    expect(await queryHome(venue.id, 'select moving from homes')).toEqual([])
    expect(await queryHome(venue.id, 'select * from move_changes')).toEqual([])
  })

  test('that did not reach the object is not said to be made', async () => {
    const venue = await createVenue({ home: 'object' })
    await age(venue.id)
    const log = vi.spyOn(console, 'error').mockReturnValue()
    const { status, body } = await request(
      venue.id,
      createRecoverable(() => Promise.reject(new Error('Network connection lost.'))),
    )
    log.mockRestore()
    expect([status, body.code]).toEqual([503, 'unavailable'])
  })
})

test('is not supported where the platform keeps no earlier data, and changes nothing', async () => {
  const venue = await createVenue({ home: 'object' })
  await age(venue.id)
  await venue.post('/products', { title: 'Tea', price: 1 })
  const { status, body } = await recover(venue.id, now())
  expect([status, body.code, body.detail]).toEqual([409, 'not_supported', expect.stringContaining('backup')])
  expect((await venue.get('/products')).body).toHaveLength(1)
})

test('takes a time of the last 30 days', async () => {
  const { id } = await createVenue({ home: 'object' })
  await age(id)
  expect(toIssues(await recover(id, now() + 60))).toEqual(['/at too_large'])
  expect(toIssues(await recover(id, now() - recoveryDays * 86_400 - 10))).toEqual(['/at too_small'])
  expect(toIssues(await recover(id, now() - recoveryDays * 86_400 + 10))).toEqual(['409 not_supported'])
  expect(toIssues(await recover(id, 'yesterday'))).toEqual(['/at invalid_format'])
  expect((await recover('mer_unknown', now())).status).toBe(404)
})
