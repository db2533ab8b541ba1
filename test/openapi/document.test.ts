import { Validator } from '@cfworker/json-schema'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { version } from '../../package.json'
import { problems } from '../../src/errors.ts'
import { eventNames } from '../../src/names.ts'
import { buildFiles } from '../../src/openapi/build.ts'
import type { Descriptions } from '../../src/openapi/descriptions.ts'
import * as texts from '../../src/openapi/descriptions.ts'
import { capitalize } from '../../src/openapi/operation.ts'
import * as resources from '../../src/resources/registry.ts'
import { send } from '../support/api.ts'
import { routes } from '../support/routes.ts'

const { 'openapi.json': text = '' } = await buildFiles()
const document = JSON.parse(text)
const { schemas } = document.components

interface Documented {
  operationId: string
  description: string
  tags: string[]
  security: object[]
  parameters?: { $ref?: string; name: string; schema: object; style?: string; explode?: boolean }[]
  responses: Record<string, { $ref?: string; content?: object; headers?: object }>
}

const operations = Object.entries<Record<string, Documented>>(document.paths).flatMap(([path, item]) =>
  Object.entries(item)
    .filter(([key]) => key !== 'parameters')
    .map(([method, operation]) => ({ path, method, operation })),
)
const operation = (id: string) => {
  const found = operations.find(({ operation }) => operation.operationId === id)
  if (!found) throw new Error(`no operation ${id}`)
  return found.operation
}

/** Every object in a JSON value, and where it is. */
function* walk(value: unknown, path = '#'): Iterable<[string, Record<string, unknown>]> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield [path, { ...value }]
  for (const [key, part] of Object.entries(value)) yield* walk(part, `${path}/${key.replaceAll('/', '~1')}`)
}

interface Sent {
  requestBody: { content: { 'application/json': { schema: object; example: Record<string, unknown> } } }
}

/** Where the fields of a schema are; an asterisk stands for each element of a list. */
function* pathsOf(schema: Record<string, unknown>, path = ''): Iterable<string> {
  const { properties = {}, items, anyOf = [] } = schema
  for (const [key, field] of Object.entries(Object(properties))) {
    yield path + key
    yield* pathsOf(Object(field), `${path}${key}/`)
  }
  if (items) yield* pathsOf(Object(items), `${path}*/`)
  for (const form of Object.values(Object(anyOf))) yield* pathsOf(Object(form), path)
}

/** Printed symbols and chips hold `/t` and `/n` in capitals: the same pages, told of once. */
const capitalTwin = /^GET \/[TN]\//
/** What a page of the documentation or of the demo venue is made of. */
const partOfPage = /\.(?:css|js)$|\/demo\//
/** One route serves menus as pages and, where the name ends so, as data; the document tells of each by itself. */
const menuAsData = 'GET /m/{}.json'
/** Operations on several resources, which require a scope of each. */
const ofEachResource: ReadonlySet<string> = new Set(['batch', 'export', 'imports'])
/** A POST that only reads, and requires scopes of the resources that it reads. */
const quoteScopes = '`products:read` and `coupons:read`'
/** Reads only, but what it reads lets who holds it sign. */
const readsLikeWriting = 'retrieveSecret'

