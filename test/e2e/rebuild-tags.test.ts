import { copyFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Checkout, createCheckout } from './checkout.ts'
import { type Command, findFreePort, runCommand, startCommand } from './command.ts'
import { createMerchant } from './merchant.ts'

let checkout: Checkout
let service: Command
let url: string

beforeAll(async () => {
  checkout = await createCheckout()
  await copyFile(checkout.path('.dev.vars.example'), checkout.path('.dev.vars'))
  const port = await findFreePort()
  url = `http://localhost:${port}`
  service = startCommand(checkout.folder, 'npm', 'run', 'dev', '--', '--port', String(port))
  await service.printed('Ctrl-C stops the service.')
})
afterAll(async () => {
  service.kill()
  await service.ended
  await checkout.remove()
})

const rebuild = (...flags: string[]) =>
  runCommand(checkout.folder, 'npm', 'run', '--silent', 'rebuild-tags', '--', ...flags)

test('npm run rebuild-tags writes every tag of the local service to KV and prints the counts', async () => {
  const { merchantId, key } = await createMerchant(url)
  const made = await fetch(`${url}/merchants/${merchantId}/tags`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: '{}',
  })
  expect(made.status).toBe(201)
  const first = await rebuild('--url', url)
  expect(first).toMatchObject({ code: 0 })
  const [, tags, tombstones, merchants, removed] =
    /written: (\d+) of tags, (\d+) of deleted tags, (\d+) of merchants[\s\S]*?deleted[^:]*: (\d+)/.exec(first.output) ??
    []
  expect([Number(tags) >= 2, tombstones, merchants, removed]).toEqual([true, '0', '2', '0'])
  expect((await rebuild('--url', url)).output).toBe(first.output)
})

test('errors are reported in one sentence', async () => {
  const port = await findFreePort()
  const unreachable = await rebuild('--url', `http://localhost:${port}`)
  expect([unreachable.code, unreachable.output]).toEqual([1, expect.stringContaining('does not respond')])
  const unset = await rebuild('--remote')
  expect([unset.code, unset.output]).toEqual([2, expect.stringContaining('--url')])
  const command = ['ADMIN_TOKEN=wrong', process.execPath, 'src/cli/rebuild-tags.ts', '--remote', '--url', url]
  const refused = await runCommand(checkout.folder, 'env', ...command)
  expect([refused.code, refused.output]).toEqual([1, expect.stringContaining('returned 401')])
})
