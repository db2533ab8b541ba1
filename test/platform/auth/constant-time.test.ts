import { afterEach, expect, test, vi } from 'vitest'
import { adminToken, call, createVenue, send } from '../../support/api.ts'
import { observe } from '../../support/d1.ts'
import { createTestWorker } from '../../support/test-worker.ts'

afterEach(() => vi.restoreAllMocks())

/** Constant-time comparisons, each as the lengths of its operands. */
function watchComparisons() {
  const spy = vi.spyOn(SubtleCrypto.prototype, 'timingSafeEqual')
  return () => spy.mock.calls.map((sides) => sides.map(({ byteLength }) => byteLength))
}

test('the operator token is compared as hashes, which hide its length', async () => {
  const compared = watchComparisons()
  for (const guess of ['x', adminToken.slice(0, -1), 'x'.repeat(500)]) {
    expect((await call('GET', '/admin/merchants', guess)).status).toBe(401)
  }
  expect((await call('GET', '/admin/merchants', adminToken)).status).toBe(200)
  expect(compared()).toEqual(Array(4).fill([32, 32]))
})

test('signatures of chip addresses and of write links are compared in constant time', async () => {
  const venue = await createVenue()
  const { body: tag } = await venue.post('/tags', {})
  const { body: link } = await venue.post(`/tags/${tag.id}/nfc-link`, {})
  const worker = createTestWorker()
  const compared = watchComparisons()
  const wrong = (url: string) => new URL(url).pathname.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
  expect((await worker.fetch(wrong(tag.nfcUrl), { headers: { 'user-agent': 'A phone' } })).status).toBe(302)
  await worker.settle()
  expect(compared()).toEqual([[16, 16]])
  expect((await send(wrong(link.url))).status).toBe(404)
  expect((await send(new URL(link.url).pathname)).status).toBe(200)
  expect(compared()).toEqual(Array(3).fill([16, 16]))
})

test('a key is looked up by its hash and never compared', async () => {
  const venue = await createVenue()
  const compared = watchComparisons()
  const { status, trips } = await observe('GET', venue.path('/products'), { key: venue.key })
  expect(status).toBe(200)
  expect(compared()).toEqual([])
  expect(trips[0]?.statements.join()).toMatch(/from "keys" .*where .*"hash" = \?/)
})
