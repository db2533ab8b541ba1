import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOwnServer, type OwnServer } from '../../support/own-server.ts'
import { createReceiver } from '../../support/receiver.ts'
import { buildClock } from '../../support/shifted-clock.ts'
import { findServer } from '../shared-service.ts'

const hour = 3_600
/** Maximum difference of a time of the service from the expected one, in seconds: a start on a busy machine. */
const tolerance = 120
/** Time in which a delivery arrives, the sweep of its minute included, in milliseconds. */
const deliveryMs = 150_000

let folder: string
let receiver: Awaited<ReturnType<typeof createReceiver>>
let program: string
let toVariables: ReturnType<typeof buildClock>
let server: OwnServer
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clock-'))
  toVariables = buildClock(folder)
  receiver = await createReceiver()
  program = await findServer()
})
afterAll(async () => {
  await server?.close()
  receiver?.close()
  await rm(folder, { recursive: true, force: true })
})

/** Starts the server with a clock that is some seconds off, on the same data. */
async function startAt(shift: number) {
  await server?.stop()
  const variables = { ALLOW_PRIVATE_WEBHOOKS: '127.0.0.1', ...toVariables(shift) }
  server = await createOwnServer(program, variables, join(folder, 'data'))
  await server.start()
}

const countCalls = (path: string, text: string) =>
  receiver.received.filter((call) => call.path === path && call.text.includes(text)).length

test('with a clock an hour back or ahead, writes, events, deliveries, retries and sessions go on', {
  timeout: 5 * deliveryMs,
}, async () => {
  await startAt(0)
  const { id, key } = await server.createAccount()
  const call = (method: string, path: string, body?: unknown) =>
    server.call(method, `/merchants/${id}${path}`, key, body)
  const signIn = async () => {
    const body = JSON.stringify({ key })
    const headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
    const response = await fetch(`${server.settings.CONSOLE_ORIGIN}/console/session`, { method: 'POST', headers, body })
    expect(response.status).toBe(201)
    return response.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
  }
  const readSession = async (cookies: readonly unknown[]) => {
    const headers = { 'sec-fetch-site': 'same-origin', cookie: cookies.join('; ') }
    return (await fetch(`${server.settings.CONSOLE_ORIGIN}/console/session`, { headers })).status
  }
  const hook = { title: 'Till', url: receiver.at('/till'), events: ['product.created', 'product.updated'] }
  expect((await call('POST', '/webhooks', hook)).status).toBe(201)
  let isOpen = false
  receiver.paths['/late'] = (response) => response.writeHead(isOpen ? 204 : 503).end()
  const late = { title: 'Late', url: receiver.at('/late'), events: ['modifier.created'] }
  expect((await call('POST', '/webhooks', late)).status).toBe(201)
  expect((await call('POST', '/modifiers', { title: 'Milk', instructions: '' })).status).toBe(201)
  await expect.poll(() => countCalls('/late', '"Milk"'), { timeout: deliveryMs }).toBeGreaterThan(0)
  const { body: tea } = await call('POST', '/products', { title: 'Tea', price: 0 })
  const cookies = await signIn()
  const titles = ['Tea']
  let [last] = (await call('GET', '/events?order=asc')).body.slice(-1)
  for (const [index, shift] of [-hour, 0, hour, -hour, 0].entries()) {
    await startAt(shift)
    const title = `Dish ${index}`
    titles.push(title)
    const { status, body: dish } = await call('POST', '/products', { title, price: 1 })
    expect(status).toBe(201)
    const off = dish.createdAt - Date.now() / 1000 - shift
    expect(Math.abs(off)).toBeLessThan(tolerance)
    expect((await call('POST', `/products/${tea.id}`, { price: index + 1 })).status).toBe(200)
    const { body: after } = await call('GET', `/events?after=${last.id}`)
    expect([shift, after.map(({ type }: { type: string }) => type)]).toEqual([
      shift,
      ['product.created', 'product.updated'],
    ])
    last = after.at(-1)
    await expect.poll(() => countCalls('/till', `"${title}"`), { timeout: deliveryMs }).toBeGreaterThan(0)
    expect([shift, await readSession(cookies), await readSession(await signIn())]).toEqual([shift, 200, 200])
  }
  isOpen = true
  await startAt(hour)
  const refused = countCalls('/late', '"Milk"')
  await expect.poll(() => countCalls('/late', '"Milk"'), { timeout: deliveryMs }).toBe(refused + 1)
  const listed = (await call('GET', '/products?limit=100')).body.map((each: { title: string }) => each.title)
  expect(listed.sort()).toEqual(titles.sort())
})
