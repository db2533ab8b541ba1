import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillVenue, moveVenue, readVenue } from '../../support/moved-venue.ts'
import { createOwnServer, type OwnServer, runServer } from '../../support/own-server.ts'
import { dataFolder, type Service } from '../../support/service.ts'
import { findServer, startService } from '../shared-service.ts'

const minuteMs = 60_000
/** Writes that the venue gets in each minute while the backup is made. */
const writesPerMinute = 1_000
/** Clients that write at the same time. */
const clients = 4

let program: string
let folder: string
let server: OwnServer
/** The service with the shared database, as new merchants have it on Cloudflare. */
let shared: Service
beforeAll(async () => {
  program = await findServer()
  folder = await mkdtemp(join(dataFolder, 'backups-'))
  server = await createOwnServer(program, { RATE_LIMITS: 'off' })
  const [service] = await Promise.all([startService(), server.start()])
  shared = service
})
afterAll(async () => {
  await Promise.all([server?.close(), shared?.close()])
  await rm(folder, { recursive: true, force: true })
})

/** Creates and changes products until it is stopped. Returns the prices that were acknowledged. */
function write(id: string, key: string) {
  const acknowledged = new Map<string, number>()
  const startMs = Date.now()
  let [writes, isOver] = [0, false]
  const save = async (path: string, body: unknown) => {
    const response = await server.call('POST', `/merchants/${id}/products${path}`, key, body)
    expect([201, 200]).toContain(response.status)
    acknowledged.set(response.body.id, response.body.price)
    writes++
    return response.body
  }
  const work = async (client: number) => {
    for (let index = 0; !isOver; index++) {
      const dish = await save('', { title: `Dish ${client}-${index}`, price: 1 })
      await save(`/${dish.id}`, { price: 2 })
    }
  }
  const working = Promise.all(Array.from({ length: clients }, (_, client) => work(client)))
  return {
    acknowledged,
    /** Ends the writing. Returns the number of writes in a minute. */
    async stop(): Promise<number> {
      isOver = true
      await working
      return (writes * minuteMs) / (Date.now() - startMs)
    },
  }
}

test('a backup during 1,000 writes a minute is restored, and its venue on the other kind of host has equal answers', {
  timeout: 5 * minuteMs,
}, async () => {
  const venue = await fillVenue(server)
  const { id, key, code } = venue
  const writer = write(id, key)
  await expect.poll(() => writer.acknowledged.size, { timeout: minuteMs }).toBeGreaterThan(50)
  const before = new Map(writer.acknowledged)
  const file = join(folder, 'all.tar.gz')
  const taken = await runServer(program, ['backup', file, '--data', server.state])
  // A backup of the venue alone, during the same writes.
  const alone = await server.call('POST', `/admin/merchants/${id}/backups`, server.adminToken)
  const rate = await writer.stop()
  expect([taken.code, alone.status]).toEqual([0, 201])
  expect(rate).toBeGreaterThan(writesPerMinute)
  expect(writer.acknowledged.size).toBeGreaterThan(before.size)

  const data = join(folder, 'restored')
  expect((await runServer(program, ['restore', file, '--data', data])).code).toBe(0)
  const restored = await createOwnServer(program, {}, data)
  try {
    await restored.start()
    await moveVenue(restored, shared, venue)
    expect(await readVenue(shared, venue)).toEqual(await readVenue(restored, venue))
    const ids = [...before.keys()]
    for (let from = 0; from < ids.length; from += 50) {
      const path = `/merchants/${id}/products?limit=50&ids=${ids.slice(from, from + 50)}`
      const { body } = await shared.call('GET', path, key)
      const prices: [string, number][] = body.map((each: { id: string; price: number }) => [each.id, each.price])
      expect(prices.filter(([product, price]) => price < (before.get(product) ?? 0))).toEqual([])
      expect(prices.length).toBe(Math.min(50, ids.length - from))
    }
    const { status, headers } = await fetch(shared.origin + code, { redirect: 'manual' })
    expect([status, headers.get('location')]).toEqual([302, expect.stringContaining(`/m/${id}`)])
  } finally {
    await restored.close()
  }
})
