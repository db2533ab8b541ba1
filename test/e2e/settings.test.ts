import { readFile, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Checkout, createCheckout } from './checkout.ts'
import { runCommand } from './command.ts'

let checkout: Checkout
const files = { config: '', example: '' }
beforeAll(async () => {
  checkout = await createCheckout()
  files.config = await readFile(checkout.path('wrangler.toml'), 'utf8')
  files.example = await readFile(checkout.path('.dev.vars.example'), 'utf8')
})
beforeEach(async () => {
  await writeFile(checkout.path('wrangler.toml'), files.config)
  await writeFile(checkout.path('.dev.vars'), files.example)
})
afterAll(() => checkout.remove())

const run = (command: string, ...flags: readonly string[]) =>
  runCommand(checkout.folder, process.execPath, `src/cli/${command}.ts`, ...flags)
const refused = (reason: string) => ({
  code: 2,
  output: `PUBLIC_BASE_URL has ${reason}: it must be like https://menu.example.com.\n`,
})

test.each(['deploy', 'dev'])(
  '%s rejects a PUBLIC_BASE_URL that is not an origin before it does anything',
  async (command) => {
    expect(await run(command, '--var', 'PUBLIC_BASE_URL:menu.example.com')).toEqual(refused('no scheme'))
    expect(await run(command, '--var', 'A:b', 'PUBLIC_BASE_URL:https://menu.example.com/a')).toEqual(refused('a path'))
    await writeFile(checkout.path('wrangler.toml'), `${files.config}\n[vars]\nPUBLIC_BASE_URL = "menu.example.com"\n`)
    expect(await run(command)).toEqual(refused('no scheme'))
  },
)

test('dev checks the value of .dev.vars, which overrides wrangler.toml', async () => {
  await writeFile(checkout.path('wrangler.toml'), `${files.config}\n[vars]\nPUBLIC_BASE_URL = "menu.example.com"\n`)
  await writeFile(checkout.path('.dev.vars'), `${files.example}\nPUBLIC_BASE_URL=https://menu.example.com/a\n`)
  expect(await run('dev')).toEqual(refused('a path'))
})
