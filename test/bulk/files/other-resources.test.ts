import { describe, expect, test } from 'vitest'
import { createVenue } from '../../support/api.ts'
import { check, importFile, listIssues, settle, upload } from '../../support/imports.ts'

const text = { 'content-type': 'text/plain' }
const auto = 'mapping=auto'
const coupons = 'title;code;type;value\nTen;TEN;PERCENTAGE;10,5\n'

describe('mapping=auto', () => {
  test.each(['', '&resource=coupons'])('reads coupons by the names of their fields: %j', async (named) => {
    const venue = await createVenue()
    const done = await importFile(venue, auto + named, coupons, text)
    expect(await listIssues(venue, done.id)).toEqual([])
    expect((await venue.get('/coupons')).body).toMatchObject([{ code: 'TEN', type: 'PERCENTAGE', value: 10.5 }])
    expect((await venue.get('/products')).body).toEqual([])
  })

  test('rejects columns that webhooks do not have, instead of reading them as products', async () => {
    const venue = await createVenue()
    const { status, body } = await upload(venue, `${auto}&resource=webhooks`, 'url;Rabatt;Preis\nTEN;10;1\n', text)
    expect([status, body.errors.map(({ code }: { code: string }) => code)]).toEqual([
      422,
      ['unknown_field', 'unknown_field'],
    ])
    expect((await venue.get('/imports')).body).toEqual([])
  })

  test.each(['menus', 'modifiers'])('rejects tables of %s', async (resource) => {
    const venue = await createVenue()
    const { status, body } = await upload(venue, `${auto}&resource=${resource}`, 'title;price\nTea;1\n', text)
    expect([status, body.errors]).toMatchObject([422, [{ parameter: 'resource', code: 'invalid_value' }]])
  })

  test('reads lines of a resource that the request names', async () => {
    const venue = await createVenue()
    const line = { title: 'Milk', instructions: '', options: [{ label: 'Oat', additionalCost: 0.5 }] }
    const ready = await check(venue, `${auto}&resource=modifiers`, `${JSON.stringify(line)}\n`, text)
    expect(await listIssues(venue, ready.id)).toEqual([])
    await venue.post(`/imports/${ready.id}/apply`, undefined)
    const done = await settle(venue, ready.id)
    expect(done.outcomes).toEqual({ modifiers: { created: 1, updated: 0, unchanged: 0 } })
    expect((await venue.get('/modifiers')).body).toMatchObject([{ title: 'Milk' }])
  })

  test('adds sections to the menu with an id, which keeps its title; an unknown id is an issue', async () => {
    const venue = await createVenue()
    const { id: menu } = (await venue.post('/menus', { title: 'Evening', sections: [] })).body
    const { id } = await check(venue, auto, 'title,price,category\nLatte,3,Hot\n', text)
    const unknown = await venue.post(`/imports/${id}/mapping`, { menu: { id: 'menu_00000000000000000000000000' } })
    expect([unknown.status, unknown.body.errors]).toMatchObject([422, [{ pointer: '/menu/id', code: 'not_found' }]])
    const mapped = await venue.post(`/imports/${id}/mapping`, { menu: { id: menu } })
    expect([mapped.status, mapped.body.reading.menu]).toEqual([200, 'Evening'])
    await settle(venue, id)
    await venue.post(`/imports/${id}/apply`, undefined)
    await settle(venue, id)
    expect((await venue.get('/menus')).body).toMatchObject([
      { id: menu, title: 'Evening', sections: [{ title: 'Hot' }] },
    ])
  })

  test('previews sections and sizes of products', async () => {
    const venue = await createVenue()
    const table = 'title,price,category,size\nLatte,3,Hot,S\nLatte,4,Hot,L\nTea,2,,\n'
    const { id } = await check(venue, auto, table, text)
    const { body } = await venue.get(`/imports/${id}/preview`)
    const sizes = [
      { label: 'S', price: 3 },
      { label: 'L', price: 4 },
    ]
    expect(body).toMatchObject([
      { row: 2, sections: ['Hot'], sizes },
      { row: 4, object: { title: 'Tea', price: 2 } },
    ])
    expect([body[1].sections, body[1].sizes]).toEqual([undefined, undefined])
    await venue.post(`/imports/${id}/mapping`, { menu: 'none' })
    expect((await venue.get(`/imports/${id}/preview`)).body[0].sections).toBeUndefined()
  })
})
