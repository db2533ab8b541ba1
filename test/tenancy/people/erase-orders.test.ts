import { afterEach, describe, expect, test, vi } from 'vitest'
import { orderEventNames } from '../../../src/catalogue/events/event-types.ts'
import { createVenue, type Venue } from '../../support/api.ts'
import { queryHome } from '../../support/home.ts'

afterEach(() => vi.restoreAllMocks())

const zoe = { firstName: 'Zoë', lastName: 'Núñez', email: 'zoe.n@example.com', phone: '+44 20 7946 0123' }
const ann = { firstName: 'Ann', lastName: 'Lee', email: 'ann@example.com', phone: '020 555 0101' }

const create = async (venue: Venue, fields: object): Promise<string> => (await venue.post('/customers', fields)).body.id
const erase = (venue: Venue, id: string) => venue.post(`/customers/${id}/erase`, undefined)

/** Publishes an order as it is written here, and returns how to read its bytes. */
async function publish(venue: Venue, data: string) {
  const { body } = await venue.raw('/events', `{"type":"order.created","data":${data}}`)
  return async () => {
    const [row] = await queryHome(venue.id, 'select row from events where id = ?', body.id)
    return String(row?.['row'])
  }
}

/** The order after the erasure of Zoë. `ID` and `ANN` stand for ids of customers. */
async function eraseZoe(order: string, fields: object = zoe, other: object = ann, externalId?: string) {
  const venue = await createVenue()
  const id = await create(venue, fields)
  const otherId = await create(venue, other)
  if (externalId !== undefined) await venue.request('POST', `/customers/${id}/external-id`, { externalId })
  const read = await publish(venue, order.replaceAll('ID', id).replaceAll('ANN', otherId))
  expect((await erase(venue, id)).status).toBe(200)
  return (await read()).replaceAll(id, 'ID').replaceAll(otherId, 'ANN')
}

describe('an order of the erased person loses', () => {
  test.each([
    ['joined names', '{"customer":"ID","name":"Zoë Núñez"}', '{"customer":"","name":""}'],
    ['the other order of names', '{"customer":"ID","name":"NUNEZ, Zoe"}', '{"customer":"","name":""}'],
    [
      'names in longer texts',
      '{"customer":"ID","note":"For Zoë’s table (Núñez)"}',
      '{"customer":"","note":"For ’s table ()"}',
    ],
    [
      'not parts of words',
      '{"customer":"ID","note":"Zoëtrope, Núñezes"}',
      '{"customer":"","note":"Zoëtrope, Núñezes"}',
    ],
    ['an email in capitals', '{"mail":"ZOE.N@Example.com","total":4.0}', '{"mail":"","total":4.0}'],
    ['a phone in another form', '{"tel":"(+44) 2079460123","by":"Zoë"}', '{"tel":"","by":""}'],
    ['a phone that is a number', '{"tel":442079460123}', '{"tel":""}'],
    ['escaped characters', '{"mail":"zoe.n\\u0040example.com","by":"Zo\\u00eb"}', '{"mail":"","by":""}'],
    [
      'contacts in longer texts',
      '{"customer":"ID","note":"mail zoe.n@example.com or 020 or +44 20-7946-0123!"}',
      '{"customer":"","note":"mail  or 020 or !"}',
    ],
    [
      'what objects around its own say',
      '{"customer":{"email":"zoe.n@example.com"},"by":"Zoë Núñez"}',
      '{"customer":{"email":""},"by":""}',
    ],
    [
      'no names of members, no other bytes',
      '{"customer":"ID","Zoë":1.50,"big":12345678901234567890}',
      '{"customer":"","Zoë":1.50,"big":12345678901234567890}',
    ],
  ])('%s', async (_, order, left) => {
    expect(await eraseZoe(order)).toBe(left)
  })

  test('its external id, where it says that it is one', async () => {
    const order = '{"customer":{"externalId":"7","name":"Zoë"},"table":"7"}'
    expect(await eraseZoe(order, zoe, ann, '7')).toBe('{"customer":{"externalId":"","name":""},"table":""}')
    const others = '{"table":"7","by":"Zoë"}'
    expect(await eraseZoe(others, zoe, ann, '7')).toBe(others)
  })

  test('all values, but not in objects of others', async () => {
    const order = '{"customer":"ID","guests":[{"email":"ann@example.com","by":"Zoë"},{"name":"Zoë Núñez"}],"by":"Zoë"}'
    expect(await eraseZoe(order)).toBe(
      '{"customer":"","guests":[{"email":"ann@example.com","by":"Zoë"},{"name":""}],"by":""}',
    )
  })
})

