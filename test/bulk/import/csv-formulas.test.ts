import Papa from 'papaparse'
import { expect, test } from 'vitest'
import { createVenue, send, type Venue } from '../../support/api.ts'
import { check, importFile, listIssues, toCounts } from '../../support/imports.ts'

/** Texts that spreadsheets run: signs, their full-width forms, and either after white space. */
const starts = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '\t=', '\r=', '\n=', '\t＠', "'=", "''\t"]
const formula = /^[=+\-@\t\r\n＝＋－＠]/
/** Numbers are no formulas. */
const number = /^[+-]?[\d.]+$/

const readTable = (text: string): string[][] => Papa.parse<string[]>(text, { skipEmptyLines: 'greedy' }).data
const findFormulas = (text: string) =>
  readTable(text).flatMap((row) => row.filter((cell) => formula.test(cell) && !number.test(cell)))

const readFile = async ({ key, path }: Pick<Venue, 'key' | 'path'>, address: string) =>
  String((await send(path(address), { headers: { authorization: `Bearer ${key}`, accept: 'text/csv' } })).body)

test('no cell of an export is a formula, whatever field it is in, and its import restores the texts', async () => {
  const [venue, empty] = [await createVenue(), await createVenue()]
  for (const [index, start] of starts.entries()) {
    const text = `${start}1+1|cmd`
    const made = await venue.post('/products', {
      ...{ title: `${start}x`, price: 1, description: text, sku: `${start.trim()}1`, upc: start.trim() },
      metadata: [{ key: 'note', value: text }],
    })
    expect([start, made.status]).toEqual([start, 201])
    await venue.post(`/products/${made.body.id}/external-id`, { externalId: `${start.trim()}${index}` })
    const person = { firstName: `${start}A`, lastName: `${start}B`, email: `${index}@example.com`, phone: '+49 30 1' }
    expect((await venue.post('/customers', person)).status).toBe(201)
  }
  const file = await readFile(venue, '/export?resources=products&format=csv')
  const people = await readFile(venue, '/export?resources=customers&format=csv')
  expect(readTable(file)).toHaveLength(starts.length + 1)
  expect([findFormulas(file), findFormulas(people)]).toEqual([[], []])

  await importFile(empty, 'resource=products', file)
  const textsOf = async ({ get }: Pick<Venue, 'get'>) =>
    (await get('/products?limit=100&order=asc&include=externalId')).body.map(
      ({ title, description, sku, upc, metadata, externalId }: Record<string, unknown>) => ({
        ...{ title, description, sku, upc, metadata, externalId },
      }),
    )
  const sortTexts = (texts: { description: string }[]) =>
    texts.toSorted((a, b) => (a.description < b.description ? -1 : 1))
  expect(sortTexts(await textsOf(empty))).toEqual(sortTexts(await textsOf(venue)))
})

test('no cell of the faulty rows is a formula: column names, cells, messages, cells behind the last column', async () => {
  const venue = await createVenue()
  const rows = starts.map((start) => [`${start}x`, 'none', `${start}1+1|cmd`, 'behind', `${start}behind`])
  const lines = [['title', 'price', 'description', '', ' '], ...rows.map((row) => [...row, `${row[0]}y`])]
  const checked = await check(venue, 'resource=products', Papa.unparse(lines))
  const issues = await listIssues(venue, checked.id)
  expect(new Set(issues.map((issue) => issue.split(' ')[0])).size).toBe(starts.length)
  const file = await readFile(venue, `/imports/${checked.id}/errors`)
  expect([readTable(file).length, findFormulas(file)]).toEqual([starts.length + 1, []])

  // The corrected file gets the result that the first file was meant to have.
  const corrected = Papa.unparse(
    readTable(file).map((row, index) => (index === 0 ? row : row.with(1, '2').slice(0, 3))),
  )
  const done = await importFile(venue, 'resource=products', corrected)
  expect(toCounts(done)).toMatchObject({ created: starts.length })
  const products = (await venue.get('/products?limit=100&order=asc')).body
  expect(products.map(({ description }: { description: string }) => description)).toEqual(
    starts.map((start) => `${start.replace(/^'/, '')}1+1|cmd`),
  )
})

test('a file of faulty rows can be uploaded again, also with white space in front of a column', async () => {
  const venue = await createVenue()
  const checked = await check(venue, 'resource=products', 'title,"\tprice"\nTea,x\n')
  const file = await readFile(venue, `/imports/${checked.id}/errors`)
  const again = await check(venue, 'resource=products', file)
  expect(await listIssues(venue, again.id)).toEqual(await listIssues(venue, checked.id))
})
