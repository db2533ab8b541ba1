import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import {
  askingDays,
  chunkLimits,
  importLimits,
  importRetentionDays,
  messageLimits,
} from '../../../src/bulk/import/import-limits.ts'
import { enqueueOverdueImports } from '../../../src/bulk/import/overdue-imports.ts'
import { sharedDatabase } from '../../../src/platform/db/home/d1-connection.ts'
import { nowInSeconds } from '../../../src/platform/lib/time.ts'
import { createVenue, type Venue } from '../../support/api.ts'
import { check, importFile, listIssues, settle, toCounts, upload } from '../../support/imports.ts'
import { setLimits } from '../../support/limits.ts'
import { purgeNow } from '../../support/purges.ts'
import { createQueue, retrieve } from '../import/import-queue.ts'

const text = { 'content-type': 'text/plain' }
const auto = 'mapping=auto'
const daySeconds = 86_400
/** A file that asks how its numbers are written. */
const prices = 'title;price\nNasi;15.000\nTeh;5.000\n'

const ask = async (venue: Venue) => (await upload(venue, auto, prices, text)).body
const map = (venue: Venue, id: string, body: object) => venue.post(`/imports/${id}/mapping`, body)
const listPrices = async (venue: Venue) =>
  (await venue.get('/products?order=asc')).body.map(({ title, price }: Record<string, unknown>) => [title, price])

describe('an import that asks', () => {
  test('does nothing for its message, however often that comes, and each step once after the answer', async () => {
    setLimits(messageLimits, { steps: 1 })
    setLimits(chunkLimits, { rows: 1 })
    const venue = await createVenue()
    const queue = createQueue()
    const id = await queue.upload(venue, `${auto}&apply=true`, prices, text)
    const message = { merchant: venue.id, testMode: false, import: id }
    queue.sent.splice(0)
    const before = await retrieve(venue, id)
    expect(await queue.consume(message, message)).toEqual({ acked: 2, retried: 0 })
    await Promise.all([queue.consume(message), queue.consume(message)])
    expect(await retrieve(venue, id)).toEqual(before)
    expect(before.state).toBe('asking')
    expect((await map(venue, id, { numberFormat: 'comma' })).status).toBe(200)
    for (let step = 0; step < 8; step++) await Promise.all([queue.consume(message), queue.consume(message)])
    const done = await settle(venue, id)
    expect([done.state, toCounts(done)]).toEqual(['done', { rows: 2, checked: 2, applied: 2, created: 2 }])
    expect(await listPrices(venue)).toEqual([
      ['Nasi', 15_000],
      ['Teh', 5_000],
    ])
  })

  test('is not woken by the scheduled task', async () => {
    const venue = await createVenue({ home: 'd1' })
    const queue = createQueue()
    const { id } = await ask(venue)
    await enqueueOverdueImports(queue.bindings, sharedDatabase(env), nowInSeconds() + daySeconds)
    expect(queue.sent.filter((sent) => sent.import === id)).toEqual([])
  })

  test(`counts as cancelled after ${askingDays} days, and is gone after ${importRetentionDays}, with its rows`, async () => {
    setLimits(importLimits, { openImports: 2 })
    const venue = await createVenue({ home: 'd1' })
    const { id } = await ask(venue)
    await ask(venue)
    expect((await upload(venue, auto, prices, text)).body.code).toBe('too_many')
    const age = (days: number, seconds: number) =>
      env.DB.prepare('update imports set updated_at = ? where merchant_id = ?')
        .bind(nowInSeconds() - days * daySeconds + seconds, venue.id)
        .run()
    await age(askingDays, 60)
    expect((await retrieve(venue, id)).state).toBe('asking')
    await age(askingDays, -60)
    const list = (await venue.get('/imports')).body.map(({ state }: { state: string }) => state)
    expect([(await retrieve(venue, id)).state, list]).toEqual(['cancelled', ['cancelled', 'cancelled']])
    expect((await map(venue, id, { numberFormat: 'comma' })).body.code).toBe('conflict')
    expect((await venue.post(`/imports/${id}/apply`, undefined)).body.code).toBe('conflict')
    // They no longer count as unfinished.
    expect((await upload(venue, auto, prices, text)).status).toBe(202)
    const countStored = async () => {
      const found = await Promise.all(
        ['imports', 'import_chunks'].map((table) =>
          env.DB.prepare(`select count(*) as count from ${table} where ${table === 'imports' ? 'id' : 'import_id'} = ?`)
            .bind(id)
            .first<{ count: number }>(),
        ),
      )
      return found.map((row) => row?.count)
    }
    await purgeNow(env, Date.now() + importRetentionDays * daySeconds * 1000 - 60_000)
    expect(await countStored()).toEqual([1, 2])
    await purgeNow(env, Date.now() + importRetentionDays * daySeconds * 1000 + 60_000)
    expect(await countStored()).toEqual([0, 0])
    expect((await venue.get(`/imports/${id}`)).status).toBe(404)
  })
})

