/**
 * `npm run bench:memory`: the memory of one isolate while it handles many large requests at once, and what other merchants notice of it.
 * docs/performance.md, "Memory under large requests", explains the output.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { concatenate } from '../src/lib/encoding/concatenate.ts'
import { openHeap } from './heap.ts'
import { build, migrate, type Running, start } from './platform.ts'
import { createMerchant, fullProduct, multiplyProducts } from './seed.ts'
import { median, table } from './table.ts'

const forms = 8
const readers = 20
const imports = 8
const exportedProducts = 5_000
/** About 10 MB. */
const importedRows = 10_000
const sampleMs = 300
/** Time between two runs: exports of readers that left lapse after 30 seconds at the latest. */
const pauseMs = 2_000
const neighbourMs = 50
const mebibyte = 1024 * 1024

/** A merchant with a product. */
interface Merchant {
  id: string
  key: string
  product: string
}

const toUrl = ({ port }: Running, { id }: Merchant, path: string) => `http://127.0.0.1:${port}/merchants/${id}${path}`

/** Latencies of another merchant's retrieves in milliseconds, until `isOver` returns true. */
async function listLatencies(running: Running, merchant: Merchant, object: string, isOver: () => boolean) {
  const latencies: number[] = []
  do {
    const startMs = performance.now()
    const response = await fetch(toUrl(running, merchant, `/products/${object}`), {
      headers: { authorization: `Bearer ${merchant.key}` },
    })
    await response.arrayBuffer()
    latencies.push(performance.now() - startMs)
    await setTimeout(neighbourMs)
  } while (!isOver())
  return latencies
}

/** A PNG of a number of bytes whose pixels cannot be packed. */
function createPng(bytes: number): Uint8Array<ArrayBuffer> {
  const uint32 = (...values: number[]) => {
    const view = new DataView(new ArrayBuffer(4 * values.length))
    for (const [index, value] of values.entries()) view.setUint32(4 * index, value)
    return new Uint8Array(view.buffer)
  }
  const chunk = (type: string, data: Uint8Array) =>
    concatenate([uint32(data.length), new TextEncoder().encode(type), data, uint32(0)])
  const pixels = new Uint8Array(bytes - 100)
  for (let at = 0; at < pixels.length; at += 65_536) crypto.getRandomValues(pixels.subarray(at, at + 65_536))
  return concatenate([
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10),
    chunk('IHDR', concatenate([uint32(2_000, 2_000), Uint8Array.of(8, 2, 0, 0, 0)])),
    chunk('IDAT', pixels),
    chunk('IEND', new Uint8Array()),
  ])
}

