import { afterEach, describe, expect, test, vi } from 'vitest'
import { releaseLimits } from '../../../src/bulk/release/release-limits.ts'
import { Database } from '../../../src/platform/db/database.ts'
import { limits } from '../../../src/platform/http/fields.ts'
import { multiply } from '../../support/d1.ts'
import { queryHome } from '../../support/home.ts'
import { setLimits } from '../../support/limits.ts'
import { isLong } from '../../support/rounds.ts'
import { createMany, draft } from './many-objects.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

/** Objects that fit one transaction without staged rows. In CI it is the limit of the service. */
const together = isLong ? limits.operations : 50
/** Objects of a release: in CI as many as it can have, otherwise the first number whose rows are staged. */
const count = isLong ? releaseLimits.changes : together + 1

/** Logs the durations of the transactions that copy staged rows. */
function timeStaged(name: string) {
  const { run } = Database.prototype
  const durations: number[] = []
  vi.spyOn(Database.prototype, 'run').mockImplementation(async function (this: Database, ...statements: unknown[]) {
    const last = statements.at(-1)
    const isStaged =
      statements.length > 1 && Array.isArray(last) && /^\s*delete from "staged_values"/.test(String(last[0].sql))
    const startMs = performance.now()
    const results = await Reflect.apply(run, this, statements)
    if (isStaged) {
      durations.push(Math.round(performance.now() - startMs))
      console.log(`figure: ms of a transaction with ${count} ${name}, ${durations.at(-1)}`)
    }
    return results
  })
  return durations
}

type Venue = Awaited<ReturnType<typeof createMany>>
const onProducts =
  (part: object) =>
  ({ ids }: Venue) =>
    ids.map((id) => ({ op: 'update', resource: 'products', id, ...part }))

const kinds: Readonly<Record<string, (created: Venue) => Promise<object[]> | object[]>> = {
  prices: onProducts({ body: { price: 5 } }),
  marks: onProducts({ availability: { soldOut: true } }),
  'prices, details and marks': onProducts({
    ...{ body: { price: 5 }, details: { labels: ['hot'] }, availability: { soldOut: true } },
  }),
  creations: ({ ids }) =>
    ids.map((_, n) => ({ op: 'create', resource: 'products', body: { title: `New dish ${n}`, price: 5 } })),
  async deletions({ venue, ids }) {
    await venue.post('/menus', { title: 'Day', sections: [{ title: 'All', items: ids.slice(0, 500) }] })
    return ids.map((id) => ({ op: 'delete', resource: 'products', id }))
  },
  async limits({ venue }) {
    const { id } = (await venue.post('/coupons', { title: 'Ten', code: 'TEN', type: 'FIXED', value: 1 })).body
    await multiply('coupons', id, count - 1)
    const rows = await queryHome(venue.id, 'select id from coupons where merchant_id = ? order by id', venue.id)
    return rows.map((row) => ({ op: 'update', resource: 'coupons', id: row['id'], limits: { maxRedemptions: 9 } }))
  },
}

describe.each(['d1', 'object'] as const)('in %s, one transaction', (home) => {
  test.each(Object.keys(kinds))(
    'publishes %s, and one undoes them',
    async (name) => {
      setLimits(limits, { operations: together })
      const created = await createMany(home, count)
      const { venue } = created
      for (const title of ['A', 'B'])
        await venue.post('/webhooks', { title, url: `https://${title}.example.com`, events: ['*'] })
      // Deliveries wait: thousands of attempts would take minutes.
      await queryHome(venue.id, 'update webhooks set probe_at = 4000000000 where merchant_id = ?', venue.id)
      const { id } = await draft(venue, (await kinds[name]?.(created)) ?? [])
      const durations = timeStaged(name)
      const { status, body } = await venue.post(`/releases/${id}/publish`, {})
      expect([status, body.state, body.changes]).toEqual([200, 'published', count])
      const undone = (await venue.post(`/changes/${body.changeSet}/undo`, {})).body
      const { created: made, updated, deleted } = undone.counts
      expect([undone.state, undone.conflictCount]).toEqual(['done', 0])
      // A menu gets the deleted products back.
      expect(made + updated + deleted).toBe(name === 'deletions' ? count + 1 : count)
      expect(durations).toHaveLength(2)
    },
    180_000,
  )
})
