import { copyFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../support/receiver.ts'
import { type Checkout, createCheckout } from './checkout.ts'
import { runCommand, runScript } from './command.ts'
import { connectService } from './shared-service.ts'

// dev.test.ts has a run of the command that succeeds.
let checkout: Checkout

beforeAll(async () => {
  checkout = await createCheckout()
  await copyFile(checkout.path('.dev.vars.example'), checkout.path('.dev.vars'))
})
afterAll(() => checkout.remove())

const rebuild = (...flags: string[]) => runScript(checkout.folder, 'rebuild-tags', ...flags)

test('npm run rebuild-tags reports errors in one sentence', async () => {
  const { origin } = await connectService()
  const port = await freePort()
  const unreachable = await rebuild('--url', `http://localhost:${port}`)
  expect([unreachable.code, unreachable.output]).toEqual([1, expect.stringContaining('does not respond')])
  const unset = await rebuild('--remote')
  expect([unset.code, unset.output]).toEqual([2, expect.stringContaining('--url')])
  const command = [
    'ADMIN_TOKEN=wrong',
    process.execPath,
    'tools/cli/operator/rebuild-tags.ts',
    '--remote',
    '--url',
    origin,
  ]
  const refused = await runCommand(checkout.folder, 'env', ...command)
  expect([refused.code, refused.output]).toEqual([1, expect.stringContaining('returned 401')])
})
