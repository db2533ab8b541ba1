import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Service } from '../support/service.ts'
import { startService } from './shared-service.ts'

let service: Service

beforeAll(async () => {
  service = await startService({ PUBLIC_BASE_URL: 'https://menu.example' })
})
afterAll(() => service.close())

test('the first requests that need a module at the same time all get their response', async () => {
  const { id, key } = await service.createAccount()
  const { body: product } = await service.call('POST', `/merchants/${id}/products`, key, { title: 'Tea', price: 1 })
  const { body: tag } = await service.call('POST', `/merchants/${id}/tags`, key, {})
  const order = { items: [{ product: product.id, quantity: 1 }] }
  const requests = [
    () => fetch(`${service.origin}/m/${id}`),
    () => fetch(`${service.origin}/t/NONE00000000`, { redirect: 'manual' }),
    () => fetch(`${service.origin}${new URL(tag.qrUrl).pathname}`),
    () => fetch(`${service.origin}/merchants/${id}/tags/sheet.pdf`, { headers: { authorization: `Bearer ${key}` } }),
    () =>
      fetch(`${service.origin}/merchants/${id}/quotes`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(order),
      }),
  ]
  const statuses = await Promise.all(
    Array.from({ length: 10 }, () => Promise.all(requests.map(async (request) => (await request()).status))),
  )
  for (const each of statuses) expect(each).toEqual([200, 404, 200, 200, 200])
})
