import { Validator } from '@cfworker/json-schema'
import { describe, expect, test } from 'vitest'
import type * as z from 'zod'
import { resourceList } from '../../../src/catalogue/resources/registry.ts'
import { at, document, schemas } from './parsed-document.ts'

describe('a body', () => {
  const name = { minLength: 1, maxLength: 255 }
  const label = { minLength: 0, maxLength: 255 }
  const code = { minLength: 1, maxLength: 64 }
  const prose = { minLength: 0, maxLength: 5_000 }
  const address = { minLength: 1, maxLength: 2_048 }
  const amount = { minimum: 0, maximum: 1_000_000_000 }
  const count = { type: 'integer', minimum: 0 }

  /** Every limit, as a number of its own rather than the constant of the code. */
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
      'options/*/id': { ...code, pattern: '^(?!__proto__$)[A-Za-z0-9_-]+$' },
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

  test.each(Object.entries(limits))('of a %s has every limit, on create and on update', (resource, fields) => {
    for (const schema of [schemas[`${resource}Create`], schemas[`${resource}Update`]]) {
      expect(schema.additionalProperties).toBe(false)
      for (const [path, limit] of Object.entries(fields)) {
        const { anyOf = [], ...own }: { anyOf?: object[] } = at(schema, path)
        expect([own, ...anyOf], `${resource} ${path}`).toContainEqual(expect.objectContaining(limit))
      }
    }
  })

  test('has descriptions of what a schema cannot express', () => {
    for (const [schema, path, words] of [
      ['ProductCreate', 'price', '0–1,000,000,000 with up to 4 decimal places.'],
      ['ProductCreate', 'title', '1–255 characters after removal of leading and trailing white space.'],
      ['ProductCreate', 'stockQuantity', 'Up to 4 decimal places.'],
      ['ProductCreate', 'calories', 'Integer, 0 or more.'],
      ['ProductCreate', 'modifiers', 'Up to 50 elements without duplicates.'],
      ['ProductUpdate', 'description', 'Up to 5,000 characters.'],
      ['ProductCreate', 'visible', 'Default: `true`.'],
      ['ModifierUpdate', 'options/*/additionalCost', 'Between -1,000,000,000 and 1,000,000,000 with up to 4'],
      ['CouponCreate', 'value', 'At most 100'],
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

  /** Values at and beyond limits, of every type. Numbers as strings are left out: no schema describes their rules. */
  const values = [
    ...[0, 1, 32, 33, 64, 65, 255, 256, 320, 321, 2_048, 2_049, 5_000, 5_001].map((length) => '7'.repeat(length) || ''),
    ...['SIMPLE', 'RADIO', 'FIXED', 'LIST', '2359', '2400', '2460', 'https://example.com/a', '💶'.repeat(64)],
    ...[-1_000_000_001, -1, 0, 1, 2, 0.5, 100, 101, 1_000_000_000, 1_000_000_001, Number.MAX_SAFE_INTEGER],
    ...[true, false, null, {}, [], ['a'], ['a', 'a'], [{}], ['*'], ['order.created'], [{ url: 'https://example.com' }]],
    ...[20, 21, 50, 51, 100, 101, 250, 251, 1_000, 1_001].map((size) => Array.from({ length: size }, (_, i) => `${i}`)),
    ...[50, 51, 200, 201, 250, 251].map((size) => Array.from({ length: size }, () => ({}))),
    ...[50, 51].map((size) => Array.from({ length: size }, () => ({ key: 'a', value: '' }))),
  ]
  /** Formats that a schema only names: email addresses, web addresses. */
  const isForm = (issue: z.core.$ZodIssue) => issue.code === 'custom' && issue.params?.['code'] === 'invalid_format'

  test.each(resourceList.map((resource) => [resource.name, resource] as const))(
    'of a %s is accepted exactly if its schema accepts it',
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

test.each(resourceList.map(({ name, path }) => ({ name, path })))(
  'the body of an upsert of a $name is that of a create, or of an update if the object exists',
  ({ name, path }) => {
    const one = `${name.charAt(0).toUpperCase()}${name.slice(1)}`
    const { requestBody } = document.paths[`/merchants/{merchantId}/${path}/external/{externalId}`].put
    const { schema, example } = requestBody.content['application/json']
    expect(schema.anyOf).toEqual(
      [`${one}Create`, `${one}Update`].map((each) => ({ $ref: `#/components/schemas/${each}` })),
    )
    expect(schema.description).toContain(`\`${one}Update\``)
    expect(new Validator(schemas[`${one}Create`], '2020-12').validate(example).valid).toBe(true)
  },
)
