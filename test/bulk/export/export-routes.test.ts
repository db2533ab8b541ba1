import { env } from 'cloudflare:workers'
import { describe, expect, test, vi } from 'vitest'
import { maxMetadataColumns } from '../../../src/bulk/export/export-routes.ts'
import { createKey, createVenue, toIssues, type Venue } from '../../support/api.ts'
import { samples } from '../../support/samples.ts'

/** The lines of a JSON Lines export. */
async function readLines(venue: Pick<Venue, 'get'>, query = '') {
  const { status, body, headers } = await venue.get(`/export${query}`)
  const lines = String(body)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  return { status, headers, first: lines[0], objects: lines.slice(1, -1), last: lines.at(-1) }
}

const readCsv = async (venue: Pick<Venue, 'get'>, resource: string) =>
  String((await venue.get(`/export?format=csv&resources=${resource}`)).body)
    .trimEnd()
    .split('\r\n')

/** Gives an object an external id. */
async function setExternalId(venue: Venue, resource: string, id: string, externalId: string) {
  await env.DB.prepare(
    `insert into external_ids (merchant_id, test_mode, resource, external_id, object)
     select merchant_id, 0, ?, ?, seq from ${resource} where id = ? and merchant_id = ?`,
  )
    .bind(resource, externalId, id, venue.id)
    .run()
}

/** A venue with one object of each resource, all fields set. */
async function createFullVenue() {
  const venue = await createVenue()
  const create = async (collection: string, body: object) => (await venue.post(`/${collection}`, body)).body
  const modifier = (await create('modifiers', { title: 'Milk', instructions: '' })).id
  const product = (await create('products', { title: 'Tea', price: 1 })).id
  const made: Record<string, { id: string }> = {}
  for (const { collection, full } of samples) made[collection] = await create(collection, full({ product, modifier }))
  return { venue, made }
}

