import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { kvTimeoutMs } from '../../../src/storefront/tags/resolve.ts'
import { adminToken, createVenue } from '../../support/api.ts'
import { broken, createTestWorker, never, passTime, restoreTime } from '../../support/test-worker.ts'
import { createIsolate, withDelays } from './isolates.ts'

const live = 'https://live.example/o'
const venue = await createVenue({ orderingUrl: 'https://live.example/o?t={metadata.table}' })
let testWorker = createTestWorker()
beforeEach(() => {
  testWorker = createTestWorker()
})
afterEach(restoreTime)

const at = (table: string) => ({ metadata: [{ key: 'table', value: table }] })
const create = async (table = '1') => {
  const { body: tag } = await testWorker.call('POST', venue.path('/tags'), venue.key, at(table))
  return { ...tag, code: tag.alias[0] }
}
const update = (id: string, table: string) => testWorker.call('POST', venue.path(`/tags/${id}`), venue.key, at(table))
const remove = (id: string) => testWorker.call('DELETE', venue.path(`/tags/${id}`), venue.key)
const copyOf = async (code: string) => JSON.parse((await testWorker.copy(`t:${code}`)) ?? 'null')
async function scan(name: string, worker?: Parameters<typeof testWorker.fetch>[2]) {
  const { status, headers } = await testWorker.fetch(`/t/${name}`, { headers: { 'user-agent': 'curl/8.5.0' } }, worker)
  const location = headers.get('location')
  return location === null ? status : new URL(location).searchParams.get('t')
}

describe('if KV', () => {
  test('throws, D1 is read', async () => {
    const tag = await create()
    testWorker.failures.read = broken
    expect(await scan(tag.code)).toBe('1')
    expect(await scan(tag.id)).toBe('1')
    expect(await scan('0000000000000000')).toBe(404)
  })

  test('hangs, D1 is read after the timeout', async () => {
    const tag = await create()
    testWorker.failures.read = () => never
    expect(await withDelays(() => scan(tag.code))).toEqual(['1', [kvTimeoutMs]])
    testWorker.used()
    expect(await withDelays(() => scan(tag.code))).toEqual(['1', []])
    expect(testWorker.used().reads).toEqual([])
  })

  test.each([
    ['throws', broken],
    ['hangs', () => never],
  ])('%s, a scan leads to the hosted menu with the name of the table', async (_, fault) => {
    const cafe = await createVenue({ name: 'Café' })
    const { body: tag } = await testWorker.call('POST', cafe.path('/tags'), cafe.key, at('7'))
    const worker = await createIsolate()
    testWorker.failures.read = fault
    const { headers } = await testWorker.fetch(`/t/${tag.alias[0]}`, {}, worker)
    expect(headers.get('location')).toContain(`/m/${cafe.id}?tag=`)
    const menu = await testWorker.fetch(headers.get('location') ?? '', {}, worker)
    expect([menu.status, menu.body]).toEqual([200, expect.stringContaining('Table 7')])
  })

  test('has the tag but not its merchant, D1 is read', async () => {
    const tag = await create()
    for (const failure of [broken, async () => null, async () => ({ version: 'x' })]) {
      passTime(5)
      testWorker.failures.read = (key) => (key.startsWith('m:') ? failure() : undefined)
      expect(await scan(tag.code)).toBe('1')
    }
  })

  test.each([
    ['null', null],
    ['a number', 7],
    ['a list', []],
    ['an empty object', {}],
    ['text', '<html>'],
    ['an address', { target: 'https://evil.example' }],
    ['half an entry', { version: 99, gone: false, code: 'x' }],
  ])('contains %s, D1 is read', async (_, value) => {
    const tag = await create()
    testWorker.failures.read = async () => value
    expect(await scan(tag.code)).toBe('1')
  })

  test('contains invalid JSON, D1 is read and the copy is corrected', async () => {
    const tag = await create()
    await testWorker.bindings.TAGS.put(`t:${tag.code}`, '{"version":', {})
    testWorker.used()
    expect(await scan(tag.code)).toBe('1')
    await testWorker.settle()
    await testWorker.consume(...testWorker.used().sent)
    expect(await copyOf(tag.code)).toMatchObject({ code: tag.code, gone: false })
  })

  test('has an older version than the isolate has read, D1 is read', async () => {
    const tag = await create()
    const old = await copyOf(tag.code)
    await scan(tag.code)
    await update(tag.id, '2')
    passTime(5)
    testWorker.failures.read = async (key) => (key.startsWith('t:') ? old : undefined)
    expect(await scan(tag.code)).toBe('2')
    passTime(5)
    expect(await scan(tag.code)).toBe('2')
  })

  test('has an older version than the isolate has written, D1 is read', async () => {
    const tag = await create()
    const old = await copyOf(tag.code)
    await update(tag.id, '2')
    testWorker.failures.read = async (key) => (key.startsWith('t:') ? old : undefined)
    expect(await scan(tag.code)).toBe('2')
  })

  test('has an older version of the merchant, D1 is read', async () => {
    const owner = await createVenue({ orderingUrl: live })
    const { body: tag } = await testWorker.call('POST', owner.path('/tags'), owner.key, {})
    await testWorker.fetch(`/t/${tag.id}`)
    const old = { version: 1, timezone: 'UTC', orderingUrl: live }
    await testWorker.call('POST', `/admin/merchants/${owner.id}`, adminToken, { orderingUrl: 'https://new.example/' })
    passTime(5)
    testWorker.failures.read = async (key) => (key.startsWith('m:') ? old : undefined)
    expect((await testWorker.fetch(`/t/${tag.id}`)).headers.get('location')).toBe(`https://new.example/?tag=${tag.id}`)
  })

  test('rejects a write, the change succeeds and its copy is written later', async () => {
    for (const failure of [broken, () => never]) {
      testWorker.failures.write = failure
      const [tag, delays] = await withDelays(() => create(), 20)
      expect(delays).toEqual(failure === broken ? [] : [1_000])
      testWorker.failures.write = undefined
      const elsewhere = await createIsolate()
      expect(await scan(tag.code, elsewhere)).toBe('1')
      await testWorker.settle()
      await testWorker.consume(...testWorker.used().sent)
      expect(await copyOf(tag.code)).toMatchObject({ id: tag.id })
    }
  })
})

