import { setTimeout as wait } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { behaviours, createReceiver, freePort, type Received, type Receiver } from '../support/receiver.ts'
import type { Service } from '../support/service.ts'
import { isLong } from './rounds.ts'
import { startService } from './shared-service.ts'

let service: Service
let receiver: Receiver
type Venue = Awaited<ReturnType<Service['createVenue']>>

beforeAll(async () => {
  receiver = await createReceiver()
  service = await startService()
})
afterAll(async () => {
  await service?.close()
  receiver?.close()
})

/** Products of a burst, each delivered to three endpoints, and how many are created when the service is killed. */
const [burst, beforeKill] = isLong ? [200, 120] : [80, 40]

const figure = (what: string, value: string) => console.log(`figure: ${what}, ${value}`)
const product = (title: string) => ({ title, price: 4.5 })
const at = (path: string): Received[] => receiver.received.filter((call) => call.path === path)
const idOf = ({ headers }: Received) => String(headers['webhook-id'])

async function until<Value>(
  patienceMs: number,
  check: () => Value | Promise<Value>,
  { everyMs = 20 } = {},
): Promise<Value> {
  const end = Date.now() + patienceMs
  for (;;) {
    const found = await check()
    if (found || Date.now() > end) return found
    await wait(everyMs)
  }
}

/** Creates products, twenty at once, until it is stopped. Returns the ids of the created ones. */
async function createMany(venue: Venue, count: number, onCreated: (made: number) => unknown = () => undefined) {
  const made: string[] = []
  let begun = 0
  const work = async () => {
    while (begun < count) {
      const response = await venue.post('/products', product(`${begun++}`)).catch(() => undefined)
      if (response?.status === 201) {
        made.push(response.body.id)
        onCreated(made.length)
      }
    }
  }
  await Promise.all(Array.from({ length: 20 }, work))
  return made
}

test('the first attempt is sent without the cron trigger, and a library verifies it', async () => {
  const venue = await service.createVenue()
  const webhook = await venue.createWebhook(receiver.at('/first'))
  const { body } = await venue.get(`/webhooks/${webhook.id}/secret`)
  const times: number[] = []
  for (let i = 1; i <= 5; i++) {
    const start = Date.now()
    await venue.post('/products', product('Tea'))
    await until(30_000, () => at('/first').length === i)
    times.push((at('/first').at(-1)?.atMs ?? Number.POSITIVE_INFINITY) - start)
  }
  figure(
    'ms from the change to its first attempt',
    `${times.toSorted((a, b) => a - b)[2]} (slowest ${Math.max(...times)})`,
  )
  expect(at('/first')).toHaveLength(5)
  for (const { text, headers } of at('/first')) {
    const plain = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
    expect(new Webhook(body.secret).verify(text, plain)).toMatchObject({ type: 'product.created' })
    expect(headers.authorization).toBe(`Bearer ${webhook.bearerToken}`)
  }
})

test('a hanging endpoint does not delay four others', async () => {
  const venue = await service.createVenue()
  let resume: () => void = () => undefined
  // Responds when the others have all events, so that the attempt is under way until then.
  receiver.paths['/beside/2'] = (response) => {
    resume = () => response.writeHead(204).end()
  }
  for (let i = 0; i < 5; i++) await venue.createWebhook(receiver.at(`/beside/${i}`))
  const fast = ['/beside/0', '/beside/1', '/beside/3', '/beside/4']
  const isSent = (count: number) => fast.every((path) => at(path).length === count)
  const times: number[] = []
  for (let i = 1; i <= 3; i++) {
    const start = Date.now()
    await venue.post('/products', product('Tea'))
    expect(await until(30_000, () => isSent(i))).toBe(true)
    times.push(Math.max(...fast.map((path) => at(path).at(-1)?.atMs ?? Number.POSITIVE_INFINITY)) - start)
  }
  expect(at('/beside/2').length).toBeGreaterThan(0)
  resume()
  figure('ms to four endpoints beside one that hangs', `${Math.max(...times)}`)
})

