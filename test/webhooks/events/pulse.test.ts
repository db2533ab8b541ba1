import { describe, expect, test } from 'vitest'
import { roleScopes } from '../../../src/platform/auth/roles.ts'
import { resourcePaths } from '../../../src/platform/names.ts'
import { ask, createTable } from '../../storefront/tags/call-table.ts'
import { createKey, createVenue } from '../../support/api.ts'

describe('GET …/pulse', () => {
  test('returns 204 until something changes, then what', async () => {
    const venue = await createVenue()
    const first = await venue.get('/pulse')
    expect(first.body).toEqual({ cursor: '0', resources: [], requests: false })
    expect((await venue.get('/pulse?after=0')).status).toBe(204)
    const { id } = (await venue.post('/products', { title: 'Soup', price: 5 })).body
    const created = await venue.get('/pulse?after=0')
    expect(created.body).toEqual({ cursor: '1', resources: ['products'], requests: false })
    expect((await venue.get('/pulse?after=1')).status).toBe(204)
    await venue.post(`/products/${id}/availability`, { soldOut: true, until: 'further_notice' })
    const soldOut = (await venue.get('/pulse?after=1')).body
    expect(soldOut.resources).toEqual(['products', 'stock'])
    await venue.post('/service', { paused: true })
    expect((await venue.get(`/pulse?after=${soldOut.cursor}`)).body.resources).toEqual(['service'])
  })

  test('tells about calls of guests, and about those that are done', async () => {
    const { venue, tag, seat } = await createTable()
    const { cursor } = (await venue.get('/pulse')).body
    await ask(venue.id, { tag: tag.id, kind: 'call', seat })
    const asked = (await venue.get(`/pulse?after=${cursor}`)).body
    expect(asked).toMatchObject({ requests: true })
    await venue.post(`/tags/${tag.id}/requests/call/done`, {})
    const done = await venue.get(`/pulse?after=${asked.cursor}`)
    expect(done.body).toMatchObject({ requests: true })
    const { headers } = await venue.get(`/pulse?after=${done.body.cursor}`)
    expect(Math.abs(Date.parse(headers.get('date') ?? '') - Date.now())).toBeLessThan(5_000)
  })

  test('names all parts after more changes than it reads, and after a cursor that the venue has not reached', async () => {
    const venue = await createVenue()
    for (let index = 0; index < 4; index++) await venue.post('/products', { title: `Soup ${index}`, price: 5 })
    expect((await venue.get('/pulse?after=1')).body.resources).toEqual(['products'])
    expect((await venue.get('/pulse?after=0')).body.resources).toEqual([...resourcePaths, 'stock', 'service', 'orders'])
    expect((await venue.get('/pulse?after=900')).body).toMatchObject({ cursor: '4', requests: true })
    expect((await venue.get('/pulse?after=x')).status).toBe(422)
  })

  test.each(Object.entries(roleScopes))('names only what the role %s may read', async (_, granted) => {
    const venue = await createVenue()
    const member = await createKey(venue.id, { mode: 'live', scopes: [...granted] })
    for (let index = 0; index < 4; index++)
      await venue.post('/customers', { firstName: `Ana ${index}`, lastName: 'Silva', email: `a${index}@b.example` })
    const { status, body } = await member.get('/pulse?after=0')
    expect(status).toBe(200)
    expect(body.resources.includes('customers')).toBe(granted.some((scope) => scope.startsWith('customers:')))
    const single = (await member.get('/pulse?after=3')).body
    expect(single.resources).toEqual(body.resources.includes('customers') ? ['customers'] : [])
    expect(single.cursor).toBe('4')
  })
})
