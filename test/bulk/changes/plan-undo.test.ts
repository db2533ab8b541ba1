import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foldEvents, type ObjectEvent } from '../../../src/bulk/changes/undo/plan/net-changes.ts'
import { planUndo } from '../../../src/bulk/changes/undo/plan/plan-undo.ts'
import { planFields, toPatch } from '../../../src/bulk/changes/undo/plan/undo-fields.ts'
import { merge } from '../../../src/catalogue/resource/merge-patch.ts'

const nothing: ReadonlySet<string> = new Set()
const withoutSides = { limits: {}, availability: {} }
const spared = { fields: nothing, details: nothing, counters: nothing }
const event = (verb: ObjectEvent['verb'], after: object, previous?: object): ObjectEvent => ({
  verb,
  seq: 1,
  after: { ...after },
  previous: previous && { ...previous },
  isErased: false,
})
const plan = (events: readonly ObjectEvent[], fields?: object, details: object = {}) =>
  planUndo(foldEvents(events), fields && { fields: { ...fields }, details: { ...details }, ...withoutSides }, spared)
const none = { kind: 'none' }
const update = (patch: object, details: object = {}) => ({ kind: 'update', patch, details })

const raised = event('updated', { price: 2, title: 'Tea' }, { price: 1 })

test('a field that nobody has changed since is set back', () => {
  expect(plan([raised], { price: 2, title: 'Tea' })).toEqual({ action: update({ price: 1 }) })
  expect(plan([raised], { price: 2, title: 'Green tea' })).toEqual({ action: update({ price: 1 }) })
})

test('a field that somebody has changed since stays', () => {
  const both = event('updated', { price: 2, title: 'Chai' }, { price: 1, title: 'Tea' })
  const conflict = { reason: 'changed', fields: ['price'] }
  expect(plan([both], { price: 3, title: 'Chai' })).toEqual({ action: update({ title: 'Tea' }), conflict })
  expect(plan([raised], { price: 3 })).toEqual({ action: none, conflict })
})

test('a field that is back already is neither changed nor a conflict', () => {
  expect(plan([raised], { price: 1 })).toEqual({ action: none })
})

test('several changes of a field count as one', () => {
  const again = event('updated', { price: 5 }, { price: 4 })
  expect(plan([raised, again], { price: 5 })).toEqual({ action: update({ price: 1 }) })
  expect(plan([raised, event('updated', { price: 1 }, { price: 2 })], { price: 1 })).toEqual({ action: none })
})

test('a field that the set added is removed', () => {
  expect(plan([event('updated', { sku: 'A' }, { sku: null })], { sku: 'A' })).toEqual({ action: update({ sku: null }) })
})

test('a list is one field', () => {
  const changed = event('updated', { images: [{ url: 'b' }] }, { images: [{ url: 'a' }] })
  expect(plan([changed], { images: [{ url: 'b' }] })).toEqual({ action: update({ images: [{ url: 'a' }] }) })
  expect(plan([changed], { images: [{ url: 'b' }, { url: 'c' }] })).toEqual({
    action: none,
    conflict: { reason: 'changed', fields: ['images'] },
  })
})

const entry = (key: string, value: string) => ({ key, value })
test('metadata goes by key', () => {
  const [before, after] = [
    [entry('a', '1'), entry('b', '1')],
    [entry('a', '2'), entry('c', '2'), entry('d', '2')],
  ]
  const current = [entry('a', '2'), entry('c', '3'), entry('d', '2'), entry('x', '9')]
  expect(plan([event('updated', { metadata: after }, { metadata: before })], { metadata: current })).toEqual({
    action: update({ metadata: [entry('a', '1'), entry('c', '3'), entry('x', '9'), entry('b', '1')] }),
    conflict: { reason: 'changed', fields: ['metadata.c'] },
  })
})

test('texts of a language that somebody has changed since stay', () => {
  const [de, fr] = [{ title: 'Tee' }, { title: 'Thé' }]
  const changed = event('details', { translations: { de, fr } }, { translations: null })
  expect(plan([changed], {}, { translations: { de, fr: { title: 'Thé vert' } } })).toEqual({
    action: update({}, { translations: { de: null, fr: { title: 'Thé vert' } } }),
    conflict: { reason: 'changed', fields: ['details.translations.fr'] },
  })
})