describe('the document', () => {
  test('tells of every route, and of nothing else', () => {
    const served = routes
      .filter(({ method }) => method !== 'ALL')
      .map(({ method, path }) => `${method} ${path.replace(/:\w+/g, '{}')}`)
      .filter((route) => !capitalTwin.test(route) && !partOfPage.test(route))
    const told = operations.map(({ method, path }) => `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '{}')}`)
    expect(told.toSorted()).toEqual([...new Set(served), menuAsData].sort())
    expect(told.length).toBeGreaterThan(75)
  })

  test('is OpenAPI 3.1 of the version of the package', () => {
    expect(document.openapi).toBe('3.1.0')
    expect(document.info.version).toBe(version)
  })

  test('refers only to what it holds, and holds nothing that is not referred to', () => {
    const places = new Set(Array.from(walk(document), ([path]) => path))
    const references = new Set(Array.from(walk(document), ([, { $ref }]) => $ref).filter((ref) => ref !== undefined))
    expect([...references].filter((ref) => !places.has(String(ref)))).toEqual([])
    const parts = ['schemas', 'responses', 'parameters', 'headers'].flatMap((kind) =>
      Object.keys(document.components[kind]).map((name) => `#/components/${kind}/${name}`),
    )
    expect(parts.filter((part) => !references.has(part))).toEqual([])
  })

  test('names each operation once, each path parameter where it is, and a tag that exists', () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toEqual(
      expect.arrayContaining(['listProducts', 'createMenu', 'retrieveTag', 'updateCoupon', 'deleteWebhook']),
    )
    for (const [path, { parameters }] of Object.entries<{ parameters: { name?: string; in?: string }[] }>(
      document.paths,
    )) {
      const told = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => `{${name}}`)
      expect(told).toEqual(path.match(/\{\w+\}/g) ?? [])
    }
    const tags = new Set(document.tags.map(({ name }: { name: string }) => name))
    expect(operations.flatMap(({ operation }) => operation.tags).filter((tag) => !tags.has(tag))).toEqual([])
    expect(document.tags.filter(({ description }: { description?: string }) => !description)).toEqual([])
  })

  test('is the same whenever it is made, and so are the other files', async () => {
    expect(await buildFiles()).toEqual(await buildFiles())
  })

  test('is what the service answers', async () => {
    expect((await send('/openapi.json')).body).toEqual(document)
  })
})

describe('what is said', () => {
  test('is said by whoever serves it, under a licence', () => {
    expect(document.servers.map(({ url }: { url: string }) => url)).toEqual(['/'])
    expect(document.info.license).toMatchObject({ identifier: 'MIT' })
  })

  test('is said of every field and every parameter', () => {
    const silent = Array.from(walk(document)).flatMap(([path, { properties }]) =>
      /^#\/(?:paths|components\/schemas)/.test(path) && typeof properties === 'object'
        ? Object.entries(properties ?? {})
            .filter(([key, field]) => !field.description && !field.$ref && !(key === 'code' && field.enum))
            .map(([key]) => `${path}/${key}`)
        : [],
    )
    expect(silent).toEqual([])
    const parameters = Array.from(walk(document)).filter(([, value]) => value['in'] !== undefined && value['name'])
    expect(parameters.length).toBeGreaterThan(80)
    expect(parameters.filter(([, { description }]) => !description).map(([path]) => path)).toEqual([])
  })

  test('of a field is said of one that exists', () => {
    const fieldsOf = (names: readonly string[]) => names.flatMap((name) => Array.from(pathsOf(schemas[name])))
    const tables: [Descriptions, readonly string[]][] = [
      [texts.eventDescriptions, ['EventCreate', 'Event']],
      [texts.deliveryDescriptions, ['Delivery', 'Recovery']],
      [texts.scanCountDescriptions, ['ScanCount']],
      [texts.merchantDescriptions, ['Merchant', 'MerchantCreate']],
      [texts.keyDescriptions, ['KeyCreate', 'KeyFull']],
      [texts.auditDescriptions, ['AuditEntry']],
      [texts.problemFieldDescriptions, ['Problem']],
    ]
    for (const [said, names] of tables) {
      const fields = new Set(fieldsOf(names))
      expect(Object.keys(said).filter((field) => !fields.has(field))).toEqual([])
    }
  })

  test.each(Object.values(resources).map(({ name, create }) => [name, create.schema] as const))(
    'of a field of a %s stands beside the field',
    (_name, schema) => {
      const undescribed = Array.from(walk(z.toJSONSchema(schema, { io: 'input' }))).flatMap(([path, { properties }]) =>
        Object.entries(Object(properties))
          .filter(([, field]) => !Object(field).description)
          .map(([key]) => `${path}/${key}`),
      )
      expect(undescribed).toEqual([])
    },
  )

  test('is shown by an example, of every body and every answer that is data', () => {
    const media = Array.from(walk(document)).filter(([path]) =>
      /\/content\/application~1(?:problem\+)?json$/.test(path),
    )
    expect(media.length).toBeGreaterThan(100)
    const without = media.filter(([, { example, examples }]) => example === undefined && examples === undefined)
    expect(without.map(([path]) => path)).toEqual([
      '#/paths/~1openapi.json/get/responses/200/content/application~1json',
    ])
    for (const [path, { schema, example, examples = { one: { value: example } } }] of media) {
      for (const { value } of Object.values<{ value?: unknown }>(Object(examples))) {
        const validator = new Validator({ ...Object(schema), components: document.components }, '2020-12', false)
        if (value !== undefined) expect([path, validator.validate(value).errors]).toEqual([path, []])
      }
    }
  })

  test('of an object that was made leads to whatever can be done with it', () => {
    const linksOf = (id: string) => Object(operation(id).responses[201]).links ?? {}
    expect(linksOf('createProduct')).toMatchObject({
      updateProduct: {
        operationId: 'updateProduct',
        parameters: { merchantId: '$request.path.merchantId', productId: '$response.body#/id' },
      },
    })
    for (const { name } of Object.values(resources)) {
      const links = Object.keys(linksOf(`create${capitalize(name)}`))
      expect(links).toEqual(
        expect.arrayContaining(['retrieve', 'update', 'delete'].map((verb) => verb + capitalize(name))),
      )
    }
    expect(Object.keys(linksOf('createWebhook'))).toEqual(expect.arrayContaining(['listDeliveries', 'rotateSecret']))
    expect(Object.keys(linksOf('createKey'))).toEqual(['deleteKey', 'rollKey'])
    expect(Object.keys(linksOf('createMerchant'))).toEqual(expect.arrayContaining(['updateMerchant', 'createKey']))
  })

  test('of webhooks is said of every event', () => {
    expect(Object.keys(document.webhooks)).toEqual([...eventNames, 'webhook.test'])
    for (const [type, { post }] of Object.entries<{ post: Sent }>(document.webhooks)) {
      const { schema, example } = post.requestBody.content['application/json']
      const validator = new Validator({ ...schema, components: document.components }, '2020-12', false)
      expect([type, validator.validate(example).errors]).toEqual([type, []])
      expect([type, validator.validate({ ...example, type: 'nonsense' }).valid]).toEqual([type, false])
      if (/^(?!order|webhook\.test)/.test(type)) {
        expect([type, validator.validate({ ...example, data: {} }).valid]).toEqual([type, false])
      }
    }
  })
})

