import type { Job } from './load.ts'
import { type Bundle, copy, migrate, type Running, start } from './platform.ts'
import {
  createMerchant,
  createTags,
  deletable,
  fullProduct,
  type Merchant,
  multiplyProducts,
  productId,
} from './seed.ts'

/** A request to the service or the control, repeated by the bench. */
export type BenchRequest = Pick<Job, 'method' | 'path' | 'headers' | 'body' | 'expected'>

export interface Case {
  name: string
  service: BenchRequest
  control: BenchRequest
  /** Lowest acceptable ratio to the control's rate. */
  minRatio?: number
  /** Maximum number of requests in total. Each one uses up a row or a tag. */
  maxRequests?: number
}

export interface Catalogue {
  /** Folder of the storages; every Worker gets a copy. */
  folder: string
  cases: readonly Case[]
}

/** Scans of phones are counted, those of robots are not. */
const phone = { 'User-Agent': 'Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Mobile' }
const robot = { 'User-Agent': 'curl/8.0' }

/** Creates the data to measure with, and the requests. `scale` is the number of rows that requests can use up. */
export async function createCatalogue(bundle: Bundle, folder: string, scale: { deletes: number; tags: number }) {
  const running = await start(bundle, folder)
  await migrate(running)
  const shop = await createMerchant(running)
  const modifier = await shop.post('/modifiers', {
    title: 'Milk',
    instructions: '',
    options: [{ label: 'Whole' }, { label: 'Oat', additionalCost: 0.4 }],
  })
  const { id: product } = await shop.post('/products', fullProduct([modifier.id]))
  await multiplyProducts(running, shop.id, product, 1_000, { rarity: 10 })
  await multiplyProducts(running, shop.id, product, scale.deletes, { first: deletable })
  const items = Array.from({ length: 200 }, (_, index) => productId(index + 1))
  const sections = Array.from({ length: 10 }, (_, index) => ({
    title: `Section ${index}`,
    items: items.slice(20 * index, 20 * index + 20),
  }))
  const menu = await shop.post('/menus', { title: 'All day', description: 'Everything', sections })
  const guests = await createMerchant(running)
  const dishes = []
  for (let n = 0; n < 60; n++) dishes.push((await guests.post('/products', fullProduct())).id)
  await guests.post('/menus', { title: 'All day', sections: [{ title: 'Dishes', items: dishes }] })
  const tag = await guests.post('/tags', {})
  await createTags(running, guests.id, scale.tags)
  const hooked: Merchant[] = []
  for (const webhooks of [0, 1, 10]) {
    const merchant = await createMerchant(running)
    for (let n = 0; n < webhooks; n++) {
      await merchant.post('/webhooks', { title: 'Till', url: 'https://hooks.example.com/', events: ['order.created'] })
    }
    hooked.push(merchant)
  }
  await running.stop()

  const keyed = ({ key }: Merchant) => ({ Authorization: `Bearer ${key}` })
  const at = (path: string) => `/merchants/${shop.id}${path}`
  const both = (name: string, request: Omit<BenchRequest, 'headers'>, more: Partial<Case> = {}): Case => {
    const whole = { ...request, headers: keyed(shop) }
    return { name, service: whole, control: whole, ...more }
  }
  const read = (path: string) => ({ method: 'GET', path: at(path), expected: 200 })
  const guest = (path: string, headers: Record<string, string>, expected = 302): BenchRequest => ({
    method: 'GET',
    path,
    headers,
    expected,
  })
  const alone = (name: string, path: string): Case => {
    const request = guest(path, phone, 200)
    return { name, service: request, control: guest('/302', {}) }
  }
  const code16 = new URL(tag.url).pathname.split('/')[2]
  const body = JSON.stringify(fullProduct([modifier.id]))
  const cases: Case[] = [
    both('retrieve', read(`/products/${product}`), { minRatio: 0.9 }),
    both('list of 20', read('/products?limit=20'), { minRatio: 0.85 }),
    both('search, 100 matches', read('/products?limit=20&q=needle')),
    both('menu of 200', read(`/menus/${menu.id}`)),
    both('create', { method: 'POST', path: at('/products'), body, expected: 201 }, { minRatio: 0.75 }),
    both(
      'update',
      { method: 'POST', path: at('/products/prod_00{i24}'), body: '{"price": {n}}', expected: 200 },
      { minRatio: 0.6 },
    ),
    both(
      'delete',
      { method: 'DELETE', path: at('/products/prod_00{n24}'), expected: 200 },
      { maxRequests: scale.deletes },
    ),
    ...hooked.map((merchant, index): Case => {
      const request = {
        method: 'POST',
        path: `/merchants/${merchant.id}/events`,
        body: JSON.stringify({ type: 'order.created', data: { table: '4', total: 12.5 } }),
        headers: keyed(merchant),
        expected: 202,
      }
      return {
        name: `publish, ${['no webhooks', '1 webhook', '10 webhooks'][index]}`,
        service: request,
        control: request,
      }
    }),
    { name: 'scan, warm', service: guest(`/t/${code16}`, robot), control: guest('/302', {}), minRatio: 0.9 },
    { name: 'scan, warm and counted', service: guest(`/t/${code16}`, phone), control: guest('/counted', {}) },
    { name: 'scan, cold', service: guest('/t/{n16}', phone), control: guest('/kv/{n16}', {}), maxRequests: scale.tags },
    alone('QR as SVG', `/t/${code16}/qr.svg`),
    alone('QR as PNG', `/t/${code16}/qr.png`),
    alone('menu page, 60 dishes', `/m/${guests.id}`),
  ]
  return { folder, cases }
}

/** Starts the service and the control, each with a copy of the catalogue. */
export async function startArms(
  { folder }: Catalogue,
  bundles: { service: Bundle; control: Bundle },
  options?: { isInspected: boolean },
) {
  const [service, control] = [
    await start(bundles.service, await copy(folder, `${folder}-service`), options),
    await start(bundles.control, await copy(folder, `${folder}-control`), options),
  ]
  return { service, control }
}
export type Arms = Record<'service' | 'control', Running>
