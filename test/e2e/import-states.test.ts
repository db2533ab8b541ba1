import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { halvesIn } from '../drill/storage.ts'
import type { Service } from '../support/service.ts'
import { outdateImports } from './outdate-imports.ts'
import { startService } from './shared-service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

/** Products of two sizes each. Their prices can be read in two ways, so that the file asks. */
const amount = 400
const file = `Artikel;Größe;Preis\n${Array.from({ length: amount }, (_, n) => `P${n};S;1.500\nP${n};L;2.500\n`).join('')}`

test('an import of a mapped file that is killed in each of its states goes on, and writes each product once with its sizes', async () => {
  const { id, key } = await service.createAccount()
  const path = `/merchants/${id}/imports`
  const call = async (method: string, relative: string, json?: unknown) =>
    (await service.call(method, `${path}${relative}`, key, json)).body
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'text/csv' }
  const response = await fetch(`${service.origin}${path}?mapping=auto`, { method: 'POST', headers, body: file })
  const { id: importId, reading }: { id: string; reading: { questions: unknown[] } } = await response.json()
  expect([response.status, reading.questions.length]).toEqual([202, 1])
  const retrieve = () => call('GET', `/${importId}`)

  /** Kills the service, as a power cut would, and starts it again. The scheduled task finds imports that make no progress. */
  async function restart() {
    await service.kill()
    await outdateImports(service)
    await service.start()
    await service.runScheduled()
    return retrieve()
  }
  /** Waits until the import is in one of the states, or has applied more rows. */
  async function reach(isThere: (found: { state: string; checked: number; applied: number }) => boolean) {
    for (let tries = 0; tries < 900; tries++) {
      if (tries % 10 === 9) await service.runScheduled()
      const found = await retrieve()
      if (isThere(found)) return found
      await wait(50)
    }
    throw new Error('no progress')
  }

  const asked = await restart()
  expect([asked.state, asked.reading]).toEqual(['asking', expect.objectContaining({ questions: reading.questions })])
  // The service dies while the answer is written: it is stored, or not at all.
  const answer = call('POST', `/${importId}/mapping`, { numberFormat: 'point' }).catch(() => undefined)
  await wait(30)
  const between = await restart()
  await answer
  expect(['asking', 'checking', 'ready']).toContain(between.state)
  await call('POST', `/${importId}/mapping`, { numberFormat: 'comma' })
  await reach(({ state, checked }) => state !== 'checking' || checked > 0)
  expect(['checking', 'ready']).toContain((await restart()).state)
  const ready = await reach(({ state }) => state === 'ready')
  expect(ready).toMatchObject({ rows: amount, checked: amount, failed: 0, check: { creates: amount } })
  expect((await restart()).state).toBe('ready')
  await call('POST', `/${importId}/apply`)
  let killedAt = 0
  for (let kills = 0; kills < 2; kills++) {
    const found = await reach(({ state, applied }) => state === 'done' || applied > killedAt)
    killedAt = found.applied
    if (found.state !== 'done') await restart()
  }
  const done = await reach(({ state }) => state === 'done')
  expect(done).toMatchObject({ applied: amount + 1, created: amount + 1, failed: 0 })
  expect((await restart()).state).toBe('done')

  const exported = await fetch(`${service.origin}/merchants/${id}/export?resources=products`, { headers })
  const lines = (await exported.text()).trimEnd().split('\n').slice(1, -1)
  const products = lines.map((line) => JSON.parse(line))
  expect(new Set(products.map(({ object }) => object.title)).size).toBe(amount)
  expect(products).toHaveLength(amount)
  const prices = products.map(({ details }) =>
    Object.values(details.sizes.prices).map((size) => Reflect.get(Object(size), 'price')),
  )
  expect(new Set(prices.map((list) => list.join()))).toEqual(new Set(['1500,2500']))
  await service.kill()
  expect(await halvesIn(service.state)).toEqual([])
  await service.start()
}, 300_000)
