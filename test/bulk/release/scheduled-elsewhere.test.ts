import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { maintain } from '../../../src/app/maintenance/maintenance.ts'
import { purgeExpired } from '../../../src/app/maintenance/purges.ts'
import { releaseLimits } from '../../../src/bulk/release/release-limits.ts'
import { sharedDatabase } from '../../../src/platform/db/home/d1-connection.ts'
import { merchantDatabase } from '../../../src/platform/db/home/merchant-connection.ts'
import { createIdAt } from '../../../src/platform/lib/ids.ts'
import { adminToken, call, type Venue } from '../../support/api.ts'
import { findObject, queryHome, ringAlarm } from '../../support/home.ts'
import { setLimits } from '../../support/limits.ts'
import { announce, getMove, runMoveWith, startMove } from '../../support/moves.ts'
import { admin, backUp, finish } from '../../tenancy/backup/restores.ts'
import { createFilled } from './filled-release.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
})
afterEach(() => {
  vi.useRealTimers()
})

const day = 86_400
const now = () => Math.floor(Date.now() / 1000)
const toSeconds = (text: string) => Date.parse(text) / 1000
/** Runs the cron, or lets the alarm of an object ring. */
async function sweep({ id }: { id: string }) {
  if (await findObject(id)) await ringAlarm(id)
  else await maintain(env, sharedDatabase(env), (merchantId) => merchantDatabase(env, { merchantId, home: undefined }))
}
const schedule = async (venue: Venue, product: string, publishAt: number, more: object = {}) => {
  const operations = [{ op: 'update', resource: 'products', id: product, body: { price: 9 }, ...more }]
  const { status, body } = await venue.post('/releases', { title: 'Later', publishAt, operations })
  expect([status, body.state]).toEqual([201, 'scheduled'])
  return async () => (await venue.get(`/releases/${body.id}`)).body
}
const countPublished = async (venue: Venue) => (await venue.get('/events?types=release.published')).body.length

describe.each(['d1', 'object'] as const)('a scheduled release in %s', (home) => {
  const other = home === 'd1' ? 'object' : 'd1'

  test.each(['a short', 'a long'])(
    'whose time comes behind %s fence is published once',
    async (length) => {
      const { venue, soup } = await createFilled(home)
      const read = await schedule(venue, soup, now() + 60)
      await startMove(venue.id, { home: other })
      await announce(venue.id)
      vi.setSystemTime(Date.now() + 61_000)
      await runMoveWith(venue.id, async () => {
        const sweeping = sweep(venue)
        if (length === 'a short') return [sweeping]
        await sweeping
        return []
      })
      expect((await getMove(venue.id)).state).toBe('done')
      if ((await read()).state === 'scheduled') await sweep(venue)
      expect(await read()).toMatchObject({ state: 'published' })
      expect(await countPublished(venue)).toBe(1)
      expect((await venue.get(`/products/${soup}`)).body.price).toBe(9)
    },
    60_000,
  )

  test('is a draft again in a restored backup, and is not published while that is restored', async () => {
    const { venue, soup } = await createFilled(home)
    const read = await schedule(venue, soup, now() + 600)
    const takenAt = await backUp(venue.id)
    expect((await admin(venue.id, 'restore', { takenAt, replace: true })).status).toBe(200)
    vi.setSystemTime(Date.now() + 601_000)
    await sweep(venue)
    await finish(venue.id)
    await sweep(venue)
    expect(await read()).toMatchObject({ state: 'draft', changes: 1 })
    expect(await countPublished(venue)).toBe(0)
    expect((await venue.get(`/products/${soup}`)).body.price).toBe(5)
  }, 60_000)

  test.each([
    // Days begin at 04:00 by the clock. In Berlin clocks are set forward in the first night, and back in the second.
    { timezone: 'Europe/Berlin', at: '2027-03-28T01:30Z', until: '2027-03-28T02:00Z' },
    { timezone: 'Europe/Berlin', at: '2027-10-31T00:30Z', until: '2027-10-31T03:00Z' },
    { timezone: 'Asia/Kolkata', at: '2027-03-28T00:30Z', until: '2027-03-28T22:30Z' },
    { timezone: 'Australia/Lord_Howe', at: '2027-10-02T15:45Z', until: '2027-10-02T17:00Z' },
  ])(
    'keeps its second at $at if the venue moves to $timezone, whose tomorrow counts',
    async ({ timezone, at, until }) => {
      vi.setSystemTime((toSeconds(at) - day) * 1000)
      const { venue, soup } = await createFilled(home)
      const read = await schedule(venue, soup, toSeconds(at), { availability: { soldOut: true, until: 'tomorrow' } })
      expect((await call('POST', `/admin/merchants/${venue.id}`, adminToken, { timezone })).status).toBe(200)
      vi.setSystemTime((toSeconds(at) - 1) * 1000)
      await sweep(venue)
      expect((await read()).state).toBe('scheduled')
      vi.setSystemTime(toSeconds(at) * 1000)
      await sweep(venue)
      expect(await read()).toMatchObject({ state: 'published', publishedAt: toSeconds(at) })
      const mark = (await venue.get(`/products/${soup}/availability`)).body
      expect([mark.soldOut, new Date(mark.until * 1000)]).toEqual([true, new Date(until)])
    },
  )

  test('is at least in this second, and at most 366 days ahead', async () => {
    const { venue } = await createFilled(home)
    const send = async (publishAt: number) => (await venue.post('/releases', { title: 'R', publishAt })).body
    expect((await send(now() + releaseLimits.ahead)).state).toBe('scheduled')
    expect((await send(now() + releaseLimits.ahead + 1)).errors).toMatchObject([{ code: 'too_large' }])
    expect((await send(now() - 1)).errors).toMatchObject([{ code: 'too_small' }])
  })
})

test('the operations of a release have at most 16 MiB', async () => {
  const { venue, soup, menu } = await createFilled()
  const { id } = (await venue.post('/releases', { title: 'R' })).body
  const add = (target: string, resource: string, title: string) =>
    venue.post(`/releases/${id}/operations`, { operations: [{ op: 'update', resource, id: target, body: { title } }] })
  await add(soup, 'products', 'Hot')
  const [row] = await queryHome(venue.id, 'select bytes from releases where id = ?', id)
  setLimits(releaseLimits, { bytes: Number(row?.['bytes']) })
  expect((await add(soup, 'products', 'Big')).status).toBe(200)
  expect((await add(soup, 'products', 'Long')).body.errors).toMatchObject([{ code: 'too_many' }])
  expect((await add(menu, 'menus', 'X')).status).toBe(422)
})

test('releases are deleted after 400 days', async () => {
  const { venue } = await createFilled()
  const ids: string[] = []
  for (const seconds of [1, -1]) {
    const { id } = (await venue.post('/releases', { title: 'R' })).body
    const next = createIdAt('rel', Date.now() - (releaseLimits.days * day + seconds) * 1000)
    await queryHome(venue.id, 'update releases set id = ? where id = ?', next, id)
    ids.push(next)
  }
  await env.DB.prepare(`update purges set due_at = 0 where name = 'releases'`).run()
  await purgeExpired(env, Date.now())
  const states = await Promise.all(ids.map(async (id) => (await venue.get(`/releases/${id}`)).status))
  expect(states).toEqual([404, 200])
})
