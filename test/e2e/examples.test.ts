import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

test('a venue is made of a file, its codes are printed, and its till tells a receiver of orders', async () => {
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
