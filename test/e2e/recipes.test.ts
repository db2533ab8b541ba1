import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { accessSync, constants, readdirSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { certify } from '../../packages/cli/src/certify/certify.ts'
import { startReceiver } from '../repository/certify/sample-receiver.ts'
import { runCommand } from './command.ts'
import { takeShare } from './rounds.ts'
import { type ConnectedService, connectService } from './shared-service.ts'

/** Maximum length of a recipe in lines. */
const maxLines = 60
const folder = resolve('docs/recipes')

const names = {
  snake: ['verify_webhook', 'list_products', 'create_once', 'upsert_catalogue'],
  pascal: ['VerifyWebhook', 'ListProducts', 'CreateOnce', 'UpsertCatalogue'],
} as const
/**
 * Each language: the programs that it needs, how its recipes are compiled, and how one is run. `build` runs once, in the folder of the
 * recipes: a compiler takes a second of CPU time. `$0` is the recipe without its extension, `$NAME` its name.
 */
const languages = {
  python: { needs: ['python3'], files: names.snake, extension: 'py', build: '', run: 'python3 $0.py "$@"' },
  php: { needs: ['php'], files: names.snake, extension: 'php', build: '', run: 'php $0.php "$@"' },
  ruby: { needs: ['ruby'], files: names.snake, extension: 'rb', build: '', run: 'ruby -EUTF-8:UTF-8 $0.rb "$@"' },
  go: {
    needs: ['go'],
    files: names.snake,
    extension: 'go',
    build: 'for file in *.go; do GO111MODULE=off go build -o $WORK/$(basename $file .go) $file || exit 1; done',
    run: '$WORK/$NAME "$@"',
  },
  java: {
    needs: ['java', 'javac'],
    files: names.pascal,
    extension: 'java',
    build: 'javac -J-XX:TieredStopAtLevel=1 -d $WORK *.java',
    run: 'java -cp $WORK $NAME "$@"',
  },
  csharp: {
    needs: ['mcs', 'mono'],
    files: names.pascal,
    extension: 'cs',
    build:
      'for file in *.cs; do mcs -langversion:latest -r:System.Net.Http -out:$WORK/$(basename $file .cs).exe $file || exit 1; done',
    run: 'mono $WORK/$NAME.exe "$@"',
  },
} as const

const isInstalled = (program: string) =>
  (process.env['PATH'] ?? '').split(delimiter).some((place) => {
    try {
      accessSync(join(place, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })

let service: ConnectedService
let work: string
beforeAll(async () => {
  service = await connectService()
  work = await mkdtemp(join(tmpdir(), 'recipes-'))
})
afterAll(() => rm(work, { recursive: true, force: true }))

test('each language has every recipe, and none is longer than 60 lines', async () => {
  expect(readdirSync(folder).sort()).toEqual(Object.keys(languages).sort())
  for (const [language, { files, extension }] of Object.entries(languages)) {
    const counts = []
    expect(readdirSync(join(folder, language)).sort()).toEqual(files.map((name) => `${name}.${extension}`).sort())
    for (const name of files) {
      const lines = (await readFile(join(folder, language, `${name}.${extension}`), 'utf8')).trimEnd().split('\n')
      expect([name, lines.length <= maxLines]).toEqual([name, true])
      counts.push(lines.length)
    }
    console.log(`figure: lines of the recipes in ${language}, ${counts.join(' + ')}`)
  }
})

/** A proxy before the service that loses the first response, and then is overloaded once. */
async function startBadNetwork() {
  const keys: string[] = []
  const server = createServer(async (request, response) => {
    keys.push(String(request.headers['idempotency-key']))
    if (keys.length === 2) return response.writeHead(503, { 'retry-after': '1' }).end('{}')
    const { authorization = '', 'idempotency-key': key = '' } = request.headers
    const upstream = await fetch(service.origin + request.url, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json', 'idempotency-key': String(key) },
      body: await buffer(request),
    })
    const body = await upstream.text()
    if (keys.length === 1) return request.socket.destroy()
    response.writeHead(upstream.status, { 'content-type': 'application/json' }).end(body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { origin: `http://127.0.0.1:${address.port}`, keys, close: () => server.close() }
}

const secret = `whsec_${Buffer.from('a secret of twenty-four b').toString('base64')}`
const event = '{"id":"evt_1","type":"product.created","data":{"title":"Crème brûlée"}}'
const signEvent = (timestamp: number) =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
    .update(`evt_1.${timestamp}.${event}`)
    .digest('base64')}`

describe.each(takeShare(Object.entries(languages), 6))('%s', (language, { needs, files, build, run }) => {
  const missing = needs.filter((program) => !isInstalled(program))
  if (missing.length > 0) console.log(`Recipes in ${language} are left out: they need ${missing.join(', ')}.`)
  const [verify, list, create, upsert] = files

  const runShell = (folder: string, command: string, variables: Record<string, string>, ...args: readonly string[]) => {
    const all = { ...variables, WORK: work, GOCACHE: join(work, 'cache') }
    return runCommand(
      folder,
      'env',
      ...Object.entries(all).map(([key, value]) => `${key}=${value}`),
      ...['sh', '-c', command],
      ...args,
    )
  }
  beforeAll(async () => {
    if (missing.length > 0 || build === '') return
    const { code, output } = await runShell(join(folder, language), build, {})
    expect([output, code]).toEqual([expect.any(String), 0])
  })

  let inputs = 0
  async function runRecipe(
    name: string,
    variables: Record<string, string>,
    input: string | Buffer = '',
    args: readonly string[] = [],
  ) {
    const file = join(work, `${language}-${name}-${inputs++}.input`)
    await writeFile(file, input)
    const recipe = join(folder, language, name)
    return runShell('.', `exec < ${file}; ${run}`, { ...variables, NAME: name }, recipe, ...args)
  }

  async function createApi(origin = service.origin) {
    const { id, key } = await service.createAccount()
    const call = (method: string, path: string, json?: unknown) =>
      service.call(method, `/merchants/${id}${path}`, key, json)
    return { call, variables: { API_URL: `${origin}/merchants/${id}`, API_KEY: key } }
  }

  test.skipIf(missing.length > 0)('verifies a webhook', async () => {
    const now = Math.floor(Date.now() / 1000)
    const verifyWith = (timestamp: number, signature: string, body = event) =>
      runRecipe(verify, { WEBHOOK_SECRET: secret }, body, ['evt_1', String(timestamp), signature])
    expect(await verifyWith(now, signEvent(now))).toMatchObject({
      code: 0,
      output: expect.stringContaining('product.created'),
    })
    // A secret that is being rotated signs twice.
    expect((await verifyWith(now, `v1,AAAA ${signEvent(now)}`)).code).toBe(0)
    expect((await verifyWith(now, signEvent(now), event.replace('evt_1', 'evt_2'))).code).toBe(1)
    expect((await verifyWith(now, 'v1,AAAA')).code).toBe(1)
    expect((await verifyWith(now - 400, signEvent(now - 400))).code).toBe(1)
  })

  test.skipIf(missing.length > 0)('verifies all that the command `certify` sends', async () => {
    const receiver = await startReceiver(secret, undefined, {
      async verifyBody(headers, body) {
        const args = ['id', 'timestamp', 'signature'].map((name) => String(headers[`webhook-${name}`] ?? ''))
        return (await runRecipe(verify, { WEBHOOK_SECRET: secret }, body, args)).code === 0
      },
    })
    const times = { windowMs: 0, partMs: 50, timeoutMs: 30_000, roundMs: 5 }
    const target = { url: receiver.url, secret, check: { url: receiver.checkUrl } }
    const { cases, passed } = await certify(target, new AbortController().signal, undefined, times)
    receiver.close()
    expect(cases.flatMap(({ problems, case: name }) => (problems.length > 0 ? [[name, problems]] : []))).toEqual([])
    console.log(`figure: cases of certify that the recipe in ${language} passes, ${passed} of ${cases.length}`)
  })

  test.skipIf(missing.length > 0)('reads every page of a list', async () => {
    const { call, variables } = await createApi()
    const titles = Array.from({ length: 23 }, (_, index) => `Dish number ${index}.`)
    const operations = titles.map((title) => ({ op: 'create', resource: 'products', body: { title, price: 1 } }))
    expect((await call('POST', '/batch', { operations })).status).toBe(200)
    const { code, output } = await runRecipe(list, variables)
    expect([output, code]).toEqual([expect.any(String), 0])
    expect((output.match(/Dish number \d+\./g) ?? []).sort()).toEqual(titles.sort())
  })

  test.skipIf(missing.length > 0)('creates once on a bad network', async () => {
    const network = await startBadNetwork()
    const { call, variables } = await createApi(network.origin)
    const { code, output } = await runRecipe(create, variables)
    network.close()
    expect([output, code]).toEqual([expect.stringContaining('prod_'), 0])
    expect(network.keys).toHaveLength(3)
    expect(new Set(network.keys).size).toBe(1)
    const { body } = await call('GET', '/products')
    expect(body).toHaveLength(1)
    expect(output).toContain(body[0].id)
    // A rejected request is not repeated.
    expect(
      (await runRecipe(create, { ...variables, API_KEY: 'sk_live_wrong', API_URL: `${service.origin}/merchants/x` }))
        .code,
    ).not.toBe(0)
  })

  test.skipIf(missing.length > 0)('creates and updates by external id', async () => {
    const { call, variables } = await createApi()
    const rows = (price: number) =>
      `A/1 ü+\t{"title": "Crème", "price": ${price}}\nB\t{"title": "Tea", "price": ${price}}\n`
    expect(await runRecipe(upsert, variables, rows(1))).toEqual({ code: 0, output: 'A/1 ü+ created\nB created\n' })
    expect(await runRecipe(upsert, variables, rows(2))).toEqual({ code: 0, output: 'A/1 ü+ updated\nB updated\n' })
    const { body } = await call('GET', `/products/external/${encodeURIComponent('A/1 ü+')}`)
    expect(body).toMatchObject({ title: 'Crème', price: 2 })
    expect((await runRecipe(upsert, variables, 'C\t{"title": ""}\n')).code).not.toBe(0)
  })
})