describe('an operation', () => {
  const codesOf = (id: string) =>
    Object.entries(operation(id).responses).flatMap(([, { $ref }]) => {
      const response = document.components.responses[$ref?.split('/').at(-1) ?? '']
      return response ? response.content['application/problem+json'].schema.properties.code.enum : []
    })

  test('tells of the problems it can meet, each at its status', () => {
    const always = [
      'unauthenticated',
      'forbidden',
      'merchant_suspended',
      'malformed_path',
      'malformed_bookmark',
      'rate_limited',
      'misconfigured',
      'unavailable',
      'internal',
    ]
    const keyed = ['idempotency_key_reused', 'idempotency_key_in_use']
    const body = ['invalid_request', 'unsupported_media_type', 'body_too_large', 'malformed_body', 'busy', ...keyed]
    const expected: Record<string, string[]> = {
      listProducts: [...always, 'invalid_request'],
      createProduct: [...always, ...body],
      retrieveProduct: [...always, 'invalid_request', 'not_found', 'damaged', 'precondition_failed'],
      updateProduct: [...always, ...body, 'not_found', 'damaged', 'precondition_failed'],
      deleteProduct: [...always, 'not_found', 'precondition_failed'],
      createCoupon: [...always, ...body, 'conflict'],
      updateCoupon: [...always, ...body, 'not_found', 'conflict', 'damaged', 'precondition_failed'],
      checkHealth: ['method_not_allowed', 'misconfigured', 'unavailable', 'internal'],
    }
    for (const [id, codes] of Object.entries(expected)) expect(codesOf(id).sort(), id).toEqual(codes.sort())
    const statuses: Record<string, readonly [number, string]> = problems
    for (const { operation } of operations) {
      for (const [status, { $ref }] of Object.entries(operation.responses)) {
        if (!$ref) continue
        const response = document.components.responses[$ref.split('/').at(-1) ?? '']
        for (const code of response.content['application/problem+json'].schema.properties.code.enum) {
          expect(statuses[code]?.[0], `${operation.operationId} ${code}`).toBe(
            status === 'default' ? 500 : Number(status),
          )
        }
      }
    }
  })

  test('requires a key or a session and names its scope, unless anyone may call it', () => {
    for (const { path, method, operation } of operations) {
      const [, top = '', , collection] = path.split('/')
      const schemes =
        { merchants: ['key', 'session'], admin: ['operator', 'operatorSession'], console: ['session'] }[top] ?? []
      const isOpen =
        /^create(?:Operator|Passkey)?Session$|^createPasskey|^openInvitation$/.test(operation.operationId) ||
        operation.operationId.startsWith('readConsole')
      expect(operation.security, operation.operationId).toEqual(isOpen ? [] : schemes.map((name) => ({ [name]: [] })))
      if (top !== 'merchants' || collection === 'sessions') continue
      if (collection === 'quotes') {
        expect(operation.description).toContain(quoteScopes)
        continue
      }
      const foreign = { logo: 'merchant', scans: 'tags', invitations: 'members' }[collection ?? '']
      const section = path.endsWith('/availability') ? 'stock' : (foreign ?? collection)
      const scoped = ofEachResource.has(section ?? '') ? '<resource>' : (section ?? 'merchant')
      const { operationId } = operation
      const isReading = operationId === 'createSheetLink' || (method === 'get' && operationId !== readsLikeWriting)
      expect(operation.description).toContain(`\`${scoped}:${isReading ? 'read' : 'write'}\``)
    }
  })

  test('tells of its headers', () => {
    const headers = (id: string, status: number) => Object.keys(operation(id).responses[status]?.headers ?? {})
    expect(headers('createTag', 201)).toEqual(['Request-Id', 'D1-Bookmark', 'Location', 'ETag', 'Idempotent-Replayed'])
    expect(headers('updateTag', 200)).toContain('ETag')
    expect(headers('retrieveMerchant', 304)).toEqual(['Request-Id', 'D1-Bookmark', 'ETag'])
    const conditions = (id: string) => operation(id).parameters?.flatMap(({ $ref }) => $ref?.split('/').at(-1) ?? [])
    expect(conditions('retrieveTag')).toEqual(['If-None-Match'])
    expect(conditions('deleteTag')).toEqual(['If-Match'])
    for (const id of ['updateTag', 'updateMerchant']) expect(conditions(id)).toEqual(['If-Match', 'Idempotency-Key'])
    for (const id of ['publishEvent', 'rollKey', 'importTag']) expect(conditions(id)).toEqual(['Idempotency-Key'])
    expect(headers('listTags', 200)).toEqual(['Request-Id', 'D1-Bookmark', 'Link'])
    expect(headers('checkHealth', 200)).toEqual(['Request-Id'])
    expect(Object.keys(document.components.responses.Unauthenticated.headers)).toContain('WWW-Authenticate')
    expect(Object.keys(document.components.responses.Unavailable.headers)).toContain('Retry-After')
  })

  test('that lists takes the filters of its resource, as the values they stand for', () => {
    for (const [path, { query }] of Object.entries(resources)) {
      const id = `list${path.charAt(0).toUpperCase()}${path.slice(1)}`
      const { properties = {} } = z.toJSONSchema(query, { io: 'input' })
      expect(operation(id).parameters?.map(({ name }) => name)).toEqual(Object.keys(properties))
    }
    const parameters = Object.fromEntries(
      operation('listProducts').parameters?.map(({ name, ...it }) => [name, it]) ?? [],
    )
    expect(parameters).toMatchObject({
      limit: { schema: { type: 'integer', minimum: 1, maximum: 100 } },
      cursor: { schema: { type: 'string' } },
      order: { schema: { enum: ['asc', 'desc'] } },
      ids: { schema: { type: 'array', maxItems: 100 }, style: 'form', explode: false },
      updatedSince: { schema: { type: 'integer', minimum: 0 } },
      q: { schema: { type: 'string' } },
      visible: { schema: { type: 'boolean' } },
      sku: { schema: { type: 'string' } },
    })
  })
})

