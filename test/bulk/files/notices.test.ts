import { describe, expect, test } from 'vitest'
import { createVenue, type Venue } from '../../support/api.ts'
import { check, importFile, listIssues, settle, toCounts, upload } from '../../support/imports.ts'

const text = { 'content-type': 'text/plain' }
const auto = 'mapping=auto'

/** Issues and notices of an import, each as severity, row, place and code. */
const listAll = async (venue: Venue, id: string, severity: string) =>
  (await venue.get(`/imports/${id}/errors?severity=${severity}`)).body.map(
    ({ severity, row, column, pointer, code }: Record<string, string>) =>
      [severity, row, column ?? pointer, code].filter((part) => part !== undefined).join(' '),
  )

describe('notices', () => {
  test('leave no row out; the list has them only when asked, behind the issues', async () => {
    const venue = await createVenue()
    const file = 'title,price,images\nTea,2,http://cdn.example/tea.png\nCake,much,http://cdn.example/c.png\nPie,3,\n'
    const done = await importFile(venue, auto, file, text)
    expect([toCounts(done), done.check.leftOut]).toEqual([
      { rows: 3, checked: 3, applied: 2, created: 2, failed: 1 },
      1,
    ])
    expect(await listIssues(venue, done.id)).toEqual(['3 price invalid_type'])
    expect(await listAll(venue, done.id, 'issue')).toEqual(['issue 3 price invalid_type'])
    expect(await listAll(venue, done.id, 'notice')).toEqual(['notice 2 images not_https', 'notice 3 images not_https'])
    expect(await listAll(venue, done.id, 'all')).toEqual([
      'issue 3 price invalid_type',
      'notice 2 images not_https',
      'notice 3 images not_https',
    ])
    const first = await venue.get(`/imports/${done.id}/errors?severity=all&limit=2`)
    const [, next] = /<[^?]*(\?[^>]*)>/.exec(first.headers.get('link') ?? '') ?? []
    expect((await venue.get(`/imports/${done.id}/errors${next}`)).body).toHaveLength(1)
    const other = await venue.get(`/imports/${done.id}/errors${next?.replace('severity=all', 'severity=notice')}`)
    expect(other.status).toBe(422)
    expect(done.reading.notices).toContainEqual(expect.objectContaining({ code: 'not_https', count: 2 }))
  })

  test.each([
    [
      'a Square catalogue',
      [
        { type: 'IMAGE', id: 'I', image_data: { url: 'http://cdn.example/a.png' } },
        {
          type: 'ITEM',
          id: 'A',
          item_data: {
            name: 'Tea',
            image_ids: ['I'],
            variations: [{ id: 'V', item_variation_data: { name: '', price_money: { amount: 200, currency: 'EUR' } } }],
          },
        },
      ],
    ],
    [
      'a menu for Uber Eats',
      {
        menus: [],
        categories: [{ id: 'C', title: { translations: { en: 'Hot' } }, entities: [{ id: 'A' }] }],
        items: [
          {
            id: 'A',
            title: { translations: { en: 'Tea' } },
            price_info: { price: 200 },
            image_url: 'http://cdn.example/a.png',
          },
        ],
      },
    ],
    [
      'a menu of schema.org',
      {
        '@type': 'Menu',
        name: 'Day',
        hasMenuItem: [{ name: 'Tea', offers: { price: '2' }, image: 'http://cdn.example/a.png' }],
      },
    ],
  ])('tell of insecure pictures in %s', async (_, document) => {
    const venue = await createVenue()
    const done = await importFile(venue, auto, JSON.stringify(document), text)
    expect(await listAll(venue, done.id, 'all')).toEqual(['notice 1 /images not_https'])
    expect(done.reading.notices).toContainEqual(expect.objectContaining({ code: 'not_https', count: 1 }))
  })
})

test('pictures beyond the limit of a product are left out with a notice', async () => {
  const venue = await createVenue()
  const urls = Array.from({ length: 21 }, (_, n) => `https://cdn.example/${n}.png`)
  const done = await importFile(venue, auto, `title,price,images\nTea,2,${urls.join('|')}\n`, text)
  expect((await venue.get('/products')).body[0].images).toHaveLength(20)
  expect(done.reading.notices).toEqual([
    { code: 'part_left_out', column: 'images', count: 1, message: 'a product has at most 20 pictures' },
  ])
})

