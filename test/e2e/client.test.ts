import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Calls } from '../support/service.ts'
import { startCommand } from './command.ts'
import { connectService } from './shared-service.ts'

/** Somebody else's project, in which the packed client is installed and nothing else. */
let project: string
let service: Calls
const compiler = resolve('node_modules/.bin/tsc')

async function run(program: string, ...args: string[]) {
  const { code, output } = await startCommand(project, program, ...args).ended
  return { code, output }
}

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'integrator-'))
  service = await connectService()
  const packed = await startCommand('.', 'npm', 'pack', '--pack-destination', project).ended
  expect(packed.code).toBe(0)
  await writeFile(join(project, 'package.json'), '{ "type": "module" }')
  // Offline: nothing but the package itself is needed.
  expect(await run('sh', '-c', 'npm install --offline ./*.tgz')).toMatchObject({ code: 0 })
})
afterAll(async () => {
  await rm(project, { recursive: true, force: true })
})

const strict = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--module', 'nodenext', '--target', 'es2023']
const compile = (...libraries: string[]) =>
  run(compiler, ...strict, '--lib', libraries.join(), '--types', '', 'shop.ts')

describe('in a separate project', () => {
  test('the client runs in Node without dependencies', async () => {
    const { id, key } = await service.createAccount()
    await writeFile(
      join(project, 'run.js'),
      `import { createClient } from 'merchant-ordering-api/client'
      const client = createClient({ origin: '${service.origin}', merchantId: '${id}', key: '${key}' })
      const { id } = await client.products.create({ title: 'Tea', price: 2 })
      for await (const product of client.products.list()) console.log(product.id === id, product.title)`,
    )
    expect(await run(process.execPath, 'run.js')).toEqual({ code: 0, output: 'true Tea\n' })
    const installed = await readdir(join(project, 'node_modules'))
    expect(installed.filter((name) => !name.startsWith('.'))).toEqual(['merchant-ordering-api'])
  })

  test('the example in docs/client.md compiles and works', async () => {
    const page = await readFile('docs/client.md', 'utf8')
    const [, example = ''] = /```ts\n([^`]*createClient[^`]*)```/.exec(page) ?? []
    const { id, key } = await service.createAccount()
    const filled = example
      .replace('http://localhost:8787', service.origin)
      .replace('mer_…', id)
      .replace('sk_live_…', key)
    await writeFile(join(project, 'run.js'), filled)
    const { code, output } = await run(process.execPath, 'run.js')
    expect([code, output.split('\n')[0]]).toEqual([0, 'Tea 2.8 2'])
    expect(output).toMatch(/^422 invalid_request [\s\S]*\/value/m)
    await writeFile(join(project, 'shop.ts'), filled)
    expect(await compile('es2023', 'dom', 'dom.iterable')).toEqual({ code: 0, output: '' })
  })

  test('correct calls compile with browser types only', async () => {
    await writeFile(
      join(project, 'shop.ts'),
      `import { createClient, type Product, verifyWebhook } from 'merchant-ordering-api/client'
      const client = createClient({ origin: 'https://api.example', merchantId: 'mer_1', key: 'sk_1' })
      export const tea: Product = await client.products.create({ title: 'Tea', price: '2.50', sku: undefined })
      await client.products.update(tea.id, { description: null })
      for await (const { lastName } of client.customers.list({ q: 'a', limit: 10 })) lastName.trim()
      const event = await verifyWebhook('', {}, '')
      if (event.type === 'coupon.updated') event.data.code.trim()`,
    )
    expect(await compile('es2023', 'dom', 'dom.iterable')).toEqual({ code: 0, output: '' })
  })

  test.each([
    ["client.products.create({ title: 'Tea' })", 'price'],
    ["client.products.create({ title: 'Tea', price: 1, colour: 'red' })", 'colour'],
    ["client.products.create({ title: 'Tea', price: 1, type: 'OTHER' })", 'OTHER'],
    ["client.products.update('a', { id: 'b' })", "not assignable to type 'never'"],
    ["client.products.update('a', { title: null })", 'null'],
    ["client.webhooks.create({ title: 'a', url: 'b', events: ['nope'] })", 'nope'],
    ["client.customers.list({ sku: 'a' })", 'sku'],
    ['client.orders.list()', 'orders'],
    ["client.menus.retrieve('a').then((menu) => menu.price)", 'price'],
    ["client.events.publish('order.deleted', {})", 'order.deleted'],
  ])('%s does not compile', async (call, named) => {
    await writeFile(
      join(project, 'shop.ts'),
      `import { createClient } from 'merchant-ordering-api/client'
      const client = createClient({ origin: 'https://api.example', merchantId: 'mer_1', key: 'sk_1' })
      export const call = ${call}`,
    )
    const { code, output } = await compile('es2023', 'dom', 'dom.iterable')
    expect(code).not.toBe(0)
    expect(output).toContain(named)
    expect(output.match(/error TS/g)).toHaveLength(1)
  })
})
