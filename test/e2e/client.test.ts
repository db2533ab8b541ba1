import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { build } from 'esbuild'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import type { Calls } from '../support/service.ts'
import { runCommand } from './command.ts'
import { connectService } from './shared-service.ts'

/** Maximum size of the packed client in bytes. */
const maxPackedBytes = 86_000

/** Somebody else's project, in which the packed client is installed and nothing else. */
let project: string
let service: Calls
let packed: z.infer<typeof packReport>
const packReport = z.tuple([z.object({ size: z.number(), files: z.array(z.object({ path: z.string() })) })])
const compiler = resolve('node_modules/.bin/tsc')

/** The Node of the tests, and that of this machine: the package runs on Node 20 or newer. */
const nodes = [
  ...new Set([
    process.execPath,
    ...(process.env['PATH'] ?? '')
      .split(delimiter)
      .map((place) => join(place, 'node'))
      .filter((program) => !program.includes('node_modules') && existsSync(program))
      .slice(0, 1),
  ]),
]

const run = (program: string, ...args: readonly string[]) => runCommand(project, program, ...args)

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'integrator-'))
  service = await connectService()
  const { code, output } = await runCommand(
    'packages/client',
    'npm',
    'pack',
    '--json',
    '--silent',
    '--pack-destination',
    project,
  )
  expect([code, output]).toEqual([0, expect.stringContaining('[')])
  packed = packReport.parse(JSON.parse(output))
  await writeFile(join(project, 'package.json'), '{ "type": "module" }')
  // Offline: nothing but the package itself is needed.
  expect(await run('sh', '-c', 'npm install --offline ./*.tgz')).toMatchObject({ code: 0 })
})
afterAll(async () => {
  await rm(project, { recursive: true, force: true })
})

const strict = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--target', 'es2023']
const browserLibraries = ['es2023', 'dom', 'dom.iterable']
const toModule = (module: string, types: string, ...libraries: string[]) =>
  ['--module', module, '--lib', libraries.join(), '--types', types] as const
const compileAs = (...environment: Parameters<typeof toModule>) =>
  run(compiler, ...strict, ...toModule(...environment), 'shop.ts')
const compile = (...libraries: string[]) => compileAs('nodenext', '', ...libraries)

