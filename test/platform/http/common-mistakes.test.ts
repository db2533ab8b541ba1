import { expect, test } from 'vitest'
import { type ApiResponse, createKey, createVenue, send } from '../../support/api.ts'

const venue = await createVenue()
const { get: getInTestMode } = await createKey(venue.id, { mode: 'test' })
const { body: tea } = await venue.post('/products', { title: 'Tea', price: 4.5 })
const { body: cake } = await venue.post('/products', { title: 'Cake', price: 4.5 })
await venue.post(`/products/${tea.id}/external-id`, { externalId: 'A-17' })

const create = (fields: object) => venue.post('/products', { title: 'Tea', price: 4.5, ...fields })
const createCustomer = (fields: object) => venue.post('/customers', { firstName: 'Ada', lastName: 'Roe', ...fields })
const markSoldOut = (until: unknown) => venue.post(`/products/${tea.id}/availability`, { soldOut: true, until })
const time = 'must be a time in seconds since 1970-01-01 UTC'

/** Mistakes of people who integrate the API: the request, the place that the response names, and the sentence for them. */
const mistakes: readonly [string, () => Promise<ApiResponse>, string, string][] = [
  ['a wrong key', () => send(venue.path('/products')), '401', 'Send a valid API key: Authorization: Bearer sk_…'],
  [
    'an id of the other mode',
    () => getInTestMode(`/products/${tea.id}`),
    '404',
    'Test and live mode have separate objects',
  ],
  ['a decimal comma', () => create({ price: '4,50' }), '/price', 'must be a number in plain decimals'],
  ['an amount as an object', () => create({ price: { cents: 450 } }), '/price', 'must be a number, or a string with'],
  ['an unknown field', () => create({ colour: 'red' }), '/colour', 'is not a field of this object'],
  ['no media type', () => venue.raw('/products', '{}', {}), '415', 'must be sent as application/json'],
  ['an empty body', () => venue.raw('/products', ''), '400', 'The body must be a JSON object in UTF-8.'],
  ['a list as the body', () => venue.post('/products', []), '400', 'The body must be a JSON object in UTF-8.'],
  ['a trailing comma', () => venue.raw('/products', '{"price":1,}'), '400', 'The body must be a JSON object in UTF-8.'],
  ['an unknown path', () => venue.get('/product'), '404', 'Unknown path. See /docs.'],
  ['a slash at the end', () => venue.get('/products/'), '404', 'Remove the trailing slash.'],
  [
    'PATCH',
    () => venue.request('PATCH', `/products/${tea.id}`, {}),
    '405',
    'The path supports GET, HEAD, POST, DELETE',
  ],
  [
    'an external id that is in use',
    () => venue.post(`/products/${cake.id}/external-id`, { externalId: 'A-17' }),
    '/externalId',
    'is that of another product',
  ],
  ['an external id in a body', () => create({ externalId: 'A-18' }), '/externalId', 'is set by the service'],
  ['a long title', () => create({ title: 'x'.repeat(256) }), '/title', 'must have at most 255 characters'],
  ['half an emoji', () => create({ title: '🍵'.slice(1) }), '/title', 'must not contain NUL or an unpaired surrogate'],
  ['NUL', () => create({ title: 'a\0' }), '/title', 'must not contain NUL'],
  ['a date', () => markSoldOut('2026-11-28T10:00:00'), '/until', time],
  ['milliseconds', () => markSoldOut(Date.now()), '/until', time],
  ['fractions of a second', () => markSoldOut(1.5), '/until', time],
  ['a negative time', () => markSoldOut(-1), '/until', time],
  ['a date in a query', () => venue.get('/products?updatedSince=2026-11-28T10:00:00Z'), 'updatedSince', time],
  ['a percent sign', () => create({ taxRate: '19%' }), '/taxRate', 'must be a number in plain decimals'],
  ['a slash in a phone number', () => createCustomer({ phone: '089/123' }), '/phone', 'must consist of digits, spaces'],
  ['a name before an address', () => createCustomer({ email: 'A <a@b.de>' }), '/email', 'must be an email address'],
  ['a large page', () => venue.get('/products?limit=500'), 'limit', 'must be at most 100'],
  ['an offset', () => venue.get('/products?offset=100'), 'offset', 'is not a parameter of this operation'],
]

test.each(mistakes)('%s: the response names the place, what is expected, and its page', async (_, ask, place, text) => {
  const { status, body } = await ask()
  const [issue, ...others] = body.errors ?? []
  expect(others).toEqual([])
  expect(issue?.pointer ?? issue?.parameter ?? String(status)).toBe(place)
  expect(issue?.message ?? body.detail).toContain(text)
  expect(body.type).toBe(`/docs/errors#${body.code}`)
})

test('what looks like a mistake but is not', async () => {
  for (const fields of [{ price: '4.50' }, { title: '🍵'.repeat(255) }]) expect((await create(fields)).status).toBe(201)
  const person = { email: 'jürgen@müller.example', phone: '+49 (0)89 123-456 x 7' }
  expect((await createCustomer(person)).body).toMatchObject(person)
})
