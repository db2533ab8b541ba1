import { expect, test } from 'vitest'
import { observe, rowsRead } from '../../support/d1.ts'
import { createMany, draft, setPrices } from '../release/many-objects.ts'

/** Rows that D1 reads for the undo of a release of so many products. */
async function countUndo(count: number): Promise<number> {
  const { venue, ids } = await createMany('d1', count)
  const { id } = await draft(venue, setPrices(ids, 5))
  const { changeSet } = (await venue.post(`/releases/${id}/publish`, {})).body
  const { status, body, trips, settled } = await observe('POST', venue.path(`/changes/${changeSet}/undo`), {
    key: venue.key,
    json: {},
  })
  await settled()
  expect([status, body.state, body.counts.updated]).toEqual([200, 'done', count])
  return rowsRead(trips)
}

test('an undo reads as many rows for each object of a large change set as of a small one', async () => {
  const [small, large] = [await countUndo(100), await countUndo(400)]
  expect(small).toBeGreaterThan(100)
  expect(large / small).toBeLessThan(4.5)
})
