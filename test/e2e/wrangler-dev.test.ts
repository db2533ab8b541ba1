import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { freePort } from '../support/receiver.ts'
import { type Checkout, createCheckout } from './checkout.ts'
import { type Command, startCommand } from './command.ts'
import { isLong } from './rounds.ts'

let checkout: Checkout
let url: string
let running: Command | undefined

beforeAll(async () => {
  checkout = await createCheckout()
})
afterEach(async () => {
  running?.kill()
  await running?.ended
})
afterAll(() => checkout.remove())

/** The command that a developer types, and the program that it starts: `npx` itself takes half a second of CPU time. */
const [typed, installed] = [['npx', 'wrangler'], ['node_modules/.bin/wrangler']]

/** Runs `wrangler dev`, without the project's own commands. */
async function start(program: readonly string[], ...flags: readonly string[]) {
  const port = await freePort()
  url = `http://localhost:${port}`
  const dev = [...program, 'dev', '--port', String(port), '--inspector-port', String(await freePort())]
  running = startCommand(checkout.folder, 'env', '-u', 'SKIP_LOCAL_SETUP', ...dev, ...flags)
  return await running.printed('Ready on')
}
const health = async () => {
  const response = await fetch(`${url}/health`)
  return { status: response.status, body: await response.json() }
}

test('in a fresh clone it serves a migrated database and accepts the operator token of .dev.vars', async () => {
  const output = await start(typed)
  expect(output).toContain('To add a demo venue')
  expect(await health()).toEqual({ status: 200, body: { status: 'ok' } })
  expect(await readFile(checkout.path('.dev.vars'), 'utf8')).toBe(
    await readFile(checkout.path('.dev.vars.example'), 'utf8'),
  )
  const headers = { authorization: 'Bearer dev-admin-token', 'content-type': 'application/json' }
  const body = JSON.stringify({ name: 'Bar' })
  expect((await fetch(`${url}/admin/merchants`, { method: 'POST', headers, body })).status).toBe(201)
})

test.runIf(isLong)('a second start sets up nothing again', async () => {
  expect(await start(installed)).not.toMatch(/local database|copied/)
})

test.runIf(isLong)(
  'a start applies a changed journal; an .env file stays in effect and no .dev.vars is created',
  async () => {
    const journal = checkout.path('migrations/meta/_journal.json')
    await writeFile(journal, `${await readFile(journal, 'utf8')}\n`)
    await rm(checkout.path('.dev.vars'))
    await writeFile(checkout.path('.env'), 'ADMIN_TOKEN=own\n')
    expect(await start(installed)).toContain('The local database has all migrations')
    expect(existsSync(checkout.path('.dev.vars'))).toBe(false)
    expect((await fetch(`${url}/admin/merchants`, { headers: { authorization: 'Bearer own' } })).status).toBe(200)
  },
)

test.runIf(isLong)('/health explains what to do for a database without tables', async () => {
  await mkdir(checkout.path('elsewhere'))
  await start(installed, '--persist-to', 'elsewhere')
  const detail = expect.stringMatching(
    /^The database lacks (\d+) of \1 migrations.* npx wrangler d1 migrations apply DB/,
  )
  expect(await health()).toEqual({ status: 503, body: expect.objectContaining({ code: 'unavailable', detail }) })
})
