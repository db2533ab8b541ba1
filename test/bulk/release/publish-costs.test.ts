import { expect, test } from 'vitest'
import { observe } from '../../support/d1.ts'
import { createMany, draft, setPrices } from './many-objects.ts'

test('a release of 500 objects is published in at most four round trips, with one transaction that writes', async () => {
  const { venue, ids } = await createMany('d1', 500)
  const { id } = await draft(venue, setPrices(ids, 5))
  await venue.get(`/releases/${id}`)
  const { status, trips, settled } = await observe('POST', venue.path(`/releases/${id}/publish`), {
    key: venue.key,
    json: {},
  })
  await settled()
  expect(status).toBe(200)
  expect(trips.length).toBeLessThanOrEqual(4)
  const writing = trips.filter(({ statements }) => statements.some((text) => /^\s*update "products"/.test(text)))
  expect(writing).toHaveLength(1)
})
