import { describe, expect, test } from 'vitest'
import { importLimits, issueLimits } from '../../../src/bulk/import/import-limits.ts'
import { createVenue, toIssues } from '../../support/api.ts'
import { check, importFile, jsonl, listIssues, settle, toCounts, upload } from '../../support/imports.ts'

describe('a CSV file of products', () => {
  test('is checked, then applied: rows create objects, or update those with their external id', async () => {
    const venue = await createVenue()
    const first = await upload(venue, 'resource=products', 'externalId,Title,PRICE\nA,Tea,1.5\nB,Coffee,2\n')
    expect([first.status, first.headers.get('location')]).toEqual([202, venue.path(`/imports/${first.body.id}`)])
    expect(first.body).toMatchObject({ resource: 'products', format: 'csv', match: 'externalId', rows: 2 })
    const ready = await settle(venue, first.body.id)
    expect([ready.state, toCounts(ready)]).toEqual(['ready', { rows: 2, checked: 2 }])
    expect((await venue.get('/products')).body).toEqual([])

    expect((await venue.post(`/imports/${ready.id}/apply`, undefined)).body.state).toBe('applying')
    const done = await settle(venue, ready.id)
    expect([done.state, toCounts(done)]).toEqual(['done', { rows: 2, checked: 2, applied: 2, created: 2 }])
    const products = (await venue.get('/products?order=asc')).body
    expect(products.map(({ title, price }: { title: string; price: number }) => [title, price])).toEqual([
      ['Tea', 1.5],
      ['Coffee', 2],
    ])

    const second = await importFile(venue, 'resource=products', 'externalId,price,title\nB,3,\nA,1.5,Tea\nC,1,Cake\n')
    expect(toCounts(second)).toEqual({ rows: 3, checked: 3, applied: 3, created: 1, updated: 1, unchanged: 1 })
    expect((await venue.get(`/products/${products[1].id}`)).body).toMatchObject({ title: 'Coffee', price: 3 })
  })

  test('has fields of all kinds in its cells', async () => {
    const venue = await createVenue()
    const modifier = (await venue.post('/modifiers', { title: 'Milk', instructions: '' })).body.id
    const file = [
      'title;price;visible;taxable;calories;stockQuantity;sku;description;images;metadata.Origin;metadata.empty;modifiers',
      `"Tea; ""green""";2,5;FALSE;1;12;-1,25;007;"two\r\nlines";https://a.example/1.png|https://a.example/2.png;Assam;;${modifier}`,
    ].join('\r\n')
    const done = await importFile(venue, 'resource=products', `\uFEFF${file}`)
    expect(toCounts(done)).toMatchObject({ created: 1 })
    expect((await venue.get('/products')).body).toEqual([
      expect.objectContaining({
        title: 'Tea; "green"',
        price: 2.5,
        visible: false,
        taxable: true,
        calories: 12,
        stockQuantity: -1.25,
        sku: '007',
        description: 'two\r\nlines',
        images: [{ url: 'https://a.example/1.png' }, { url: 'https://a.example/2.png' }],
        metadata: [{ key: 'Origin', value: 'Assam' }],
        modifiers: [modifier],
      }),
    ])
  })

  test('with metadata keeps the entries that it does not name', async () => {
    const venue = await createVenue()
    const metadata = [
      { key: 'a', value: '1' },
      { key: 'b', value: '2' },
    ]
    const { id } = (await venue.post('/products', { title: 'Tea', price: 1, metadata })).body
    await importFile(venue, 'resource=products&match=id', `id,metadata.b,metadata.c\n${id},3,4\n`)
    expect((await venue.get(`/products/${id}`)).body.metadata).toEqual([
      { key: 'a', value: '1' },
      { key: 'b', value: '3' },
      { key: 'c', value: '4' },
    ])
  })

  test('keeps a formula as text', async () => {
    const venue = await createVenue()
    await importFile(venue, 'resource=products', `title,price,description\n'=1+1,1,=cmd|'/c calc'!A0\n`)
    expect((await venue.get('/products')).body).toEqual([
      expect.objectContaining({ title: '=1+1', description: "=cmd|'/c calc'!A0" }),
    ])
  })
})

