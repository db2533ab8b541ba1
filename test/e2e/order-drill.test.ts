import { afterAll, beforeAll, expect, test } from 'vitest'
import { drillOrders } from '../drill/order-drill.ts'
import type { Service } from '../support/service.ts'
import { startService } from './shared-service.ts'

let service: Service

beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

/** The short form of `npm run drill -- --orders 20`. */
test('50 tills sell, change and cancel the same orders while the service is killed, and stock and coupons are what arithmetic says', async () => {
  const life = { least: 1_500, most: 3_000 }
  const { findings, isWell, figures } = await drillOrders(service, { rounds: 2, tills: 50, orders: 4, life })
  expect(findings).toEqual([])
  expect(isWell, JSON.stringify(figures)).toBe(true)
}, 180_000)
