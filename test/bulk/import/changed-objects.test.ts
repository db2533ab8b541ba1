import { describe, expect, test, vi } from 'vitest'
import { messageLimits } from '../../../src/bulk/import/import-limits.ts'
import { createVenue } from '../../support/api.ts'
import { toCounts } from '../../support/imports.ts'
import { setLimits } from '../../support/limits.ts'
import { interceptD1 } from '../../support/moves.ts'
import { createQueue, retrieve } from './import-queue.ts'

describe('an import of an object that changes between two reads of a step', () => {
  /** Applies a row, while the next `count` reads of the row's object are followed by a change of its metadata. */
  async function applyAmongChanges(count: number) {
    const venue = await createVenue({ home: 'd1' })
    const { body: product } = await venue.post('/products', {
      ...{ title: 'Tea', price: 1 },
      metadata: [{ key: 'milk', value: 'no' }],
    })
    const progress = { reads: 0, isApplying: false }
    const change = async () => {
      if (!progress.isApplying || ++progress.reads > count) return
      const metadata = [
        { key: 'milk', value: 'no' },
        { key: 'shelf', value: String(progress.reads) },
      ]
      expect((await venue.post(`/products/${product.id}`, { metadata })).status).toBe(200)
    }
    const DB = interceptD1(/"metadata" as metadata/, () => Promise.resolve(), change)
    const queue = createQueue({ DB })
    const id = await queue.upload(venue, 'resource=products&match=id', `id,metadata.milk\n${product.id},yes\n`)
    await queue.drain()
    progress.isApplying = true
    await queue.apply(venue, id)
    const [message] = queue.sent.splice(0)
    if (!message) throw new Error('no message')
    return { venue, queue, id, message, progress, path: `/products/${product.id}` }
  }

  test('repeats the step, and keeps metadata that was added in between', async () => {
    const { venue, queue, id, message, progress, path } = await applyAmongChanges(2)
    expect(await queue.consume(message)).toEqual({ acked: 1, retried: 0 })
    expect(progress.reads).toBe(3)
    expect(toCounts(await retrieve(venue, id))).toEqual({ rows: 1, checked: 1, applied: 1, updated: 1 })
    expect((await venue.get(path)).body.metadata).toEqual([
      { key: 'milk', value: 'yes' },
      { key: 'shelf', value: '2' },
    ])
  })

  test('waits for the queue where that goes on, and rejects no row', async () => {
    setLimits(messageLimits, { steps: 3 })
    const { venue, queue, id, message, progress, path } = await applyAmongChanges(4)
    const logged = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    expect(await queue.consume(message)).toEqual({ acked: 0, retried: 1 })
    logged.mockRestore()
    expect(progress.reads).toBe(3)
    expect(await retrieve(venue, id)).toMatchObject({ state: 'applying', applied: 0, failed: 0 })
    expect(await queue.consume(message)).toEqual({ acked: 1, retried: 0 })
    await queue.drain()
    expect(toCounts(await retrieve(venue, id))).toEqual({ rows: 1, checked: 1, applied: 1, updated: 1 })
    expect((await venue.get(path)).body.metadata).toHaveLength(2)
  })
})
