import { afterEach, expect, test, vi } from 'vitest'
import { undoBounds } from '../../../src/bulk/changes/undo/undo-steps.ts'
import { createVenue } from '../../support/api.ts'
import { queryHome } from '../../support/home.ts'
import { importFile } from '../../support/imports.ts'
import { settle, undo } from './full-venue.ts'

const bounds = { ...undoBounds }
afterEach(() => Object.assign(undoBounds, bounds))

const toRows = (count: number, price: number) =>
  `externalId,title,price,description\n${Array.from({ length: count }, (_, n) => `E${n},Tea ${n},${price},P${price}\n`).join('')}`

/** A venue with two imports of the same rows. */
async function createImported(home: 'd1' | 'object', count: number) {
  const venue = await createVenue({ home })
  await importFile(venue, 'resource=products', toRows(count, 1))
  const { changeSet } = await importFile(venue, 'resource=products', toRows(count, 2))
  return { venue, changeSet: String(changeSet) }
}

test.each(['d1', 'object'] as const)(
  'an undo while others edit leaves each product as one of both made it, in %s',
  async (home) => {
    Object.assign(undoBounds, { objects: 20 })
    const count = 200
    const { venue, changeSet } = await createImported(home, count)
    const all = await queryHome(venue.id, 'select id from products where merchant_id = ? order by seq', venue.id)
    const ids = all.map((row) => String(row['id']))
    const edited = ids.filter((_, index) => index % 10 === 0)
    const [{ body }] = await Promise.all([
      undo(venue, changeSet),
      ...edited.map((id) => venue.post(`/products/${id}`, { price: 9 })),
    ])
    const ended = await vi.waitUntil(async () => {
      const now = await settle(venue, body.id)
      return now.state === 'done' ? now : undefined
    })
    const products = await Promise.all(ids.map(async (id) => (await venue.get(`/products/${id}`)).body))
    const conflicts = new Set(ended.conflicts.map(({ id }: { id: string }) => id))
    for (const [index, { id, price, description }] of products.entries()) {
      // The other's price stays, whether it came before the undo or behind it. The description is set back in any case.
      expect([id, price, description]).toEqual([id, index % 10 === 0 ? 9 : 1, 'P1'])
      if (index % 10 !== 0) expect(conflicts.has(id)).toBe(false)
    }
    expect(ended.counts.updated + ended.conflictCount).toBeGreaterThanOrEqual(count)
  },
  120_000,
)
