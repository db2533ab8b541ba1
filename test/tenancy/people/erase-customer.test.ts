import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { call, createKey, createVenue, type Venue } from '../../support/api.ts'
import { dump, observe } from '../../support/d1.ts'
import { queryHome } from '../../support/home.ts'
import { check, jsonl, toJsonLines, upload } from '../../support/imports.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const person = { firstName: 'Zoëlle', lastName: 'Núñezowa', email: 'zoe.n@example.com', phone: '+44 20 7946 0123' }
const traces = ['Zoëlle', 'Zo\\u00eblle', 'Núñezowa', 'zoe.n@example.com', 'old@example.com', '7946 0123', '7946 9999']

const create = async (venue: Pick<Venue, 'post'>, fields: object = {}) =>
  (await venue.post('/customers', { ...person, ...fields })).body
const erase = (venue: Pick<Venue, 'post'>, id: string) => venue.post(`/customers/${id}/erase`, undefined)
const listTypes = async (venue: Venue) =>
  (await venue.get('/events?limit=100')).body.map(({ type }: { type: string }) => type)
/** Which of the texts any table contains. */
const findTraces = async (...texts: string[]) => {
  const everything = await dump()
  return [...traces, ...texts].filter(
    (text) => everything.includes(text) || everything.includes(JSON.stringify(text).slice(1, -1)),
  )
}

