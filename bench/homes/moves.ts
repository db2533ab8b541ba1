import { setTimeout as wait } from 'node:timers/promises'
import * as z from 'zod'
import { adminToken, type Running } from '../platform.ts'
import { createMerchant } from '../seed.ts'
import { createProducts } from './products.ts'

const products = 5_000
const moveShape = z.looseObject({ state: z.string(), rows: z.number(), fencedMs: z.number().default(0) })

/**
 * Moves merchants with many products to an object and back, both at the same time, while a client updates a product of each without a break.
 * Returns the pauses and the slowest updates in milliseconds.
 */
export async function measureMoves(running: Running, rounds: number) {
  const merchants = await Promise.all((['d1', 'object'] as const).map((home) => createMerchant(running, { home })))
  const ids: string[] = []
  for (const merchant of merchants) {
    await createProducts(merchant, products - 1)
    ids.push((await merchant.post('/products', { title: 'Updated', price: 1 })).id)
  }
  const pausesMs: number[] = []
  const slowestMs: number[] = []
  let rows = 0
  for (let round = 0; round < rounds; round++) {
    await Promise.all(
      merchants.map(async ({ id, post }, index) => {
        const path = `http://127.0.0.1:${running.port}/admin/merchants/${id}/move`
        const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' }
        const home = (round + index) % 2 === 0 ? 'object' : 'd1'
        const { status } = await fetch(path, { method: 'POST', headers, body: JSON.stringify({ home }) })
        if (status !== 202) throw new Error(`the move returned ${status}`)
        let [isOver, slowest] = [false, 0]
        const updates = (async () => {
          for (let price = 1; !isOver; price++) {
            const startMs = performance.now()
            await post(`/products/${ids[index]}`, { price })
            slowest = Math.max(slowest, performance.now() - startMs)
            await wait(20)
          }
        })()
        for (;;) {
          await wait(250)
          const move = moveShape.parse(await (await fetch(path, { headers })).json())
          if (move.state === 'failed') throw new Error(JSON.stringify(move))
          if (move.state !== 'done') continue
          pausesMs.push(move.fencedMs)
          rows = move.rows
          break
        }
        isOver = true
        await updates
        slowestMs.push(slowest)
      }),
    )
  }
  return { products, rows, pausesMs, slowestMs }
}
