import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { maintain } from '../../../src/app/maintenance/maintenance.ts'
import { sharedDatabase } from '../../../src/platform/db/home/d1-connection.ts'
import { merchantDatabase } from '../../../src/platform/db/home/merchant-connection.ts'
import { adminToken, call, createKey } from '../../support/api.ts'
import { findObject, ringAlarm } from '../../support/home.ts'
import { createFilled } from './filled-release.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
})
afterEach(() => vi.useRealTimers())

const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds
async function sweep({ id }: { id: string }) {
  if (await findObject(id)) await ringAlarm(id)
  else await maintain(env, sharedDatabase(env), (merchantId) => merchantDatabase(env, { merchantId, home: undefined }))
}

test.each(['d1', 'object'] as const)(
  'with publishBy other in %s, only somebody else publishes a release',
  async (home) => {
    const { venue, soup } = await createFilled(home)
    const other = await createKey(venue.id, { mode: 'live' })
    const operations = [{ op: 'update', resource: 'products', id: soup, body: { price: 6 } }]
    const create = async (more: object = {}) => venue.post('/releases', { title: 'R', operations, ...more })
    const earlier = (await create({ publishAt: inSeconds(60) })).body.id
    const setPublishBy = async (publishBy: string | null) =>
      (await call('POST', `/admin/merchants/${venue.id}`, adminToken, { publishBy })).body.publishBy
    expect(await setPublishBy('other')).toBe('other')

    // The author neither publishes nor sets the time, at once or later.
    const own = (await create()).body.id
    const refused = [
      await venue.post(`/releases/${own}/publish`, {}),
      await venue.post(`/releases/${own}/publish`, { overwrite: true }),
      await venue.post(`/releases/${own}`, { publishAt: inSeconds(90) }),
      await create({ publishAt: inSeconds(90) }),
    ]
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(refused.map(() => [403, 'forbidden']))
    expect((await venue.get(`/releases/${own}`)).body).toMatchObject({ state: 'draft', version: 1 })
    expect((await venue.get(`/products/${soup}`)).body.price).toBe(5)

    // The author does not change a release whose time another person has set.
    expect((await other.post(`/releases/${own}`, { publishAt: inSeconds(90) })).body.state).toBe('scheduled')
    expect((await venue.post(`/releases/${own}/operations`, { operations })).status).toBe(403)
    expect((await venue.remove(`/releases/${own}/operations/${soup}`)).status).toBe(403)

    // A release whose author set its time before is not published.
    vi.setSystemTime(Date.now() + 61_000)
    await sweep(venue)
    expect((await venue.get(`/releases/${earlier}`)).body).toMatchObject({
      state: 'failed',
      failure: { code: 'forbidden' },
    })
    vi.setSystemTime(Date.now() + 31_000)
    await sweep(venue)
    expect((await venue.get(`/releases/${own}`)).body).toMatchObject({ state: 'published', publishedBy: other.keyId })
    expect((await venue.get(`/products/${soup}`)).body.price).toBe(6)

    const third = (await create()).body.id
    expect((await other.post(`/releases/${third}/publish`, {})).body.state).toBe('published')
    expect(await setPublishBy(null)).toBeUndefined()
    const last = (await create()).body.id
    expect((await venue.post(`/releases/${last}/publish`, {})).status).toBe(200)
  },
)
