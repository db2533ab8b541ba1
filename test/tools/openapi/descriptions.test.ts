import { dereference, initialBaseURI, type Schema, validate } from '@cfworker/json-schema'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { auditDescriptions } from '../../../src/admin/audit.operations.ts'
import { keyDescriptions } from '../../../src/admin/keys/keys.operations.ts'
import { merchantDescriptions } from '../../../src/admin/merchants.operations.ts'
import { eventNames } from '../../../src/catalogue/events/event-types.ts'
import { resourceList } from '../../../src/catalogue/resources/registry.ts'
import { capitalize } from '../../../src/platform/http/openapi/operation.ts'
import { scanCountDescriptions } from '../../../src/storefront/tags/scans/scans.operations.ts'
import { deliveryDescriptions } from '../../../src/webhooks/deliveries/deliveries.operations.ts'
import { eventDescriptions } from '../../../src/webhooks/events/events.operations.ts'
import { document, operation, schemas, walk } from './parsed-document.ts'

interface Sent {
  requestBody: { content: { 'application/json': { schema: object; example: Record<string, unknown> } } }
}

/** Paths of the fields of a schema. `*` is an element of a list. */
function* pathsOf(schema: Record<string, unknown>, path = ''): Iterable<string> {
  const { properties = {}, items, anyOf = [] } = schema
  for (const [key, field] of Object.entries(Object(properties))) {
    yield path + key
    yield* pathsOf(Object(field), `${path}${key}/`)
  }
  if (items) yield* pathsOf(Object(items), `${path}*/`)
  for (const form of Object.values(Object(anyOf))) yield* pathsOf(Object(form), path)
}

// Shared by all schemas: to resolve the references of all components takes longer than most checks.
const lookup = dereference({ components: document.components })
let validators = 0
function createValidator(schema: unknown) {
  const own: Schema = { ...Object(schema) }
  dereference(own, lookup, initialBaseURI, `/checked/${++validators}`)
  return (value: unknown) => validate(value, own, '2020-12', lookup, false)
}

describe('the descriptions', () => {
  test('name no server but the service itself, and the license', () => {
    expect(document.servers.map(({ url }: { url: string }) => url)).toEqual(['/'])
    expect(document.info.license).toMatchObject({ identifier: 'MIT' })
  })

  test('cover every field and every parameter', () => {
    const undescribed = Array.from(walk(document)).flatMap(([path, { properties }]) =>
      /^#\/(?:paths|components\/schemas)/.test(path) && typeof properties === 'object'
        ? Object.entries(properties ?? {})
            .filter(([key, field]) => !field.description && !field.$ref && !(key === 'code' && field.enum))
            .map(([key]) => `${path}/${key}`)
        : [],
    )
    expect(undescribed).toEqual([])
    const parameters = Array.from(walk(document)).filter(([, value]) => value['in'] !== undefined && value['name'])
    expect(parameters.length).toBeGreaterThan(80)
    expect(parameters.filter(([, { description }]) => !description).map(([path]) => path)).toEqual([])
  })

  test('name only fields that exist', () => {
    const fieldsOf = (names: readonly string[]) => names.flatMap((name) => Array.from(pathsOf(schemas[name])))
    const tables: [object, readonly string[]][] = [
      [eventDescriptions, ['EventCreate', 'Event']],
      [deliveryDescriptions, ['Delivery', 'Recovery']],
      [scanCountDescriptions, ['ScanCount']],
      [merchantDescriptions, ['Merchant', 'MerchantCreate']],
      [keyDescriptions, ['KeyCreate', 'KeyFull']],
      [auditDescriptions, ['AuditEntry']],
    ]
    for (const [descriptions, names] of tables) {
      const fields = new Set(fieldsOf(names))
      expect(Object.keys(descriptions).filter((field) => !fields.has(field))).toEqual([])
    }
  })

  test.each(resourceList.map(({ name, create }) => [name, create.schema] as const))(
    'of the fields of a %s are declared with the fields',
    (_name, schema) => {
      const undescribed = Array.from(walk(z.toJSONSchema(schema, { io: 'input' }))).flatMap(([path, { properties }]) =>
        Object.entries(Object(properties))
          .filter(([, field]) => !Object(field).description)
          .map(([key]) => `${path}/${key}`),
      )
      expect(undescribed).toEqual([])
    },
  )

  test('come with an example of every JSON body, which is valid', () => {
    const media = Array.from(walk(document)).filter(([path]) =>
      /\/content\/application~1(?:problem\+)?json$/.test(path),
    )
    expect(media.length).toBeGreaterThan(100)
    const without = media.filter(([, { example, examples }]) => example === undefined && examples === undefined)
    expect(without.map(([path]) => path)).toEqual([
      '#/paths/~1openapi.json/get/responses/200/content/application~1json',
    ])
    for (const [path, { schema, example, examples = { one: { value: example } } }] of media) {
      const validator = createValidator(schema)
      for (const { value } of Object.values<{ value?: unknown }>(Object(examples))) {
        if (value === undefined) continue
        expect([path, validator(value).errors]).toEqual([path, []])
      }
    }
  })

  test('link a new object to the operations on it', () => {
    const linksOf = (id: string) => Object(operation(id).responses[201]).links ?? {}
    expect(linksOf('createProduct')).toMatchObject({
      updateProduct: {
        operationId: 'updateProduct',
        parameters: { merchantId: '$request.path.merchantId', productId: '$response.body#/id' },
      },
    })
    for (const { name } of resourceList) {
      const links = Object.keys(linksOf(`create${capitalize(name)}`))
      expect(links).toEqual(
        expect.arrayContaining(['retrieve', 'update', 'delete'].map((verb) => verb + capitalize(name))),
      )
    }
    expect(Object.keys(linksOf('createWebhook'))).toEqual(expect.arrayContaining(['listDeliveries', 'rotateSecret']))
    expect(Object.keys(linksOf('createKey'))).toEqual(['deleteKey', 'rollKey'])
    expect(Object.keys(linksOf('createMerchant'))).toEqual(expect.arrayContaining(['updateMerchant', 'createKey']))
  })

  test('cover every event of webhooks', () => {
    expect(Object.keys(document.webhooks)).toEqual([...eventNames, 'webhook.test'])
    for (const [type, { post }] of Object.entries<{ post: Sent }>(document.webhooks)) {
      const { schema, example } = post.requestBody.content['application/json']
      const validator = createValidator(schema)
      expect([type, validator(example).errors]).toEqual([type, []])
      expect([type, validator({ ...example, type: 'nonsense' }).valid]).toEqual([type, false])
      if (/^(?!order|webhook\.test)/.test(type)) {
        expect([type, validator({ ...example, data: {} }).valid]).toEqual([type, false])
      }
    }
  })
})