describe('a JSON Lines export', () => {
  test('has a first line, each object as lists show it, and a last line with counts', async () => {
    const { venue, made } = await createFullVenue()
    await setExternalId(venue, 'products', made['products']?.id ?? '', 'ÄRT 1,2')
    const { status, headers, first, objects, last } = await readLines(venue)
    expect([status, headers.get('content-type')]).toEqual([200, 'application/jsonl; charset=utf-8'])
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="export-\d{4}-\d\d-\d\d\.jsonl"$/)
    const events = (await venue.get('/events?limit=100')).body
    expect(first).toEqual({
      export: {
        merchantId: venue.id,
        testMode: false,
        takenAt: expect.any(Number),
        lastEvent: events.at(-1).id,
      },
    })
    for (const { collection } of samples) {
      const listed = (await venue.get(`/${collection}?order=asc`)).body
      const exported = objects.filter(({ resource }) => resource === collection)
      expect(exported.map(({ object }) => object)).toEqual(listed)
    }
    const withExternalId = objects.filter(({ externalId }) => externalId !== undefined)
    expect(withExternalId.map(({ externalId, object }) => [externalId, object.id])).toEqual([
      ['ÄRT 1,2', made['products']?.id],
    ])
    expect(last).toEqual({
      end: { counts: { modifiers: 2, products: 2, menus: 1, coupons: 1, customers: 1, tags: 1, webhooks: 1 } },
    })
  })

  test('names objects before the objects that refer to them', async () => {
    const { venue } = await createFullVenue()
    const { objects } = await readLines(venue)
    const order = [...new Set(objects.map(({ resource }) => resource))]
    expect(order.indexOf('modifiers')).toBeLessThan(order.indexOf('products'))
    expect(order.indexOf('products')).toBeLessThan(Math.min(order.indexOf('menus'), order.indexOf('coupons')))
    expect(order).toHaveLength(samples.length)
  })

  test('contains no secret of a webhook', async () => {
    const venue = await createVenue()
    const { bearerToken, secret } = (
      await venue.post('/webhooks', { title: 'Till', url: 'https://hooks.example.com/' })
    ).body
    for (const query of ['', '?format=csv&resources=webhooks']) {
      const text = JSON.stringify((await venue.get(`/export${query}`)).body)
      expect(text).toContain('hooks.example.com')
      expect([bearerToken, secret, 'bearerToken', 'secrets'].filter((word) => text.includes(word))).toEqual([])
    }
  })

  test('has only the resources that are named', async () => {
    const { venue } = await createFullVenue()
    const { objects, last } = await readLines(venue, '?resources=coupons,customers')
    expect(objects.map(({ resource }) => resource)).toEqual(['coupons', 'customers'])
    expect(last).toEqual({ end: { counts: { coupons: 1, customers: 1 } } })
  })

  test('of a merchant without objects has no event and counts of 0', async () => {
    const { first, objects, last } = await readLines(await createVenue(), '?resources=products')
    expect(first.export).not.toHaveProperty('lastEvent')
    expect([objects, last]).toEqual([[], { end: { counts: { products: 0 } } }])
  })

  test('has the objects of the mode and the merchant of the key; tags of both modes for a live key', async () => {
    const venue = await createVenue()
    const tester = await createKey(venue.id, { mode: 'test' })
    const other = await createVenue()
    await venue.post('/products', { title: 'Live', price: 1 })
    await tester.post('/products', { title: 'Test', price: 1 })
    await other.post('/products', { title: 'Other', price: 1 })
    await venue.post('/tags', { testMode: true })
    await venue.post('/tags', {})
    const shown = async (from: Pick<Venue, 'get'>) =>
      (await readLines(from, '?resources=products,tags')).objects.map(({ object }) => object.title ?? object.testMode)
    expect(await shown(venue)).toEqual(['Live', true, false])
    expect(await shown(tester)).toEqual(['Test', true])
    expect((await readLines(tester)).first.export.testMode).toBe(true)
  })

  test('leaves out damaged rows, does not count them, and reports them', async () => {
    const venue = await createVenue()
    await venue.post('/products', { title: 'Sound', price: 1 })
    const { id } = (await venue.post('/products', { title: 'Damaged', price: 1 })).body
    await env.DB.prepare(`update products set images = '[1]' where id = ?`).bind(id).run()
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const { objects, last } = await readLines(venue, '?resources=products')
    const lines = logged.mock.calls.map(([line]) => JSON.parse(String(line)))
    logged.mockRestore()
    expect(objects.map(({ object }) => object.title)).toEqual(['Sound'])
    expect(last.end.counts).toEqual({ products: 1 })
    expect(lines).toEqual([expect.objectContaining({ code: 'damaged', table: 'products', count: 1 })])
  })
})