describe('an erased customer', () => {
  test('leaves nothing of the person in any table', async () => {
    const venue = await createVenue()
    const other = await create(venue, { firstName: 'Ann', lastName: 'Lee', email: 'ann@example.com', phone: '1' })
    const customer = await create(venue, { email: 'old@example.com', phone: '+44 20 7946 9999' })
    await venue.request('POST', `/customers/${customer.id}/external-id`, { externalId: 'CRM-77' })
    await venue.post(`/customers/${customer.id}`, person)
    await venue.post('/events', {
      type: 'order.created',
      data: { customer: customer.id, name: person.firstName, email: person.email, total: 4, items: ['Tea'] },
    })
    await venue.raw('/events', '{"type":"order.created","data":{"mail":"zoe.n@example.com","by":"Zo\\u00eblle"}}')
    await venue.post('/events', { type: 'order.created', data: { email: 'old@example.com' } })
    await venue.post('/coupons', { title: 'Ten', code: 'TEN', type: 'PERCENTAGE', value: 10 })
    await venue.post('/redemptions', { code: 'TEN', order: '1', customer: customer.id })
    const imported = await upload(
      venue,
      'resource=customers&match=externalId',
      `externalId,firstName,lastName,email\nE1,Zoëlle,Núñezowa,zoe.n@example.com\nE2,Bob,Ray,bob@example.com\n`,
    )
    await check(venue, '', toJsonLines([{ resource: 'customers', object: { ...person, phone: 'not a phone' } }]), jsonl)
    expect(imported.status).toBe(202)
    await vi.waitFor(async () => {
      expect((await venue.get(`/imports/${imported.body.id}`)).body.state).toBe('ready')
    })
    expect(await findTraces()).not.toEqual([])

    const { status, body } = await erase(venue, customer.id)
    expect([status, body]).toEqual([200, { id: customer.id, erased: true }])
    expect(await findTraces('CRM-77')).toEqual([])
    expect((await venue.get(`/customers/${customer.id}`)).status).toBe(404)
    expect((await venue.get('/customers?q=zoelle')).body).toEqual([])
    expect((await venue.get('/redemptions')).body[0]).not.toHaveProperty('customer')
    // Others stay.
    expect((await venue.get(`/customers/${other.id}`)).body.email).toBe('ann@example.com')
    expect(await dump()).toContain('bob@example.com')
  })

  test('leaves its own keys of imported files, not those of others who share its email', async () => {
    const venue = await createVenue()
    const customer = await create(venue)
    const other = await create(venue, { firstName: 'Ann' })
    const nameAs = (id: string, externalId: string) =>
      venue.request('POST', `/customers/${id}/external-id`, { externalId })
    await nameAs(customer.id, 'crm:zoe.n@example.com')
    await nameAs(other.id, 'ANN-1')
    const rows = [
      { externalId: 'crm:zoe.n@example.com', object: { ...person, id: customer.id } },
      { externalId: 'ANN-1', object: { ...person, id: other.id } },
    ].map((row) => ({ resource: 'customers', ...row }))
    const { id } = await check(venue, 'match=externalId', toJsonLines(rows), jsonl)
    const readKeys = async () => {
      const columns = 'file_ids, external_ids, object_ids'
      const [chunk] = await queryHome(venue.id, `select ${columns} from import_chunks where import_id = ?`, id)
      return Object.values(chunk ?? {}).map((keys) => JSON.parse(String(keys)))
    }
    expect(await readKeys()).toEqual([
      { [customer.id]: 1, [other.id]: 2 },
      { 'crm:zoe.n@example.com': 1, 'ANN-1': 2 },
      {},
    ])
    await erase(venue, customer.id)
    // An import with `delete=missing` deletes customers that its file does not name.
    expect(await readKeys()).toEqual([{ [other.id]: 2 }, { 'ANN-1': 2 }, {}])
    expect(await dump()).not.toContain('crm:zoe.n')
    await erase(venue, other.id)
  })

  test('stays in the log of events as its id only', async () => {
    const venue = await createVenue()
    const { id } = await create(venue)
    await venue.post(`/customers/${id}`, { phone: null })
    await venue.post('/events', { type: 'order.created', data: { customer: id, total: 4, note: 'no onions' } })
    await erase(venue, id)
    const { body } = await venue.get('/events?limit=100')
    expect(body.map(({ type, data, previous }: Record<string, unknown>) => ({ type, data, previous }))).toEqual([
      { type: 'customer.created', data: expect.objectContaining({ id, firstName: '', lastName: '' }) },
      { type: 'customer.updated', data: expect.objectContaining({ id, firstName: '', lastName: '' }), previous: {} },
      { type: 'order.created', data: { customer: '', total: 4, note: 'no onions' } },
      { type: 'customer.erased', data: { id } },
    ])
    expect(body[0].data).not.toHaveProperty('email')
    expect(body.at(-1)).toMatchObject({ version: 3 })
  })

  test('is also removed from stored responses, whose keys are not used again', async () => {
    const venue = await createVenue()
    const headers = { 'idempotency-key': 'k1' }
    const { body } = await venue.post('/customers', person, headers)
    const unrelated = { 'idempotency-key': 'k2' }
    await venue.post('/products', { title: 'Tea', price: 1 }, unrelated)
    await erase(venue, body.id)
    const repeated = await venue.post('/customers', person, headers)
    expect([repeated.status, repeated.body.code]).toEqual([422, 'idempotency_key_reused'])
    expect((await venue.get('/customers')).body).toEqual([])
    const kept = await venue.post('/products', { title: 'Tea', price: 1 }, unrelated)
    expect(kept.headers.get('idempotent-replayed')).toBe('true')
  })

  test('can be erased again, and after its deletion, but not without having existed', async () => {
    const venue = await createVenue()
    const { id } = await create(venue)
    expect((await venue.remove(`/customers/${id}`)).status).toBe(200)
    expect(await findTraces()).not.toEqual([])
    expect((await erase(venue, id)).status).toBe(200)
    expect(await findTraces()).toEqual([])
    const types = await listTypes(venue)
    expect((await erase(venue, id)).body).toEqual({ id, erased: true })
    expect(await listTypes(venue)).toEqual(types)
    expect((await erase(venue, 'cus_unknown')).status).toBe(404)
    const { body: audit } = await call('GET', venue.path(`/audit?object=${id}`), venue.key)
    expect(audit.map(({ operation }: { operation: string }) => operation)).toEqual([
      'customers.erase',
      'customers.delete',
      'customers.create',
    ])
  })

  test('is listed in the directory as a hash', async () => {
    const venue = await createVenue()
    const { id } = await create(venue)
    await erase(venue, id)
    const { results } = await env.DB.prepare('select * from erasures where merchant_id = ?').bind(venue.id).all()
    expect(results).toEqual([
      { merchant_id: venue.id, customer_hash: expect.stringMatching(/^[0-9a-f]{64}$/), erased_at: expect.any(Number) },
    ])
  })

  test('is only found in its own merchant and mode', async () => {
    const venue = await createVenue()
    const tester = await createKey(venue.id, { mode: 'test' })
    const stranger = await createVenue()
    const { id } = await create(venue)
    for (const each of [tester, stranger]) expect((await erase(each, id)).status).toBe(404)
    expect((await venue.get(`/customers/${id}`)).status).toBe(200)
    const reader = await createKey(venue.id, { mode: 'live', scopes: ['customers:read'] })
    expect((await erase(reader, id)).status).toBe(403)
    await erase(venue, id)
    expect(await findTraces()).toEqual([])
  })

  test('is erased in its new state if it was changed in between', async () => {
    const venue = await createVenue()
    const { id } = await create(venue)
    let isFirst = true
    const before = async (statements: readonly string[]) => {
      if (!isFirst || !statements.some((sql) => sql.includes('delete from "customers"'))) return
      isFirst = false
      await venue.post(`/customers/${id}`, { email: 'new@example.com' })
    }
    const { status, trips } = await observe('POST', venue.path(`/customers/${id}/erase`), { key: venue.key, before })
    expect([status, isFirst]).toEqual([200, false])
    // Twice: the customer, its events, others with its values, the directory, orders, three tables of imports, and the transaction. Then
    // the directory again.
    expect(trips).toHaveLength(19)
    expect(await findTraces('new@example.com')).toEqual([])
  })

  test('with damaged events or a damaged row is erased', async () => {
    const venue = await createVenue()
    const { id } = await create(venue)
    await env.DB.prepare(`update events set row = substr(row, 1, 200) where merchant_id = ?`).bind(venue.id).run()
    await env.DB.prepare(`update customers set first_name = x'00' where id = ?`).bind(id).run()
    expect((await erase(venue, id)).status).toBe(200)
    expect(await findTraces()).toEqual([])
  })
})
