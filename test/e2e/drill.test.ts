import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { halvesIn } from '../drill/storage.ts'
import type { Service } from '../support/service.ts'
import { startService } from './shared-service.ts'

let service: Service
let folder: string

beforeAll(async () => {
  service = await startService()
  folder = await mkdtemp(join(tmpdir(), 'halves-'))
  const venue = await service.createVenue()
  await venue.createWebhook('http://127.0.0.1:9/in', ['product.updated', 'coupon.created'])
  const { body: product } = await venue.post('/products', { title: 'Tea', price: 1 })
  await venue.post(`/products/${product.id}`, { price: 2 })
  await venue.post('/coupons', { title: 'Spring', code: 'SPRING', type: 'FIXED', value: 1, products: [product.id] })
  await venue.post('/menus', { title: 'Lunch', sections: [{ items: [product.id] }] })
  await venue.post('/customers', { firstName: 'Ana', lastName: 'Sá' })
  await service.kill()
})
afterAll(async () => {
  await service?.close()
  await rm(folder, { recursive: true, force: true })
})

test('the inspection finds nothing in an undisturbed service', async () => {
  expect(await halvesIn(service.state)).toEqual([])
})

test.each([
  ['delete from coupon_products', 'names without links in coupon_products'],
  [`update menus set sections = '[]'`, 'links without names in menu_products'],
  [`update coupons set products = '["prod_none"]'`, 'coupons that name nothing'],
  [`delete from events where type = 'product.created'`, 'events that leave a version out'],
  ['update products set version = 3', 'products whose last event has another version'],
  ['delete from customers', 'objects that are gone, and no event says so'],
  [
    `delete from deliveries where event in (select id from events where type = 'product.updated')`,
    'without a delivery to a subscribed webhook',
  ],
  [`insert into customers_search (customers_search) values ('delete-all')`, 'customers without words for the search'],
  ['pragma foreign_keys = off; delete from products', 'a foreign key leads nowhere'],
])('the inspection finds half-written data: %s', async (sql, finding) => {
  const state = await mkdtemp(join(folder, 'state-'))
  await cp(service.state, state, { recursive: true })
  const files = join(state, 'v3/d1/miniflare-D1DatabaseObject')
  const file = (await readdir(files)).find((name) => name.endsWith('.sqlite') && name !== 'metadata.sqlite')
  const database = new DatabaseSync(join(files, file ?? ''))
  database.exec(sql)
  database.close()
  expect((await halvesIn(state)).join('\n')).toContain(finding)
})
