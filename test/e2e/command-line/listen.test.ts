import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, createClient, verifyWebhook } from '../../../packages/client/src/client.ts'
import { isLong } from '../rounds.ts'
import { connectService } from '../shared-service.ts'
import { type CommandLine, installCommandLine } from './install.ts'

let cli: CommandLine
let client: Client

beforeAll(async () => {
  const service = await connectService()
  cli = await installCommandLine()
  const { id, key } = await service.createAccount()
  client = createClient({ origin: service.origin, merchantId: id, key })
  await cli.typeWith(key, 'login', '--url', service.origin, '--merchant', id)
})
afterAll(() => cli?.remove())

/** A program on this machine that receives events. */
async function startProgram() {
  const received: { id: string; body: string; headers: Record<string, string | string[] | undefined> }[] = []
  const server = createServer(async (request, response) => {
    const body = await text(request)
    received.push({ id: String(request.headers['webhook-id']), body, headers: request.headers })
    response.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}/hook`,
    received,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

const secretIn = (output: string) => /Signing secret: (whsec_\S+)/.exec(output)?.[1] ?? ''
const createProducts = (count: number) =>
  client.batch(
    Array.from({ length: count }, (_, index) => ({
      op: 'create' as const,
      resource: 'products' as const,
      body: { title: `Dish ${index}`, price: 1 },
    })),
  )

const count = isLong ? 1_000 : 200

test(`listen loses none of ${count} events with three restarts, and signs all of them with one secret`, async () => {
  const program = await startProgram()
  const start = () => cli.start('listen', '--forward-to', program.url)
  let command = start()
  const secrets = [secretIn(await command.printed('Waiting for events'))]
  const position = (await client.events.list({ after: 'latest' }).page()).cursor
  await createProducts(count / 2)
  for (const part of [0.1, 0.4, 0.7]) {
    await expect.poll(() => program.received.length, { timeout: 60_000 }).toBeGreaterThan(part * count)
    command.kill()
    await command.ended
    if (part === 0.1) await createProducts(count / 2)
    command = start()
    secrets.push(secretIn(await command.printed('Continuing after the last event')))
  }
  const expected = []
  for await (const { id } of client.events.list({ after: position })) expected.push(id)
  expect(expected).toHaveLength(count)
  await expect.poll(() => new Set(program.received.map(({ id }) => id)).size, { timeout: 60_000 }).toBe(count)
  const delays = []
  for (let round = 0; round < 5; round++) {
    const startMs = performance.now()
    const { id } = await client.products.create({ title: 'Timed', price: 1 })
    await expect
      .poll(() => program.received.some(({ body }) => body.includes(id)), { interval: 10, timeout: 10_000 })
      .toBe(true)
    delays.push(performance.now() - startMs)
  }
  console.log(
    `figure: from a change to its request of listen, ${Math.round(Math.max(...delays))} ms at most of ${delays.length}`,
  )
  const timed = delays.length
  expect((await command.interrupt()).code).toBe(130)
  program.close()
  program.received.splice(-timed)

  // In order. Only the event at which the command was killed can occur twice.
  const order = program.received.map(({ id }) => id)
  expect([...new Set(order)]).toEqual(expected)
  expect(order.length).toBeLessThanOrEqual(count + 3)
  console.log(`figure: listen over ${count} events with three restarts, 0 lost and ${order.length - count} twice`)
  expect(new Set(secrets).size).toBe(1)
  const [secret = ''] = secrets
  for (const { body, headers, id } of program.received) {
    expect(await verifyWebhook(body, headers, secret)).toMatchObject({ id, type: 'product.created' })
  }
})

test('listen waits for a program that does not run, filters, and sends an event again', async () => {
  const stopped = await startProgram()
  stopped.close()
  const waiting = cli.start('listen', '--forward-to', stopped.url, '--events', 'menu.created')
  await waiting.printed('Waiting for events')
  await client.products.create({ title: 'Not sent', price: 1 })
  const menu = await client.menus.create({ title: 'Sent' })
  await waiting.printed('does not respond')
  waiting.kill()
  await waiting.ended

  const program = await startProgram()
  const [event] = (await client.events.list({ order: 'desc', limit: 1 }).page()).items
  const replayed = await cli.type('listen', '--forward-to', program.url, '--replay', event?.id ?? '')
  expect(replayed).toMatchObject({ code: 0, output: expect.stringMatching(/^204 .*menu\.created/m) })
  expect(program.received.map(({ body }) => JSON.parse(body).data.id)).toEqual([menu.id])
  expect(await cli.type('listen', '--forward-to', program.url, '--replay', 'evt_nothing')).toMatchObject({
    code: 2,
    output: expect.stringContaining('has no event evt_nothing'),
  })
  program.close()
})

test('events tail prints events as they happen', async () => {
  const tail = cli.start('events', 'tail', '--events', 'coupon.created', '--json')
  const [last] = (await client.events.list({ order: 'desc', limit: 1 }).page()).items
  const resumed = cli.start('events', 'tail', '--after', last?.id ?? '', '--events', 'coupon.created')
  await client.menus.create({ title: 'Not shown' })
  const coupon = await client.coupons.create({ title: 'Ten', code: 'TEN', type: 'PERCENTAGE', value: 10 })
  expect(await resumed.printed(coupon.id)).toMatch(new RegExp(`^\\S+  evt_\\w+  coupon\\.created  ${coupon.id}\n$`))
  // The first request may have begun after the event.
  for (let code = 0; !(await Promise.race([tail.printed('{').then(() => true), wait()])); code++) {
    await client.coupons.create({ title: 'Ten', code: `TEN${code}`, type: 'PERCENTAGE', value: 10 })
  }
  expect(JSON.parse((await tail.printed('\n')).split('\n')[0] ?? '')).toMatchObject({ type: 'coupon.created' })
  expect((await tail.interrupt()).code).toBe(130)
  expect((await resumed.interrupt()).code).toBe(130)
})

const wait = () => new Promise<false>((resolve) => setTimeout(() => resolve(false), 200))
