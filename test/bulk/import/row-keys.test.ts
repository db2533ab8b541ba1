import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { createVenue, toIssues } from '../../support/api.ts'
import { check, importFile, jsonl, listIssues, toCounts, toJsonLines } from '../../support/imports.ts'

test.each([
  [
    'white space around an external id',
    'externalId,title,price\nA,Tea,1\n B,Cake,1\n',
    ['3 externalId invalid_format'],
  ],
  [
    'an external id of white space',
    'externalId,title,price\nA,Tea,1\n\u2028,Cake,1\n',
    ['3 externalId invalid_format'],
  ],
  ['a control character', 'externalId,title,price\nA,Tea,1\n"B\n",Cake,1\n', ['3 externalId invalid_format']],
  ['. as external id', 'externalId,title,price\nA,Tea,1\n.,Cake,1\n', ['3 externalId invalid_format']],
  ['an id of 129 characters', `id,title,price\nA,Tea,1\n${'B'.repeat(129)},Cake,1\n`, ['3 id too_long']],
])('a row of CSV has an issue with %s', async (_, content, issues) => {
  const venue = await createVenue()
  const checked = await check(venue, 'resource=products', content)
  expect([checked.state, checked.failed, await listIssues(venue, checked.id)]).toEqual(['ready', 1, issues])
})

describe('a line of JSON has an issue', () => {
  test.each([
    ['.', 'invalid_format'],
    ['..', 'invalid_format'],
    [' s', 'invalid_format'],
    ['c\u0001', 'invalid_format'],
    ['', 'too_short'],
    ['x'.repeat(129), 'too_long'],
    ['a\ud800', 'invalid_character'],
    ['a\0', 'invalid_character'],
    [1, 'invalid_type'],
  ])('with the external id %j, as in a single operation', async (externalId, code) => {
    const own = await createVenue()
    const lines = toJsonLines([
      { title: 'Tea', price: 1 },
      { externalId, title: 'Cake', price: 1 },
    ])
    const imported = await importFile(own, 'resource=products', lines, jsonl)
    expect([imported.created, imported.failed]).toEqual([1, 1])
    expect(await listIssues(own, imported.id)).toEqual([`2 /externalId ${code}`])
    const [{ id }] = (await own.get('/products')).body
    expect(toIssues(await own.post(`/products/${id}/external-id`, { externalId }))).toEqual([`/externalId ${code}`])
  })

  test('with keys that are too long, which are not stored beside the row', async () => {
    const own = await createVenue()
    const long = 'x'.repeat(1_100_000)
    const lines = toJsonLines([
      { title: 'Tea', price: 1 },
      { id: long, title: 'Cake', price: 1 },
      { externalId: long, title: 'Bun', price: 1 },
      { externalId: 'y'.repeat(128), id: 'z'.repeat(128), title: 'Pie', price: 1 },
    ])
    const checked = await check(own, 'resource=products', lines, jsonl)
    expect([checked.state, checked.failed]).toEqual(['ready', 2])
    expect(await listIssues(own, checked.id)).toEqual(['2 /id too_long', '3 /externalId too_long'])
    const keys = await env.DB.prepare(
      'select file_ids, external_ids from import_chunks where import_id = ? and length(file_ids || external_ids) > 300',
    )
      .bind(checked.id)
      .all()
    expect(keys.results).toEqual([])
  })
})

describe('a SKU that selects the object', () => {
  const query = 'resource=products&match=sku'

  test('is compared as it is stored, without the white space around it', async () => {
    const venue = await createVenue()
    await venue.post('/products', { title: 'Tea', price: 1, sku: 'S1' })
    const done = await importFile(venue, query, 'sku,title,price\nS1 ,Tea,2\n')
    expect(toCounts(done)).toEqual({ rows: 1, checked: 1, applied: 1, updated: 1 })
    const checked = await check(venue, query, 'sku,title,price\nS1,Tea,2\n S1,Tea,3\n')
    expect(await listIssues(venue, checked.id)).toEqual(['3 sku duplicate'])
  })

  test('is not that of a row without one', async () => {
    const venue = await createVenue()
    await venue.post('/products', { title: 'Tea', price: 1, sku: 'undefined' })
    const done = await importFile(venue, query, 'sku,title,price\nundefined,Tea,2\n,Cake,3\n')
    expect(toCounts(done)).toEqual({ rows: 2, checked: 2, applied: 2, created: 1, updated: 1 })
  })

  test('a row does not change the external id of the object that it selects', async () => {
    const venue = await createVenue()
    for (const sku of ['S1', 'S2', 'S3']) {
      const { body } = await venue.post('/products', { title: 'Tea', price: 1, sku })
      if (sku !== 'S1') await venue.post(`/products/${body.id}/external-id`, { externalId: `OLD-${sku}` })
    }
    const file = 'sku,externalId,title,price\nS1,NEW,Tea,2\nS2,NEW-2,Tea,2\nS3,OLD-S3,Tea,2\nS4,NEW-4,Tea,2\n'
    const checked = await check(venue, query, file)
    expect(await listIssues(venue, checked.id)).toEqual(['2 externalId conflict', '3 externalId conflict'])
    const done = await importFile(venue, query, file)
    expect(toCounts(done)).toMatchObject({ updated: 1, created: 1, failed: 2 })
  })
})
