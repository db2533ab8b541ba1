import { beforeEach, describe, expect, test } from 'vitest'
import { repeatLimits } from '../../../src/storefront/tags/kv-sync.ts'
import { queueUntil } from '../../../src/storefront/tags/scans/record-scan.ts'
import { maxSyncedNames } from '../../../src/storefront/tags/scans/scan-consumer.ts'
import { adminToken, createVenue } from '../../support/api.ts'
import { setLimits } from '../../support/limits.ts'
import { broken, createTestWorker, never } from '../../support/test-worker.ts'
import { withDelays } from './isolates.ts'

const venue = await createVenue({ orderingUrl: 'https://live.example/o?t={metadata.table}' })
let worker = createTestWorker()
beforeEach(() => {
  // The queue counts scans.
  queueUntil.ms = Number.POSITIVE_INFINITY
  worker = createTestWorker()
})

const at = (table: string) => ({ metadata: [{ key: 'table', value: table }] })
const create = async (table = '1') => {
  const { body: tag } = await worker.call('POST', venue.path('/tags'), venue.key, at(table))
  return { ...tag, code: tag.alias[0] }
}
const update = (id: string, table: string) => worker.call('POST', venue.path(`/tags/${id}`), venue.key, at(table))
const remove = (id: string) => worker.call('DELETE', venue.path(`/tags/${id}`), venue.key)
const copyOf = async (name: string) => JSON.parse((await worker.copy(`t:${name}`)) ?? 'null')
const tableOf = async (name: string) => Object.fromEntries((await copyOf(name))?.shown ?? [])['table']

describe('a copy in KV', () => {
  test('is that of the newest version again after an old one was written late', async () => {
    const tag = await create()
    const old = await worker.copy(`t:${tag.code}`)
    await update(tag.id, '2')
    const { sent } = worker.used()
    await worker.bindings.TAGS.put(`t:${tag.code}`, old ?? '', {})
    expect(await tableOf(tag.code)).toBe('1')
    expect(await worker.consume(...sent)).toMatchObject({ retried: [] })
    expect(await tableOf(tag.code)).toBe('2')
  })

  test('is that of the newest version also where another change comes while it is looked after', async () => {
    const tag = await create()
    let changes = 0
    worker.failures.write = async (key) => {
      if (key !== `t:${tag.code}` || ++changes > 1) return
      worker.failures.write = undefined
      await createTestWorker().call('POST', venue.path(`/tags/${tag.id}`), venue.key, at('2'))
    }
    await worker.consume({ kind: 'tag', names: [tag.code] })
    expect(changes).toBe(1)
    expect(await tableOf(tag.code)).toBe('2')
  })

  test('is written by one look after it, however many changes asked for that at once', async () => {
    const tag = await create()
    for (let n = 0; n < 10; n++) await update(tag.id, `${n}`)
    const { sent } = worker.used()
    expect(sent.length).toBeGreaterThanOrEqual(10)
    expect((await worker.consume(...sent)).acked).toHaveLength(sent.length)
    expect(worker.used().writes.sort()).toEqual([`t:${tag.code}`, `t:${tag.id}`].sort())
  })

  test('is looked after again when KV fails, and of a name that no tag has, nothing is written', async () => {
    const tag = await create()
    worker.failures.write = broken
    expect(await worker.consume({ kind: 'tag', names: [tag.code] }, { kind: 'merchant', merchant: venue.id })).toEqual({
      acked: [],
      retried: ['m0', 'm1'],
    })
    worker.failures.write = undefined
    worker.used()
    const nobody = [
      { kind: 'tag', names: ['0000000000000000'] },
      { kind: 'merchant', merchant: 'mer_0' },
    ]
    expect(await worker.consume(...nobody)).toEqual({ acked: ['m0', 'm1'], retried: [] })
    expect(worker.used().writes).toEqual([])
  })

  test('that KV does not write does not hold up scans', async () => {
    const tag = await create()
    await worker.fetch(`/t/${tag.code}`)
    await worker.settle()
    const scans = worker.used().sent.filter((message) => JSON.stringify(message).includes('"kind":"scan"'))
    worker.failures.write = () => never
    expect(await worker.consume(...scans, { kind: 'tag', names: [tag.id] })).toEqual({ acked: ['m0'], retried: ['m1'] })
    const [counted] = (await venue.get(`/tags/${tag.id}/scans`)).body
    expect(counted).toMatchObject({ count: 1 })
  })

  test('is left to the next run where this one has written as many as it may', async () => {
    const messageOf = (count: number) => ({
      kind: 'tag',
      names: Array.from({ length: count }, () => crypto.randomUUID()),
    })
    const messages = Array.from({ length: maxSyncedNames / 10 + 2 }, () => messageOf(10))
    const { acked, retried } = await worker.consume(...messages)
    expect([acked.length, retried.length]).toEqual([maxSyncedNames / 10, 2])
    expect((await worker.consume(messageOf(maxSyncedNames + 1))).retried).toEqual([])
  })

  test('is looked after for one tag where that of another fails', async () => {
    const [tag, other] = [await create(), await create()]
    worker.failures.write = (key) => (key === `t:${tag.code}` ? broken() : undefined)
    const messages = [tag, other].map(({ code }) => ({ kind: 'tag', names: [code] }))
    expect(await worker.consume(...messages)).toEqual({ acked: ['m1'], retried: ['m0'] })
  })
})

