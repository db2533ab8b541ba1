import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { resources } from '../../../src/catalogue/resources/registry.ts'
import { problems } from '../../../src/platform/errors.ts'
import { document, operation, operations } from './parsed-document.ts'

/** Operations on several resources, which require a scope of each. */
const scopedByResource: ReadonlySet<string> = new Set(['batch', 'export', 'imports'])
/** A POST that only reads, and requires scopes of the resources that it reads. */
const quoteScopes = '`products:read` and `coupons:read`'
/** Only read, but require the scope of writing: the secret signs deliveries, and everyone who knows a code can use it. */
const readsLikeWriting: ReadonlySet<string> = new Set(['retrieveSecret', 'listCouponCodes', 'listCouponCodeBatches'])

describe('an operation', () => {
  const codesOf = (id: string) =>
    Object.entries(operation(id).responses).flatMap(([, { $ref }]) => {
      const response = document.components.responses[$ref?.split('/').at(-1) ?? '']
      return response ? response.content['application/problem+json'].schema.properties.code.enum : []
    })

  test('lists its problems, each with its status', () => {
    const always = [
      'unauthenticated',
      'forbidden',
      'merchant_suspended',
      'address_not_allowed',
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
      retrieveProduct: [...always, 'invalid_request', 'not_found', 'events_expired', 'damaged', 'precondition_failed'],
      updateProduct: [...always, ...body, 'not_found', 'damaged', 'precondition_failed'],
      deleteProduct: [...always, 'not_found', 'precondition_failed', 'busy'],
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
        /^create(?:Operator|Passkey)?Session$|^create(?:Operator)?Passkey|^open(?:Operator)?Invitation$/.test(
          operation.operationId,
        ) || operation.operationId.startsWith('readConsole')
      expect(operation.security, operation.operationId).toEqual(isOpen ? [] : schemes.map((name) => ({ [name]: [] })))
      if (top !== 'merchants' || collection === 'sessions' || collection === 'pulse') continue
      if (collection === 'quotes') {
        expect(operation.description).toContain(quoteScopes)
        continue
      }
      const foreign = {
        logo: 'merchant',
        charges: 'merchant',
        'test-data': 'merchant',
        scans: 'tags',
        invitations: 'members',
        service: 'stock',
        requests: 'stock',
        'failed-requests': 'audit',
        preview: 'menus',
      }[collection ?? '']
      // Readers of modifiers may read their availability; that of products is part of the stock.
      const isStock =
        path.endsWith('/done') || (path.endsWith('/availability') && (method !== 'get' || collection !== 'modifiers'))
      const section = isStock ? 'stock' : (foreign ?? collection)
      const scoped = scopedByResource.has(section ?? '') ? '<resource>' : (section ?? 'merchant')
      const { operationId } = operation
      if (operationId === 'publishRelease') {
        expect(operation.description).toContain('`releases:publish`')
        continue
      }
      const isReading =
        /^(?:createSheetLink|createPreview|checkRelease|previewRelease)$/.test(operationId) ||
        (method === 'get' && !readsLikeWriting.has(operationId))
      expect(operation.description).toContain(`\`${scoped}:${isReading ? 'read' : 'write'}\``)
    }
  })

  test('lists its headers', () => {
    const headers = (id: string, status: number) => Object.keys(operation(id).responses[status]?.headers ?? {})
    expect(headers('createTag', 201)).toEqual([
      'Request-Id',
      'API-Version',
      'D1-Bookmark',
      'Location',
      'ETag',
      'Idempotent-Replayed',
    ])
    expect(headers('updateTag', 200)).toContain('ETag')
    expect(headers('retrieveMerchant', 304)).toEqual(['Request-Id', 'API-Version', 'D1-Bookmark', 'ETag'])
    const conditions = (id: string) => operation(id).parameters?.flatMap(({ $ref }) => $ref?.split('/').at(-1) ?? [])
    expect(conditions('retrieveTag')).toEqual(['If-None-Match'])
    expect(conditions('deleteTag')).toEqual(['If-Match'])
    for (const id of ['updateTag', 'updateMerchant']) expect(conditions(id)).toEqual(['If-Match', 'Idempotency-Key'])
    for (const id of ['publishEvent', 'rollKey', 'importTag']) expect(conditions(id)).toEqual(['Idempotency-Key'])
    expect(headers('listTags', 200)).toEqual(['Request-Id', 'API-Version', 'D1-Bookmark', 'Link', 'Search-Match'])
    expect(headers('checkHealth', 200)).toEqual(['Request-Id'])
    expect(Object.keys(document.components.responses.Unauthenticated.headers)).toContain('WWW-Authenticate')
    expect(Object.keys(document.components.responses.Unavailable.headers)).toContain('Retry-After')
  })

  test('that lists has the filters of its resource, with their types', () => {
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
