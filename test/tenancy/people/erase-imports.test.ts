import { describe, expect, test } from 'vitest'
import { createVenue, send, type Venue } from '../../support/api.ts'
import { queryHome } from '../../support/home.ts'
import { check, csv, jsonl, settle, toJsonLines } from '../../support/imports.ts'

const zoe = { firstName: 'Zoë', lastName: 'Núñez', email: 'zoe.n@example.com', phone: '+44 20 7946 0123' }
const ann = { firstName: 'Ann', lastName: 'Lee', email: 'ann@example.com', phone: '020 555 0101' }

const create = async (venue: Venue, fields: object): Promise<string> => (await venue.post('/customers', fields)).body.id
const erase = async (venue: Venue, id: string) =>
  expect((await venue.post(`/customers/${id}/erase`, undefined)).status).toBe(200)

/** Stored data of a venue's files, and responses with it. */
async function readFiles(venue: Venue, importId: string): Promise<string> {
  const tables = ['imports', 'import_chunks', 'import_issues']
  const rows = await Promise.all(
    tables.map((table) => queryHome(venue.id, `select * from ${table} where merchant_id = ?`, venue.id)),
  )
  const read = (accept: string) =>
    send(venue.path(`/imports/${importId}/errors`), { headers: { authorization: `Bearer ${venue.key}`, accept } })
  const [list, file] = [await read('application/json'), await read('text/csv')]
  return JSON.stringify([rows, list.body, file.body])
}

const traces = ['zoe.n', 'ZOE.N', 'Zoë', 'Zo\\\\u00eb', 'Núñez', 'NUNEZ', '7946', '79460123']
const findTraces = (text: string) => traces.filter((trace) => text.includes(trace))

describe('an erased person is gone from an uploaded file', () => {
  const capitals = { ...zoe, email: ' ZOE.N@Example.COM ', phone: '+44(20)79460123' }
  const csvOf = (header: string, row: string) => `${header}\n${row}\nBo,Ray,bo@example.com,1\n`
  test.each<[string, string, string, Record<string, string>]>([
    [
      'of customers',
      'resource=customers',
      csvOf('firstName,lastName,email,phone', 'Zoë,Núñez,zoe.n@example.com,x'),
      csv,
    ],
    ['in capitals', '', toJsonLines([{ resource: 'customers', object: capitals }, { resource: 'customers' }]), jsonl],
    ['that names another resource', '', toJsonLines([{ resource: 'customer', object: zoe }]), jsonl],
    ['that names no resource', '', toJsonLines([zoe, { title: 'Tea' }]), jsonl],
    ['that is broken JSON', '', `{"resource":"customers","firstName":"Zoë","email":"zoe.n@example.com",\n`, jsonl],
    [
      'that is broken and escaped',
      '',
      `{"firstName":"Zo\\u00eb","email":"zoe.n\\u0040example.com","phone":"7946",x}\n`,
      jsonl,
    ],
    [
      'sent as products',
      'resource=products',
      csvOf('title,price,email,phone', 'Zoë,Núñez,zoe.n@example.com,+44 20 7946 0123'),
      csv,
    ],
    ['sent as lines of products', 'resource=products', toJsonLines([{ title: 'Zoë', contact: zoe }]), jsonl],
    ['without a header', 'resource=customers', 'Zoë,Núñez,zoe.n@example.com,+44 20 7946 0123\n', csv],
    [
      'with another delimiter',
      'resource=customers',
      'firstName,lastName,email,phone\nZoë|Núñez|zoe.n@example.com|7946\n',
      csv,
    ],
    ['with a list of people', '', `[${JSON.stringify(zoe)},${JSON.stringify(ann)}]\n`, jsonl],
    ['with full-width characters', '', toJsonLines([{ ...zoe, email: 'ｚｏｅ.n＠example.com' }]), jsonl],
  ])('%s', async (_, query, content, type) => {
    const venue = await createVenue()
    const id = await create(venue, zoe)
    const { id: importId } = await check(venue, query, content, type)
    expect(findTraces(await readFiles(venue, importId))).not.toEqual([])
    await erase(venue, id)
    expect(findTraces(await readFiles(venue, importId))).toEqual([])
  })

  test('by its external id', async () => {
    const venue = await createVenue()
    const id = await create(venue, zoe)
    await venue.request('POST', `/customers/${id}/external-id`, { externalId: '7' })
    const lines = [
      { resource: 'customers', externalId: '7', firstName: 'Zoë' },
      { resource: 'products', externalId: '7', title: 'Seven', price: 7 },
      { resource: 'products', title: 'No price' },
    ]
    const { id: importId } = await check(venue, '', toJsonLines(lines), jsonl)
    await erase(venue, id)
    const files = await readFiles(venue, importId)
    expect([findTraces(files), files.includes('Seven')]).toEqual([[], true])
  })
})

