import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readCatalogue } from '../../src/cli/catalogue.ts'
import { loadCatalogue } from '../../src/cli/loader.ts'
import { type Checkout, createCheckout } from './checkout.ts'
import { type Command, findFreePort, runCommand, startCommand } from './command.ts'
import { expectedObject, writableOf } from './expectation.ts'
import { type Account, countAll, createMerchant, readList } from './merchant.ts'

let checkout: Checkout
let service: Command
let url: string

beforeAll(async () => {
  checkout = await createCheckout()
  const port = await findFreePort()
  url = `http://localhost:${port}`
  service = startCommand(checkout.folder, 'npm', 'run', 'dev', '--', '--port', String(port))
  await service.printed('Ctrl-C stops the service.')
})
afterAll(async () => {
  service.kill()
  await service.ended
  await checkout.remove()
})

async function writeFileOf(name: string, content: unknown): Promise<string> {
  const file = checkout.path(name)
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

const flags = ({ url, merchantId, key }: Account) => ['--url', url, '--merchant', merchantId, '--key', key]
const load = (file: string, ...more: readonly string[]) =>
  runCommand(checkout.folder, process.execPath, 'src/cli/load.ts', file, ...more)
/** Output without the blanks that only make it pretty. */
const lines = (output: string) => output.split('\n').map((line) => line.trim().replace(/ +/g, ' '))

test('a load that was interrupted goes on without loading anything twice', async () => {
  const account = await createMerchant(url)
  // Many rows that equal others in every field.
  const products = Array.from({ length: 600 }, (_, index) => ({ title: `Dish ${index % 200}`, price: 5 }))
  const menus = [{ title: 'All', sections: [{ title: 'All', items: products.map((_, index) => index) }] }]
  const file = await writeFileOf('many.json', { products, menus })

  const first = startCommand(checkout.folder, process.execPath, 'src/cli/load.ts', file, ...flags(account))
  while ((await readList(account, 'products')).length < 30) await setTimeout(20)
  const { code, output } = await first.interrupt()
  expect(code).toBe(1)
  expect(output).toContain('The same command goes on from here')
  const begun = (await readList(account, 'products')).length
  expect(begun).toBeLessThan(600)
  expect(lines(output)).toContainEqual(expect.stringMatching(`^products ${begun} 0 0 ${600 - begun}$`))

  expect(lines((await load(file, ...flags(account))).output)).toContain(`products ${600 - begun} ${begun} 0`)
  expect(await countAll(account)).toMatchObject({ products: 600, menus: 1 })
  expect(await load(file, ...flags(account))).toMatchObject({
    code: 0,
    output: expect.stringMatching(/products +0 +600 +0/),
  })
  expect(await countAll(account)).toMatchObject({ products: 600, menus: 1 })
})
