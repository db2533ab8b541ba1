import { cpus } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createReceiver, type Received, type Receiver } from '../support/receiver.ts'
import type { Service } from '../support/service.ts'
import { isLong } from './rounds.ts'
import { startService } from './shared-service.ts'

let service: Service
let receiver: Receiver
beforeAll(async () => {
  receiver = await createReceiver()
  service = await startService()
})
afterAll(async () => {
  await service?.close()
  receiver?.close()
})

const [venueCount, changes] = isLong ? [100, 10] : [10, 5]
const at = (path: string): Received[] => receiver.received.filter((call) => call.path === path)
const idOf = ({ headers }: Received) => String(headers['webhook-id'])

/** Busy and total time of all cores since the start of the machine, in milliseconds. */
function readCores(): { busy: number; total: number } {
  const times = cpus().map((core) => core.times)
  const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0)
  const total = sum(times.flatMap((time) => Object.values(time)))
  return { busy: total - sum(times.map(({ idle }) => idle)), total }
}

/** Changes in a second, of all venues together. */
const perSecond = 10

test('while venues of both kinds of home trade, 99 of 100 changes are at a platform webhook within 5 seconds', {
  timeout: 240_000,
}, async () => {
  const { body: webhook } = await service.call('POST', '/admin/webhooks', service.adminToken, {
    title: 'Delay',
    url: receiver.at('/delay'),
    events: ['product.created'],
    merchants: 'all',
  })
  const venues: Awaited<ReturnType<Service['createVenue']>>[] = []
  for (let index = 0; index < venueCount; index++)
    venues.push(await service.createVenue(index % 2 === 0 ? { home: 'object' } : {}))
  const startsMs = new Map<string, number>()
  const before = readCores()
  const startMs = Date.now()
  const created = Array.from({ length: venueCount * changes }, async (_, index) => {
    const atMs = startMs + (index * 1_000) / perSecond
    await wait(atMs - Date.now())
    const sentMs = Date.now()
    const response = await venues[index % venueCount]?.post('/products', { title: `${index}`, price: 1 })
    startsMs.set(response?.body.id, sentMs)
  })
  await Promise.all(created)
  for (const endMs = Date.now() + 60_000; at('/delay').length < startsMs.size && Date.now() < endMs; ) await wait(20)
  const after = readCores()
  const delays = at('/delay')
    .map(({ text, atMs }) => atMs - (startsMs.get(JSON.parse(text).data.id) ?? 0))
    .sort((a, b) => a - b)
  const share = (percent: number) => delays[Math.ceil((delays.length * percent) / 100) - 1] ?? Number.POSITIVE_INFINITY
  const load = Math.round((100 * (after.busy - before.busy)) / (after.total - before.total))
  console.log(
    `figure: ms from a change to a platform webhook (${venueCount} venues in both homes; ${perSecond} changes in a second; ${load} % of ${cpus().length} cores busy), p50 ${share(50)}; p99 ${share(99)}; slowest ${share(100)}`,
  )
  expect([startsMs.size, delays.length]).toEqual([venueCount * changes, venueCount * changes])
  expect(share(99)).toBeLessThanOrEqual(5_000)
  await service.call('DELETE', `/admin/webhooks/${webhook.id}`, service.adminToken)
})

test('after a kill, a platform webhook gets the committed events of all venues, of both kinds of home', {
  timeout: 120_000,
}, async () => {
  const { body: webhook } = await service.call('POST', '/admin/webhooks', service.adminToken, {
    title: 'All',
    url: receiver.at('/platform'),
    events: ['product.created'],
    merchants: 'all',
  })
  const venues: Awaited<ReturnType<Service['createVenue']>>[] = []
  for (let index = 0; index < venueCount; index++)
    venues.push(await service.createVenue(index % 3 === 0 ? { home: 'object' } : {}))
  let begun = 0
  let made = 0
  let killed: Promise<void> | undefined
  const work = async () => {
    for (; begun < venueCount * changes; begun++) {
      const venue = venues[begun % venueCount]
      const response = await venue?.post('/products', { title: `${begun}`, price: 1 }).catch(() => undefined)
      if (response?.status === 201 && ++made === (venueCount * changes) / 2) killed ??= service.kill()
    }
  }
  await Promise.all(Array.from({ length: 10 }, work))
  await killed
  await service.start()
  for (const venue of venues) await venue.post('/products', { title: 'After', price: 1 })
  const committed: string[] = []
  for (const venue of venues) {
    const { body } = await venue.get('/events?limit=100')
    committed.push(
      ...body.filter(({ type }: { type: string }) => type === 'product.created').map(({ id }: { id: string }) => id),
    )
  }
  const missing = () => {
    const arrived = new Set(at('/platform').map(idOf))
    return committed.filter((id) => !arrived.has(id)).length
  }
  // Deliveries whose message or attempt the kill interrupted are overdue after 30 or 45 seconds.
  for (const endMs = Date.now() + 90_000; missing() > 0 && Date.now() < endMs; await wait(1_000))
    await service.runScheduled()
  const calls = at('/platform')
  const ids = calls.map(idOf)
  console.log(
    `figure: platform webhook, ${venueCount} venues, a kill: ${committed.length} events, ${missing()} lost, ${ids.length - new Set(ids).size} sent twice`,
  )
  expect(missing()).toBe(0)
  expect(new Set(ids).difference(new Set(committed))).toEqual(new Set())
  const [first] = calls
  if (!first) throw new Error('no call')
  const headers = Object.fromEntries(Object.entries(first.headers).map(([name, value]) => [name, String(value)]))
  expect(new Webhook(webhook.secret).verify(first.text, headers)).toMatchObject({ type: 'product.created' })
})