test('a pending import still creates the others in it, who share values with the erased one', async () => {
  const venue = await createVenue()
  const id = await create(venue, zoe)
  const people = [
    { firstName: 'Bo', lastName: 'Ray', email: 'bo@example.com', phone: zoe.phone },
    { firstName: 'Bo', lastName: 'Núñez', email: 'bo.n@example.com', phone: zoe.phone },
    { firstName: 'Kim', lastName: 'Oh', phone: zoe.phone },
    { firstName: zoe.firstName, lastName: zoe.lastName, email: 'another@example.com' },
    zoe,
  ]
  const { id: importId } = await check(
    venue,
    'resource=customers',
    `firstName,lastName,email,phone\n${people.map(({ firstName, lastName, email = '', phone = '' }) => [firstName, lastName, email, phone].join()).join('\n')}\n`,
  )
  await erase(venue, id)
  await venue.post(`/imports/${importId}/apply`, undefined)
  expect(await settle(venue, importId)).toMatchObject({ state: 'done', created: 4, failed: 1 })
  const { body } = await venue.get('/customers')
  expect(body.map(({ email, phone }: Record<string, string>) => email ?? phone).sort()).toEqual(
    [zoe.phone, 'another@example.com', 'bo.n@example.com', 'bo@example.com'].sort(),
  )
})

test('rows of products stay that only contain a name or a short value of the person', async () => {
  const venue = await createVenue()
  const id = await create(venue, { ...zoe, firstName: 'Rose', phone: '7' })
  const { id: importId } = await check(
    venue,
    'resource=products',
    `title,price,sku,description\nRose,7,7,From Rose Núñez (zoe.n@example.com)\nRose,7,8,\n`,
  )
  await erase(venue, id)
  await venue.post(`/imports/${importId}/apply`, undefined)
  expect(await settle(venue, importId)).toMatchObject({ created: 2 })
  const { body } = await venue.get('/products?order=asc')
  expect(body.map(({ title, description }: Record<string, string>) => [title, description])).toEqual([
    ['Rose', 'From  ()'],
    ['Rose', undefined],
  ])
})

test('an import with delete=missing keeps the customers that its rows name', async () => {
  const venue = await createVenue()
  const id = await create(venue, zoe)
  const other = await create(venue, { ...ann, phone: zoe.phone })
  for (const [customer, externalId] of [
    [id, 'Z'],
    [other, 'A'],
  ])
    await venue.request('POST', `/customers/${customer}/external-id`, { externalId })
  const rows = `externalId,firstName,lastName,phone\nZ,Zoë,Núñez,${zoe.phone}\nA,Ann,Lee,${zoe.phone}\n`
  const { id: importId } = await check(venue, 'resource=customers&delete=missing', rows)
  await erase(venue, id)
  await venue.post(`/imports/${importId}/apply`, undefined)
  expect(await settle(venue, importId)).toMatchObject({ state: 'done', deleted: 0 })
  expect((await venue.get(`/customers/${other}`)).status).toBe(200)
})

test('a file that was applied has no id of the person', async () => {
  const venue = await createVenue()
  const lines = [
    { resource: 'customers', object: { ...zoe, id: 'own-1' } },
    { resource: 'customers', firstName: 'No last name' },
  ]
  const done = await check(venue, '', toJsonLines(lines), jsonl)
  await venue.post(`/imports/${done.id}/apply`, undefined)
  await settle(venue, done.id)
  const [customer] = (await venue.get('/customers')).body
  expect(await readFiles(venue, done.id)).toContain(customer.id)
  await erase(venue, customer.id)
  const files = await readFiles(venue, done.id)
  expect([files.includes(customer.id), findTraces(files)]).toEqual([false, []])
})