describe('rows with issues', () => {
  test('are named by row and column, and the others can be applied', async () => {
    const venue = await createVenue()
    const file = 'title,price,metadata.k\nTea,1,\n,a lot,\nCake,2,\n\nBun,-1,x\n'
    const checked = await check(venue, 'resource=products', file)
    expect([checked.state, toCounts(checked)]).toEqual(['ready', { rows: 4, checked: 4, failed: 2 }])
    expect(await listIssues(venue, checked.id)).toEqual([
      '3 title required',
      '3 price invalid_format',
      '6 price too_small',
    ])
    const { body } = await venue.get(`/imports/${checked.id}/errors?limit=1`)
    expect(body).toEqual([
      { row: 3, column: 'title', severity: 'issue', code: 'required', message: expect.any(String) },
    ])
    await venue.post(`/imports/${checked.id}/apply`, undefined)
    expect(toCounts(await settle(venue, checked.id))).toEqual({
      rows: 4,
      checked: 4,
      applied: 2,
      created: 2,
      failed: 2,
    })
  })

  test('come back as a file that can be corrected and sent again', async () => {
    const venue = await createVenue()
    const checked = await check(venue, 'resource=products', 'title;price\nTea;1\n"a;b";x\n')
    const { body, headers } = await venue.get(`/imports/${checked.id}/errors`, { accept: 'text/csv' })
    expect(headers.get('content-type')).toMatch(/^text\/csv;/)
    expect(body).toMatch(/^title;price;error\r\n"a;b";x;[^;]+\r\n$/)
    const again = await check(venue, 'resource=products', body.replace(';x;', ';2;'))
    expect([again.state, toCounts(again)]).toEqual(['ready', { rows: 1, checked: 1 }])
  })

  test('come back in a file about as long as theirs, however wide its header is', async () => {
    const venue = await createVenue()
    const fetchFaulty = async (header: string) => {
      const { id } = await check(venue, 'resource=products', `${header}\n${'Tea,x\n'.repeat(100)}`)
      const { body } = await venue.get(`/imports/${id}/errors`, { accept: 'text/csv' })
      expect(body.length).toBeLessThan(25_000)
      return body
    }
    const unnamed = await fetchFaulty(`title,price${','.repeat(importLimits.cells - 2)}`)
    expect(unnamed).toMatch(/^title,price,error\r\nTea,x,[^,]+\r\nTea,/)
    const names = Array.from({ length: 900 }, (_, index) => `metadata.${index}`)
    const wide = await fetchFaulty(`title,price,Error,${names.join()}`)
    expect(wide).toMatch(/^error,title,price,metadata\.0,.*,metadata\.899\r\n[^,]+,Tea,x\r\n[^,]+,Tea,/)
    const again = await check(venue, 'resource=products', wide.replaceAll(',x\r', ',1,milk\r'))
    expect([again.state, toCounts(again)]).toEqual(['ready', { rows: 100, checked: 100 }])
  })

  test('may have 1,000 columns; more are refused, also without names', async () => {
    const venue = await createVenue()
    const send = (columns: number, unnamed: number) => {
      const names = Array.from({ length: columns - 1 }, (_, index) => `metadata.${index}`)
      return upload(venue, 'resource=products', `title,${names.join()}${','.repeat(unnamed)}\nTea\n`)
    }
    const { columns, cells } = importLimits
    expect((await send(columns, cells - columns)).status).toBe(202)
    expect(toIssues(await send(columns + 1, 0))).toEqual([' too_many'])
    expect(toIssues(await send(columns, cells - columns + 1))).toEqual([' too_many'])
    expect(toIssues(await upload(venue, 'resource=products', `title${','.repeat(250_000)}\nTea\n`))).toEqual([
      ' too_many',
    ])
  })

  test('come back with their cells beyond the last column', async () => {
    const venue = await createVenue()
    const checked = await check(venue, 'resource=products', 'title,price,description\nTea,5,Green, hot\nCake,1,\n')
    const { body } = await venue.get(`/imports/${checked.id}/errors`, { accept: 'text/csv' })
    expect(body).toBe('title,price,description,error\r\nTea,5,Green,has more than 3 cells," hot"\r\n')
    const again = await check(venue, 'resource=products', body)
    expect([again.state, toCounts(again)]).toEqual(['failed', { rows: 1, checked: 1, failed: 1 }])
  })

  test('are listed whatever the length of the names in their issues', async () => {
    const venue = await createVenue()
    const columns = Array.from({ length: 20 }, (_, n) => `metadata.${n}${'長'.repeat(600)}`)
    const file = `title,price,${columns}\n${`Tea,1,${columns.map(() => 'x')}\n`.repeat(250)}`
    const csvFile = await check(venue, 'resource=products', file)
    expect([csvFile.state, csvFile.failed]).toEqual(['failed', 250])
    const line = JSON.stringify({ title: 'Tea', price: 1, ['~'.repeat(200_000)]: 1 })
    const lines = await check(venue, 'resource=products', line, jsonl)
    expect([lines.state, lines.failed]).toEqual(['failed', 1])
    for (const { id } of [csvFile, lines]) {
      const [issue] = (await venue.get(`/imports/${id}/errors?limit=1`)).body
      expect((issue.column ?? issue.pointer).length).toBe(issueLimits.nameUnits)
    }
  })

  test('are all there are: the import failed and cannot be applied', async () => {
    const venue = await createVenue()
    const checked = await check(venue, 'resource=products', 'title,price\n,\nTea,\n')
    expect([checked.state, checked.failed]).toEqual(['failed', 1])
  })
})
