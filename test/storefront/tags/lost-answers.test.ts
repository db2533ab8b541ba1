import { beforeEach, describe, expect, test } from 'vitest'
import { adminToken, createVenue } from '../../support/api.ts'
import { createTestWorker } from '../../support/test-worker.ts'
import { createIsolate } from './isolates.ts'

let worker = createTestWorker()
beforeEach(() => {
  worker = createTestWorker()
})

const at = (table: string) => ({ metadata: [{ key: 'table', value: table }] })
const copyOf = async (name: string) => JSON.parse((await worker.copy(`t:${name}`)) ?? 'null')
const tableOf = async (name: string) => Object.fromEntries((await copyOf(name))?.shown ?? [])['table']

/** Loses the answer of D1 to transactions with a statement that matches. `commit`: they are made. */
function loseAnswers(pattern: RegExp, commit: (go: () => Promise<unknown>) => unknown) {
  worker.used()
  worker.failures.database = async (sql, _, go) => {
    if (!sql.some((text) => pattern.test(text))) return undefined
    await commit(go)
    throw new Error('D1_ERROR: Network connection lost.')
  }
}

describe('a copy in KV is written by the queue where the answer is lost', () => {
  /** Sends a request whose change is made and whose answer from D1 is lost, and what it sent to the queue. */
  async function loseAnswer(act: () => ReturnType<typeof worker.call>) {
    loseAnswers(/insert into "?events/, (go) => go())
    expect((await act()).status).toBe(503)
    worker.failures.database = undefined
    await worker.settle()
    // The messages of the consumer's own messages too.
    for (let hops = 0; hops < 2; hops++) await worker.consume(...worker.used().sent)
  }
  const createOf = async (own: Awaited<ReturnType<typeof createVenue>>, table = '1') => {
    const externalId = crypto.randomUUID()
    const { body } = await worker.call('PUT', own.path(`/tags/external/${externalId}`), own.key, at(table))
    return { id: body.id, externalId, code: body.alias[0] }
  }

  test('to a batch', async () => {
    const own = await createVenue({ home: 'd1' })
    const [deleted, changed] = [await createOf(own), await createOf(own)]
    const operations = [
      { op: 'delete', resource: 'tags', id: deleted.id },
      { op: 'update', resource: 'tags', id: changed.id, body: at('2') },
    ]
    await loseAnswer(() => worker.call('POST', own.path('/batch'), own.key, { operations }))
    expect([await tableOf(changed.code), (await copyOf(deleted.code)).gone]).toEqual(['2', true])
  })

  test('to a deletion', async () => {
    const own = await createVenue({ home: 'd1' })
    const [tag, other] = [await createOf(own), await createOf(own)]
    await loseAnswer(() => worker.call('DELETE', own.path(`/tags/${tag.id}`), own.key))
    await loseAnswer(() => worker.call('DELETE', own.path(`/tags/external/${other.externalId}`), own.key))
    for (const name of [tag.id, tag.code, other.id, other.code]) {
      expect(await copyOf(name)).toMatchObject({ gone: true })
    }
  })

  test('to an update', async () => {
    const own = await createVenue({ home: 'd1' })
    const [tag, other] = [await createOf(own), await createOf(own)]
    await loseAnswer(() => worker.call('POST', own.path(`/tags/${tag.id}`), own.key, at('2')))
    await loseAnswer(() => worker.call('PUT', own.path(`/tags/external/${other.externalId}`), own.key, at('2')))
    for (const name of [tag.id, tag.code, other.id, other.code]) expect(await tableOf(name)).toBe('2')
  })

  test('of an imported tag, under its earlier names too', async () => {
    const own = await createVenue({ home: 'd1' })
    const [alias, id] = [`old-${crypto.randomUUID()}`, `id-${crypto.randomUUID()}`]
    const imported = await worker.call('POST', `/admin/merchants/${own.id}/tags`, adminToken, { id, alias: [alias] })
    expect(imported.status).toBe(201)
    await loseAnswer(() => worker.call('DELETE', own.path(`/tags/${id}`), own.key))
    for (const name of [alias, id, imported.body.alias[0]]) expect(await copyOf(name)).toMatchObject({ gone: true })
  })

  test('by a merchant whose data is in an object', async () => {
    const own = await createVenue({ home: 'object' })
    const tag = await createOf(own)
    const old = await worker.copy(`t:${tag.code}`)
    await worker.call('DELETE', own.path(`/tags/${tag.id}`), own.key)
    for (const name of [tag.id, tag.code]) await worker.bindings.TAGS.put(`t:${name}`, old ?? '', {})
    const { body: events } = await own.get('/events')
    const event = events.find(({ type }: { type: string }) => type === 'tag.deleted').id
    worker.used()
    await worker.consume({ kind: 'transaction', merchant: own.id, event })
    await worker.consume(...worker.used().sent)
    for (const name of [tag.id, tag.code]) expect(await copyOf(name)).toMatchObject({ gone: true })
  })

  test('but for no other resource, and for no change that was refused', async () => {
    const own = await createVenue({ home: 'd1' })
    await loseAnswer(() => worker.call('POST', own.path('/menus'), own.key, { title: 'Lunch' }))
    const path = own.path('/tags/external/one')
    expect((await worker.call('PUT', path, own.key, { ...at('1'), nfc: 'no' })).status).toBe(422)
    expect((await worker.call('DELETE', path, own.key)).status).toBe(404)
    expect(worker.used().sent).toEqual([])
  })

  test('to a transaction that ends later', async () => {
    const own = await createVenue({ home: 'd1' })
    const tag = await createOf(own)
    let commit: (() => Promise<unknown>) | undefined
    loseAnswers(/insert into "?events/, (go) => {
      commit = go
    })
    expect((await worker.call('DELETE', own.path(`/tags/${tag.id}`), own.key)).status).toBe(503)
    worker.failures.database = undefined
    await worker.settle()
    const [soon, late] = worker.used().sent
    await worker.consume(soon)
    expect(worker.used().sent).toEqual([])
    await commit?.()
    await worker.consume(late)
    await worker.consume(...worker.used().sent)
    expect(await copyOf(tag.code)).toMatchObject({ gone: true })
  })

  test.each([
    ['a new address', '', { orderingUrl: 'https://new.example/o' }, 302, 'https://new.example/o'],
    ['a suspension', '/suspend', undefined, 403, null],
  ])('to %s of the merchant', async (_what, path, json, status, location) => {
    const own = await createVenue({ home: 'd1', orderingUrl: 'https://old.example/o' })
    const tag = await createOf(own)
    loseAnswers(/update "merchants"/, (go) => go())
    expect((await worker.call('POST', `/admin/merchants/${own.id}${path}`, adminToken, json)).status).toBe(503)
    worker.failures.database = undefined
    await worker.settle()
    await worker.consume(...worker.used().sent)
    const scanned = await worker.fetch(`/t/${tag.code}`, {}, await createIsolate())
    expect([scanned.status, scanned.headers.get('location')?.replace(/\?.*/, '') ?? null]).toEqual([status, location])
  })
})