test('a created object is deleted unless somebody has changed it since', () => {
  const created = event('created', { title: 'Tea', price: 1 })
  const labels = event('details', { labels: ['hot'] }, { labels: null })
  expect(plan([created], { title: 'Tea', price: 1 })).toEqual({ action: { kind: 'delete' } })
  expect(plan([created, raised], { title: 'Tea', price: 2 })).toEqual({ action: { kind: 'delete' } })
  expect(plan([created, labels], { title: 'Tea', price: 1 }, { labels: ['hot'] }).action).toEqual({ kind: 'delete' })
  expect(plan([created, labels], { title: 'Chai', price: 1 }, { labels: [] })).toEqual({
    action: none,
    conflict: { reason: 'changed', fields: ['title', 'details.labels'] },
  })
  expect(plan([created])).toEqual({ action: none })
})

test('a deleted object is restored, unless it exists again', () => {
  const deleted = event('deleted', { title: 'Tea' })
  expect(plan([deleted])).toEqual({ action: { kind: 'restore' } })
  expect(plan([deleted], { title: 'Tea' })).toEqual({ action: none })
  expect(plan([event('created', { title: 'Tea' }), deleted])).toEqual({ action: none })
})

test('an object that was deleted since stays deleted', () => {
  expect(plan([raised])).toEqual({ action: none, conflict: { reason: 'deleted', fields: [] } })
})

test('values that were removed with those of a person, or are too large to be kept, are not guessed', () => {
  const unknown = { action: none, conflict: { reason: 'unknown', fields: [] } }
  expect(plan([{ ...raised, isErased: true }], { price: 2 })).toEqual(unknown)
  expect(plan([event('details', {})], { price: 2 })).toEqual(unknown)
})

test('counters are neither set back nor compared', () => {
  const counters = { fields: new Set(['stock']), details: nothing, counters: nothing }
  const created = foldEvents([event('created', { title: 'Tea', stock: 9 })])
  expect(
    planUndo(created, { fields: { title: 'Tea', stock: 2 }, details: {}, ...withoutSides }, counters).action.kind,
  ).toBe('delete')
  const changed = foldEvents([event('updated', { stock: 9 }, { stock: 1 })])
  expect(planUndo(changed, { fields: { stock: 9 }, details: {}, ...withoutSides }, counters)).toEqual({ action: none })
})

test('counters that a set has set are taken back by the difference, and never below zero', () => {
  const counted = { fields: new Set(['uses']), details: nothing, counters: new Set(['uses']) }
  const changed = foldEvents([event('updated', { uses: 9 }, { uses: 5 })])
  const undoAt = (uses: number) => planUndo(changed, { fields: { uses }, details: {}, ...withoutSides }, counted).action
  expect([undoAt(9), undoAt(12), undoAt(2)]).toEqual([update({ uses: 5 }), update({ uses: 8 }), update({ uses: 0 })])
  expect(undoAt(0)).toEqual(none)
})

// Assigning to `__proto__` adds no field. The schemas of objects accept no such name.
const name = fc.string().filter((text) => text !== '__proto__')
const json = fc.letrec((tie) => ({
  value: fc.oneof(fc.integer(), fc.string(), fc.array(fc.integer()), fc.dictionary(name, tie('value'))),
})).value
const fields = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'metadata'), json)

test('a patch replaces what is there, whatever it is', () => {
  fc.assert(
    fc.property(fields, fields, (current, wanted) => {
      expect(merge({ was: current }, { was: toPatch(current, wanted) })).toEqual({ was: wanted })
    }),
  )
})

test('an undo at once returns every field', () => {
  fc.assert(
    fc.property(fields, fields, (before, after) => {
      const names = new Set([...Object.keys(before), ...Object.keys(after)])
      const changes = new Map(
        Array.from(names, (name) => [name, { before: before[name] ?? null, after: after[name] ?? null }] as const),
      )
      const { patch, conflicts } = planFields(changes, after)
      expect(conflicts).toEqual([])
      expect(merge(after, patch)).toEqual(before)
    }),
  )
})
