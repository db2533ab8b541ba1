import { describe, expect, test } from 'vitest'
import { createVenue, send, type Venue } from '../../support/api.ts'
import { check, importFile, settle, toCounts } from '../../support/imports.ts'

const text = { 'content-type': 'text/plain' }
const deleting = 'mapping=auto&delete=missing'

/** A file with products, whose columns are not those of an export. */
const file = (...ids: string[]) => `externalId;Artikel;Preis\n${ids.map((id) => `${id};Tea ${id};1,50\n`).join('')}`
const ids = (count: number) => Array.from({ length: count }, (_, n) => `P${n}`)

const apply = (venue: Venue, id: string, body?: object) => venue.post(`/imports/${id}/apply`, body)
const countProducts = async (venue: Venue) => (await venue.get('/products?limit=100')).body.length

describe('deletions of a mapped file', () => {
  test('are shown with their number and titles, and must be confirmed if they are many', async () => {
    const venue = await createVenue()
    await importFile(venue, 'mapping=auto', file(...ids(10)), text)
    const ready = await check(venue, deleting, file(...ids(7)), text)
    expect(ready.check).toMatchObject({ deletes: 3, needsConfirmation: true })
    const { body, headers } = await venue.get(`/imports/${ready.id}/deletions?limit=2`)
    expect(body).toEqual([
      { resource: 'products', id: expect.stringMatching(/^prod_/), externalId: 'P7', title: 'Tea P7' },
      { resource: 'products', id: expect.stringMatching(/^prod_/), externalId: 'P8', title: 'Tea P8' },
    ])
    const [, next] = /<[^?]*(\?[^>]*)>/.exec(headers.get('link') ?? '') ?? []
    expect((await venue.get(`/imports/${ready.id}/deletions${next}`)).body).toMatchObject([{ title: 'Tea P9' }])
    for (const given of [undefined, {}, { confirmDeletes: 2 }]) {
      const refused = await apply(venue, ready.id, given)
      expect([refused.status, refused.body.code, refused.body.errors]).toEqual([
        409,
        'confirm_required',
        [{ pointer: '/confirmDeletes', code: 'too_small', message: 'must be at least 3', count: 3 }],
      ])
    }
    expect((await apply(venue, ready.id, { confirmDeletes: 3 })).status).toBe(202)
    expect(toCounts(await settle(venue, ready.id))).toMatchObject({ deleted: 3, unchanged: 7 })
    expect((await venue.get(`/imports/${ready.id}/deletions`)).body).toEqual([])
  })

  test.each([
    ['5 of 25', 25, 20, false],
    ['6 of 25', 25, 19, true],
    ['20 of 100', 100, 80, false],
    ['21 of 105', 105, 84, true],
  ])('%s', async (_, before, after, needsConfirmation) => {
    const venue = await createVenue()
    await importFile(venue, 'mapping=auto', file(...ids(before)), text)
    const ready = await check(venue, deleting, file(...ids(after)), text)
    expect(ready.check).toMatchObject({ deletes: before - after, needsConfirmation })
    expect((await apply(venue, ready.id)).status).toBe(needsConfirmation ? 409 : 202)
    if (!needsConfirmation) expect(await settle(venue, ready.id)).toMatchObject({ deleted: before - after })
  })

  test('of an upload with apply=true wait for a number, unless it has one that is high enough', async () => {
    const venue = await createVenue()
    await importFile(venue, 'mapping=auto', file(...ids(10)), text)
    const upload = async (query: string, count: number) => {
      const { state, check: found } = await check(venue, `${deleting}&apply=true${query}`, file(...ids(count)), text)
      return [state, found.deletes]
    }
    expect(await upload('', 6)).toEqual(['ready', 4])
    expect(await upload('&confirmDeletes=3', 6)).toEqual(['ready', 4])
    expect(await upload('&confirmDeletes=4', 6)).toEqual(['done', 4])
    expect(await countProducts(venue)).toBe(6)
    const strict = await venue.get('/imports')
    expect(strict.body[0]).toMatchObject({ deleted: 4 })
  })

  test('that became more since the check must be confirmed again', async () => {
    const venue = await createVenue()
    await importFile(venue, 'mapping=auto', file(...ids(20)), text)
    const extra = (await venue.post('/products', { title: 'Cake', price: 1 })).body.id
    const ready = await check(venue, deleting, file(...ids(19)), text)
    expect(ready.check).toMatchObject({ deletes: 1, needsConfirmation: false })
    const first = await check(venue, `${deleting}&confirmDeletes=1`, file(...ids(19)), text)
    await venue.post(`/products/${extra}/external-id`, { externalId: 'X' })
    const refused = await apply(venue, first.id)
    expect([refused.body.code, refused.body.errors[0].count]).toEqual(['confirm_required', 2])
    expect((await apply(venue, first.id, { confirmDeletes: 2 })).status).toBe(202)
    expect(await settle(venue, first.id)).toMatchObject({ deleted: 2 })
  })

  test('spare what rows select by SKU or title, also rows with issues, menus and modifiers', async () => {
    const venue = await createVenue()
    const strict = 'externalId,title,price,sku\nA,Tea,1,T\nB,Cake,2,\nC,Pie,3,P\nD,Gone,4,\n'
    await importFile(venue, 'resource=products', strict)
    const menu = (await venue.post('/menus', { title: 'Day' })).body.id
    await venue.post(`/menus/${menu}/external-id`, { externalId: 'M' })
    const milk = (await venue.post('/modifiers', { title: 'Milk', instructions: '' })).body.id
    await venue.post(`/modifiers/${milk}/external-id`, { externalId: 'N' })
    const rows =
      'Artikel;Preis;SKU;Kategorie;Größe\nGreen tea;1,50;T;Hot;\nCake;2,50;;;\nApple pie;much;P;;\nJuice;1;;;S\nJuice;2;;;L\n'
    const ready = await check(venue, deleting, rows, text)
    expect((await venue.get(`/imports/${ready.id}/deletions`)).body).toMatchObject([{ title: 'Gone' }])
    expect(ready.check.deletes).toBe(1)
    await apply(venue, ready.id, { confirmDeletes: 1 })
    expect(await settle(venue, ready.id)).toMatchObject({ deleted: 1, failed: 1 })
    expect((await venue.get('/products?order=asc')).body.map(({ title }: { title: string }) => title)).toEqual([
      'Green tea',
      'Cake',
      'Pie',
      'Juice',
    ])
    expect((await venue.get('/menus')).body).toHaveLength(2)
    expect((await venue.get('/modifiers')).body).toHaveLength(2)
  })

  test('a strict import needs no confirmation, but honors a maximum', async () => {
    const venue = await createVenue()
    const own = (count: number) =>
      `externalId,title,price\n${ids(count)
        .map((id) => `${id},${id},1\n`)
        .join('')}`
    await importFile(venue, 'resource=products', own(10))
    const limited = await check(venue, 'resource=products&delete=missing&confirmDeletes=3', own(5))
    expect((await apply(venue, limited.id)).body.code).toBe('confirm_required')
    const free = await check(venue, 'resource=products&delete=missing', own(5))
    expect(free.check).toMatchObject({ deletes: 5, needsConfirmation: false })
    expect((await apply(venue, free.id)).status).toBe(202)
    expect(await settle(venue, free.id)).toMatchObject({ deleted: 5 })
  })

  test('customers are listed by the fields by which people know them', async () => {
    const venue = await createVenue()
    await importFile(
      venue,
      'resource=customers',
      'externalId,firstName,lastName,phone\nA,Ana,Brito,+351912345678\nB,Rui,Reis,\n',
    )
    const ready = await check(
      venue,
      `resource=customers&${deleting}`,
      'externalId;Vorname;Nachname\nB;Rui;Reis\n',
      text,
    )
    expect((await venue.get(`/imports/${ready.id}/deletions`)).body).toMatchObject([
      { externalId: 'A', title: 'Ana Brito +351912345678' },
    ])
  })
})

