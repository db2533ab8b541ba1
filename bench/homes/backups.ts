import { setTimeout as wait } from 'node:timers/promises'
import * as z from 'zod'
import { adminToken, type Running } from '../platform.ts'
import { createMerchant, fullProduct, multiplyProducts } from '../seed.ts'

const products = 30_000
const backupShape = z.looseObject({ takenAt: z.number(), bytes: z.number(), rows: z.number() })
const restoreShape = z.looseObject({ state: z.string(), waitSeconds: z.number().default(0) })

/** Backs up and restores a merchant with many products. Seconds without the wait until no isolate accepts its keys. */
export async function measureBackups(running: Running) {
  const merchant = await createMerchant(running, { home: 'd1' })
  const { id } = await merchant.post('/products', fullProduct())
  await multiplyProducts(running, merchant.id, id, products - 1)
  async function call<Shape extends z.ZodType>(path: string, shape: Shape, body?: object) {
    const response = await fetch(`http://127.0.0.1:${running.port}/admin/merchants/${merchant.id}/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    const json = await response.json()
    if (!response.ok) throw new Error(JSON.stringify(json))
    return shape.parse(json)
  }
  /** Time, and growth of the memory during it in megabytes. */
  async function measure<Value>(work: () => Promise<Value>) {
    const [startMs, before] = [performance.now(), await running.memory()]
    let most = before
    const timer = setInterval(async () => {
      most = Math.max(most, await running.memory())
    }, 100)
    const value = await work()
    clearInterval(timer)
    return { value, seconds: (performance.now() - startMs) / 1_000, growth: most - before }
  }
  const backup = await measure(() => call('backups', backupShape))
  await wait(1_000)
  await call('restore', restoreShape, { takenAt: backup.value.takenAt, replace: true })
  const { waitSeconds } = await call('restore/continue', restoreShape)
  await wait((waitSeconds + 1) * 1_000)
  let requests = 0
  const restore = await measure(async () => {
    for (; ; requests++) if ((await call('restore/continue', restoreShape)).state === 'done') return
  })
  return { products, backup, restore, requests: requests + 1 }
}
