import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createKey, createVenue } from '../support/api.ts'
import { createWorld, steps } from '../support/world.ts'

test('whatever two keys do with all seven resources, the service keeps what the contract says', {
  timeout: 120_000,
}, async () => {
  let kept = 0
  await fc.assert(
    fc.asyncProperty(steps(60), async (sequence) => {
      const live = await createVenue()
      const test = await createKey(live.id, { mode: 'test' })
      const world = createWorld((mode, ...request) => (mode === 'live' ? live : test).ask(...request))
      for (const step of sequence) await world.step(step)
      await world.check()
      kept += world.entries.size
    }),
    // A failure names its seed and path, with which fast-check replays it.
    { seed: 20_261_121, numRuns: 20, interruptAfterTimeLimit: 90_000 },
  )
  expect(kept).toBeGreaterThan(100)
})
