import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { halvesIn } from '../drill/storage.ts'
import type { Service } from '../support/service.ts'
import { outdateImports } from './outdate-imports.ts'
import { isLong } from './rounds.ts'
import { startService } from './shared-service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

const rows = isLong ? 4_000 : 1_500

/** Times that the service is killed while it applies the import. */
const kills = 2

test('an import that is killed while it is applied applies each row once', async () => {
  const { id, key } = await service.createAccount()
  const path = `/merchants/${id}/imports`
  const retrieve = async (importId: string) => (await service.call('GET', `${path}/${importId}`, key)).body
  const request = { method: 'POST', headers: { authorization: `Bearer ${key}`, 'content-type': 'text/csv' } }
  const body = `title,price\n${Array.from({ length: rows }, (_, n) => `Tea ${n},1\n`).join('')}`
  const response = await fetch(`${service.origin}${path}?resource=products&apply=true`, { ...request, body })
  expect(response.status).toBe(202)
  const { id: importId }: { id: string } = await response.json()

  /** Waits until more rows are applied. After a kill, the scheduled task finds the import. */
  async function waitForProgress(applied: number) {
    for (let tries = 0; tries < 600; tries++) {
      if (tries % 10 === 9) await service.runScheduled()
      const found = await retrieve(importId)
      if (found.state === 'done' || found.applied > applied) return found
      await wait(100)
    }
    throw new Error(`no progress behind ${applied} rows`)
  }
  let found = await waitForProgress(0)
  for (let n = 0; n < kills && found.state !== 'done'; n++) {
    await service.kill()
    await outdateImports(service)
    await service.start()
    found = await waitForProgress(found.applied)
  }
  while (found.state !== 'done') found = await waitForProgress(found.applied)

  expect(found).toMatchObject({ rows, checked: rows, applied: rows, created: rows, failed: 0 })
  const exported = await fetch(`${service.origin}/merchants/${id}/export?resources=products`, {
    headers: { authorization: `Bearer ${key}` },
  })
  const titles = (await exported.text())
    .trimEnd()
    .split('\n')
    .slice(1, -1)
    .map((line) => JSON.parse(line).object.title)
  expect(titles).toHaveLength(rows)
  expect(new Set(titles).size).toBe(rows)
  await service.kill()
  expect(await halvesIn(service.state)).toEqual([])
  await service.start()
}, 300_000)
