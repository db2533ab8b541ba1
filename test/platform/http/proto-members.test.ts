import { expect, test } from 'vitest'
import { defaultScopes } from '../../../src/platform/auth/api-keys.ts'
import { toJsonPointer } from '../../../src/platform/lib/encoding/json-pointer.ts'
import { adminToken, call, createKey, createVenue, toIssues } from '../../support/api.ts'
import { check, jsonl, listIssues, toJsonLines } from '../../support/imports.ts'
import { samples } from '../../support/samples.ts'
import { operations, schemas } from '../../tools/openapi/parsed-document.ts'

type Path = readonly string[]

// biome-ignore lint/suspicious/noExplicitAny: the parts of a schema
type Schema = any

const resolve = (schema: Schema): Schema =>
  schema?.$ref === undefined ? schema : schemas[schema.$ref.split('/').at(-1) ?? '']

/** Every place in a body that has an object: `0` is an element of a list, `de` a member of a record. */
function* listPlaces(unresolved: Schema, path: Path = []): Iterable<Path> {
  const schema = resolve(unresolved)
  if (typeof schema !== 'object' || path.length > 12) return
  if (schema.type === 'object' || schema.properties) yield path
  for (const [key, inner] of Object.entries(schema.properties ?? {})) yield* listPlaces(inner, [...path, key])
  if (schema.additionalProperties) yield* listPlaces(schema.additionalProperties, [...path, 'de'])
  if (schema.items) yield* listPlaces(schema.items, [...path, '0'])
  for (const form of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]) {
    yield* listPlaces(form, path)
  }
}

/** A value with a member named `__proto__` at a place. */
function withMember(value: unknown, [key, ...rest]: Path): unknown {
  const inner = typeof value === 'object' && value !== null ? value : {}
  if (key === undefined) return Object.fromEntries([...Object.entries(inner), ['__proto__', { x: 1 }]])
  if (key === '0') return [withMember(Reflect.get(inner, 0), rest), ...(Array.isArray(inner) ? inner.slice(1) : [])]
  return { ...inner, [key]: withMember(Reflect.get(inner, key), rest) }
}

const accountScopes = ['merchant', 'keys', 'members'].flatMap((name) => [`${name}:read`, `${name}:write`])
const venue = await createVenue()
const manager = await createKey(venue.id, { mode: 'live', scopes: [...defaultScopes, ...accountScopes] })
const ofPage = { 'sec-fetch-site': 'same-origin' }
const signedIn = await call('POST', '/console/session', undefined, { key: manager.key }, ofPage)
const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''

const named: Record<string, string> = { merchantId: venue.id, keyId: venue.keyId, externalId: 'X' }
for (const { name, collection, body } of samples) {
  named[`${name}Id`] = (await venue.post(`/${collection}`, body('A'))).body.id
}
const uploaded = await check(venue, 'mapping=auto', 'name;price\nTea;3\n', { 'content-type': 'text/csv' })
named['importId'] = uploaded.id

const hook = { title: 'All', url: 'https://hooks.example.org/all', events: ['order.created'], merchants: 'all' }
const platformWebhookId: string = (await call('POST', '/admin/webhooks', adminToken, hook)).body.id

const requests = operations.flatMap(({ method, path, operation }) => {
  // Only a person can open a venue: test/admin/account/support.
  if (operation.operationId === 'createSupportSession') return []
  const { schema, example = {} } = Object(operation.requestBody?.content['application/json'])
  if (!schema) return []
  const isOfConsole = path.startsWith('/console')
  const token = path.startsWith('/admin') ? adminToken : isOfConsole ? undefined : manager.key
  const headers = isOfConsole ? { ...ofPage, cookie } : {}
  const ids = path.startsWith('/admin/webhooks') ? { webhookId: platformWebhookId } : named
  const url = path.replaceAll(/\{(\w+)\}/g, (_, key: string) => Reflect.get(ids, key) ?? key)
  const send = (body: unknown) => call(method.toUpperCase(), url, token, body, headers)
  const places = new Map([...listPlaces(schema)].map((place) => [toJsonPointer(place), place]))
  return [{ name: operation.operationId, example, send, places }]
})

/** `data` of an event and headings of a file may have any name. */
const open = [
  'publishEvent /data',
  'mapImport /columns',
  // The operation of the example is on a product, which has no limits.
  'runBatch /operations/0/limits',
]

test.each(requests)('$name reports a member named __proto__ wherever its body has an object', async (request) => {
  const { name, example, send, places } = request
  const missed: string[] = []
  for (const [pointer, place] of places) {
    const issues = toIssues(await send(withMember(example, place)))
    if (!issues.includes(`${pointer}/__proto__ unknown_field`)) missed.push(`${name} ${pointer}: ${issues}`)
  }
  expect(missed.filter((each) => !open.some((known) => each.startsWith(known)))).toEqual([])
})

test('the documented bodies have objects and records', () => {
  const count = requests.map(({ places }) => places.size).reduce((sum, size) => sum + size, 0)
  expect(requests.length).toBeGreaterThan(60)
  expect(count).toBeGreaterThan(2 * requests.length)
})

test('in a batch, only its operation fails', async () => {
  const create = (body: object) => ({ op: 'create', resource: 'products', body: { title: 'Tea', price: 3, ...body } })
  const operations = [
    create({}),
    create(Object(withMember({}, []))),
    create({ images: [withMember({ url: 'x' }, [])] }),
  ]
  const { status, body } = await venue.post('/batch', { mode: 'independent', operations })
  expect(status).toBe(200)
  const found = body.results.map((result: { status: number; problem?: object }) => ({
    status: result.status,
    body: result.problem,
  }))
  expect(found.map((each: { status: number }) => each.status)).toEqual([201, 422, 422])
  expect(found.slice(1).map(toIssues)).toEqual([
    ['/__proto__ unknown_field'],
    ['/images/0/__proto__ unknown_field', '/images/0/url invalid_format'],
  ])
})

test('in a line of an import, it is an issue of the row', async () => {
  const line = (id: string, rest: object) => ({ resource: 'products', externalId: id, title: id, price: 3, ...rest })
  const details = { translations: withMember({ de: { title: 'Tee' } }, []) }
  const lines = [line('A', {}), line('B', Object(withMember({}, []))), line('C', { details })]
  const { id } = await check(venue, '', toJsonLines(lines), jsonl)
  expect(await listIssues(venue, id)).toEqual([
    '2 /__proto__ unknown_field',
    '3 /details/translations/__proto__ unknown_field',
  ])
})

test('data of a published event keeps it', async () => {
  const data = withMember({ lines: [withMember({}, [])] }, [])
  const { body } = await venue.post('/events', { type: 'order.created', data })
  const feed = await venue.get('/events?types=order.created')
  const [event] = feed.body.filter(({ id }: { id: string }) => id === body.id)
  expect(JSON.stringify(event.data)).toBe(JSON.stringify(data))
})

test('other names that objects inherit are members like any other', async () => {
  const ids = ['constructor', 'prototype', 'toString']
  const options = ids.map((id) => ({ id, label: id }))
  const { id } = (await venue.post('/modifiers', { title: 'Milk', instructions: '', options })).body
  const details = {
    options: Object.fromEntries(ids.map((each) => [each, { max: 2 }])),
    translations: { de: { options: Object.fromEntries(ids.map((each) => [each, { label: each }])) } },
  }
  expect((await venue.post(`/modifiers/${id}/details`, details)).body).toEqual(details)
})
