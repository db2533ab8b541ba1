import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { Draft, ResourceDefinition } from '../../../src/catalogue/resource/definition.ts'
import { applyPatch } from '../../../src/catalogue/resource/merge-patch.ts'
import { resourceList } from '../../../src/catalogue/resources/registry.ts'
import { createGuard } from '../../../src/platform/lib/schema-guard.ts'
import { samples } from '../../support/samples.ts'

const text = z.string().check(z.describe('A remark.'))
const long = z.string().check(z.minLength(2))
const kinds: Record<string, { schema: z.ZodMiniType; yes: unknown[]; no: unknown[] }> = {
  'a text': { schema: text, yes: ['', 'a'], no: [1, null, undefined, {}] },
  'a text with rules': { schema: long, yes: ['ab'], no: ['a', 2] },
  'a text of a form': { schema: z.email(), yes: ['a@example.com'], no: ['a'] },
  'a text that is changed': {
    schema: z.pipe(
      z.string(),
      z.transform((it) => it.trim()),
    ),
    yes: ['a'],
    no: [' a'],
  },
  'a number': { schema: z.number(), yes: [0, -1.5], no: [Number.NaN, Number.POSITIVE_INFINITY, '1', null] },
  'a whole number': { schema: z.int(), yes: [0, -1], no: [0.5, 2 ** 53, '1'] },
  'a number of a form': { schema: z.uint32(), yes: [1], no: [-1, 2 ** 32] },
  'a boolean': { schema: z.boolean(), yes: [true, false], no: [0, 1, 'true'] },
  'one of some': { schema: z.enum(['A', 'B']), yes: ['A'], no: ['C', 0, undefined] },
  'one or the other': { schema: z.union([z.literal(false), long]), yes: [false, 'ab'], no: [true, 'a'] },
  'nothing or something': { schema: z.optional(text), yes: [undefined, 'a'], no: [null, 1] },
  'a list': { schema: z.array(text), yes: [[], ['a', 'b']], no: [['a', 1], { length: 0 }, 'a', null] },
  'an object': {
    schema: z.object({ a: text, b: z.optional(z.number()) }),
    yes: [{ a: '' }, { b: 1, a: '' }],
    // The schema would change the value on its way in.
    no: [{}, { a: 1 }, { a: '', c: 1 }, [], null, JSON.parse('{"a": "", "__proto__": {}}')],
  },
  'a record': { schema: z.record(z.string(), text), yes: [], no: [1, { a: 1 }] },
}

describe.each(Object.entries(kinds))('%s', (_, { schema, yes, no }) => {
  const fits = createGuard(schema)
  test.each(yes.map((value) => [value]))('may be %j', (value) => expect(fits(value)).toBe(true))
  test.each(no.map((value) => [value]))('may not be %j', (value) => expect(fits(value)).toBe(false))
})

const all: readonly (ResourceDefinition & { create: { schema: z.ZodMiniType<Draft> } })[] = resourceList

/** A value with one thing in it, at whatever depth, replaced by another, or one more. */
function spoilt(value: unknown, at: number, by: unknown): unknown {
  let count = 0
  const walk = (inner: unknown): unknown => {
    if (count++ === at) return by
    if (Array.isArray(inner)) return inner.map(walk)
    if (typeof inner !== 'object' || inner === null) return inner
    const entries = Object.entries(inner).map(([key, each]) => [key, walk(each)])
    return Object.fromEntries(count++ === at ? [...entries, ['more', by]] : entries)
  }
  return walk(value)
}

describe.each(samples)('an object of $collection', ({ collection, full }) => {
  const resource = all.find(({ name }) => `${name}s` === collection)
  if (!resource) throw new Error(`there are no ${collection}`)
  const { item, hooks, create } = resource
  const fits = createGuard(item)
  const draft = applyPatch(resource, {}, create.schema.parse(full({ product: 'prod_x', modifier: 'mod_x' })))
  const base = { id: 'x', testMode: false, createdAt: 1, updatedAt: 1, ...hooks.generate() }
  const whole: object = item.parse({ ...hooks.complete(draft), ...base })

  test('is accepted as stored', () => expect(fits(whole)).toBe(true))

  test('is accepted exactly if zod returns the same', () => {
    fc.assert(
      fc.property(fc.nat(60), fc.jsonValue(), (at, by) => {
        const value = spoilt(whole, at, by)
        const { success, data } = item.safeParse(value)
        if (fits(value)) expect([success, data]).toEqual([true, value])
        else if (success) expect(data).not.toEqual(value)
      }),
      { numRuns: 500, seed: 7 },
    )
  })
})
