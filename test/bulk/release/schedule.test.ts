import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { maintain } from '../../../src/app/maintenance/maintenance.ts'
import { clearCredentialCaches } from '../../../src/platform/auth/sessions.ts'
import { directoryDatabase, sharedDatabase } from '../../../src/platform/db/home/d1-connection.ts'
import { merchantDatabase } from '../../../src/platform/db/home/merchant-connection.ts'
import { adminToken, call, createKey, type Venue } from '../../support/api.ts'
import { findObject, ringAlarm } from '../../support/home.ts'
import { moveTo } from '../../support/moves.ts'
import { createFilled } from './filled-release.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const now = () => Math.floor(Date.now() / 1000)
/** Runs the cron, or lets the alarm of an object ring. */
async function sweep({ id }: { id: string }) {
  if (await findObject(id)) await ringAlarm(id)
  else await maintain(env, sharedDatabase(env), (merchantId) => merchantDatabase(env, { merchantId, home: undefined }))
}
const stateOf = async (venue: Venue, id: string) => (await venue.get(`/releases/${id}`)).body
const schedule = async (venue: Pick<Venue, 'post'>, product: string, price: number, publishAt: number) =>
  (
    await venue.post('/releases', {
      title: `${price}`,
      publishAt,
      operations: [{ op: 'update', resource: 'products', id: product, body: { price } }],
    })
  ).body.id

test.each(['d1', 'object'] as const)(
  'a release in %s is published at its second, not before, and once',
  async (home) => {
    const { venue, soup } = await createFilled(home)
    const at = now() + 90
    const id = await schedule(venue, soup, 9, at)
    vi.setSystemTime((at - 1) * 1000)
    await sweep(venue)
    expect(await stateOf(venue, id)).toMatchObject({ state: 'scheduled', publishAt: at })
    vi.setSystemTime(at * 1000)
    await Promise.all([sweep(venue), sweep(venue)])
    expect(await stateOf(venue, id)).toMatchObject({ state: 'published', publishedBy: venue.keyId, publishedAt: at })
    expect((await venue.get(`/products/${soup}`)).body.price).toBe(9)
    expect((await venue.get('/events?types=release.published')).body).toHaveLength(1)
  },
)

test('the alarm of an object rings at the second of the next release', async () => {
  const { venue, soup } = await createFilled('object')
  const object = await findObject(venue.id)
  const { runInDurableObject } = await import('cloudflare:test')
  const getAlarm = () =>
    object ? runInDurableObject(object.stub, (_, state) => state.storage.getAlarm()) : Promise.resolve(null)
  const at = now() + 10
  await schedule(venue, soup, 9, at)
  expect(await getAlarm()).toBe(at * 1000)
})

test.each(['d1', 'object'] as const)(
  'of two releases of the same second in %s, the second is judged on the first',
  async (home) => {
    const { venue, soup } = await createFilled(home)
    const at = now() + 60
    const first = await schedule(venue, soup, 8, at)
    const second = await schedule(venue, soup, 9, at)
    const equal = await schedule(venue, soup, 8, at)
    vi.setSystemTime(at * 1000)
    await sweep(venue)
    expect(await stateOf(venue, first)).toMatchObject({ state: 'published' })
    expect(await stateOf(venue, equal)).toMatchObject({ state: 'published' })
    expect(await stateOf(venue, second)).toMatchObject({
      state: 'failed',
      failure: {
        code: 'release_conflict',
        errors: [],
        conflicts: [{ id: soup, field: '/body/price', base: 5, yours: 9, current: 8 }],
      },
    })
    expect((await venue.get(`/products/${soup}`)).body.price).toBe(8)
    expect((await venue.get('/events?types=release.failed')).body.map(({ data }: { data: object }) => data)).toEqual([
      {
        id: second,
        title: '9',
        changes: 1,
        code: 'release_conflict',
        message: expect.any(String),
        errors: 0,
        conflicts: 1,
      },
    ])
    // A failed release is a draft again once it is changed.
    expect((await venue.post(`/releases/${second}`, { note: 'later' })).body).toMatchObject({
      state: 'draft',
      note: 'later',
    })
  },
)

test('the rights of who scheduled a release are those of its hour', async () => {
  const { venue, soup } = await createFilled()
  const scheduler = await createKey(venue.id, {
    mode: 'live',
    scopes: ['releases:write', 'releases:publish', 'products:write'],
  })
  const at = now() + 60
  const id = await schedule(scheduler, soup, 9, at)
  await call('DELETE', `/admin/merchants/${venue.id}/keys/${scheduler.keyId}`, adminToken)
  vi.setSystemTime(at * 1000)
  await sweep(venue)
  expect(await stateOf(venue, id)).toMatchObject({ state: 'failed', failure: { code: 'forbidden' } })
  expect((await venue.get(`/products/${soup}`)).body.price).toBe(5)
})

test('a suspended merchant is tried again for ten minutes', async () => {
  const { venue, soup } = await createFilled()
  const at = now() + 60
  const [soon, late] = [await schedule(venue, soup, 9, at), await schedule(venue, soup, 9, at + 3_600)]
  const change = async (verb: string) => {
    await call('POST', `/admin/merchants/${venue.id}/${verb}`, adminToken)
    clearCredentialCaches()
  }
  await change('suspend')
  vi.setSystemTime(at * 1000)
  await sweep(venue)
  await change('resume')
  expect(await stateOf(venue, soon)).toMatchObject({ state: 'scheduled' })
  vi.setSystemTime((at + 60) * 1000)
  await sweep(venue)
  expect(await stateOf(venue, soon)).toMatchObject({ state: 'published' })
  await change('suspend')
  vi.setSystemTime((at + 3_600 + 601) * 1000)
  await sweep(venue)
  await change('resume')
  expect(await stateOf(venue, late)).toMatchObject({ state: 'failed', failure: { code: 'merchant_suspended' } })
})

test('a scheduled release moves with its merchant', async () => {
  const { venue, soup } = await createFilled()
  const at = now() + 600
  const id = await schedule(venue, soup, 9, at)
  await moveTo(venue.id, 'object')
  expect(await stateOf(venue, id)).toMatchObject({ state: 'scheduled' })
  vi.setSystemTime(at * 1000)
  await maintain(env, directoryDatabase(env))
  expect(await stateOf(venue, id)).toMatchObject({ state: 'scheduled' })
  await sweep(venue)
  expect(await stateOf(venue, id)).toMatchObject({ state: 'published' })
  expect((await venue.get(`/products/${soup}`)).body.price).toBe(9)
})
