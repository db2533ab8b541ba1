import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { runMove } from '../../../src/tenancy/move/run-move.ts'
import { createKey, createVenue, toIssues, type Venue } from '../../support/api.ts'
import { observe } from '../../support/d1.ts'
import { queryHome } from '../../support/home.ts'
import { importFile, jsonl, toJsonLines } from '../../support/imports.ts'
import { finishMoveOf, moveTo, startMove } from '../../support/moves.ts'
import { backUp, restore } from '../../tenancy/backup/restores.ts'

const createLabelled = async (venue: Venue, labels: readonly string[], fields: object = {}): Promise<string> => {
  const { id } = (await venue.post('/products', { title: 'Tea', price: 1, ...fields })).body
  expect((await venue.post(`/products/${id}/details`, { labels })).status).toBe(200)
  return id
}
const find = async (venue: Venue, label: string, more = ''): Promise<string[]> =>
  (await venue.get(`/products?label=${encodeURIComponent(label)}${more}`)).body.map(({ id }: { id: string }) => id)
const count = async ({ id }: Venue) =>
  (await queryHome(id, `select * from product_labels where merchant_id = '${id}'`)).length

afterEach(() => vi.useRealTimers())

describe('products by label', () => {
  test('are found by a whole label, without regard to case and accents', async () => {
    const venue = await createVenue()
    const cafe = await createLabelled(venue, ['Café crème', 'Warm'])
    const tea = await createLabelled(venue, ['warm', 'WARM'], { visible: false, title: 'Mint' })
    expect(await find(venue, 'cafe CREME')).toEqual([cafe])
    for (const label of ['cafe', 'creme', 'Café', '', '%', 'caf* crème']) expect(await find(venue, label)).toEqual([])
    expect(await find(venue, ' wÁrm ')).toEqual([tea, cafe])
    expect(await find(venue, 'warm', '&order=asc')).toEqual([cafe, tea])
    expect(await find(venue, 'warm', '&visible=true')).toEqual([cafe])
    expect(await find(venue, 'warm', '&q=mint')).toEqual([tea])
    expect(await find(venue, 'warm', `&ids=${cafe}`)).toEqual([cafe])
    expect(await find(venue, 'warm', '&updatedSince=1')).toEqual([cafe, tea])
    const { body: modifier } = await venue.post('/modifiers', { title: 'Milk', instructions: '' })
    const milky = await createLabelled(venue, ['warm'], { modifiers: [modifier.id], sku: 'A-1' })
    for (const more of [`&modifier=${modifier.id}`, '&sku=A-1'])
      expect(await find(venue, 'warm', more)).toEqual([milky])
    expect(await find(venue, 'cafe creme', '&sku=A-1')).toEqual([])
    expect(toIssues(await venue.get('/products?label=a&label=b'))).toEqual(['label invalid_type'])
    expect(toIssues(await venue.get('/menus?label=a'))).toEqual(['label unknown_parameter'])
  })

  test('follow their labels, which no response shows folded, and go with the product', async () => {
    const venue = await createVenue()
    const id = await createLabelled(venue, ['a', 'b'])
    const other = await createLabelled(venue, ['a'])
    await venue.post(`/products/${id}/details`, { labels: ['B', 'c'], ageLimit: 18 })
    expect([await find(venue, 'a'), await find(venue, 'b'), await find(venue, 'c')]).toEqual([[other], [id], [id]])
    const details = { labels: ['B', 'c'], ageLimit: 18 }
    expect((await venue.get(`/products/${id}/details`)).body).toEqual(details)
    expect((await venue.get('/products?label=c&include=details')).body[0].details).toEqual(details)
    expect(JSON.stringify((await venue.get('/events?limit=100')).body)).not.toContain('labelKeys')
    expect(toIssues(await venue.post(`/products/${id}/details`, { labelKeys: [] }))).toEqual([
      '/labelKeys unknown_field',
    ])
    await venue.post(`/products/${id}/details`, { labels: null })
    expect([await find(venue, 'b'), await count(venue)]).toEqual([[], 1])
    await venue.post(`/products/${id}/details`, { labels: ['z'] })
    await venue.remove(`/products/${other}`)
    await venue.post('/batch', { operations: [{ op: 'delete', resource: 'products', id }] })
    expect([await find(venue, 'a'), await find(venue, 'z'), await count(venue)]).toEqual([[], [], 0])
  })

  test.each(['d1', 'object'])('follow the details of a batch, in the home %s', async (home) => {
    const venue = await createVenue({ home })
    const create = (title: string, labels: readonly string[]) => ({
      ...{ op: 'create', resource: 'products', body: { title, price: 1 }, details: { labels } },
    })
    const made = await venue.post('/batch', { operations: [create('Tea', ['Été', 'hot']), create('Ice', ['Ete'])] })
    const [tea, ice]: string[] = made.body.results.map(({ id }: { id: string }) => id)
    expect([await find(venue, 'ÉTÉ'), await find(venue, 'hot'), await count(venue)]).toEqual([[ice, tea], [tea], 3])
    const change = (id: string | undefined, more: object) => ({
      op: 'update',
      resource: 'products',
      id,
      body: {},
      ...more,
    })
    const operations = [change(tea, { details: { labels: ['cold'] } }), change(ice, { details: { labels: null } })]
    expect((await venue.post('/batch', { operations, mode: 'independent' })).status).toBe(200)
    expect([await find(venue, 'ete'), await find(venue, 'cold'), await count(venue)]).toEqual([[], [tea], 1])
    const dry = await venue.post('/batch?dryRun=true', { operations: [create('Soup', ['cold'])] })
    expect([dry.status, await count(venue)]).toEqual([200, 1])
  })

  test('are found after imports, restores and moves, and while their row is damaged not at all', async () => {
    const venue = await createVenue()
    const lines = [{ resource: 'products', externalId: 'TEA', title: 'Tea', price: 3, details: { labels: ['Été'] } }]
    await importFile(venue, 'match=externalId', toJsonLines(lines), jsonl)
    const [id = ''] = await find(venue, 'ete')
    expect(id).toMatch(/^prod_/)
    const second = await createLabelled(venue, ['ete', 'Other'])
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    const takenAt = await backUp(venue.id)
    await venue.post(`/products/${id}/details`, { labels: ['late'] })
    await venue.remove(`/products/${second}`)
    await restore(venue.id, takenAt)
    expect([await find(venue, 'ete'), await find(venue, 'late'), await count(venue)]).toEqual([[second, id], [], 3])
    for (const home of ['object', 'd1'] as const) {
      expect((await moveTo(venue.id, home)).state).toBe('done')
      const moved = await find(venue, 'ete')
      expect([moved.toSorted(), await find(venue, 'other'), await count(venue)]).toEqual([[id, second], [second], 3])
    }
    const damage = `update details set data = '{"labelKeys' where merchant_id = '${venue.id}'`
    await env.DB.batch([
      env.DB.prepare('pragma ignore_check_constraints = on'),
      env.DB.prepare(damage),
      env.DB.prepare('pragma ignore_check_constraints = off'),
    ])
    expect([await find(venue, 'ete'), await count(venue)]).toEqual([[], 0])
  })

  test.each([
    ['d1', 'object'],
    ['object', 'd1'],
  ] as const)('that change while their merchant moves from %s to %s are those of the source', async (home, target) => {
    const venue = await createVenue({ home })
    const id = await createLabelled(venue, ['a', 'b'])
    await startMove(venue.id, { home: target })
    expect(await runMove(env, venue.id)).toBeGreaterThan(0)
    await venue.post(`/products/${id}/details`, { labels: ['b', 'c'] })
    expect(await finishMoveOf(venue.id)).toMatchObject({ state: 'done' })
    expect([await find(venue, 'a'), await find(venue, 'b'), await find(venue, 'c')]).toEqual([[], [id], [id]])
    expect(await count(venue)).toBe(2)
  })

  test('belong to their merchant and mode', async () => {
    const venue = await createVenue()
    const tester = await createKey(venue.id, { mode: 'test' })
    await createLabelled(venue, ['a'])
    expect((await tester.get('/products?label=a')).body).toEqual([])
    expect(await find(await createVenue(), 'a')).toEqual([])
  })

  test('are read page by page, in as many rows however many there are, here and at other venues', async () => {
    const venue = await createVenue()
    const other = await createVenue()
    const rows: number[] = []
    const all: string[] = []
    const add = async (to: Venue, labels: readonly string[], number: number) => {
      for (let n = 0; n < number; n++) {
        const id = await createLabelled(to, labels)
        if (to === venue && labels.includes('a')) all.unshift(id)
      }
    }
    await add(venue, ['a', 'b'], 8)
    for (const number of [0, 8, 16]) {
      await add(venue, ['a'], number)
      await add(venue, ['c'], number)
      await add(other, ['a'], number)
      const { trips } = await observe('GET', venue.path('/products?label=a&limit=3'), { key: venue.key })
      expect(trips).toHaveLength(1)
      rows.push(trips[0]?.rowsRead ?? -1)
    }
    console.log(`figure: rows read for a page of 3 products by label, of 8, 16 and 32: ${rows.join(', ')}`)
    expect(new Set(rows).size).toBe(1)
    const pages: string[] = []
    let path: string | undefined = '/products?label=a&limit=3'
    while (path !== undefined) {
      const { body, headers } = await venue.get(path)
      pages.push(...body.map(({ id }: { id: string }) => id))
      const next: string | undefined = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
      path = next?.replace(/^.*?\/merchants\/[^/]+/, '')
    }
    expect(pages).toEqual(all)
  })
})