describe('every behavior of an endpoint', () => {
  test(`is recorded as an attempt and does not delay a burst of ${burst * 3} deliveries`, {
    timeout: 60_000,
  }, async () => {
    const thief = await createReceiver()
    const closed = await freePort()
    Object.assign(receiver.paths, {
      '/hangs': behaviours.hangs,
      '/hangs-in-body': behaviours.hangsInBody,
      '/huge': behaviours.huge,
      '/corrupt': behaviours.corrupt,
      '/resets': behaviours.resets,
      '/resets-in-body': behaviours.resetsInBody,
      '/redirects': (response) => response.writeHead(302, { location: thief.at('/stolen') }).end(),
    } satisfies Receiver['paths'])
    const urls = {
      hangs: receiver.at('/hangs'),
      hangsInBody: receiver.at('/hangs-in-body'),
      huge: receiver.at('/huge'),
      corrupt: receiver.at('/corrupt'),
      resets: receiver.at('/resets'),
      resetsInBody: receiver.at('/resets-in-body'),
      redirects: receiver.at('/redirects'),
      refused: `http://127.0.0.1:${closed}/`,
      // A name that is too long for a query: no name server receives it.
      unknownHost: `https://${'x'.repeat(64)}.com/`,
    }
    const broken = await service.createVenue()
    const webhooks = await Promise.all(
      Object.entries(urls).map(async ([name, url]) => [name, (await broken.createWebhook(url)).id] as const),
    )
    await broken.post('/products', product('Tea'))

    const venue = await service.createVenue()
    for (const path of ['/burst/0', '/burst/1', '/burst/2']) await venue.createWebhook(receiver.at(path))
    const arrived = () => receiver.received.filter(({ path }) => path.startsWith('/burst/'))
    const start = Date.now()
    expect(await createMany(venue, burst)).toHaveLength(burst)
    await until(30_000, () => arrived().length >= burst * 3)
    const lastMs = Math.max(...arrived().map(({ atMs }) => atMs)) - start
    figure(`s for a burst of ${burst * 3} deliveries`, (lastMs / 1000).toFixed(1))
    expect(new Set(arrived().map((call) => call.path + idOf(call))).size).toBe(burst * 3)
    expect(arrived()).toHaveLength(burst * 3)

    const outcomes: Record<string, { state: string; attempts: Record<string, unknown>[] }> = {}
    const readOutcomes = async () => {
      for (const [name, id] of webhooks) outcomes[name] = (await broken.get(`/webhooks/${id}/deliveries`)).body[0]
      return Object.values(outcomes).every(({ attempts }) => attempts.length > 0)
    }
    await until(25_000, readOutcomes, { everyMs: 500 })
    const first = Object.fromEntries(
      Object.entries(outcomes).map(
        ([
          name,
          {
            state,
            attempts: [attempt = {}],
          },
        ]) => [name, { state, ...attempt }],
      ),
    )
    const failed = { state: 'pending', error: expect.any(String) }
    expect(first).toMatchObject({
      hangs: { state: 'pending', error: 'no response within 15 s' },
      hangsInBody: { state: 'delivered', status: 200, response: 'the beginning' },
      huge: { state: 'delivered', status: 200, response: 'x'.repeat(16_384) },
      corrupt: { state: 'delivered', status: 200 },
      resets: failed,
      resetsInBody: { state: 'delivered', status: 200, response: 'the beginning' },
      redirects: { state: 'pending', status: 302 },
      refused: failed,
      unknownHost: failed,
    })
    for (const name of ['resets', 'refused', 'unknownHost']) expect(first[name]).not.toHaveProperty('status')
    expect(thief.received).toEqual([])
    thief.close()
    figure('MB read of a response of 400', (receiver.bytesSent() / 1e6).toFixed(1))
    expect(receiver.bytesSent()).toBeLessThan(100_000_000)
    expect(service.output()).not.toMatch(/dead letter|attempt not recorded|delivery not claimed/)
  })
})

test('after a kill during a burst and a restart, the service delivers every committed event', {
  timeout: 90_000,
}, async () => {
  const venue = await service.createVenue()
  const paths = ['/drill/0', '/drill/1', '/drill/2']
  for (const path of paths) {
    receiver.paths[path] = behaviours.busy
    await venue.createWebhook(receiver.at(path))
  }
  let killed: Promise<void> | undefined
  const before = await createMany(venue, burst, (made) => {
    if (made === beforeKill) killed ??= service.kill()
  })
  await killed
  const killedMs = Date.now()
  expect(before.length).toBeGreaterThanOrEqual(beforeKill)
  expect(before.length).toBeLessThan(burst)
  const early = receiver.received.filter(({ path }) => path.startsWith('/drill/')).length
  await service.start()
  const after = await createMany(venue, burst - before.length)
  expect(before.length + after.length).toBe(burst)

  const committed: { id: string; data: { id: string } }[] = []
  for (let after = ''; ; ) {
    const { body } = await venue.get(`/events?limit=100${after}`)
    committed.push(...body.filter(({ type }: { type: string }) => type === 'product.created'))
    if (body.length < 100) break
    after = `&after=${body.at(-1).id}`
  }
  const delivered = new Set(committed.map(({ data }) => data.id))
  for (const id of [...before, ...after]) expect(delivered).toContain(id)

  // Deliveries without a message are overdue 30 s after they were due, and attempts in progress 45 s after their start. The cron runs until then.
  const missing = () =>
    paths.flatMap((path) => {
      const arrived = new Set(at(path).map(idOf))
      return committed.filter(({ id }) => !arrived.has(id))
    }).length
  const left = missing()
  const runCron = async () => {
    await service.runScheduled()
    return missing() === 0
  }
  await until(60_000, runCron, { everyMs: 2_000 })
  const all = paths.flatMap(at)
  const duplicates = all.length - paths.length * committed.length
  figure(
    'deliveries of a burst with a SIGKILL in it',
    `${all.length - duplicates} of ${paths.length * committed.length}`,
  )
  figure('of them called for before the SIGKILL', `${early}`)
  figure('of them missing when the cron was first rung', `${left}`)
  figure('duplicates, all under the same id', `${duplicates}`)
  figure('s from the SIGKILL to the last of them', ((Date.now() - killedMs) / 1000).toFixed(1))
  expect(missing()).toBe(0)
  expect(committed.length * paths.length).toBeGreaterThanOrEqual(burst * paths.length)
  const known = new Set(committed.map(({ id }) => id))
  const texts = new Map<string, string>()
  for (const call of all) {
    expect(known).toContain(idOf(call))
    expect(texts.get(idOf(call)) ?? call.text).toBe(call.text)
    texts.set(idOf(call), call.text)
  }
})