describe('a CSV export', () => {
  test('has the columns that an import takes, and a row for each object', async () => {
    const { venue, made } = await createFullVenue()
    await setExternalId(venue, 'products', made['products']?.id ?? '', 'A-1')
    const { status, headers } = await venue.get('/export?format=csv&resources=products')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8; header=present'])
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="products-\d{4}-\d\d-\d\d\.csv"$/)
    const [header, , ...row] = await readCsv(venue, 'products')
    expect(header).toBe(
      'id,externalId,title,price,description,visible,taxable,useCustomTaxRate,taxRate,calories,manageStock,stockQuantity,type,upc,sku,images,metadata.allergens,modifiers',
    )
    const modifier = (await venue.get('/modifiers?order=asc&limit=1')).body[0].id
    const description = '" Burnt\n\t""sugar"" "'
    const images = 'https://cdn.example.com/a.png|http://cdn.example.com/ä?b=c#d'
    expect(row).toEqual([
      `${made['products']?.id},A-1,Crème brûlée 🍮,7.25,${description},false,false,true,7.5,350,true,-2.5,SIMPLE,012345678905,CB-1,${images}," milk, egg ",${modifier}`,
    ])
  })

  test('prefixes cells that a spreadsheet would run as a formula, but no numbers', async () => {
    const venue = await createVenue()
    await venue.post('/products', {
      title: '=1+1',
      price: 1,
      stockQuantity: -2,
      description: '@a',
      sku: '-5',
      upc: '-5a',
    })
    const [header = '', row = ''] = await readCsv(venue, 'products')
    const cells = Object.fromEntries(header.split(',').map((name, index) => [name, row.split(',')[index]]))
    expect(cells).toMatchObject({ title: "'=1+1", stockQuantity: '-2', description: "'@a", sku: '-5', upc: "'-5a" })
  })

  test('has a column for each metadata key, sorted, and names hidden entries of tags', async () => {
    const venue = await createVenue()
    await venue.post('/tags', { metadata: [{ key: 'table', value: '1' }] })
    await venue.post('/tags', {
      metadata: [
        { key: 'area', value: 'Terrace' },
        { key: 'PIN|2', value: '7', visible: false },
      ],
    })
    const [header, ...rows] = await readCsv(venue, 'tags')
    expect(header).toBe('id,externalId,testMode,nfc,metadata.PIN|2,metadata.area,metadata.table,hiddenMetadata')
    expect(rows.map((row) => row.replace(/^tag_\w+/, ''))).toEqual([
      ',,false,false,,,1,',
      ',,false,false,7,Terrace,,PIN\\|2',
    ])
  })

  test(`is refused for more than ${maxMetadataColumns} metadata keys`, async () => {
    const venue = await createVenue()
    const { id } = (await venue.post('/products', { title: 'Tea', price: 1 })).body
    const setKeys = async (count: number) => {
      const entries = Array.from({ length: count }, (_, n) => ({ key: `k${n}`, value: '' }))
      await env.DB.prepare('update products set metadata = ? where id = ?').bind(JSON.stringify(entries), id).run()
    }
    await setKeys(maxMetadataColumns)
    expect(await readCsv(venue, 'products')).toHaveLength(2)
    await setKeys(maxMetadataColumns + 1)
    expect(toIssues(await venue.get('/export?format=csv&resources=products'))).toEqual(['format too_many'])
  })

  test('is made of sound rows where metadata is damaged', async () => {
    const venue = await createVenue()
    const { id } = (await venue.post('/products', { title: 'Damaged', price: 1 })).body
    await venue.post('/products', { title: 'Sound', price: 1, metadata: [{ key: 'a', value: 'b' }] })
    await env.DB.prepare(`update products set metadata = '["a", {"key": 1}]' where id = ?`).bind(id).run()
    const [header, ...rows] = await readCsv(venue, 'products')
    expect(header).toContain(',images,metadata.a,modifiers')
    expect(rows).toEqual([expect.stringContaining(',Sound,')])
  })
})

describe('an export is refused', () => {
  test.each([
    ['?resources=', 'resources invalid_value'],
    ['?resources=products,plates', 'resources invalid_value'],
    ['?resources=products,products', 'resources duplicate'],
    ['?resources=products&resources=menus', 'resources invalid_type'],
    ['?format=xml', 'format invalid_value'],
    ['?format=csv', 'resources invalid_value'],
    ['?format=csv&resources=products,tags', 'resources invalid_value'],
    ['?format=csv&resources=menus', 'resources invalid_value'],
    ['?format=csv&resources=modifiers', 'resources invalid_value'],
    ['?limit=1', 'limit unknown_parameter'],
  ])('with the query %s', async (query, issue) => {
    expect(toIssues(await (await createVenue()).get(`/export${query}`))).toEqual([issue])
  })

  test('without the scope of each resource: one problem names all that are missing', async () => {
    const venue = await createVenue()
    const reader = await createKey(venue.id, { mode: 'live', scopes: ['products:read', 'menus:write'] })
    const { status, body } = await reader.get('/export?resources=products,menus,tags,coupons')
    expect([status, body.code, body.detail]).toEqual([
      403,
      'forbidden',
      'The key lacks the scopes coupons:read, tags:read.',
    ])
    expect((await reader.get('/export')).status).toBe(403)
    expect((await readLines(reader, '?resources=products,menus')).status).toBe(200)
  })
})
