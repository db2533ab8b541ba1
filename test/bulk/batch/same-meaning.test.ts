import { expect, test } from 'vitest'
import {
  made,
  newKey,
  nextNumber,
  postToVenue,
  repeat,
  useVenue,
  venue,
} from '../../platform/http/idempotent-requests.ts'
import { samples } from '../../support/samples.ts'

useVenue()

test.each(samples)('creates one $name', async ({ collection: resource, body }) => {
  const first = body('b')
  const [optional = ''] = Object.keys(
    samples.find((each) => each.collection === resource)?.full({ product: '', modifier: '' }) ?? {},
  ).filter((field) => !(field in first))
  const toBatch = (fields: object, members: object = {}) => ({
    operations: [{ body: fields, resource, op: 'create' }],
    ...members,
  })
  const reversed = Object.fromEntries(Object.entries(first).toReversed())
  const bodies = [first, reversed, { ...first, [optional]: null }].map((fields) => toBatch(fields))
  expect(await repeat('/batch', [...bodies, toBatch(first, { mode: 'atomic' })])).toEqual(made(3))
})

test('means the same with its values in another form, and names of other objects of the batch as they are', async () => {
  const create = (body: object, more: object = {}) => ({ op: 'create', resource: 'products', body, ...more })
  const toBatch = (price: unknown, ref: string) => {
    const modifier = (name: string) => ({
      op: 'create',
      resource: 'modifiers',
      ref: name,
      body: { title: 'Size', instructions: '' },
    })
    return { operations: [modifier('#a'), modifier('#b'), create({ title: 'Tea', price, modifiers: [ref] })] }
  }
  const bodies = [toBatch(1.5, '#a'), toBatch('1.50', '#a'), toBatch(1.5, '#b')]
  expect(await repeat('/batch', bodies)).toEqual(['made', 'replayed', 'idempotency_key_reused'])
})

test('clears a field with null in an update and in an upsert', async () => {
  const { id } = (await postToVenue('/products', { title: 'Tea', price: 1, description: 'x' })).body
  const named = [
    { op: 'update', id },
    { op: 'upsert', externalId: `null-${nextNumber()}` },
  ]
  for (const name of named) {
    const bodies = [
      { title: 'Tea', price: 2 },
      { title: 'Tea', price: 2, description: null },
    ].map((body) => ({
      operations: [{ ...name, resource: 'products', body }],
    }))
    expect(await repeat('/batch', bodies)).toEqual(['made', 'idempotency_key_reused'])
  }
})

test('is rejected, and not failed, for a body that is nested beyond what a program can walk', async () => {
  const depth = 200_000
  const deep = `${'['.repeat(depth)}${']'.repeat(depth)}`
  const text = `{"operations":[{"op":"create","resource":"products","body":{"title":"Tea","price":1,"x":${deep}}}]}`
  const headers = { 'content-type': 'application/json', 'idempotency-key': newKey() }
  const { status, body } = await venue.raw('/batch', text, headers)
  expect([status, body.code]).toEqual([422, 'batch_failed'])
})
