import { once } from 'node:events'
import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { type Demo, demoFile } from '../../tools/cli/demo/demo.ts'
import { freePort } from '../support/receiver.ts'
import { type Checkout, createCheckout } from './checkout.ts'
import { type Command, isListening, runCommand, runScript, startCommand, startScript } from './command.ts'
import { type Account, countAll, createMerchant, readList } from './merchant.ts'
import { isLong } from './rounds.ts'

const demoVenue = { products: 51, modifiers: 12, menus: 3, coupons: 3, customers: 8, tags: 12, webhooks: 1 }
const ready = 'Ctrl-C stops the service.'

let checkout: Checkout
let port: number
let running: Command | undefined

beforeAll(async () => {
  checkout = await createCheckout({ isBuilt: true })
  port = await freePort()
  // For the MCP server.
  expect(await freePort()).toBe(port + 1)
})
afterEach(async () => {
  running?.kill()
  await running?.ended
})
afterAll(() => checkout.remove())

async function start() {
  running = await startScript(checkout.folder, 'dev', '--port', String(port))
  return running
}

const demoPath = () => demoFile(checkout.path('.wrangler'))

async function keptDemo() {
  const demo: Demo = JSON.parse(await readFile(demoPath(), 'utf8'))
  return { ...demo, account: { url: demo.url, merchantId: demo.merchantId, key: demo.liveKey } }
}

/** The requests of the printed curl lines. */
function* curlLines(output: string) {
  for (const [line] of output.matchAll(/^ {2}curl .*$/gm)) {
    const headers = Array.from(line.matchAll(/-H '(.*?): (.*?)'/g), ([, name = '', value = '']): [string, string] => [
      name,
      value,
    ])
    const [, body] = / -d '(.*?)'/.exec(line) ?? []
    const [, url = ''] = / '(http[^']*)'$/.exec(line) ?? []
    yield new Request(url, body === undefined ? { headers } : { method: 'POST', headers, body })
  }
}

test('the first start creates the demo venue and prints how to try it; Ctrl-C leaves no process behind', async () => {
  const command = startCommand(checkout.folder, 'npm', 'run', 'dev', '--', '--port', String(port))
  running = command
  const output = await command.printed(ready)
  const { url, merchantId, liveKey, testKey, account } = await keptDemo()
  for (const text of [url, merchantId, liveKey, testKey]) expect(output).toContain(text)
  expect(url).toBe(`http://localhost:${port}`)
  expect((await stat(checkout.path('.wrangler', 'demo.json'))).mode & 0o777).toBe(0o600)
  expect(await readFile(checkout.path('.dev.vars'), 'utf8')).toBe(
    await readFile(checkout.path('.dev.vars.example'), 'utf8'),
  )
  expect(output).not.toMatch(/wrangler:warn|ERROR|ENOTFOUND/)
  const mcp = `http://localhost:${port + 1}/mcp/${merchantId}`
  expect(output).toContain(mcp)
  // 405 shows that the server runs and has read the OpenAPI document of the service. Requests are POST.
  await expect
    .poll(
      () =>
        fetch(mcp).then(
          ({ status }) => status,
          () => 0,
        ),
      { timeout: 30_000 },
    )
    .toBe(405)
  expect(await countAll(account)).toEqual(demoVenue)
  expect(await countAll({ ...account, key: testKey })).toMatchObject({ products: 0 })
  expect(await countDishes(account)).toEqual({
    ...{ sizes: 1, rules: 1, bundles: 1, byWeight: 1, additives: 1, sizedCosts: 1, halves: 1 },
    ...{ limits: 1, nested: 1, namedGluten: 1, soldOut: 1 },
  })

  const responses = await Promise.all(Array.from(curlLines(output), (request) => fetch(request)))
  expect(responses.map(({ status }) => status)).toEqual([200, 201, 200])
  expect(await responses[0]?.json()).toHaveLength(3)
  expect(await responses[1]?.json()).toMatchObject({ title: 'Lemon tart', price: 4.5 })
  expect(await responses[2]?.json()).toContainEqual(expect.objectContaining({ title: 'Espresso martini' }))

  const documents = await Promise.all(['/openapi.json', '/docs/errors'].map((path) => fetch(url + path)))
  expect(documents.map(({ status }) => status)).toEqual([200, 200])

  const { output: log } = await command.interrupt()
  expect(log).toContain('POST /merchants/')
  await expect.poll(() => isListening(port)).toBe(false)
})

