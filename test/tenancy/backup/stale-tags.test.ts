import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { tagOf, versionOf } from '../../platform/http/entity-tags.ts'
import { createVenue } from '../../support/api.ts'
import { advance, backUp, restore } from './restores.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Objects that a client can change with `If-Match`, and two changes of each. */
const changes = {
  'an object': { path: '', mine: { title: 'Mine' }, theirs: { title: 'Theirs' } },
  'its details': { path: '/details', mine: { ageLimit: 16 }, theirs: { ageLimit: 18 } },
  'its limits': { path: '/limits', mine: { maxRedemptions: 1 }, theirs: { maxRedemptions: 2 } },
}
const cases = [
  ['an object', '/products', { title: 'Tea', price: 1 }],
  ['its details', '/products', { title: 'Tea', price: 1 }],
  ['its limits', '/coupons', { title: 'Ten', code: 'TEN', type: 'FIXED', value: 1 }],
] as const

test.each(cases)(
  'an entity tag of %s from before a restore does not match a change after it',
  async (name, list, body) => {
    const venue = await createVenue()
    const { mine, theirs, ...change } = changes[name]
    const path = `${list}/${(await venue.post(list, body)).body.id}${change.path}`
    const takenAt = await backUp(venue.id)
    const etag = tagOf(await venue.post(path, mine))
    expect(tagOf(await venue.get(path))).toBe(etag)
    await restore(venue.id, takenAt)
    advance(1)
    const other = await venue.post(path, theirs)
    expect([other.status, versionOf(tagOf(other))]).toEqual([200, versionOf(etag)])
    const stale = await venue.post(path, mine, { 'if-match': etag })
    expect([stale.status, stale.body.code]).toEqual([412, 'precondition_failed'])
    if (name === 'an object') {
      expect((await venue.remove(path, { 'if-match': etag })).status).toBe(412)
      const operation = { op: 'update', resource: 'products', id: other.body.id, ifMatch: etag, body: mine }
      for (const each of [operation, { ...operation, op: 'delete', body: undefined }]) {
        const { body: batch } = await venue.post('/batch', { mode: 'independent', operations: [each] })
        expect(JSON.stringify(batch)).toContain('precondition_failed')
      }
    }
    expect((await venue.get(path)).body).toMatchObject(theirs)
    expect((await venue.post(path, mine, { 'if-match': tagOf(other) })).status).toBe(200)
  },
)