test('two columns with one heading can be told apart in the answer', async () => {
  const venue = await createVenue()
  const { body: asked } = await upload(venue, auto, 'Artikel;Preis;Preis\nTee;1,50;2,50\n', text)
  expect([asked.state, asked.reading.questions]).toMatchObject([
    'asking',
    [{ code: 'column', column: 'price', choices: ['Preis', 'Preis (2)'] }],
  ])
  await map(venue, asked.id, { columns: { 'Preis (2)': 'price' } })
  expect(await settle(venue, asked.id)).toMatchObject({ state: 'ready', failed: 0 })
  expect((await venue.get(`/imports/${asked.id}/preview`)).body).toMatchObject([{ object: { price: 2.5 } }])
})

test('a table of names and phones has people, and asks once what their names are', async () => {
  const venue = await createVenue()
  const { body: asked } = await upload(venue, auto, 'Name;Telefon\nAnna Muster;030 / 123456 ext. 5\n', text)
  expect([asked.resource, asked.reading.questions]).toMatchObject(['customers', [{ code: 'name', column: 'Name' }]])
  await map(venue, asked.id, { columns: { Name: 'lastName' } })
  expect(await settle(venue, asked.id)).toMatchObject({ state: 'ready', failed: 0 })
  expect((await venue.get(`/imports/${asked.id}/preview`)).body).toMatchObject([
    { object: { firstName: '–', lastName: 'Anna Muster', phone: expect.stringContaining('030 123456') } },
  ])
})

describe('two people who map one import', () => {
  test('at once: one of them is told, and the rows are those of the other', async () => {
    const venue = await createVenue()
    const { id, revision } = await ask(venue)
    const answers = await Promise.all(
      (['comma', 'point'] as const).map(async (numberFormat) => ({
        numberFormat,
        ...(await map(venue, id, { numberFormat, revision })),
      })),
    )
    expect(answers.map(({ status, body }) => body.code ?? status).toSorted()).toEqual([200, 'mapping_changed'])
    const won = answers.find(({ status }) => status === 200)?.numberFormat
    const ready = await settle(venue, id)
    expect([ready.state, ready.revision, ready.reading.numberFormat]).toEqual(['ready', revision + 1, won])
    expect(toCounts(ready)).toEqual({ rows: 2, checked: 2 })
    await venue.post(`/imports/${id}/apply`, { revision: ready.revision })
    await settle(venue, id)
    expect(await listPrices(venue)).toEqual([
      ['Nasi', won === 'comma' ? 15_000 : 15],
      ['Teh', won === 'comma' ? 5_000 : 5],
    ])
  })

  test('many times at once: one mapping wins each time, and every row is applied once', async () => {
    const venue = await createVenue()
    const { id } = await ask(venue)
    for (let round = 0; round < 4; round++) {
      const statuses = await Promise.all(
        ['comma', 'point', 'comma', 'point'].map(
          async (numberFormat) => (await map(venue, id, { numberFormat })).status,
        ),
      )
      expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(1)
      expect(statuses.every((status) => status === 200 || status === 409)).toBe(true)
    }
    await map(venue, id, { numberFormat: 'comma' })
    const ready = await settle(venue, id)
    expect([toCounts(ready), ready.check.creates]).toEqual([{ rows: 2, checked: 2 }, 2])
    await venue.post(`/imports/${id}/apply`, undefined)
    expect(toCounts(await settle(venue, id))).toMatchObject({ created: 2, applied: 2 })
    expect(await listPrices(venue)).toHaveLength(2)
  })
})

