import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createKey, createVenue } from '../support/api.ts'
import { createApiModel, steps } from '../support/api-model.ts'
import { toRounds } from '../support/rounds.ts'

const rounds = toRounds(48)

test('random requests of two keys keep the invariants of the contract', {
  timeout: 120_000,
}, async () => {
  let kept = 0
  await fc.assert(
    fc.asyncProperty(steps(60), async (sequence) => {
      const live = await createVenue()
      const test = await createKey(live.id, { mode: 'test' })
      const model = createApiModel((mode, ...request) => (mode === 'live' ? live : test).ask(...request))
      for (const step of sequence) await model.step(step)
      await model.check()
      kept += model.entries.size
    }),
    // A failure names its seed and path, with which fast-check replays it.
    { seed: 20_261_121, numRuns: rounds, interruptAfterTimeLimit: 90_000 },
  )
  expect(kept).toBeGreaterThan(5 * rounds)
})

describe('the model reports', () => {
  type Ask = Parameters<typeof createApiModel>[0]
  /** Runs the model on a service with a defect: `twist` changes its responses. */
  async function judge(twist: (ask: Ask) => Ask): Promise<string> {
    const live = await createVenue()
    const test = await createKey(live.id, { mode: 'test' })
    const model = createApiModel(twist((mode, ...request) => (mode === 'live' ? live : test).ask(...request)))
    try {
      for (const step of fc.sample(steps(60), { seed: 1, numRuns: 1 })[0] ?? []) await model.step(step)
      await model.check()
    } catch (error) {
      return String(error)
    }
    return 'nothing'
  }

  test('nothing for correct responses', async () => {
    expect(await judge((ask) => ask)).toBe('nothing')
  })

  test.each<[string, (ask: Ask) => Ask]>([
    [
      'a change that is answered and not made',
      (ask) => async (mode, method, path, json) =>
        method === 'POST' && /_/.test(path)
          ? { ...(await ask(mode, 'GET', path)), status: 200 }
          : ask(mode, method, path, json),
    ],
    [
      'a deletion that leaves the object',
      (ask) => async (mode, method, path, json) => {
        const answer = await ask(mode, method === 'DELETE' ? 'GET' : method, path, json)
        return method === 'DELETE' && answer.status === 200
          ? { ...answer, body: { id: answer.body.id, object: answer.body, deleted: true } }
          : answer
      },
    ],
    [
      'an object that a list leaves out',
      (ask) =>
        async (...request) => {
          const answer = await ask(...request)
          return Array.isArray(answer.body) && /asc$/.test(request[2])
            ? { ...answer, body: answer.body.slice(1) }
            : answer
        },
    ],
    [
      'objects of the other mode',
      (ask) => (mode, method, path, json) =>
        ask(method === 'GET' && mode === 'test' ? 'live' : mode, method, path, json),
    ],
    [
      'an event that is missing',
      (ask) =>
        async (...request) => {
          const answer = await ask(...request)
          return request[2].startsWith('/events') ? { ...answer, body: answer.body.slice(1) } : answer
        },
    ],
  ])('%s', async (_, twist) => {
    expect(await judge(twist)).toMatch(/^AssertionError/)
  })
})