describe('an order of others keeps every byte', () => {
  const shared = { ...ann, phone: zoe.phone }
  test.each([
    ['with the same names', '{"customer":"ANN","by":"Zoë","table":"Núñez"}', zoe, ann],
    ['with a shared phone', '{"phone":"+44 20 7946 0123","name":"Ann Lee","by":"Zoë"}', zoe, shared],
    [
      'with a shared phone and email of another',
      '{"phone":"+44 20 7946 0123","email":"ann@example.com","by":"Núñez"}',
      zoe,
      shared,
    ],
    ['with the id of another', '{"customer":"ANN","email":"zoe.n@example.com"}', zoe, ann],
    [
      'with the email of somebody who is no customer',
      '{"phone":"+442079460123","email":"x@example.com","name":"Bo"}',
      zoe,
      ann,
    ],
    [
      'with short values',
      '{"tip":"0","payment":"Cash","price":"0","Cash":1}',
      { ...zoe, phone: '0', lastName: 'Cash' },
      ann,
    ],
    ['with a longer email', '{"email":"anna.zoe.n@example.com","also":"zoe.n@example.com.au"}', zoe, ann],
  ])('%s', async (_, order, fields, other) => {
    expect(await eraseZoe(order, fields, other)).toBe(order)
  })
})

test('a shared phone with both names is the person’s', async () => {
  const order = '{"phone":"+44 20 7946 0123","first":"zoe","last":"NÚÑEZ"}'
  expect(await eraseZoe(order, zoe, { ...ann, phone: '+44 (20) 79460123' })).toBe('{"phone":"","first":"","last":""}')
})

test('a phone with a prefix for calls within the country is found with and without it', async () => {
  const order = '{"a":{"tel":"+5401143114333"},"b":{"tel":"0054 11 4311-4333"}}'
  const fields = { ...zoe, phone: '+54 (0)11 4311 4333' }
  expect(await eraseZoe(order, fields)).toBe('{"a":{"tel":""},"b":{"tel":""}}')
})

test('each event of an order is in the export of its person, and loses it with the erasure', async () => {
  const venue = await createVenue()
  const id = await create(venue, zoe)
  for (const type of orderEventNames) await venue.post('/events', { type, data: { customer: id, email: zoe.email } })
  const { body } = await venue.get(`/customers/${id}/export`)
  const exported = body.events.map(({ type }: { type: string }) => type)
  expect(exported.filter((type: string) => type.startsWith('order.'))).toEqual(orderEventNames)
  expect((await erase(venue, id)).status).toBe(200)
  const rows = await queryHome(
    venue.id,
    "select type, row from events where merchant_id = ? and type like 'order.%' order by seq",
    venue.id,
  )
  expect(rows).toEqual(orderEventNames.map((type) => ({ type, row: '{"customer":"","email":""}' })))
})

test('an export has only orders of the person', async () => {
  const venue = await createVenue()
  const id = await create(venue, zoe)
  const other = await create(venue, { ...ann, phone: zoe.phone })
  for (const data of [{ phone: zoe.phone, customer: other }, { phone: zoe.phone, email: ann.email }, { customer: id }])
    await venue.post('/events', { type: 'order.created', data })
  const { body } = await venue.get(`/customers/${id}/export`)
  const orders = body.events.filter(({ type }: { type: string }) => type === 'order.created')
  expect(orders.map(({ data }: { data: object }) => data)).toEqual([{ customer: id }])
})

test('two people who are erased at once both leave an order', async () => {
  const venue = await createVenue()
  const ids = await Promise.all([create(venue, zoe), create(venue, ann)])
  const read = await publish(venue, `{"a":{"id":"${ids[0]}","name":"Zoë"},"b":{"id":"${ids[1]}","name":"Ann"}}`)
  const results = await Promise.all(ids.map((id) => erase(venue, id)))
  expect(results.map(({ status }) => status)).toEqual([200, 200])
  expect(await read()).toBe('{"a":{"id":"","name":""},"b":{"id":"","name":""}}')
})

test('an order that arrives during an erasure is redacted too', async () => {
  const { observe } = await import('../../support/d1.ts')
  const venue = await createVenue()
  const id = await create(venue, zoe)
  let read: (() => Promise<string>) | undefined
  const before = async (statements: readonly string[]) => {
    if (read || !statements.some((sql) => sql.includes('delete from "customers"'))) return
    read = await publish(venue, `{"email":"${zoe.email}"}`)
  }
  const { status } = await observe('POST', venue.path(`/customers/${id}/erase`), { key: venue.key, before })
  expect([status, await read?.()]).toEqual([200, '{"email":""}'])
})
