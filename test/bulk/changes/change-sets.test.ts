import { afterEach, describe, expect, test, vi } from 'vitest'
import { createKey, createVenue, toIssues } from '../../support/api.ts'
import { importFile } from '../../support/imports.ts'

const create = (title: string) => ({ op: 'create', resource: 'products', body: { title, price: 1 } })
const change = (id: string, price: number) => ({ op: 'update', resource: 'products', id, body: { price } })

afterEach(() => vi.useRealTimers())

describe.each(['d1', 'object'])('change sets in a home of the kind %s', (home) => {
  test('a batch that changes something has one, with the numbers of its changes', async () => {
    const venue = await createVenue({ home })
    const { body: first } = await venue.post('/batch', { operations: [create('Tea'), create('Milk')] })
    const [tea, milk] = first.results.map(({ id }: { id: string }) => id)
    const { body: second } = await venue.post('/batch', {
      operations: [change(tea, 2), { op: 'delete', resource: 'products', id: milk }, create('Cake')],
    })
    const { body: unchanged } = await venue.post('/batch', { operations: [change(tea, 2)] })
    expect(unchanged).not.toHaveProperty('changeSet')
    const { body: dry } = await venue.post('/batch?dryRun=true', { operations: [change(tea, 9)] })
    expect(dry).not.toHaveProperty('changeSet')
    // A single edit has none.
    await venue.post(`/products/${tea}`, { price: 3 })
    const { body: listed } = await venue.get('/changes')
    expect(listed).toMatchObject([
      { id: second.changeSet, kind: 'batch', state: 'done', counts: { created: 1, updated: 1, deleted: 1 } },
      { id: first.changeSet, kind: 'batch', state: 'done', counts: { created: 2, updated: 0, deleted: 0 } },
    ])
    expect(listed[0]).toMatchObject({ by: venue.keyId, at: expect.any(Number) })
    expect((await venue.get(`/changes/${first.changeSet}`)).body).toMatchObject(listed[1])
    expect((await venue.get('/changes/chs_none')).status).toBe(404)
  })

  test('a batch that only changes details has one', async () => {
    const venue = await createVenue({ home })
    const { body: created } = await venue.post('/batch', { operations: [create('Tea')] })
    const details = { ...change(created.results[0].id, 1), details: { labels: ['hot'] } }
    const { body } = await venue.post('/batch', { operations: [details] })
    expect((await venue.get(`/changes/${body.changeSet}`)).body.counts).toEqual({ created: 0, updated: 1, deleted: 0 })
  })

  test('batches of a key with the same name join within an hour', async () => {
    const start = Date.now()
    vi.useFakeTimers({ now: start, toFake: ['Date'] })
    const venue = await createVenue({ home })
    const other = await createKey(venue.id, { mode: 'live' })
    const send = async ({ post }: Pick<typeof venue, 'post'>, name?: string) =>
      (await post('/batch', { operations: [create('Tea')] }, name === undefined ? {} : { 'change-set': name })).body
        .changeSet as string
    const first = await send(venue, 'prices')
    const others = [await send(venue), await send(venue, 'menus'), await send(other, 'prices')]
    vi.setSystemTime(start + 3_500_000)
    expect(await send(venue, 'prices')).toBe(first)
    expect((await venue.get(`/changes/${first}`)).body).toMatchObject({
      name: 'prices',
      counts: { created: 2, updated: 0, deleted: 0 },
    })
    vi.setSystemTime(start + 3_700_000)
    const later = await send(venue, 'prices')
    expect(new Set([first, later, ...others]).size).toBe(5)
  })

  test('two batches with the same name at once join', async () => {
    const venue = await createVenue({ home })
    const sent = await Promise.all(
      ['A', 'B', 'C'].map((title) => venue.post('/batch', { operations: [create(title)] }, { 'change-set': 'all' })),
    )
    expect(new Set(sent.map(({ body }) => body.changeSet)).size).toBe(1)
    expect((await venue.get('/changes')).body).toMatchObject([{ counts: { created: 3, updated: 0, deleted: 0 } }])
  })

  test('an import has one for all of its rows', async () => {
    const venue = await createVenue({ home })
    const rows = Array.from({ length: 300 }, (_, n) => `E${n},Tea ${n},1\n`).join('')
    const done = await importFile(venue, 'resource=products', `externalId,title,price\n${rows}`)
    const again = await importFile(venue, 'resource=products', `externalId,title,price\nE1,Tea 1,2\n`)
    expect((await venue.get('/changes?kind=import')).body).toMatchObject([
      { id: again.changeSet, kind: 'import', counts: { created: 0, updated: 1, deleted: 0 } },
      { id: done.changeSet, kind: 'import', counts: { created: 300, updated: 0, deleted: 0 } },
    ])
    expect((await venue.get('/changes?kind=batch')).body).toEqual([])
  })
})

test('names have 1 to 64 characters', async () => {
  const venue = await createVenue()
  const send = (name: string) => venue.post('/batch', { operations: [create('Tea')] }, { 'change-set': name })
  expect((await send('x'.repeat(64))).status).toBe(200)
  expect(toIssues(await send('x'.repeat(65)))).toEqual(['Change-Set too_long'])
  expect(toIssues(await send(''))).toEqual(['Change-Set too_short'])
})

test('a repeated batch belongs to the set of the first one', async () => {
  const venue = await createVenue()
  const send = () => venue.post('/batch', { operations: [create('Tea')] }, { 'idempotency-key': 'once' })
  const [first, second] = [await send(), await send()]
  expect(second.body).toEqual(first.body)
  expect((await venue.get('/changes')).body).toHaveLength(1)
})

test('a key needs the scope changes:read', async () => {
  const venue = await createVenue()
  const key = await createKey(venue.id, { mode: 'live', scopes: ['products:write'] })
  expect((await key.get('/changes')).status).toBe(403)
  expect((await key.post('/batch', { operations: [create('Tea')] })).body.changeSet).toMatch(/^chs_/)
})