describe('in a separate project', () => {
  test('the package has its build, its guide and its licence, and no dependency', async () => {
    const [{ size, files }] = packed
    expect(size).toBeLessThanOrEqual(maxPackedBytes)
    console.log(`figure: packed client, ${size.toLocaleString('en')} bytes and no dependency`)
    const others = files.map(({ path }) => path).filter((path) => !/^dist\/[\w/-]+(?:\.d\.ts|\.js)$/.test(path))
    expect(others.sort()).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json'])
    const { dependencies, peerDependencies } = JSON.parse(await readFile('packages/client/package.json', 'utf8'))
    expect([dependencies, peerDependencies]).toEqual([undefined, undefined])
    expect(await readFile('packages/client/LICENSE', 'utf8')).toBe(await readFile('LICENSE', 'utf8'))
  })

  test.each(nodes)('the client runs in %s without dependencies', async (node) => {
    const { id, key } = await service.createAccount()
    await writeFile(
      join(project, 'run.js'),
      `import { createClient } from 'merchant-ordering-client'
      const client = createClient({ origin: '${service.origin}', merchantId: '${id}', key: '${key}' })
      const { id } = await client.products.create({ title: 'Tea', price: 2 })
      for await (const product of client.products.list()) console.log(product.id === id, product.title)`,
    )
    expect(await run(node, 'run.js')).toEqual({ code: 0, output: 'true Tea\n' })
    const installed = await readdir(join(project, 'node_modules'))
    expect(installed.filter((name) => !name.startsWith('.'))).toEqual(['merchant-ordering-client'])
  })

  test.each(['docs/client.md', 'packages/client/README.md'])('the example in %s compiles and works', async (file) => {
    const page = await readFile(file, 'utf8')
    const [, example = ''] = /```ts\n([^`]*createClient[^`]*)```/.exec(page) ?? []
    const { id, key } = await service.createAccount()
    const filled = example
      .replace('http://localhost:8787', service.origin)
      .replace('mer_…', id)
      .replace('sk_live_…', key)
    await writeFile(join(project, 'run.js'), filled)
    const { code, output } = await run(process.execPath, 'run.js')
    expect([code, output.split('\n')[0]]).toEqual([0, expect.stringMatching(/^Tea 2\.8(?: 2)?$/)])
    expect(output).toMatch(/^422 invalid_request [\s\S]*\/value/m)
    await writeFile(join(project, 'shop.ts'), filled)
    expect(await compile(...browserLibraries)).toEqual({ code: 0, output: '' })
  })

  test('correct calls compile with browser types only', async () => {
    await writeFile(
      join(project, 'shop.ts'),
      `import { createClient, type Product, verifyWebhook } from 'merchant-ordering-client'
      const client = createClient({ origin: 'https://api.example', merchantId: 'mer_1', key: 'sk_1' })
      export const tea: Product = await client.products.create({ title: 'Tea', price: '2.50', sku: undefined })
      await client.products.update(tea.id, { description: null })
      for await (const { lastName } of client.customers.list({ q: 'a', limit: 10 })) lastName.trim()
      const event = await verifyWebhook('', {}, '')
      if (event.type === 'coupon.updated') event.data.code.trim()`,
    )
    for (const module of ['nodenext', 'node16', 'preserve']) {
      expect(await compileAs(module, '', ...browserLibraries)).toEqual({ code: 0, output: '' })
    }
    // In a Worker there are no browser types.
    expect(await compileAs('preserve', resolve('node_modules/@cloudflare/workers-types'), 'es2023')).toEqual({
      code: 0,
      output: '',
    })
  })

  test('the client runs in a Worker', async () => {
    const { id, key } = await service.createAccount()
    await writeFile(
      join(project, 'worker.js'),
      `import { createClient } from 'merchant-ordering-client'
      const client = createClient({ origin: '${service.origin}', merchantId: '${id}', key: '${key}' })
      export default {
        async fetch() {
          const { id } = await client.products.create({ title: 'Tea', price: 2 })
          return Response.json(await client.products.edit(id, () => ({ price: 3 })))
        },
      }`,
    )
    const { outputFiles } = await build({
      entryPoints: [join(project, 'worker.js')],
      bundle: true,
      format: 'esm',
      write: false,
    })
    const contents = outputFiles[0]?.text ?? ''
    const worker = new Miniflare(
      convertV4MiniflareOptions({
        name: 'shop',
        modules: [{ type: 'ESModule', path: 'index.mjs', contents }],
        compatibilityDate: '2026-10-01',
      }),
    )
    try {
      const response = await worker.dispatchFetch('http://localhost/')
      expect(await response.json()).toMatchObject({ title: 'Tea', price: 3 })
    } finally {
      await worker.dispose()
    }
  })

  describe('wrong calls', () => {
    const wrongCalls = [
      ["client.products.create({ title: 'Tea' })", 'price'],
      ["client.products.create({ title: 'Tea', price: 1, colour: 'red' })", 'colour'],
      ["client.products.create({ title: 'Tea', price: 1, type: 'OTHER' })", 'OTHER'],
      ["client.products.update('a', { id: 'b' })", "not assignable to type 'never'"],
      ["client.products.update('a', { title: null })", 'null'],
      ["client.webhooks.create({ title: 'a', url: 'b', events: ['nope'] })", 'nope'],
      ["client.customers.list({ sku: 'a' })", 'sku'],
      ['client.baskets.list()', 'baskets'],
      ["client.menus.retrieve('a').then((menu) => menu.price)", 'price'],
      ["client.events.publish('order.deleted', {})", 'order.deleted'],
    ] as const
    let output: string
    beforeAll(async () => {
      const files = wrongCalls.map((_, index) => `call-${index}.ts`)
      for (const [index, [call]] of wrongCalls.entries())
        await writeFile(
          join(project, `call-${index}.ts`),
          `import { createClient } from 'merchant-ordering-client'
          const client = createClient({ origin: 'https://api.example', merchantId: 'mer_1', key: 'sk_1' })
          export const call = ${call}`,
        )
      const compiled = await run(compiler, ...strict, ...toModule('nodenext', '', ...browserLibraries), ...files)
      output = compiled.output
      expect(compiled.code).not.toBe(0)
    })

    test.each(wrongCalls.map(([call, named], index) => ({ call, named, file: `call-${index}.ts` })))(
      '$call does not compile',
      ({ named, file }) => {
        const [error = '', ...others] = output.split(/^(?=call-\d+\.ts)/m).filter((text) => text.startsWith(file))
        expect(error).toContain('error TS')
        expect(error).toContain(named)
        expect(others).toEqual([])
      },
    )
  })
})
