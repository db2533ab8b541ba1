import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Calls } from '../support/service.ts'
import { getBrowser } from './browser.ts'
import { runCommand } from './command.ts'
import { connectService } from './shared-service.ts'

let service: Calls
const browser = await getBrowser()
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'client-'))
  expect(await runCommand('.', 'node_modules/.bin/tsc', '-p', 'packages/client', '--outDir', folder)).toMatchObject({
    code: 0,
  })
  service = await connectService()
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

/** The server of somebody's shop: an empty page, and the client. */
const shop = createServer(async ({ url = '/' }, response) => {
  const body = url.startsWith('/client/')
    ? await readFile(join(folder, url.replace('/client/', '')))
    : '<!doctype html>'
  response.writeHead(200, { 'content-type': typeof body === 'string' ? 'text/html' : 'text/javascript' }).end(body)
})
beforeAll(async () => {
  await once(shop.listen(0, '127.0.0.1'), 'listening')
})
afterAll(() => {
  shop.closeAllConnections()
  shop.close()
})

async function openShop() {
  const address = shop.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${address.port}/`)
  return page
}

test('the client runs in a page of another origin, and reads the headers that it needs', async () => {
  const { id, key } = await service.createAccount()
  const page = await openShop()
  const said = await page.evaluate(`(async () => {
    const { createClient } = await import('/client/client.js')
    const client = createClient({ origin: '${service.origin}', merchantId: '${id}', key: '${key}' })
    const { id } = await client.products.create({ title: 'Tea', price: 2 })
    await client.products.edit(id, () => ({ price: 3 }))
    await client.upsert('products', 'a/1', { title: 'Cake', price: 4 })
    const titles = []
    for await (const { title, price } of client.products.list({ limit: 1 })) titles.push(title + price)
    const refused = await client.menus.create({ title: '' }).catch((error) => error)
    await client.products.delete(id)
    return [titles.sort(), refused.name, refused.code]
  })()`)
  expect(said).toEqual([['Cake4', 'Tea3'], 'ApiError', 'invalid_request'])
  await page.close()
})

test('cookies do not travel to another origin, and its pages cannot read the sign-in or the routes of the operator', async () => {
  const { id, key } = await service.createAccount()
  const page = await openShop()
  const read = (path: string, init: { headers?: Record<string, string>; credentials?: string }) =>
    page.evaluate(
      `fetch(${JSON.stringify(service.origin + path)}, ${JSON.stringify(init)}).then(({ status }) => status, ({ name }) => name)`,
    )
  const authorization = `Bearer ${key}`
  expect(await read(`/merchants/${id}/products`, { headers: { authorization } })).toBe(200)
  expect(await read(`/merchants/${id}/products`, { headers: { authorization }, credentials: 'include' })).toBe(
    'TypeError',
  )
  // Requests with this header come from pages of the service.
  expect(await read(`/merchants/${id}/products`, { headers: { authorization, 'x-requested-with': 'console' } })).toBe(
    'TypeError',
  )
  expect(await read('/console/session', {})).toBe('TypeError')
  expect(await read('/admin/merchants', { headers: { authorization: `Bearer ${service.adminToken}` } })).toBe(
    'TypeError',
  )
  await page.close()
})