describe('an import while the venue trades', () => {
  test('leaves stock that was sold, takes what was deleted as new, and changes prices by what the file says', async () => {
    const venue = await createVenue()
    const file = (tea: string) =>
      `SKU;Artikel;Preis;Bestand\nT;Tee;${tea};10\nK;Kuchen;4,50;10\nS;Saft;3,50;10\nW;Wasser;1,50;10\n`
    const first = await importFile(venue, auto, file('2,50'), text)
    expect(await listIssues(venue, first.id)).toEqual([])
    const [tea, cake, juice] = (await venue.get('/products?order=asc')).body
    const ready = await check(venue, auto, file('2,90'), text)
    expect(ready.check).toMatchObject({ creates: 0, updates: 1, unchanged: 3, changes: { price: { up: 1, down: 0 } } })
    // Between the check and its application: a sale, a new price and description, a deletion, another title.
    const sale = { stock: { reference: 'O1', changes: [{ product: tea.id, delta: -3 }] } }
    const order = { type: 'order.created', data: {}, effects: sale }
    expect((await venue.post('/events', order)).status).toBe(202)
    expect((await venue.post(`/products/${tea.id}`, { price: 2.7, description: 'Assam' })).status).toBe(200)
    expect((await venue.remove(`/products/${cake.id}`)).status).toBe(200)
    expect((await venue.post(`/products/${juice.id}`, { title: 'Apfelsaft' })).status).toBe(200)
    await venue.post(`/imports/${ready.id}/apply`, undefined)
    const done = await settle(venue, ready.id)
    expect(toCounts(done)).toEqual({ rows: 4, checked: 4, applied: 4, created: 1, updated: 2, unchanged: 1 })
    const products = (await venue.get('/products?order=asc')).body
    const shown = products.map(({ id, title, price, stockQuantity, description }: Record<string, unknown>) => [
      ...[id === tea.id || id === juice.id, title, price, stockQuantity, description],
    ])
    expect(shown).toEqual([
      [true, 'Tee', 2.9, 7, 'Assam'],
      [true, 'Saft', 3.5, 10, undefined],
      [false, 'Wasser', 1.5, 10, undefined],
      [false, 'Kuchen', 4.5, 10, undefined],
    ])
  })

  test('with sales during every step counts each sale once', async () => {
    setLimits(chunkLimits, { rows: 2 })
    const venue = await createVenue()
    const rows = (price: string) =>
      `SKU;Artikel;Preis;Bestand\n${Array.from({ length: 12 }, (_, n) => `S${n};P${n};${price};100\n`).join('')}`
    await importFile(venue, auto, rows('1,50'), text)
    const products = (await venue.get('/products?order=asc')).body
    const { body } = await upload(venue, `${auto}&apply=true`, rows('2,50'), text)
    let sold = 0
    for (let round = 0; round < 5; round++) {
      const changes = products.map(({ id }: { id: string }) => ({ product: id, delta: -1 }))
      const effects = { stock: { reference: `O${round}`, changes } }
      const { status } = await venue.post('/events', { type: 'order.created', data: {}, effects })
      if (status === 202) sold++
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    expect((await settle(venue, body.id)).state).toBe('done')
    expect(sold).toBeGreaterThan(0)
    const after = (await venue.get('/products?order=asc')).body
    expect(
      new Set(after.map(({ price, stockQuantity }: Record<string, number>) => `${price} ${stockQuantity}`)),
    ).toEqual(new Set([`2.5 ${100 - sold}`]))
  })
})

test('the mapping of a file whose columns were reordered is used by heading, and by no position', async () => {
  const venue = await createVenue()
  const { body } = await upload(venue, auto, 'A1;A2;A3\nTee;2,50;Assam\n', text)
  await map(venue, body.id, { columns: { A1: 'title', A2: 'price', A3: 'metadata.Origin' } })
  expect((await settle(venue, body.id)).state).toBe('ready')
  const orders = ['A2;A3;A1\n3,50;Ceylon;Kaffee\n', 'A3;A1;A2\nPeru;Kakao;4,50\n', 'A3;A2;A1\nChina;1,50;Oolong\n']
  for (const file of orders) {
    const done = await importFile(venue, auto, file, text)
    expect([done.reading.remembered, await listIssues(venue, done.id)]).toEqual([true, []])
  }
  const found = (await venue.get('/products?order=asc')).body
  expect(
    found.map(({ title, price, metadata }: { title: string; price: number; metadata: { value: string }[] }) => [
      ...[title, price, metadata[0]?.value],
    ]),
  ).toEqual([
    ['Kaffee', 3.5, 'Ceylon'],
    ['Kakao', 4.5, 'Peru'],
    ['Oolong', 1.5, 'China'],
  ])
})
