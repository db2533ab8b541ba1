import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createKey, createVenue } from '../../support/api.ts'
import { createApiModel, steps } from '../../support/api-model.ts'
import { toRounds } from '../../support/rounds.ts'

const rounds = toRounds(48)

test('random requests of two keys keep the invariants of the contract', {
  timeout: 120_000,
}, async () => {
  let kept = 0
  await fc.assert(
    fc.asyncProperty(steps(60), async (sequence) => {
      const live = await createVenue()
      const test = await createKey(live.id, { mode: 'test' })
      const model = createApiModel((mode, ...request) => (mode === 'live' ? live : test).request(...request))
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
  type SendRequest = Parameters<typeof createApiModel>[0]
  /** Runs the model on a service with a defect: `twist` changes its responses. */
  async function judge(twist: (sendRequest: SendRequest) => SendRequest): Promise<string> {
    const live = await createVenue()
    const test = await createKey(live.id, { mode: 'test' })
    const model = createApiModel(twist((mode, ...request) => (mode === 'live' ? live : test).request(...request)))
    try {
      for (const step of fc.sample(steps(60), { seed: 1, numRuns: 1 })[0] ?? []) await model.step(step)
      await model.check()
    } catch (error) {
      return String(error)
    }
    return 'nothing'
  }

  test('nothing for correct responses', async () => {
    expect(await judge((sendRequest) => sendRequest)).toBe('nothing')
  })

  test.each<[string, (sendRequest: SendRequest) => SendRequest]>([
    [
      'a change with a response that is not made',
      (sendRequest) => async (mode, method, path, json) =>
        method === 'POST' && /_/.test(path)
          ? { ...(await sendRequest(mode, 'GET', path)), status: 200 }
          : sendRequest(mode, method, path, json),
    ],
    [
      'a deletion that leaves the object',
      (sendRequest) => async (mode, method, path, json) => {
        const response = await sendRequest(mode, method === 'DELETE' ? 'GET' : method, path, json)
        return method === 'DELETE' && response.status === 200
          ? { ...response, body: { id: response.body.id, object: response.body, deleted: true } }
          : response
      },
    ],
    [
      'an object that a list leaves out',
      (sendRequest) =>
        async (...request) => {
          const response = await sendRequest(...request)
          return Array.isArray(response.body) && /asc$/.test(request[2])
            ? { ...response, body: response.body.slice(1) }
            : response
        },
    ],
    [
      'objects of the other mode',
      (sendRequest) => (mode, method, path, json) =>
        sendRequest(method === 'GET' && mode === 'test' ? 'live' : mode, method, path, json),
    ],
    [
      'an event that is missing',
      (sendRequest) =>
        async (...request) => {
          const response = await sendRequest(...request)
          return request[2].startsWith('/events') ? { ...response, body: response.body.slice(1) } : response
        },
    ],
  ])('%s', async (_, twist) => {
    expect(await judge(twist)).toMatch(/^AssertionError/)
  })
})