describe('a revision', () => {
  test('of apply must be that of the last mapping', async () => {
    const venue = await createVenue()
    const ready = await check(venue, 'mapping=auto', 'Artikel;Preis\nTea;1,50\n', text)
    await venue.post(`/imports/${ready.id}/mapping`, { menu: 'none' })
    const mapped = await settle(venue, ready.id)
    const stale = await apply(venue, ready.id, { revision: ready.revision })
    expect([stale.status, stale.body.code]).toEqual([409, 'mapping_changed'])
    expect((await apply(venue, ready.id, { revision: mapped.revision })).status).toBe(202)
    expect(await settle(venue, ready.id)).toMatchObject({ state: 'done' })
  })

  test('a mapping cannot choose a match with which deletions would be a guess', async () => {
    const venue = await createVenue()
    const ready = await check(venue, deleting, file('A'), text)
    for (const match of ['sku', 'title']) {
      const { status, body } = await venue.post(`/imports/${ready.id}/mapping`, { match })
      expect([status, body.errors[0].pointer]).toEqual([422, '/match'])
    }
  })

  test.each([
    ['no body', null],
    ['an empty body of JSON', ''],
  ])('%s applies', async (_, body) => {
    const venue = await createVenue()
    const ready = await check(venue, 'mapping=auto', 'Artikel;Preis\nTea;1,50\n', text)
    const headers = { authorization: `Bearer ${venue.key}`, 'content-type': 'application/json' }
    const response = await send(venue.path(`/imports/${ready.id}/apply`), { method: 'POST', body, headers })
    expect(response.status).toBe(202)
  })
})
