import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Calls } from '../support/service.ts'
import { launch } from './browser.ts'
import { runCommand } from './command.ts'
import { connectService } from './shared-service.ts'

let service: Calls
let browser: Browser
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'client-'))
  expect(await runCommand('.', 'npx', 'tsc', '-p', 'packages/client', '--outDir', folder)).toMatchObject({ code: 0 })
  browser = await launch()
  service = await connectService()
})
afterAll(async () => {
  await browser?.close()
  await rm(folder, { recursive: true, force: true })
})

test('the client runs in a browser, on a page of the same origin', async () => {
  const { id, key } = await service.createAccount()
  const page = await browser.newPage()
  await page.route('**/page', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }))
  await page.route('**/client/**', async (route) => {
    const path = new URL(route.request().url()).pathname.replace('/client/', '')
    await route.fulfill({ contentType: 'text/javascript', body: await readFile(join(folder, path)) })
  })
  await page.goto(`${service.origin}/page`)
  const said = await page.evaluate(`(async () => {
    const { createClient } = await import('/client/client.js')
    const client = createClient({ origin: location.origin, merchantId: '${id}', key: '${key}' })
    await client.products.create({ title: 'Tea', price: 2 })
    const titles = []
    for await (const { title } of client.products.list()) titles.push(title)
    const refused = await client.menus.create({ title: '' }).catch((error) => error)
    return [titles, refused.name, refused.code]
  })()`)
  expect(said).toEqual([['Tea'], 'ApiError', 'invalid_request'])
})