describe('if D1 is down', () => {
  test.each([
    ['throws', broken],
    ['hangs', () => never],
  ])('and %s, KV is read', async (_, failure) => {
    const tag = await create()
    await scan(tag.code)
    await testWorker.settle()
    await testWorker.consume(...testWorker.used().sent)
    const elsewhere = await createIsolate()
    testWorker.failures.database = failure
    expect(await scan(tag.code, elsewhere)).toBe('1')
  })

  test('and KV too, the last known redirect is used for a day', async () => {
    const tag = await create()
    const deleted = await create()
    await remove(deleted.id)
    await scan(tag.code)
    for (const failure of [broken, () => never]) {
      testWorker.failures.read = failure
      testWorker.failures.database = failure
      passTime(6)
      const [results, delays] = await withDelays(async () => [await scan(tag.code), await scan(deleted.code)], 20)
      expect([results, delays]).toEqual([
        ['1', 410],
        failure === broken ? [] : [kvTimeoutMs, 2_000, kvTimeoutMs, 2_000],
      ])
    }
    testWorker.failures.database = broken
    passTime(86_360)
    expect(await scan(tag.code)).toBe('1')
    passTime(40)
    expect(await scan(tag.code)).toBe(503)
  })

  test('and KV too, an unknown tag returns 503', async () => {
    const tag = await create()
    Object.assign(testWorker.failures, { read: broken, database: broken })
    const { status, headers, body } = await testWorker.fetch(`/t/${tag.code}`)
    expect(status).toBe(503)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-robots-tag')).toBe('noindex')
    expect(body).toMatch(/<h1>.+<\/h1>/)
    expect(await scan('0000000000000009')).toBe(503)
    Object.assign(testWorker.failures, { read: undefined, database: undefined })
    expect(await scan(tag.code)).toBe('1')
  })
})

describe('if KV misses and a replica of D1 lags', () => {
  /** From here on the nearest replica returns what it returns now. */
  async function lag(name: string) {
    testWorker.failures.read = async () => null
    passTime(5)
    testWorker.used()
    const before = await scan(name)
    const [response] = testWorker.used().results
    replica(response)
    return before
  }
  /** Only scans read the replica that lags: changes have their own tests. */
  const replica = (response: unknown) => {
    testWorker.failures.database = ([sql = ''], constraint) =>
      sql.includes('tag_names as n') && constraint !== 'first-primary' ? response : undefined
  }

  test('a tag that was deleted here stays deleted', async () => {
    const tag = await create()
    expect(await lag(tag.code)).toBe('1')
    await remove(tag.id)
    for (let n = 0; n < 3; n++) {
      expect(await scan(tag.code)).toBe(410)
      expect(await scan(tag.id)).toBe(410)
      passTime(5)
    }
  })

  test('a tag that was changed here stays changed, even if it was never scanned', async () => {
    const tag = await create()
    expect(await lag(tag.code)).toBe('1')
    const isolate = await createIsolate()
    const { id } = tag
    const init = {
      method: 'POST',
      headers: { authorization: `Bearer ${venue.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(at('2')),
    }
    expect((await testWorker.fetch(venue.path(`/tags/${id}`), init, isolate)).status).toBe(200)
    expect(await scan(tag.code, isolate)).toBe('2')
  })

  test('a tag that was created here exists', async () => {
    testWorker.failures.write = broken
    testWorker.failures.read = async () => null
    const tag = await create()
    replica({ results: [], success: true, meta: {} })
    expect(await scan(tag.code)).toBe('1')
  })

  test('a tag of a merchant that was changed here redirects to the new address', async () => {
    const owner = await createVenue({ orderingUrl: live })
    const { body: tag } = await testWorker.call('POST', owner.path('/tags'), owner.key, {})
    expect(await lag(tag.id)).toBeNull()
    await testWorker.call('POST', `/admin/merchants/${owner.id}`, adminToken, { orderingUrl: 'https://new.example/' })
    passTime(5)
    expect((await testWorker.fetch(`/t/${tag.id}`)).headers.get('location')).toBe(`https://new.example/?tag=${tag.id}`)
  })
})
