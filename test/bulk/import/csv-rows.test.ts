import { describe, expect, test } from 'vitest'
import { importLimits } from '../../../src/bulk/import/import-limits.ts'
import { createVenue, toIssues } from '../../support/api.ts'
import { check, listIssues, settle, streamOf, upload } from '../../support/imports.ts'

describe('the delimiter and the line end of a CSV file', () => {
  test.each([
    ['title,price\r\nTea,1', 1],
    ['title;price\nTea;1,5', 1.5],
    ['title\tprice\rTea\t1,5\r', 1.5],
    ['"title","price"\r"Tea","1"\r', 1],
    ['title,price,description\rTea,1,"two\nlines"\r', 1],
    ['title,price\r\r\nTea,1\r\r\n', 1],
    ['"a,b";title;price\n1;Tea;2', undefined],
    ['sep=;\r\ntitle;price\r\nTea;1,5', 1.5],
    ['sep=|\r\ntitle|price\r\nTea|1,5', 1.5],
    ['\ufeffSEP=,\ntitle,"price"\nTea,1', 1],
    ['"sep=\t"\rtitle\tprice\rTea\t1,5\r', 1.5],
  ])('of %j are found', async (content, price) => {
    const own = await createVenue()
    const checked = await check(own, 'resource=products&apply=true', content)
    if (price === undefined) {
      expect(await listIssues(own, checked.id)).toEqual(['1 a,b unknown_field'])
      return
    }
    expect(checked.state).toBe('done')
    expect((await own.get('/products')).body).toEqual([expect.objectContaining({ title: 'Tea', price })])
  })

  test('is found in a stream whose parts end anywhere', async () => {
    const own = await createVenue()
    const parts = [...'externalId;title;price\r\nA;"Tea;\r\n""x""";1\r\n\r\nB;Cake;2'].map((part) => part)
    const checked = await settle(own, (await upload(own, 'resource=products&apply=true', streamOf(...parts))).body.id)
    expect([checked.state, checked.created]).toEqual(['done', 2])
    expect((await own.get('/products?order=asc')).body.map(({ title }: { title: string }) => title)).toEqual([
      'Tea;\r\n"x"',
      'Cake',
    ])
  })

  test('are those of a first line for spreadsheets, which counts as a row', async () => {
    const own = await createVenue()
    const parts = [...'sep=;\r\ntitle;price\r\nTea;1\r\nCake;many\r\n']
    const checked = await settle(own, (await upload(own, 'resource=products', streamOf(...parts))).body.id)
    expect(await listIssues(own, checked.id)).toEqual(['4 price invalid_format'])
    const { status, body } = await upload(own, 'resource=products', 'sep=;\r\n')
    const empty = await upload(own, 'resource=products', '\r\n')
    expect([status, body.errors]).toEqual([empty.status, empty.body.errors])
  })
})

test('a row of more than 262,144 characters is refused, wherever it ends', async () => {
  const venue = await createVenue()
  const unclosed = `title\n"${'x\n'.repeat(importLimits.recordUnits / 2)}`
  expect(toIssues(await upload(venue, 'resource=products', unclosed))).toEqual([' too_long'])
  for (const end of ['', '\n', '\r\nCake,1,\r\n']) {
    for (const quote of ['', '"']) {
      const rowOf = (units: number) =>
        `Tea,1,${quote}${'x'.repeat(units - 'Tea,1,'.length - 2 * quote.length)}${quote}${end}`
      const send = (units: number) => upload(venue, 'resource=products', `title,price,error\n${rowOf(units)}`)
      expect((await settle(venue, (await send(importLimits.recordUnits)).body.id)).state).toBe('ready')
      expect(toIssues(await send(importLimits.recordUnits + 1))).toEqual([' too_long'])
    }
  }
})
