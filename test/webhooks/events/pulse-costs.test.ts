import { afterEach, describe, expect, test, vi } from 'vitest'
import { scopes } from '../../../src/platform/auth/api-keys.ts'
import { sessionSeconds } from '../../../src/platform/auth/console-session.ts'
import { createSession, now, travelTo } from '../../admin/account/session-requests.ts'
import { createKey, createVenue } from '../../support/api.ts'
import { observe, rowsRead } from '../../support/d1.ts'

afterEach(() => vi.useRealTimers())

describe('GET …/pulse', () => {
  test('reads at most three rows in one statement, however many events there are', async () => {
    const venue = await createVenue()
    for (let index = 0; index < 12; index++) await venue.post('/products', { title: `Soup ${index}`, price: 5 })
    for (const after of ['', '?after=0', '?after=12']) {
      const seen = await observe('GET', venue.path(`/pulse${after}`), { key: venue.key })
      expect(seen.trips.flat()).toHaveLength(1)
      expect(rowsRead(seen.trips)).toBeLessThanOrEqual(3)
    }
  })

  test('does not extend a session, also not one that other requests read from the cache it filled', async () => {
    const venue = await createVenue()
    const { key } = await createKey(venue.id, { mode: 'live', scopes: [...scopes] })
    const [watching, working] = [await createSession(key), await createSession(key)]
    const start = now()
    const poll = (session: typeof watching) => session.request('GET', `/merchants/${venue.id}/pulse`)
    for (let hour = 1; hour < sessionSeconds.idle / 3_600; hour++) {
      travelTo(start + hour * 3_600)
      expect((await poll(watching)).status).toBe(200)
      await poll(working)
      await working.request('GET', `/merchants/${venue.id}/products`)
    }
    travelTo(start + sessionSeconds.idle + 60)
    expect([(await poll(watching)).status, (await poll(working)).status]).toEqual([401, 200])
    expect(
      (await venue.get('/audit')).body.filter(({ operation }: { operation: string }) => /pulse/.test(operation)),
    ).toEqual([])
  })
})
