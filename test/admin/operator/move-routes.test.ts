import { env } from 'cloudflare:workers'
import { describe, expect, test, vi } from 'vitest'
import { adminToken, call, createVenue, toIssues } from '../../support/api.ts'
import { announce, finishMoveOf, getMove, moveTo, runMoveWith, startMove } from '../../support/moves.ts'

const admin = (id: string, path: string, json?: object) =>
  call('POST', `/admin/merchants/${id}/${path}`, adminToken, json)
const backUp = async (id: string): Promise<number> => (await admin(id, 'backups')).body.takenAt
const lists = async (id: string) =>
  (await env.DB.prepare('select state from moves where merchant_id = ?').bind(id).all()).results

describe('the start of a move', () => {
  test.each([
    [{}, ['/home required']],
    [{ home: 'kv' }, ['/home invalid_value']],
    [{ home: 'd1', location: 'weur' }, ['/location conflict']],
    [{ home: 'object', location: 'mars' }, ['/location invalid_value']],
    [{ home: 'object', x: 1 }, ['/x unknown_field']],
  ])('with %j is refused', async (body, issues) => {
    const { id } = await createVenue()
    const response = await startMove(id, body)
    expect([response.status, toIssues(response)]).toEqual([422, issues])
    expect(await lists(id)).toEqual([])
  })

  test('of an unknown or closed merchant, or to where the data is, is refused', async () => {
    expect((await startMove('mer_none', { home: 'object' })).status).toBe(404)
    const { id } = await createVenue({ home: 'd1' })
    expect((await startMove(id, { home: 'd1' })).body.code).toBe('conflict')
    await admin(id, 'close', {})
    expect((await startMove(id, { home: 'object' })).body.code).toBe('conflict')
    expect(await lists(id)).toEqual([])
  })

  test('returns the move that runs to the same home, and refuses another', async () => {
    const { id } = await createVenue({ home: 'd1' })
    const started = await Promise.all([1, 2, 3].map(() => startMove(id, { home: 'object' })))
    expect(started.filter(({ status }) => status === 202).length).toBeGreaterThan(0)
    for (const { status } of started) expect([202, 409]).toContain(status)
    expect((await startMove(id, { home: 'object' })).status).toBe(202)
    expect((await startMove(id, { home: 'object', location: 'apac' })).body.code).toBe('conflict')
    expect(await lists(id)).toEqual([{ state: 'copying' }])
    expect(await finishMoveOf(id)).toMatchObject({ state: 'done', home: 'object' })
  })
})

test('a restore and a move of one merchant do not run at the same time', async () => {
  const { id } = await createVenue({ home: 'd1' })
  const takenAt = await backUp(id)
  await startMove(id, { home: 'object' })
  const refused = await admin(id, 'restore', { takenAt, replace: true })
  expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
  expect((await call('GET', `/admin/merchants/${id}`, adminToken)).body).not.toHaveProperty('suspendedAt')
  expect(await finishMoveOf(id)).toMatchObject({ state: 'done' })

  expect((await admin(id, 'restore', { takenAt, replace: true })).status).toBe(200)
  const late = await startMove(id, { home: 'd1' })
  expect([late.status, late.body.code]).toEqual([409, 'conflict'])
  expect(await lists(id)).toEqual([{ state: 'done' }])
})

describe('what a move leaves behind is due for removal', () => {
  const createStage = async () => {
    const venue = await createVenue({ home: 'd1' })
    const { id } = (await venue.post('/customers', { firstName: 'A', lastName: 'B' })).body
    return { venue, erase: () => venue.post(`/customers/${id}/erase`, {}) }
  }
  const due = async (id: string) =>
    (await env.DB.prepare('select cleans_at - unixepoch() as seconds from moves where merchant_id = ?')
      .bind(id)
      .first<number>('seconds')) ?? 0

  test('once a person is erased', async () => {
    const { venue, erase } = await createStage()
    await moveTo(venue.id, 'object')
    expect(await due(venue.id)).toBeGreaterThan(86_400)
    expect((await erase()).status).toBe(200)
    expect(await due(venue.id)).toBeLessThanOrEqual(60)
  })

  test('if a person is erased behind the fence of the move', async () => {
    const { venue, erase } = await createStage()
    await startMove(venue.id, { home: 'object' })
    await announce(venue.id)
    const [erased] = await runMoveWith(venue.id, async () => {
      const request = erase()
      const listed = env.DB.prepare('select 1 from erasures where merchant_id = ?').bind(venue.id)
      await vi.waitUntil(async () => (await listed.all()).results.length > 0)
      return [request]
    })
    expect(erased).toMatchObject({ status: 200 })
    expect(await getMove(venue.id)).toMatchObject({ state: 'done' })
    expect(await due(venue.id)).toBeLessThanOrEqual(60)
  })
})
