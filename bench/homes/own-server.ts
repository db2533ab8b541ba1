/** The server for a machine of one's own, as it is packed: the Worker behind its supervisor. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import * as z from 'zod'
import { fullProduct, type Poster } from '../seed.ts'
import type { Operation } from './operation.ts'
import { createProducts } from './products.ts'

const project = resolve(import.meta.dirname, '../..')
const program = join(project, 'packages/server/bin/merchant-ordering-server.js')
const token = 'f3Kd09sLqPz71mXw2Vb8Yt6HnRc4GjUe'
const responseShape = z.looseObject({
  id: z.string().default(''),
  key: z.string().default(''),
  url: z.string().default(''),
})

export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = z.object({ port: z.number() }).parse(server.address())
  server.close()
  await once(server, 'close')
  return port
}

/** Builds the package of the server. */
export const buildOwnServer = () =>
  execFileSync(process.execPath, ['tools/cli/build/server.ts', '--if-changed'], { cwd: project, stdio: 'ignore' })

/** Starts the server with data in a folder, and returns when it accepts requests. */
export async function startOwnServer(data: string) {
  const port = await findFreePort()
  const startMs = performance.now()
  const child = spawn(process.execPath, [program, '--data', data, '--port', String(port), '--host', '127.0.0.1'], {
    env: { ...process.env, ADMIN_TOKEN: token, PUBLIC_BASE_URL: 'https://menu.example.com', RATE_LIMITS: 'off' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  // The output is read to its end, so that the server can go on writing.
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => String(chunk).includes('Ready') && resolve())
    child.once('exit', () => reject(new Error('the server did not start')))
  })
  const readyMs = performance.now() - startMs
  async function call(path: string, authorization: string, json: object) {
    const headers = { authorization: `Bearer ${authorization}`, 'content-type': 'application/json' }
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(json),
    })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return responseShape.parse(await response.json())
  }
  return {
    port,
    /** Time from the start of the process until it accepts requests, in milliseconds. */
    readyMs,
    async createMerchant() {
      const { id } = await call('/admin/merchants', token, { name: 'Venue', currency: 'EUR' })
      const { key } = await call(`/admin/merchants/${id}/keys`, token, { mode: 'live' })
      const post: Poster = (path, json) => call(`/merchants/${id}${path}`, key, json)
      return { id, key, post }
    },
    /** Proportional memory of the supervisor and of workerd, in megabytes. */
    async measureMemory() {
      const workerd = Number(await readFile(join(data, 'workerd.pid'), 'utf8'))
      const read = async (pid: number) => {
        const [, kilobytes] = /^Pss:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? []
        return Number(kilobytes) / 1024
      }
      return { supervisor: await read(child.pid ?? 0), workerd: await read(workerd) }
    },
    async stop() {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}

/** The server with a merchant of a number of products, as an arm of the measurement of requests. */
export async function createServerArm(
  data: string,
  products: number,
  toOperations: (merchant: { id: string; key: string; product: string }) => Readonly<Record<string, Operation>>,
) {
  buildOwnServer()
  const server = await startOwnServer(data)
  const merchant = await server.createMerchant()
  await createProducts(merchant, products)
  const { id: product } = await merchant.post('/products', { ...fullProduct(), sku: 'ONE' })
  return {
    port: server.port,
    headers: { authorization: `Bearer ${merchant.key}` },
    operations: toOperations({ ...merchant, product }),
    stop: server.stop,
  }
}