describe('rows beside objects that exist', () => {
  test('create them, with a notice for each key that they share', async () => {
    const venue = await createVenue()
    await venue.post('/products', { title: 'Tea', price: 1, sku: 'T', upc: '4006381333931' })
    const file = 'title,price,sku,upc,externalId\nTea,2,T,4006381333931,X\nBlack tea,2,T,,Y\nCake,3,,,Z\n'
    const ready = await check(venue, `${auto}&match=externalId`, file, text)
    expect(ready.notices).toMatchObject([{ code: 'looks_like_existing', resource: 'products', count: 2 }])
    expect([ready.state, ready.check.creates]).toEqual(['ready', 3])
    expect(await listAll(venue, ready.id, 'notice')).toEqual([
      'notice 2 sku looks_like_existing',
      'notice 2 upc looks_like_existing',
      'notice 2 title looks_like_existing',
      'notice 3 sku looks_like_existing',
    ])
    const automatic = await check(venue, auto, file, text)
    expect([automatic.notices, automatic.check]).toMatchObject([[], { creates: 1, leftOut: 2 }])
  })

  test('a menu by title is found again, whatever selects the products', async () => {
    const venue = await createVenue()
    const file = 'title,price,category,externalId\nTea,2,Hot,X\n'
    await importFile(venue, `${auto}&match=externalId&menu=Day`, file, text)
    await importFile(venue, `${auto}&match=externalId&menu=Day`, file, text)
    expect((await venue.get('/menus')).body).toMatchObject([{ title: 'Day', sections: [{ title: 'Hot' }] }])
  })
})

describe('the preview', () => {
  test('says by which key each row found its object, and what it does, page by page', async () => {
    const venue = await createVenue()
    await importFile(venue, 'resource=products', 'externalId,title,price\nE,By external id,1\n')
    const { id } = (await venue.post('/products', { title: 'By id', price: 1 })).body
    await venue.post('/products', { title: 'By SKU', price: 1, sku: 'S' })
    await venue.post('/products', { title: 'By barcode', price: 1, upc: '4006381333931' })
    await venue.post('/products', { title: 'By title', price: 1 })
    const file = [
      'externalId,id,title,price,sku,upc',
      'E,,One,2,,',
      `,${id},By id,1,,`,
      ',,Three,2,S,',
      ',,Four,2,,4006381333931',
      ',,By title,2,,',
      ',,New,2,,',
      ',,Wrong,much,,',
      '',
    ].join('\n')
    const ready = await check(venue, auto, file, text)
    const pages: unknown[][] = []
    for (let query = '?limit=3'; query !== ''; ) {
      const { body, headers } = await venue.get(`/imports/${ready.id}/preview${query}`)
      pages.push(
        body.map(({ row, how, outcome, issues }: Record<string, { code: string }[]>) => [
          row,
          how,
          outcome,
          ...(issues ?? []).map(({ code }) => code),
        ]),
      )
      query = /<[^?]*(\?[^>]*)>/.exec(headers.get('link') ?? '')?.[1] ?? ''
    }
    expect(pages).toEqual([
      [
        [2, 'externalId', 'updated'],
        [3, 'id', 'unchanged'],
        [4, 'sku', 'updated'],
      ],
      [
        [5, 'upc', 'updated'],
        [6, 'title', 'updated'],
        [7, undefined, 'created'],
      ],
      [[8, undefined, undefined, 'invalid_type']],
    ])
    expect((await venue.get(`/imports/${ready.id}/preview?resource=menus`)).body).toEqual([])
  })

  test('continues in the next chunk', async () => {
    const venue = await createVenue()
    const rows = Array.from({ length: 260 }, (_, n) => `Tea ${n},2`).join('\n')
    const ready = await check(venue, auto, `title,price\n${rows}\n`, text)
    const seen: number[] = []
    for (let query = '?limit=100'; query !== ''; ) {
      const { body, headers } = await venue.get(`/imports/${ready.id}/preview${query}`)
      seen.push(...body.map(({ row }: { row: number }) => row))
      query = /<[^?]*(\?[^>]*)>/.exec(headers.get('link') ?? '')?.[1] ?? ''
    }
    expect(seen).toEqual(Array.from({ length: 260 }, (_, n) => n + 2))
  })
})

test('a title above no product, and a note below the last one, are left out and named', async () => {
  const venue = await createVenue()
  const list = 'Artikel;Preis\nKüche;\nVorspeisen;\nSuppe;6,50\nA Gluten, C Ei;\nAlle Preise mit MwSt.;\n'
  const { body: asked } = await upload(venue, 'mapping=auto', list, text)
  const { body } = await venue.post(`/imports/${asked.id}/mapping`, { titleRows: 'sections' })
  expect(body.reading.notices.map(({ message }: { message: string }) => message)).toEqual([
    'a row above no product: "Küche"',
    'a row above no product: "A Gluten, C Ei"',
    'a row above no product: "Alle Preise mit MwSt."',
  ])
  expect(await settle(venue, asked.id)).toMatchObject({ rows: 1, failed: 0 })
})