/** The schema at a path of field names, whichever of its forms has them; `*` is an element of a list. */
function at(schema: Record<string, unknown>, path: string): object {
  const forms = (whole: Record<string, unknown>) => [whole, ...(Array.isArray(whole['anyOf']) ? whole['anyOf'] : [])]
  return path.split('/').reduce<Record<string, unknown>>((inner, key) => {
    for (const form of forms(inner)) {
      const part = key === '*' ? form.items : form.properties?.[key]
      if (part) return part
    }
    throw new Error(`nothing at ${path}`)
  }, schema)
}

describe('a body', () => {
  const name = { minLength: 1, maxLength: 255 }
  const label = { minLength: 0, maxLength: 255 }
  const code = { minLength: 1, maxLength: 64 }
  const prose = { minLength: 0, maxLength: 5_000 }
  const address = { minLength: 1, maxLength: 2_048 }
  const amount = { minimum: 0, maximum: 1_000_000_000 }
  const count = { type: 'integer', minimum: 0 }

  /** Every limit of the contract, in its numbers rather than in the code's. */
  const limits: Record<string, Record<string, object>> = {
    Product: {
      title: name,
      price: amount,
      description: prose,
      taxRate: { minimum: 0, maximum: 100 },
      calories: count,
      type: { enum: ['SIMPLE'] },
      sku: code,
      upc: code,
      images: { maxItems: 20 },
      'images/*/url': address,
      metadata: { maxItems: 50 },
      'metadata/*/key': code,
      'metadata/*/value': prose,
      modifiers: { maxItems: 50, uniqueItems: true },
      'modifiers/*': code,
    },
    Modifier: {
      title: name,
      instructions: prose,
      description: prose,
      type: { enum: ['CHECKBOX', 'RADIO'] },
      'rules/selectRestriction': count,
      options: { maxItems: 250 },
      'options/*/id': { ...code, pattern: '^[A-Za-z0-9_-]+$' },
      'options/*/label': label,
      'options/*/additionalCost': { minimum: -1_000_000_000, maximum: 1_000_000_000 },
      'options/*/additionalCalories': count,
    },
    Menu: {
      title: name,
      description: prose,
      begin: { pattern: expect.any(String) },
      end: { pattern: expect.any(String) },
      'branding/banner': address,
      'branding/icon': address,
      sections: { maxItems: 200 },
      'sections/*/title': label,
      'sections/*/description': prose,
      'sections/*/type': { enum: ['LIST'] },
      'sections/*/items': { maxItems: 5_000, uniqueItems: true },
      'sections/*/items/*': code,
    },
    Coupon: {
      title: name,
      code,
      type: { enum: ['PERCENTAGE', 'FIXED'] },
      value: amount,
      description: prose,
      minimumOrderAmount: amount,
      timesRedeemed: count,
      products: { maxItems: 1_000, uniqueItems: true },
      'products/*': code,
    },
    Customer: {
      firstName: name,
      lastName: name,
      email: { minLength: 1, maxLength: 320, format: 'idn-email' },
      phone: { minLength: 1, maxLength: 32, pattern: expect.any(String) },
    },
    Tag: { metadata: { maxItems: 50 }, 'metadata/*/key': code, 'metadata/*/value': prose },
    Webhook: { title: name, url: address, events: { maxItems: 100, uniqueItems: true } },
  }

  test.each(Object.entries(limits))('of a %s tells of every limit, on create and on update', (resource, fields) => {
    for (const schema of [schemas[`${resource}Create`], schemas[`${resource}Update`]]) {
      expect(schema.additionalProperties).toBe(false)
      for (const [path, limit] of Object.entries(fields)) {
        const { anyOf = [], ...own }: { anyOf?: object[] } = at(schema, path)
        expect([own, ...anyOf], `${resource} ${path}`).toContainEqual(expect.objectContaining(limit))
      }
    }
  })

  test('tells in words of what a schema cannot say', () => {
    for (const [schema, path, words] of [
      ['ProductCreate', 'price', '0–1,000,000,000 with up to 4 decimal places.'],
      ['ProductCreate', 'title', '1–255 characters after removal of leading and trailing white space.'],
      ['ProductCreate', 'stockQuantity', 'Up to 4 decimal places.'],
      ['ProductCreate', 'calories', 'Integer, 0 or more.'],
      ['ProductCreate', 'modifiers', 'Up to 50 elements without duplicates.'],
      ['ProductUpdate', 'description', 'Up to 5,000 characters.'],
      ['ProductCreate', 'visible', 'Default: `true`.'],
      ['ModifierUpdate', 'options/*/additionalCost', 'Between -1,000,000,000 and 1,000,000,000 with up to 4'],
      ['CouponCreate', 'value', 'at most 100'],
      ['MenuCreate', 'sections', 'up to 5,000 items'],
      ['MenuCreate', 'showSectionNavigation', 'Default: `true`.'],
    ] as const) {
      expect(at(schemas[schema], path), `${schema} ${path}`).toHaveProperty(
        'description',
        expect.stringContaining(words),
      )
    }
    expect(schemas.ProductUpdate.properties.visible.description).not.toContain('Default')
  })

  /** Values at and beyond limits, and of every type; numbers in strings have their own rules and no schema for them. */
  const values = [
    ...[0, 1, 32, 33, 64, 65, 255, 256, 320, 321, 2_048, 2_049, 5_000, 5_001].map((length) => '7'.repeat(length) || ''),
    ...['SIMPLE', 'RADIO', 'FIXED', 'LIST', '2359', '2400', '2460', 'https://example.com/a', '💶'.repeat(64)],
    ...[-1_000_000_001, -1, 0, 1, 2, 0.5, 100, 101, 1_000_000_000, 1_000_000_001, Number.MAX_SAFE_INTEGER],
    ...[true, false, null, {}, [], ['a'], ['a', 'a'], [{}], ['*'], ['order.created'], [{ url: 'https://example.com' }]],
    ...[20, 21, 50, 51, 100, 101, 250, 251, 1_000, 1_001].map((size) => Array.from({ length: size }, (_, i) => `${i}`)),
    ...[50, 51, 200, 201, 250, 251].map((size) => Array.from({ length: size }, () => ({}))),
    ...[50, 51].map((size) => Array.from({ length: size }, () => ({ key: 'a', value: '' }))),
  ]
  /** Forms that schemas only name: email addresses, web addresses. */
  const isForm = (issue: z.core.$ZodIssue) => issue.code === 'custom' && issue.params?.['code'] === 'invalid_format'

  test.each(Object.values(resources).map((resource) => [resource.name, resource] as const))(
    'of a %s is taken when, and only when, its schema takes it',
    (name, { update }) => {
      const schema = schemas[`${name.charAt(0).toUpperCase()}${name.slice(1)}Update`]
      for (const key of Object.keys(schema.properties)) {
        const { format: _, ...field } = schema.properties[key]
        const validator = new Validator(field, '2020-12')
        const isNumber = field.anyOf?.some(
          (form: { type: string; enum?: unknown }) => /^(?:number|integer)$/.test(form.type) && !form.enum,
        )
        for (const value of values) {
          if (isNumber && typeof value === 'string') continue
          const parsed = update.schema.safeParse({ [key]: value })
          if (parsed.error?.issues.every(isForm)) continue
          expect(validator.validate(value).valid, `${key} ${JSON.stringify(value).slice(0, 80)}`).toBe(parsed.success)
        }
      }
    },
  )
})

test('an answer marks the fields that clients do not set, and says of the others what requests say', () => {
  const { properties } = schemas.Tag
  const readOnly = Object.keys(properties).filter((key) => /Set by the service\.$/.test(properties[key].description))
  const ofOlderTags = ['documentCollection', 'documentId', 'edited', 'message', 'qr', 'timestamp']
  expect(readOnly.sort()).toEqual(['alias', 'createdAt', 'id', 'qrUrl', 'updatedAt', 'url', ...ofOlderTags].sort())
  expect(schemas.Product.properties.price.description).toBe(schemas.ProductCreate.properties.price.description)
  const { required, properties: webhook } = schemas.Webhook
  expect(required).toContain('active')
  expect(Object.keys(webhook)).not.toContain('bearerToken')
  expect(Object.keys(schemas.WebhookFull.properties)).toContain('bearerToken')
})
