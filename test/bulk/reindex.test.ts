import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import migration from '../../migrations/0075_search_inside_words.sql?raw'
import { maintain } from '../../src/app/maintenance/maintenance.ts'
import { reindex } from '../../src/bulk/reindex.ts'
import { resourceList } from '../../src/catalogue/resources/registry.ts'
import { sharedDatabase } from '../../src/platform/db/home/d1-connection.ts'
import { createVenue, type Venue } from '../support/api.ts'
import { findObject, queryHome, ringAlarm } from '../support/home.ts'
import { samples } from '../support/samples.ts'

beforeEach(() => {
  vi.spyOn(console, 'info').mockReturnValue()
})
afterEach(() => vi.restoreAllMocks())

const paths = resourceList.map(({ path }) => path)

/** Makes the database of a venue what it was before the migration, and migrates it. */
async function goBack(venue: Venue): Promise<void> {
  await queryHome(venue.id, `delete from counters where name glob 'search terms *'`)
  for (const path of paths) {
    await queryHome(
      venue.id,
      `insert or replace into ${path}_search (rowid, terms) select seq, ? from ${path} where merchant_id = ?`,
      `${venue.id.slice(-6)}${path === 'tags' ? '' : 'l'}:before`,
      venue.id,
    )
  }
  for (const statement of migration.split('--> statement-breakpoint')) await queryHome(venue.id, statement)
}
const stateOf = async (venue: Venue) =>
  (await queryHome(venue.id, `select name, value from counters where name glob 'search terms *' order by name`)).map(
    ({ name, value }) => [String(name).replace('search terms ', ''), Number(value)] as const,
  )
const find = async (venue: Venue, path: string, q: string): Promise<string[]> =>
  (await venue.get(`/${path}?q=${encodeURIComponent(q)}`)).body.map(({ id }: { id: string }) => id)
const isWaiting = `update counters set value = unixepoch() - 601 where name = 'search terms #since'`

describe.each(['d1', 'object'] as const)('objects of an earlier release of a merchant in %s', (home) => {
  const run = async (venue: Venue) => (home === 'd1' ? maintain(env, sharedDatabase(env)) : ringAlarm(venue.id))

  test('are found from within after a run, ten minutes after the first', async () => {
    const venue = await createVenue({ home })
    const ids = new Map<string, string>()
    for (const { collection, body } of samples)
      ids.set(collection, (await venue.post(`/${collection}`, body('Kürbiscremesuppe'))).body.id)
    await goBack(venue)
    expect((await stateOf(venue)).map(([name]) => name)).toEqual(['#since', ...paths.toSorted()])
    await run(venue)
    for (const path of paths) expect([path, await find(venue, path, 'before')]).toEqual([path, [ids.get(path)]])
    for (const path of paths) expect([path, await find(venue, path, 'suppe')]).toEqual([path, []])
    await queryHome(venue.id, isWaiting)
    // A run does a bounded number of pages: one with the objects of a resource, and one that finds no more.
    for (let n = 0; n < 10 && (await stateOf(venue)).length > 0; n++) await run(venue)
    expect(await stateOf(venue)).toEqual([])
    for (const path of paths) expect([path, await find(venue, path, 'suppe')]).toEqual([path, [ids.get(path)]])
    for (const path of paths) expect([path, await find(venue, path, 'before')]).toEqual([path, []])
  })

  test('of many pages are all done, and a run continues where the last one ended', async () => {
    const venue = await createVenue({ home })
    const operations = Array.from({ length: 100 }, (_, n) => ({
      op: 'create',
      resource: 'products',
      body: { title: `Kürbiscremesuppe ${n}`, price: 1 },
    }))
    for (let n = 0; n < 12; n++) expect((await venue.post('/batch', { operations })).status).toBe(200)
    await goBack(venue)
    await run(venue)
    await queryHome(venue.id, isWaiting)
    // Only products are left.
    await queryHome(venue.id, `delete from counters where name glob 'search terms [a-oq-z]*'`)
    const numbers = (
      await queryHome(venue.id, 'select seq from products where merchant_id = ? order by seq', venue.id)
    ).map(({ seq }) => Number(seq))
    if (home === 'd1')
      await queryHome(
        venue.id,
        `update counters set value = ? where name = 'search terms products'`,
        (numbers[0] ?? 0) - 1,
      )
    await run(venue)
    expect(await stateOf(venue)).toContainEqual(['products', numbers[999]])
    await run(venue)
    expect(await stateOf(venue)).toEqual([])
    const counted = await queryHome(
      venue.id,
      `select count(*) as n from products_search where products_search match ?`,
      `"${venue.id.slice(-6)}l:suppe"*`,
    )
    expect(counted).toEqual([{ n: 1_200 }])
  })

  test('that change in between keep their new terms, and damaged ones their old', async () => {
    const venue = await createVenue({ home })
    const [changed, damaged] = [
      (await venue.post('/products', { title: 'Kürbiscremesuppe', price: 1 })).body.id,
      (await venue.post('/products', { title: 'Kartoffelsuppe', price: 1 })).body.id,
    ]
    await goBack(venue)
    await queryHome(venue.id, `update products set images = '[5]' where id = ?`, damaged)
    await venue.post(`/products/${changed}`, { title: 'Zwiebelkuchen' })
    for (let n = 0; n < 10 && (await stateOf(venue)).length > 0; n++) {
      await run(venue)
      await queryHome(venue.id, isWaiting)
    }
    expect([await find(venue, 'products', 'kuchen'), await find(venue, 'products', 'suppe')]).toEqual([[changed], []])
  })
})

test('an object rings when the work may begin, and not for it afterwards', async () => {
  const venue = await createVenue({ home: 'object' })
  await venue.post('/products', { title: 'Tea', price: 1 })
  await ringAlarm(venue.id)
  const idle = await ringAlarm(venue.id)
  await goBack(venue)
  const next = await ringAlarm(venue.id)
  expect(next).toBeGreaterThan(Date.now() + 590_000)
  expect(next).toBeLessThanOrEqual(Date.now() + 601_000)
  await queryHome(venue.id, isWaiting)
  for (let n = 0; n < 10 && (await stateOf(venue)).length > 0; n++) await ringAlarm(venue.id)
  expect([await stateOf(venue), await ringAlarm(venue.id)]).toEqual([[], idle])
})

test('a database without objects has nothing to do', async () => {
  const venue = await createVenue({ home: 'object' })
  expect([await stateOf(venue), (await findObject(venue.id)) !== undefined]).toEqual([[], true])
  await expect(reindex(sharedDatabase(env), 0)).resolves.toBeUndefined()
})
