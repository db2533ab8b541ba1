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

/** An example, started as its first line says, for the account that the environment names. */
function example(environment: Readonly<Record<string, string>>, name: string, ...args: string[]) {
  const settings = Object.entries({ API_URL: service.origin, ...environment }).map(([key, value]) => `${key}=${value}`)
  return startCommand('.', 'env', ...settings, 'npx', 'node', `examples/${name}.ts`, ...args)
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

  const receiver = example(account, 'receiver', String(await freePort()))
  await receiver.printed('Listening on')
  const till = await example(account, 'point-of-sale', '2', '0').ended
  const [first, second] = [...till.output.matchAll(/^Order \d: \S+ \((\S+)\)$/gm)].map(([, id]) => id)
  expect([till.code, first, second]).toEqual([0, expect.stringMatching(/^evt_/), expect.stringMatching(/^evt_/)])
  const heard = await receiver.printed('"number":2')
  expect(heard).toContain('order.created {"number":1')
  await receiver.interrupt()
  const { body } = await service.call('GET', `/merchants/${MERCHANT_ID}/webhooks`, API_KEY)
  expect(body).toEqual([])
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
  await service.call('POST', `/merchants/${merchantId}/products`, liveKey, { title: 'Tea', price: 2 })
  for (const part of ['examples', 'src', 'package.json']) await cp(part, join(state, part), { recursive: true })
  await symlink(resolve('node_modules'), join(state, 'node_modules'))
  const run = (name: string, ...args: string[]) =>
    startCommand(state, 'env', `ADMIN_TOKEN=${service.adminToken}`, 'npx', 'node', `examples/${name}.ts`, ...args).ended
  expect((await run('point-of-sale', '1', '0')).output).toContain('Start `npm run dev` first')
  await mkdir(join(state, '.wrangler'))
  await writeFile(join(state, '.wrangler/demo.json'), JSON.stringify({ url: service.origin, merchantId, liveKey }))
  const venue = await run('create-venue')
  expect(venue).toMatchObject({ code: 0, output: expect.stringContaining(`API_URL=${service.origin} MERCHANT_ID=`) })
  expect((await run('point-of-sale', '1', '0')).output).toMatch(/^Order 1: 4 \(evt_/)
  await rm(state, { recursive: true })
})
