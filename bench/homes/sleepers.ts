import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import type { Running } from '../platform.ts'
import { createMerchant, type Merchant } from '../seed.ts'
import { median } from '../table.ts'

const atOnce = 16
const asked = 200

async function sumBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

const retrieve = async ({ port }: Running, { id, key }: Merchant) => {
  const startMs = performance.now()
  const response = await fetch(`http://127.0.0.1:${port}/merchants/${id}/products`, {
    headers: { authorization: `Bearer ${key}` },
  })
  if (!response.ok) throw new Error(`${response.status}`)
  await response.text()
  return performance.now() - startMs
}

/** Creates merchants in objects, then starts the Worker again, so that all of them sleep, and reads some of them. */
export async function measureSleepers(folder: string, begin: (folder: string) => Promise<Running>, count: number) {
  const first = await begin(folder)
  const merchants: Merchant[] = []
  const startMs = performance.now()
  const numbers = Array.from({ length: count }, (_, n) => n).values()
  const work = async () => {
    for (const _ of numbers) {
      const merchant = await createMerchant(first, { home: 'object' })
      await merchant.post('/products', { title: 'Tea', price: 1 })
      merchants.push(merchant)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  const createdSeconds = (performance.now() - startMs) / 1_000
  await first.stop()
  const bytes = await sumBytes(join(folder, 'do'))
  const second = await begin(folder)
  try {
    const memory = await second.memory()
    const chosen = Array.from({ length: asked }, (_, n) => merchants[Math.floor((n * count) / asked)]).filter(
      (merchant) => merchant !== undefined,
    )
    await retrieve(second, merchants[count - 1] ?? { id: '', key: '' })
    const [asleep, awake]: [number[], number[]] = [[], []]
    for (const merchant of chosen) asleep.push(await retrieve(second, merchant))
    for (const merchant of chosen) awake.push(await retrieve(second, merchant))
    const top = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? 0
    return {
      count,
      createdSeconds,
      bytesEach: bytes / count,
      memory,
      asleep: { p50: median(asleep), p99: top(asleep) },
      awake: { p50: median(awake), p99: top(awake) },
    }
  } finally {
    await second.stop()
  }
}
