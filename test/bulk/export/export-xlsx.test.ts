import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { app } from '../../../src/app/app.ts'
import { csvResources } from '../../../src/bulk/csv/columns.ts'
import { readXlsx } from '../../../src/bulk/files/sheet/read-xlsx.ts'
import { planTable } from '../../../src/bulk/files/table/plan.ts'
import {
  listAnswers,
  listTemplateHeadings,
  templateFields,
  templateResources,
} from '../../../src/bulk/files/templates/template-headings.ts'
import { readBoolean } from '../../../src/bulk/files/values/booleans.ts'
import { pageLanguages } from '../../../src/storefront/pages/messages.ts'
import { createVenue, origin, type Venue } from '../../support/api.ts'
import { importFile, toCounts } from '../../support/imports.ts'
import { samples } from '../../support/samples.ts'

const any = { 'content-type': 'application/octet-stream' }

/** A response with a file. */
async function fetchFile(venue: Venue, path: string) {
  const context = createExecutionContext()
  const request = new Request(`${origin}${venue.path(path)}`, { headers: { authorization: `Bearer ${venue.key}` } })
  const response = await app.fetch(request, env, context)
  const bytes = new Uint8Array(await response.arrayBuffer())
  await waitOnExecutionContext(context)
  return { response, bytes }
}

/** Texts that a spreadsheet or a CSV file changes. */
const awkward = [
  '007',
  '+49 30 1',
  '=1+1',
  "'=1+1",
  '@SUM(1)',
  '1,5',
  '1.000',
  'WAHR',
  '03.05.2026',
  ' x ',
  '_x0041_',
  'a\nb',
]

describe('an export as a spreadsheet', () => {
  test('has a sheet for each resource, and read again leaves every object unchanged', async () => {
    const venue = await createVenue()
    const create = async (collection: string, body: object) => (await venue.post(`/${collection}`, body)).body.id
    const modifier = await create('modifiers', { title: 'Milk', instructions: '' })
    const product = await create('products', { title: 'Tea', price: 1, modifiers: [modifier] })
    for (const { collection, full } of samples) await create(collection, full({ product, modifier }))
    for (const text of awkward) {
      const fields = { title: text.trim(), price: 1.25, sku: text.trim(), description: text, visible: false }
      await create('products', { ...fields, metadata: [{ key: 'Note', value: text }] })
    }
    const { response, bytes } = await fetchFile(venue, '/export?format=xlsx')
    expect([response.status, response.headers.get('content-disposition')]).toEqual([
      200,
      expect.stringMatching(/^attachment; filename="export-\d{4}-\d\d-\d\d\.xlsx"$/),
    ])
    for (const path of csvResources) {
      const done = await importFile(venue, `mapping=auto&sheet=${path}&resource=${path}`, bytes, any)
      expect([path, toCounts(done)]).toEqual([
        path,
        { rows: done.rows, checked: done.rows, applied: done.rows, unchanged: done.rows },
      ])
      expect([done.reading.preset, done.rows > 0]).toEqual(['export', true])
    }
  })

  test('has typed cells', async () => {
    const venue = await createVenue()
    await venue.post('/products', { title: '0012', price: 2.5, visible: true })
    const { bytes } = await fetchFile(venue, '/export?format=xlsx&resources=products')
    const [header, row] = readXlsx(bytes, undefined, 10).rows
    const cells = new Map(header?.raw.map((name, index) => [name, row?.raw[index]]))
    expect([cells.get('title'), cells.get('price'), cells.get('visible')]).toEqual(['0012', '2.5', 'true'])
  })

  test('of many rows is written piece by piece', async () => {
    const venue = await createVenue()
    const lines = Array.from({ length: 1_100 }, (_, n) => `E${n},Tea ${n},1\n`).join('')
    await importFile(venue, 'resource=products', `externalId,title,price\n${lines}`)
    const { bytes } = await fetchFile(venue, '/export?format=xlsx&resources=products')
    const rows = readXlsx(bytes, 'products', 2_000).rows
    expect([rows.length, rows.at(-1)?.row]).toEqual([1_101, 1_101])
  })

  test('has no sheets for menus and modifiers', async () => {
    const venue = await createVenue()
    const { status, body } = await venue.get('/export?format=xlsx&resources=products,menus')
    expect([status, body.errors[0].parameter]).toEqual([422, 'resources'])
  })
})

describe('a template', () => {
  const cases = templateResources.flatMap((resource) => pageLanguages.map((language) => [resource, language] as const))
  test.each(cases)('of %s in %s has headings that are recognized, without a question', (resource, language) => {
    const headings = listTemplateHeadings(resource, language)
    expect(new Set(headings).size).toBe(headings.length)
    for (const wanted of [undefined, resource]) {
      const plan = planTable(headings, wanted, {})
      expect(plan.columns.map(({ to }) => to)).toEqual(templateFields[resource])
      const questions = plan.questions.filter(({ code }) => code !== 'name')
      expect([plan.resource, questions, plan.preset]).toEqual([resource, [], undefined])
    }
    expect(listAnswers(language).map((word) => readBoolean(word))).toEqual([true, false])
  })

  test('comes as a spreadsheet or as CSV, and a file filled in with it gets in', async () => {
    const venue = await createVenue()
    const { bytes } = await fetchFile(venue, '/imports/template?resource=products&language=de')
    expect(readXlsx(bytes, undefined, 10).rows).toEqual([{ row: 1, raw: listTemplateHeadings('products', 'de') }])
    const { body, headers } = await venue.get('/imports/template?resource=products&language=de&format=csv')
    expect(headers.get('content-disposition')).toBe('attachment; filename="products-de.csv"')
    const done = await importFile(venue, 'mapping=auto', `${body}Tee,,Heiß,,"1,50",,,,,ja,\n`, any)
    expect(toCounts(done)).toMatchObject({ rows: 1, created: 2 })
    expect((await venue.get('/products')).body).toMatchObject([{ title: 'Tee', price: 1.5, visible: true }])
    expect((await venue.get('/imports/template?resource=menus')).status).toBe(422)
  })
})
