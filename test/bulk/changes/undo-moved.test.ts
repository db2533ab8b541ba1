import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { undoBounds } from '../../../src/bulk/changes/undo/undo-steps.ts'
import { Database } from '../../../src/platform/db/database.ts'
import { limits } from '../../../src/platform/http/fields.ts'
import { runMove } from '../../../src/tenancy/move/run-move.ts'
import { createVenue, type Venue } from '../../support/api.ts'
import { queryHome } from '../../support/home.ts'
import { importFile } from '../../support/imports.ts'
import { setLimits } from '../../support/limits.ts'
import { announce, finishMoveOf, getMove, interceptD1, moveTo, startMove } from '../../support/moves.ts'
import { isLong, spread } from '../../support/rounds.ts'
import { createMany, draft, setPrices } from '../release/many-objects.ts'
import { settle, undo } from './full-venue.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

/** Objects that fit one transaction. In CI it is the limit of the service. */
const together = isLong ? limits.operations : limits.operations / 10
const count = together + 20
/** Makes an undo take so many steps for each pass over the objects. */
const setSteps = (steps: number) => setLimits(undoBounds, { objects: Math.ceil(count / steps) })
const rows = (price: number, stock: number) =>
  `externalId,title,price,manageStock,stockQuantity\n${Array.from({ length: count }, (_, n) => `E${n},Tea ${n},${price},true,${stock}\n`).join('')}`

/** A merchant with two imports of the same rows. The second one counts stock. */
async function createImported(home: 'd1' | 'object') {
  setLimits(limits, { operations: together })
  const venue = await createVenue({ home })
  await importFile(venue, 'resource=products', rows(1, 10))
  const before = await readProducts(venue)
  const { changeSet } = await importFile(venue, 'resource=products&counters=set', rows(2, 7))
  return { venue, before, changeSet: String(changeSet) }
}

const readProducts = ({ id }: Pick<Venue, 'id'>) =>
  queryHome(
    id,
    'select id, title, price, manage_stock, stock_quantity, created_at from products where merchant_id = ? order by id',
    id,
  )
/** Numbers of the events of a change set by their types. */
const countEvents = async ({ id }: Pick<Venue, 'id'>, changeSet: string) =>
  (
    await queryHome(
      id,
      'select type, count(*) as count, count(distinct object) as objects from events where merchant_id = ? and change_set = ? group by type order by type',
      id,
      changeSet,
    )
  ).map(({ type, count: events, objects }) => [type, events, objects])

/** Calls `act` once, before the transaction that has so many predecessors of the same kind. Other transactions wait until it has started. */
function beforeStep(number: number, act: () => Promise<unknown>) {
  const { run } = Database.prototype
  let seen = 0
  vi.spyOn(Database.prototype, 'run').mockImplementation(async function (this: Database, ...statements: unknown[]) {
    const isStep = statements.some(
      (each) => Array.isArray(each) && /^update "change_sets" set "undoes"/.test(each[0].sql),
    )
    if (isStep && ++seen === number) await act()
    return Reflect.apply(run, this, statements)
  })
  return () => seen
}

describe.each(['object', 'd1'] as const)('an undo whose merchant moves to %s', (to) => {
  const from = to === 'object' ? 'd1' : 'object'
  const expectUndone = async ({ venue, before, changeSet }: Awaited<ReturnType<typeof createImported>>, id: string) => {
    const ended = await vi.waitUntil(
      async () => {
        const found = await settle(venue, id)
        return found.state === 'done' ? found : undefined
      },
      { timeout: 60_000 },
    )
    expect(ended).toMatchObject({ counts: { created: 0, updated: count, deleted: 0 }, conflictCount: 0 })
    expect((await venue.get(`/changes/${changeSet}`)).body).toMatchObject({ state: 'undone', undoneBy: id })
    expect(await readProducts(venue)).toEqual(before)
    // Each product was set back once, and so was its stock.
    const events = await countEvents(venue, id)
    expect(events.find(([type]) => type === 'product.updated')).toEqual(['product.updated', count, count])
    const again = await undo(venue, changeSet)
    expect([again.status, again.body.id]).toEqual([200, id])
    expect(await readProducts(venue)).toEqual(before)
  }

  test.each(spread([1, 2, 4, 8], 2))(
    'before the transaction of step %i is complete, and sets nothing back twice',
    async (number) => {
      setSteps(6)
      const imported = await createImported(from)
      const { venue, changeSet } = imported
      const steps = beforeStep(number, () => moveTo(venue.id, to))
      const { status, body } = await undo(venue, changeSet)
      expect([status, body.state]).toEqual([202, 'undoing'])
      await expectUndone(imported, body.id)
      expect(steps()).toBeGreaterThan(number)
      expect(await getMove(venue.id)).toMatchObject({ state: 'done', home: to === 'd1' ? 'd1' : expect.anything() })
    },
    120_000,
  )

  test('while its steps go on is complete', async () => {
    setSteps(13)
    const imported = await createImported(from)
    const { venue, changeSet } = imported
    await startMove(venue.id, { home: to })
    await announce(venue.id)
    const { status, body } = await undo(venue, changeSet)
    expect(status).toBe(202)
    for (let step = 0; step < 50; step++) if ((await runMove(env, venue.id)) === undefined) break
    expect(await getMove(venue.id)).toMatchObject({ state: 'done' })
    await expectUndone(imported, body.id)
  }, 120_000)

  test.each([
    { way: 'waits, and is made at the new home', isShort: true },
    { way: 'that lasts too long has no effect, and can be repeated', isShort: false },
  ])(
    'behind a fence $way',
    async ({ isShort }) => {
      setSteps(3)
      const imported = await createImported(from)
      const { venue, changeSet } = imported
      await startMove(venue.id, { home: to })
      await announce(venue.id)
      let request: ReturnType<typeof undo> | undefined
      const DB = interceptD1(/^update "moves" set "state" = \?\s+where/, async () => {
        if ((await getMove(venue.id)).state === 'fenced') request ??= undo(venue, changeSet)
        if (!isShort) await request
      })
      expect(await finishMoveOf(venue.id, { ...env, DB })).toMatchObject({ state: 'done' })
      const waited = await request
      expect([waited?.status, waited?.headers.get('retry-after')]).toEqual(isShort ? [202, null] : [503, '1'])
      if (!isShort) {
        expect(waited?.body.code).toBe('busy')
        expect((await venue.get(`/changes/${changeSet}`)).body.state).toBe('done')
      }
      const { status, body } = isShort && waited ? waited : await undo(venue, changeSet)
      expect([status, body.state]).toEqual([202, 'undoing'])
      await expectUndone(imported, body.id)
    },
    120_000,
  )

  test('of a release in one transaction is whole', async () => {
    setLimits(limits, { operations: together })
    const { venue, ids } = await createMany(from, together + 1)
    const { id } = await draft(venue, setPrices(ids, 5))
    const { changeSet } = (await venue.post(`/releases/${id}/publish`, {})).body
    beforeStep(1, () => moveTo(venue.id, to))
    const { status, body } = await undo(venue, changeSet)
    vi.restoreAllMocks()
    expect([status, body.state, body.counts]).toEqual([200, 'done', { created: 0, updated: together + 1, deleted: 0 }])
    expect(await countEvents(venue, body.id)).toEqual([['product.updated', together + 1, together + 1]])
    expect((await undo(venue, changeSet)).body.id).toBe(body.id)
  }, 120_000)
})
