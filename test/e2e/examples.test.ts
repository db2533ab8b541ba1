import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../support/receiver.ts'
import type { Calls } from '../support/service.ts'
import { startCommand } from './command.ts'
import { connectService } from './shared-service.ts'

let service: Calls
let folder: string

beforeAll(async () => {
  service = await connectService()
  folder = await mkdtemp(join(tmpdir(), 'examples-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

/** An example, for the account that the environment names. */
function example(environment: Readonly<Record<string, string>>, name: string, ...args: string[]) {
  const settings = Object.entries({ API_URL: service.origin, ...environment }).map(([key, value]) => `${key}=${value}`)
  return startCommand('.', 'env', ...settings, process.execPath, `examples/${name}.ts`, ...args)
}

test('a venue is created from a file, its codes are printed, and a receiver gets its orders', async () => {
  const made = await example({ ADMIN_TOKEN: service.adminToken }, 'create-venue').ended
  expect(made).toMatchObject({ code: 0, output: expect.stringContaining('Bäckerei am Tor sells 5 products') })
  const [, MERCHANT_ID = '', API_KEY = ''] = /MERCHANT_ID=(\S+) API_KEY=(\S+)/.exec(made.output) ?? []
  const account = { MERCHANT_ID, API_KEY }

  const menu = await fetch(`${service.origin}/m/${MERCHANT_ID}`)
  expect(await menu.text()).toContain('Topfengolatsche')

  const file = join(folder, 'tables.pdf')
  const printed = await example(account, 'table-codes', '3', file).ended
  expect(printed).toMatchObject({ code: 0, output: expect.stringMatching(/^Table 1: .*\nTable 2: .*\nTable 3: /m) })
  expect((await readFile(file)).subarray(0, 5).toString()).toBe('%PDF-')

  // Bundles with a part that has stock.
  const create = async (body: object) =>
    (await service.call('POST', `/merchants/${MERCHANT_ID}/products`, API_KEY, body)).body.id
  const jam = await create({ title: 'Jam', price: 1, manageStock: true, stockQuantity: 99 })
  const honey = await create({ title: 'Honey', price: 1 })
  const bundle = { groups: [{ title: 'Spread', min: 2, max: 2, items: [{ product: jam }, { product: honey }] }] }
  for (const title of ['Breakfast', 'Brunch', 'Snack', 'Picnic', 'Supper']) {
    const id = await create({ title, price: 5 })
    await service.call('POST', `/merchants/${MERCHANT_ID}/products/${id}/details`, API_KEY, { bundle })
  }

  const receiver = example(account, 'receiver', String(await freePort()))
  await receiver.printed('Listening on')
  const till = await example(account, 'point-of-sale', '4', '0').ended
  expect(till.code).toBe(0)
  const taken = [...till.output.matchAll(/^Till ([12]), order ([1-4]): [\d.]+ \((evt_\w+)\)$/gm)]
  expect(taken.map(([, number, order]) => `${number}.${order}`).sort()).toEqual([
    '1.1',
    '1.2',
    '1.3',
    '1.4',
    '2.1',
    '2.2',
    '2.3',
    '2.4',
  ])
  const ids = taken.map(([, , , id]) => id)
  expect(new Set(ids).size).toBe(8)
  // Till 2 sent its first order twice.
  expect(till.output).toMatch(/^Till 2 crashed and repeats order 1$/m)
  expect(till.output).toMatch(/^8 orders: 8 events, 1 changed, 1 cancelled\. (\d+) units with stock: \1 taken\.$/m)
  const { body: events } = await service.call('GET', `/merchants/${MERCHANT_ID}/events?types=order.created`, API_KEY)
  expect(events.map(({ id }: { id: string }) => id).sort()).toEqual(ids.sort())
  const lines = events.flatMap(({ data }: { data: { items: { choices?: object[] }[] } }) => data.items)
  expect(lines.some(({ choices }: { choices?: object[] }) => choices?.length === 2)).toBe(true)
  for (const number of [1, 4]) await receiver.printed(`"till":2,"number":${number}`)
  await receiver.interrupt()
  const { body } = await service.call('GET', `/merchants/${MERCHANT_ID}/webhooks`, API_KEY)
  expect(body).toEqual([])
})

test('a point of sale is mirrored: a second run changes nothing', async () => {
  const { id, key } = await service.createAccount()
  const { code, output } = await example({ MERCHANT_ID: id, API_KEY: key }, 'mirror-point-of-sale', '600').ended
  expect(code).toBe(0)
  const counts = [...output.matchAll(/(created|updated|unchanged|deleted): (\d+)/g)].map(([, , count]) => Number(count))
  expect(counts).toEqual([600, 0, 0, 0, 0, 0, 600, 0, 0, 1, 598, 1])
})

test('a receiver gets its first event at the first attempt and deletes its webhook when it stops', async () => {
  const { id, key } = await service.createAccount()
  const webhooks = `/merchants/${id}/webhooks`
  for (const end of ['interrupt', 'terminate'] as const) {
    const receiver = example({ MERCHANT_ID: id, API_KEY: key }, 'receiver', String(await freePort()))
    await receiver.printed('webhook.created')
    const { body: hooks } = await service.call('GET', webhooks, key)
    expect(hooks).toHaveLength(1)
    const log = async () =>
      (await service.call('GET', `${webhooks}/${hooks[0].id}/deliveries?state=delivered`, key)).body
    await expect.poll(log, { timeout: 30_000 }).toHaveLength(1)
    expect(await log()).toMatchObject([{ type: 'webhook.created', attempts: [{ number: 1, status: 204 }] }])
    await receiver[end]()
    expect((await service.call('GET', webhooks, key)).body).toEqual([])
  }
})

test('the examples use the service and venue of `npm run dev`', async () => {
  const state = await mkdtemp(join(tmpdir(), 'clone-'))
  const { id: merchantId, key: liveKey } = await service.createAccount()
  const post = async (path: string, json: object) =>
    (await service.call('POST', `/merchants/${merchantId}${path}`, liveKey, json)).body.id
  // Guests choose a size; the price of the product is not what they pay.
  const modifier = await post('/modifiers', { title: 'Pot', instructions: '', type: 'RADIO', options: [{ id: 's' }] })
  const tea = await post('/products', { title: 'Tea', price: 9, modifiers: [modifier] })
  await post(`/products/${tea}/details`, { sizes: { modifier, prices: { s: { price: 2 } } } })
  for (const part of ['examples', 'packages', 'package.json']) await cp(part, join(state, part), { recursive: true })
  await symlink(resolve('node_modules'), join(state, 'node_modules'))
  const run = (name: string, ...args: string[]) =>
    startCommand(state, 'env', `ADMIN_TOKEN=${service.adminToken}`, process.execPath, `examples/${name}.ts`, ...args)
      .ended
  expect((await run('point-of-sale', '1', '0')).output).toContain('Start `npm run dev` first')
  await mkdir(join(state, '.wrangler'))
  await writeFile(join(state, '.wrangler/demo.json'), JSON.stringify({ url: service.origin, merchantId, liveKey }))
  const venue = await run('create-venue')
  expect(venue).toMatchObject({ code: 0, output: expect.stringContaining(`API_URL=${service.origin} MERCHANT_ID=`) })
  expect((await run('point-of-sale', '1', '0')).output).toMatch(/^Till 1, order 1: 4 \(evt_/m)
  await rm(state, { recursive: true })
})
