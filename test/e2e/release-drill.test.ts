import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { drillReleases } from '../drill/release-drill.ts'
import type { Service } from '../support/service.ts'
import { startService } from './shared-service.ts'

let service: Service

beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

/** The short form of `npm run drill -- --releases 60`. */
test('publishing, undo and restore are killed, and are complete or have no effect, and then go on', async () => {
  const { findings, isWell, figures } = await drillReleases(service, { rounds: 6, objects: 520 })
  expect(findings).toEqual([])
  expect(isWell, JSON.stringify(figures)).toBe(true)
}, 180_000)

test.each(['d1', 'object'])(
  'a release that was scheduled before a restart is published after it, in %s',
  async (home) => {
    const venue = await service.createVenue({ home })
    const { id } = (await venue.post('/products', { title: 'Tea', price: 4 })).body
    const publishAt = Math.floor(Date.now() / 1_000) + 4
    const operations = [{ op: 'update', resource: 'products', id, body: { price: 5 } }]
    const release = (await venue.post('/releases', { title: 'Soon', publishAt, operations })).body
    expect(release.state).toBe('scheduled')
    await service.kill()
    await service.start()
    await wait(Math.max(0, publishAt * 1_000 - Date.now()) + 1_000)
    await service.runScheduled()
    const read = async () => (await venue.get(`/releases/${release.id}`)).body
    for (const end = Date.now() + 20_000; (await read()).state === 'scheduled' && Date.now() < end; ) await wait(200)
    expect(await read()).toMatchObject({ state: 'published', publishAt })
    expect((await venue.get(`/products/${id}`)).body.price).toBe(5)
  },
  60_000,
)