/** Numbers of products and modifiers of the demo venue whose details show a possibility of dishes. */
async function countDishes({ url, merchantId, key }: Account) {
  const shape = z.array(z.looseObject({ id: z.string(), details: z.record(z.string(), z.unknown()) }))
  const account = { url, merchantId, key }
  const [products, modifiers] = await Promise.all(
    ['products', 'modifiers'].map(async (list) => shape.parse(await readList(account, list, '&include=details'))),
  )
  const entries = z.record(z.string(), z.looseObject({})).catch({})
  const options = (modifiers ?? []).flatMap(({ details }) => Object.values(entries.parse(details['options'])))
  const soldOut = await Promise.all(
    (modifiers ?? []).map(async ({ id }) => {
      const address = `${url}/merchants/${merchantId}/modifiers/${id}/availability`
      const response = await fetch(address, { headers: { authorization: `Bearer ${key}` } })
      const marks = entries.parse(z.looseObject({}).parse(await response.json())['options'])
      return Object.values(marks).filter((mark) => mark['soldOut'] === true).length
    }),
  )
  const have = (list: readonly { details: object }[] | undefined, member: string) =>
    (list ?? []).filter(({ details }) => member in details).length
  const having = (member: string) => options.filter((option) => member in option).length
  const names = options.filter((option) => /"gluten".*"names"/.test(JSON.stringify(option))).length
  return {
    ...{ sizes: have(products, 'sizes'), rules: have(products, 'modifierRules'), bundles: have(products, 'bundle') },
    ...{ byWeight: have(products, 'soldBy'), additives: have(products, 'additives') },
    ...{ sizedCosts: have(modifiers, 'sizedCosts'), halves: have(modifiers, 'pricing') },
    ...{ limits: having('max'), nested: having('modifiers'), namedGluten: names },
    soldOut: soldOut.reduce((sum, each) => sum + each, 0),
  }
}

test('a second start keeps the merchant and keys and loads nothing again; rebuild-tags writes its tags to KV', async () => {
  const before = await keptDemo()
  const command = await start()
  const output = await command.printed(ready)
  expect(await keptDemo()).toEqual(before)
  expect(output).toContain(before.liveKey)
  expect(output).not.toContain('Loading')
  expect(await countAll(before.account)).toEqual({ ...demoVenue, products: demoVenue.products + 1 })

  await rebuildTags(before.url)

  // On another port, so that only the folder is shared.
  const second = await runScript(checkout.folder, 'dev', '--port', String(await freePort()))
  expect(second).toEqual({
    code: 1,
    output: `The service already runs on the folder .wrangler, at ${before.url}. Stop it first, or start another one with --persist-to FOLDER and --port.\n`,
  })
  await command.interrupt()
})