type Outcome = Record<number, number>
function count(statuses: readonly number[]): Outcome {
  const counts: Outcome = {}
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

async function sendForms(running: Running, merchants: readonly Merchant[]): Promise<Outcome> {
  const file = createPng(8 * mebibyte - 1_000)
  const send = async (_: unknown, index: number) => {
    const merchant = merchants[index % merchants.length] ?? merchants[0]
    if (!merchant) throw new Error('no merchant')
    const form = new FormData()
    form.append('image', new File([file], 'image.png'))
    form.append('variant', new File([file.slice()], 'variant.png'))
    const headers = { authorization: `Bearer ${merchant.key}` }
    const response = await fetch(toUrl(running, merchant, `/products/${merchant.product}/images`), {
      method: 'POST',
      headers,
      body: form,
    })
    await response.arrayBuffer()
    return response.status
  }
  return count(await Promise.all(Array.from({ length: forms }, send)))
}

async function sendImports(running: Running, merchants: readonly Merchant[]): Promise<Outcome> {
  const row = (n: number) => `Dish ${n},${n % 90},SKU-${n},ext-${n},${'x'.repeat(950)}\n`
  const rows = Array.from({ length: importedRows }, (_, n) => row(n)).join('')
  const body = `title,price,sku,externalId,description\n${rows}`
  const send = async (_: unknown, index: number) => {
    const merchant = merchants[index % merchants.length] ?? merchants[0]
    if (!merchant) throw new Error('no merchant')
    const response = await fetch(toUrl(running, merchant, '/imports?resource=products'), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${merchant.key}`,
        'content-type': 'text/csv',
        'idempotency-key': crypto.randomUUID(),
      },
      body,
    })
    await response.arrayBuffer()
    return response.status
  }
  return count(await Promise.all(Array.from({ length: imports }, send)))
}

/** Starts exports whose readers take nothing, and leaves them for some seconds. */
async function stallReaders(running: Running, merchants: readonly Merchant[]): Promise<Outcome> {
  const sockets = await Promise.all(
    Array.from({ length: readers }, async (_, index) => {
      const merchant = merchants[index % merchants.length] ?? merchants[0]
      if (!merchant) throw new Error('no merchant')
      const socket = connect({ port: running.port, host: '127.0.0.1' })
      const status = new Promise<number>((resolve) => {
        socket.once('data', (data) => {
          socket.pause()
          resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(data.toString())?.[1]))
        })
      })
      socket.write(
        `GET /merchants/${merchant.id}/export?resources=products HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${merchant.key}\r\n\r\n`,
      )
      return { socket, status: await status }
    }),
  )
  await setTimeout(8_000)
  for (const { socket } of sockets) socket.destroy()
  return count(sockets.map(({ status }) => status))
}

/** Becomes true after some time. */
function passed(ms: number) {
  const endMs = performance.now() + ms
  return () => performance.now() > endMs
}

const folder = await mkdtemp(join(tmpdir(), 'bench-memory-'))
const running = await start(await build('src/index.ts'), folder, { isInspected: true })
try {
  await migrate(running)
  const create = async (): Promise<Merchant> => {
    const { id, key, post } = await createMerchant(running)
    return { id, key, product: (await post('/products', fullProduct())).id }
  }
  const merchants = [await create(), await create()]
  for (const [index, { id, product }] of merchants.entries()) {
    await multiplyProducts(running, id, product, exportedProducts, { first: 1 + index * exportedProducts })
  }
  const neighbour = await create()
  const heap = await openHeap(await running.inspector(), 'bench')
  const idle = {
    megabytes: await heap.live(),
    latencies: await listLatencies(running, neighbour, neighbour.product, passed(3_000)),
  }
  const rows: string[][] = [['idle', idle.megabytes.toFixed(1), '', median(idle.latencies).toFixed(1), '']]
  for (const [name, work] of [
    [`${forms} forms of 16 MiB`, sendForms],
    [`${readers} stalled readers of exports`, stallReaders],
    [`${imports} imports with an Idempotency-Key`, sendImports],
  ] as const) {
    // A measurement of memory stops the isolate, so latencies are measured in a run of their own.
    const run = async <Result>(measure: (isOver: () => boolean) => Promise<Result>) => {
      let isOver = false
      const outcome = work(running, merchants).finally(() => {
        isOver = true
      })
      const measured = await measure(() => isOver)
      const statuses = Object.entries(await outcome).map(([status, times]) => `${times} × ${status}`)
      await setTimeout(pauseMs)
      return { measured, statuses }
    }
    const { measured: latencies, statuses } = await run((isOver) =>
      listLatencies(running, neighbour, neighbour.product, isOver),
    )
    const { measured: live } = await run((isOver) => heap.most(sampleMs, isOver))
    rows.push([
      name,
      live.toFixed(1),
      (live - idle.megabytes).toFixed(1),
      median(latencies).toFixed(1),
      statuses.join(', '),
    ])
    console.error(rows.at(-1)?.join('  '))
  }
  table(['', 'live, MB', 'beside idle, MB', 'neighbour p50, ms', 'responses'], rows)
  heap.close()
} finally {
  await running.stop()
  await rm(folder, { recursive: true, force: true })
}