describe('ten changes within a second', () => {
  test('one after the other end with the last, wherever it is asked', async () => {
    const tag = await create()
    for (let n = 0; n < 10; n++) {
      await worker.call('POST', venue.path(`/tags/${tag.id}`), venue.key, { testMode: n % 2 === 0 })
    }
    const { location } = Object.fromEntries((await worker.fetch(`/t/${tag.code}`)).headers)
    expect(location).toBe(`https://live.example/o?t=1&tag=${tag.id}`)
    expect(await copyOf(tag.code)).toMatchObject({ testMode: false, version: 11 })
  })

  test('at once end with what D1 has, in this isolate and in KV', async () => {
    const tag = await create()
    await worker.fetch(`/t/${tag.code}`)
    let writes = 0
    // Writes to KV that overtake each other.
    worker.failures.write = () => new Promise((resolve) => setTimeout(resolve, (++writes * 37) % 90))
    await Promise.all(Array.from({ length: 10 }, (_, n) => update(tag.id, `${n}`)))
    worker.failures.write = undefined
    await worker.consume(...worker.used().sent)
    const { body } = await venue.get(`/tags/${tag.id}`)
    const [{ value }] = body.metadata
    expect(await tableOf(tag.code)).toBe(value)
    expect(new URL((await worker.fetch(`/t/${tag.code}`)).headers.get('location') ?? '').searchParams.get('t')).toBe(
      value,
    )
  })
})

describe('where the queue', () => {
  test.each([
    ['throws', broken, []],
    ['hangs', () => never, [1_000, 1_000, 1_000, 1_000]],
  ])('%s, changes and scans succeed all the same', async (_, failure, timeouts) => {
    worker.failures.send = failure
    const [, delays] = await withDelays(async () => {
      const tag = await create()
      expect((await update(tag.id, '2')).status).toBe(200)
      expect((await worker.fetch(`/t/${tag.code}`)).status).toBe(302)
      const moved = await worker.call('POST', `/admin/merchants/${venue.id}`, adminToken, { name: crypto.randomUUID() })
      expect(moved.status).toBe(200)
      expect((await remove(tag.id)).status).toBe(200)
      expect((await worker.fetch(`/t/${tag.code}`)).status).toBe(410)
    }, 20)
    expect(delays).toEqual(timeouts)
  })

  test('and KV fail while a tag changes, its copy is written when KV works again', async () => {
    setLimits(repeatLimits, { attempts: 3, firstPauseMs: 20 })
    const tag = await create()
    Object.assign(worker.failures, { send: broken, write: broken })
    expect((await update(tag.id, '2')).status).toBe(200)
    expect(await tableOf(tag.code)).toBe('1')
    worker.failures.write = undefined
    await expect.poll(() => tableOf(tag.code)).toBe('2')
  })

  test('and KV fail while a tag or a merchant changes, a check is enqueued when the queue works again', async () => {
    setLimits(repeatLimits, { attempts: 3, firstPauseMs: 20 })
    const tag = await create()
    Object.assign(worker.failures, { send: broken, write: broken })
    await update(tag.id, '2')
    await worker.call('POST', `/admin/merchants/${venue.id}`, adminToken, { name: crypto.randomUUID() })
    worker.used()
    worker.failures.send = undefined
    const { log } = worker
    await expect.poll(() => log.sent).toContainEqual({ kind: 'tag', names: [tag.code, tag.id] })
    expect(log.sent).toContainEqual({ kind: 'merchant', merchant: venue.id })
  })

  test('and KV fail for long, the service gives up after some attempts', async () => {
    setLimits(repeatLimits, { attempts: 3, firstPauseMs: 1 })
    const tag = await create()
    worker.used()
    Object.assign(worker.failures, { send: broken, write: broken })
    await update(tag.id, '2')
    await scheduler.wait(200)
    const { writes } = worker.used()
    expect(writes.filter((key) => key === `t:${tag.code}`)).toHaveLength(1 + repeatLimits.attempts)
  })
})

describe('a deleted tag', () => {
  test('leaves a stone in KV under each name, which a late message does not move', async () => {
    const tag = await create()
    const { sent } = worker.used()
    await remove(tag.id)
    for (const name of [tag.code, tag.id]) expect(await copyOf(name)).toMatchObject({ gone: true })
    expect(await worker.consume(...sent, ...worker.used().sent)).toMatchObject({ retried: [] })
    for (const name of [tag.code, tag.id]) {
      expect(await copyOf(name)).toMatchObject({ gone: true })
      expect(await worker.copy(`t:${name}`)).not.toContain('table')
    }
  })

  test('keeps its names permanently', async () => {
    const alias = `old-${crypto.randomUUID()}`
    const take = (body: object) =>
      worker.fetch(`/admin/merchants/${venue.id}/tags`, {
        method: 'POST',
        headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    const id = `id-${crypto.randomUUID()}`
    const { body } = await take({ id, alias: [alias] })
    await remove(id)
    const names = [alias, id, body.alias[0]]
    for (const name of names) {
      expect((await worker.fetch(`/t/${name}`)).status).toBe(410)
      expect((await take({ alias: [name] })).status).toBe(409)
      expect((await take({ id: name })).status).toBe(409)
      expect((await worker.fetch(`/t/${name}`)).status).toBe(410)
    }
  })
})