test('a start after an update keeps what demo.json has, creates what it lacks and says so', async () => {
  const { account, consoleKey, ...kept } = await keptDemo()
  await writeFile(demoPath(), JSON.stringify({ ...kept, testKey: 'sk_test_revoked', note: 'of another release' }))
  const command = await start()
  const output = await command.printed(ready)
  const now = await keptDemo()
  expect(now).toEqual({
    ...kept,
    note: 'of another release',
    account,
    consoleKey: expect.stringMatching(/^sk_live_/),
    testKey: expect.stringMatching(/^sk_test_/),
  })
  expect([consoleKey, 'sk_test_revoked']).not.toContain(now.consoleKey)
  for (const name of ['testKey', 'consoleKey']) {
    expect(output).toContain(`The demo merchant has no valid ${name}. Creating one.`)
  }
  expect(await countAll({ ...account, key: now.testKey })).toMatchObject({ products: 0 })
  await command.interrupt()

  await writeFile(demoPath(), '{"merchantId":')
  const { code, output: refused } = await runScript(checkout.folder, 'dev', '--port', String(port))
  expect([code, refused]).toEqual([
    1,
    `${demoPath()} does not describe a demo merchant. Correct it, or move it away to get a new one.\n`,
  ])
  expect(await readFile(demoPath(), 'utf8')).toBe('{"merchantId":')
  await writeFile(demoPath(), JSON.stringify(kept))
})

/** `npm run rebuild-tags` writes every tag of the running service to KV and prints the counts. */
async function rebuildTags(url: string) {
  const { merchantId, key } = await createMerchant(url)
  const created = await fetch(`${url}/merchants/${merchantId}/tags`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: '{}',
  })
  expect(created.status).toBe(201)
  // The port is that of demo.json.
  const rebuild = () => runScript(checkout.folder, 'rebuild-tags')
  const first = await rebuild()
  expect(first).toMatchObject({ code: 0 })
  const [, tags, tombstones, merchants, removed] =
    /written: (\d+) of tags, (\d+) of deleted tags, (\d+) of merchants[\s\S]*?deleted[^:]*: (\d+)/.exec(first.output) ??
    []
  expect([Number(tags) >= demoVenue.tags + 1, tombstones, merchants, removed]).toEqual([true, '0', '2', '0'])
  expect(first.output).toContain(`KV matches the database at ${url}.`)
  expect((await rebuild()).output).toBe(first.output)
}

test.runIf(isLong)('a start without the old database recreates everything, even after an interruption', async () => {
  const before = await keptDemo()
  await rm(checkout.path('.wrangler', 'state'), { recursive: true })
  running = startCommand(checkout.folder, process.execPath, 'tools/cli/dev.ts', '--port', String(port))
  await running.printed('Loading the demo venue')
  expect((await running.interrupt()).code).toBe(0)
  await expect.poll(() => isListening(port)).toBe(false)
  const begun = await keptDemo()
  expect(begun).not.toMatchObject({ merchantId: before.merchantId })

  await (await start()).printed(ready)
  const { account, merchantId } = await keptDemo()
  expect(merchantId).toBe(begun.merchantId)
  expect(await countAll(account)).toEqual(demoVenue)
})

test('a used or invalid port is reported in one sentence', async () => {
  const dev = (...flags: readonly string[]) =>
    runCommand(checkout.folder, process.execPath, 'tools/cli/dev.ts', ...flags)
  // Another port than in earlier tests, whose processes may still be closing it.
  const taken = await freePort()
  const server = createServer().listen(taken)
  await once(server, 'listening')
  expect(await dev('--port', String(taken))).toEqual({
    code: 1,
    output: `Port ${taken} is in use. Stop the other program, or choose another port: npm run dev -- --port ${taken + 1}\n`,
  })
  server.close()
  expect(await dev('--port', 'http')).toEqual({
    code: 2,
    output: '--port http is not valid: it must be a number from 1 to 65535.\n',
  })
})

test('a home folder that cannot be written is reported in one line with the cure', async () => {
  const home = checkout.path('package.json')
  const command = [process.execPath, 'tools/cli/dev.ts', '--port', String(await freePort())]
  const { code, output } = await runCommand(checkout.folder, 'env', '-u', 'XDG_CONFIG_HOME', `HOME=${home}`, ...command)
  expect([code, output.trimEnd().split('\n')]).toEqual([
    1,
    [expect.stringMatching(/^wrangler cannot write to .*package\.json.*Set XDG_CONFIG_HOME to a folder/)],
  ])
})
