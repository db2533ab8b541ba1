import { expect, onTestFinished, test, vi } from 'vitest'
import { createVenue } from '../../support/api.ts'

const turnMs = 1_000

/** Makes turns of the event loop long, and counts those that writes have started and those that are over. */
function lengthenTurns() {
  const turns = { started: 0, over: 0, ms: turnMs }
  const wait = scheduler.wait.bind(scheduler)
  const spy = vi.spyOn(scheduler, 'wait').mockImplementation(async (ms, options) => {
    if (ms !== 0) return wait(ms, options)
    turns.started++
    await wait(turns.ms)
    turns.over++
  })
  onTestFinished(() => spy.mockRestore())
  return turns
}

test('a write alone does not wait for a turn of the event loop, and writes that arrive together wait for the same one', async () => {
  const venue = await createVenue({ home: 'object' })
  const create = async (title: string) => (await venue.post('/products', { title, price: 1 })).status
  await create('First')
  await scheduler.wait(50)
  const turns = lengthenTurns()
  expect([await create('Alone'), turns]).toMatchObject([201, { started: 1, over: 0 }])

  const pending = ['a', 'b', 'c'].map(async (title) => [await create(title), { ...turns }])
  // Reads do not wait.
  expect((await venue.get('/products')).body).toHaveLength(2)
  expect(turns).toMatchObject({ started: 1, over: 0 })
  const done = [201, { started: 1, over: 1 }]
  expect(await Promise.all(pending)).toMatchObject([done, done, done])

  // After a turn with several writes, others may follow: the next eight writes wait for them.
  turns.ms = 0
  for (let n = 0; n < 8; n++) expect([await create(`Next ${n}`), turns]).toMatchObject([201, { over: 2 + n }])
  turns.ms = turnMs
  expect([await create('Alone again'), turns]).toMatchObject([201, { started: 10, over: 9 }])
})
