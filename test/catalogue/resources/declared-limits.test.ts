import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { adminToken, call, createVenue, toIssues } from '../../support/api.ts'

interface Schema {
  $ref?: string
  type?: string
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  enum?: unknown[]
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  format?: string
}

/** A limit that the document declares, and a value that is one past it. */
interface Past {
  path: (string | number)[]
  value: unknown
  code: unknown
}

function* pastLimits(schema: Schema, path: (string | number)[] = []): Iterable<Past> {
  const { properties = {}, items, anyOf = [], minLength = 0, maxLength, minimum, maximum, maxItems } = schema
  if (maxLength !== undefined) yield { path, value: 'a'.repeat(maxLength + 1), code: 'too_long' }
  // An empty address is reported as invalid.
  const short = schema.format === 'uri' ? 'invalid_format' : 'too_short'
  if (minLength === 1) yield { path, value: '', code: expect.stringMatching(`too_short|${short}`) }
  if (maximum !== undefined) yield { path, value: maximum + 1, code: expect.stringMatching('too_large|invalid_type') }
  if (minimum !== undefined) yield { path, value: minimum - 1, code: expect.stringMatching('too_small|invalid_type') }
  if (maxItems !== undefined) {
    const element = (index: number) => (items?.type === 'object' ? {} : `x${index}`)
    yield { path, value: Array.from({ length: maxItems + 1 }, (_, index) => element(index)), code: 'too_many' }
  }
  for (const [key, field] of Object.entries(properties)) yield* pastLimits(field, [...path, key])
  if (items) yield* pastLimits(items, [...path, 0])
  for (const form of anyOf) yield* pastLimits(form, path)
}

/** A body with nothing but one value, at its place. */
const bodyWith = ([key, ...rest]: readonly (string | number)[], value: unknown): unknown => {
  if (key === undefined) return value
  return key === 0 ? [bodyWith(rest, value)] : { [key]: bodyWith(rest, value) }
}

const document = await (await env.ASSETS.fetch('https://assets/openapi.json')).json<{
  components: { schemas: Record<string, Schema> }
}>()
const venue = await createVenue()
const at = (collection: string) => [venue.path(`/${collection}`), venue.key] as const
const keys = `/admin/merchants/${venue.id}/keys`
const bodies: [schema: string, path: string, key: string, atLeast: number][] = [
  ['ProductCreate', ...at('products'), 20],
  ['ModifierCreate', ...at('modifiers'), 10],
  ['MenuCreate', ...at('menus'), 10],
  ['CouponCreate', ...at('coupons'), 10],
  ['CustomerCreate', ...at('customers'), 8],
  ['TagCreate', ...at('tags'), 4],
  ['WebhookCreate', ...at('webhooks'), 4],
  ['MerchantCreate', '/admin/merchants', adminToken, 5],
  ['KeyCreate', keys, adminToken, 2],
  ['TagImport', `/admin/merchants/${venue.id}/tags`, adminToken, 10],
]

describe.each(bodies)('%s', (name, path, key, atLeast) => {
  const limits = [...pastLimits(document.components.schemas[name] ?? {})]

  test('has no limit that a request may pass', async () => {
    expect(limits.length).toBeGreaterThanOrEqual(atLeast)
    for (const { path: place, value, code } of limits) {
      const pointer = `/${place.join('/')}`
      const found = toIssues(await call('POST', path, key, bodyWith(place, value)))
      const named = found.filter((issue) => issue.startsWith(`${pointer} `)).map((issue) => issue.split(' ')[1])
      expect([pointer, named]).toEqual([pointer, expect.arrayContaining([code])])
    }
  })
})
