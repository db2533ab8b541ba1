import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { clearKeyCache } from '../../../src/platform/auth/api-keys.ts'
import { createKey as createKeyText } from '../../../src/platform/auth/key-format.ts'
import { hashKey } from '../../../src/platform/lib/encoding/sha256.ts'
import { queueUntil } from '../../../src/storefront/tags/scans/record-scan.ts'
import { createKey, createVenue } from '../../support/api.ts'
import { loadCopy } from '../../support/module-copy.ts'
import { createTestWorker, passTime, restoreTime } from '../../support/test-worker.ts'
import { createVisitors, many, statusesOf } from '../../support/visitors.ts'

/** The deployed Worker, with rate limits and cache. */
const worker = createTestWorker({ ALLOW_INSECURE_WEBHOOKS: undefined })
afterEach(() => {
  restoreTime()
  queueUntil.ms = 0
  worker.failures.read = undefined
})

const { createVisitor, createLimitedVisitor, unknownCode, used } = createVisitors(worker, '203.0.113')

describe('a limited address', () => {
  test('causes at most one D1 read with 150 unknown codes', async () => {
    const visitor = await createLimitedVisitor()
    const responses = await many(150, (index) => visitor.request(`/t/${unknownCode(index)}`))
    const { trips, reads } = await used()
    expect([statusesOf(responses), responses[0]?.headers.get('retry-after'), reads.length]).toEqual([[429], '60', 150])
    expect(trips).toBeLessThanOrEqual(1)
    expect(responses[0]?.body).toContain('again in a minute')
  })

  test('can scan every tag in memory or KV', async () => {
    const venue = await createVenue({ orderingUrl: 'https://live.example/o' })
    const visitor = await createLimitedVisitor()
    const { body: tag } = await venue.post('/tags', {})
    passTime(6)
    // As beside another scan of the isolate: the queue counts it.
    queueUntil.ms = Number.POSITIVE_INFINITY
    for (const path of [`/t/${tag.alias[0]}`, `/t/${tag.id}`, `/t/${tag.alias[0]}/qr.svg`]) {
      expect((await visitor.request(path)).status).toBe(path.endsWith('svg') ? 200 : 302)
    }
    expect((await used()).trips).toBe(0)
  })

  test('can scan a tag that is missing in KV, with one D1 read in ten seconds', async () => {
    const venue = await createVenue({ orderingUrl: 'https://live.example/o' })
    const visitor = await createLimitedVisitor()
    passTime(20)
    const codes: string[] = []
    for (let n = 0; n < 3; n++) {
      const { body } = await venue.post('/tags', {})
      codes.push(body.alias[0])
    }
    // Not deleted from KV: a message about the new tag might write it again.
    worker.failures.read = (key) => (key.startsWith('t:') ? null : undefined)
    const { serve: elsewhere } = await loadCopy(() => import('../../../src/app/app.ts'))
    const request = async (code: string | undefined) => {
      // A robot, whose scans are not counted.
      const init = { headers: { 'cf-connecting-ip': visitor.address, 'user-agent': 'curl/8.5.0' } }
      return (await worker.fetch(`/t/${code}`, init, elsewhere)).status
    }
    await request('not%20a%20code')
    await used()
    expect([await request(codes[0]), await request(codes[1]), await request(codes[2])]).toEqual([302, 429, 429])
    expect((await used()).trips).toBe(1)
    passTime(10)
    expect([await request(codes[1]), await request(codes[2])]).toEqual([302, 429])
    expect((await used()).trips).toBe(1)
  })

  test('has 150 unknown keys looked up together, and a good key among them', async () => {
    const venue = await createVenue()
    const visitor = await createLimitedVisitor()
    const path = venue.path('/products')
    const responses = await many(150, (index) => visitor.withKey(path, index === 75 ? venue.key : createKeyText(false)))
    expect(responses.map(({ status }) => status)).toEqual(responses.map((_, index) => (index === 75 ? 200 : 429)))
    // Two writes for the keys, one for the list, and one for the time when the valid key was used.
    expect((await used()).trips).toBeLessThanOrEqual(4)
  })

  test('is served with a good key, also with one that was made a moment ago', async () => {
    const venue = await createVenue()
    const visitor = await createLimitedVisitor()
    const wait = vi.spyOn(scheduler, 'wait').mockResolvedValue()
    for (let n = 0; n < 3; n++) {
      const { key } = await createKey(venue.id, { mode: 'live' })
      expect((await visitor.withKey(venue.path('/products'), key)).status).toBe(200)
    }
    // No timer is longer than a second.
    expect(wait.mock.calls.flat().filter((ms) => Number(ms) > 1_000)).toEqual([])
  })
})

describe('an unknown key', () => {
  test('is looked up once in half a minute, however often it is sent', async () => {
    const venue = await createVenue()
    const { withKey } = createVisitor()
    worker.used()
    const key = createKeyText(false)
    for (let n = 0; n < 40; n++) expect((await withKey(venue.path('/products'), key)).status).toBe(401)
    // The nearest copy of the database, and then the primary.
    expect((await used()).trips).toBe(2)
  })

  test('that has expired is not looked up again either', async () => {
    const venue = await createVenue()
    const { key, keyId } = await createKey(venue.id, { mode: 'live' })
    await env.DB.prepare('update keys set expires_at = 1 where id = ?').bind(keyId).run()
    const { withKey } = createVisitor()
    worker.used()
    for (let n = 0; n < 10; n++) expect((await withKey(venue.path('/products'), key)).status).toBe(401)
    expect((await used()).trips).toBe(1)
  })

  test('that comes into being is accepted within a minute, and at once where keys were changed', async () => {
    const venue = await createVenue()
    const { withKey } = createVisitor()
    const becomeGood = async (wait: () => void) => {
      const key = createKeyText(false)
      expect((await withKey(venue.path('/products'), key)).status).toBe(401)
      await env.DB.prepare(
        "insert into keys (id, merchant_id, hash, test_mode, last4, created_at) values (?, ?, ?, 0, 'last', 1)",
      )
        .bind(`key_${key.slice(8, 34)}`, venue.id, await hashKey(key))
        .run()
      wait()
      return (await withKey(venue.path('/products'), key)).status
    }
    expect(await becomeGood(() => passTime(60))).toBe(200)
    expect(await becomeGood(clearKeyCache)).toBe(200)
  })
})
