import { expect, test } from 'vitest'
import { pace } from '../../../src/tenancy/move/pace.ts'

test('background work lets the event loop serve others after each step', async () => {
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  for (let step = 1; step <= 5; step++) expect(await pace(async () => step)).toBe(step)
  clearInterval(timer)
  expect(turns).toBeGreaterThanOrEqual(4)
})

test('background work fails with the error of its step', async () => {
  await expect(pace(() => Promise.reject(new Error('lost')))).rejects.toThrow('lost')
})
