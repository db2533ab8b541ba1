import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { pruneBounds } from '../../../src/catalogue/resource/pruning/continue-pruning.ts'
import { queryHome, ringAlarm } from '../../support/home.ts'
import { setLimits } from '../../support/limits.ts'
import { moveTo } from '../../support/moves.ts'
import { advance, backUp, restore } from '../../tenancy/backup/restores.ts'
import { createQueue, createUsed, expectPruned, findLeft, send } from './pruned-venue.ts'

describe('in an object of its own', () => {
  test('deletes at once, and the alarm continues what a lost message left', async () => {
    const objects = await createUsed(1_300, { home: 'object' })
    const { venue, used } = objects
    const queue = createQueue()
    expect((await send(venue, queue, 'DELETE', `/modifiers/${used}`)).status).toBe(200)
    expect((await venue.get(`/modifiers/${used}`)).status).toBe(404)
    queue.sent.length = 0
    await queryHome(
      venue.id,
      'update modifiers set created_at = 1, updated_at = updated_at - ? where id = ?',
      100,
      used,
    )
    expect(await ringAlarm(venue.id, { IMPORTS: queue.bindings.IMPORTS })).not.toBeNull()
    expect(queue.sent).toEqual([{ merchant: venue.id, pruning: true }])
    await queue.drain()
    await expectPruned(venue, objects, 1_300)
  })
})

describe('half pruned', () => {
  test.each([
    { from: undefined, to: 'object' },
    { from: 'object', to: 'd1' },
  ] as const)('a merchant moves to $to, and pruning goes on there', async ({ from, to }) => {
    setLimits(pruneBounds, { steps: 1 })
    const objects = await createUsed(1_100, from ? { home: from } : {})
    const { venue, used } = objects
    const queue = createQueue()
    await send(venue, queue, 'DELETE', `/modifiers/${used}`)
    await queue.consumeNext()
    expect((await moveTo(venue.id, to)).state).toBe('done')
    expect(await findLeft(venue, used)).toMatchObject({ links: 1_100 - pruneBounds.owners, rows: 1 })
    expect((await venue.get(`/modifiers/${used}`)).status).toBe(404)
    await queue.drain()
    await expectPruned(venue, objects, 1_100)
  })

  test('a backup is restored, and pruning goes on', async () => {
    setLimits(pruneBounds, { steps: 1 })
    const objects = await createUsed(1_100)
    const { venue, used } = objects
    const queue = createQueue()
    await send(venue, queue, 'DELETE', `/modifiers/${used}`)
    await queue.consumeNext()
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const takenAt = await backUp(venue.id)
    await queue.drain()
    await expectPruned(venue, objects, 1_100)
    advance(1)
    await restore(venue.id, takenAt)
    expect(await findLeft(venue, used)).toMatchObject({ links: 1_100 - pruneBounds.owners, rows: 1 })
    expect((await venue.get(`/modifiers/${used}`)).status).toBe(404)
    queue.sent.push({ merchant: venue.id, pruning: true })
    await queue.drain()
    expect(await findLeft(venue, used)).toEqual({ naming: 0, links: 0, rows: 0 })
  })
})
