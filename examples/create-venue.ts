// Creates a merchant, a key and the catalogue of a file: npx node examples/create-venue.ts [FILE]
import { readFileSync } from 'node:fs'
import { createClient, createOperator } from '../packages/client/src/client.ts'
import { origin } from './origin.ts'

const operator = createOperator({ origin, key: process.env['ADMIN_TOKEN'] ?? 'dev-admin-token' })
const file = process.argv[2] ?? new URL('bakery.json', import.meta.url)
const venue = JSON.parse(readFileSync(file, 'utf8'))

const merchant = await operator.merchants.create(venue.merchant)
const { key } = await operator.keys.create(merchant.id, { mode: 'live', title: 'Set-up' })
const client = createClient({ origin, merchantId: merchant.id, key })

// Objects in the file refer to each other by title, so targets of references are created first.
const ids = new Map<string, string>()
const toIds = (titles: string[] = []) => titles.map((title) => ids.get(title) ?? title)
for (const modifier of venue.modifiers) ids.set(modifier.title, (await client.modifiers.create(modifier)).id)
for (const { modifiers, ...product } of venue.products) {
  ids.set(product.title, (await client.products.create({ ...product, modifiers: toIds(modifiers) })).id)
}
for (const { sections, ...menu } of venue.menus) {
  const filled = sections.map(({ items, ...section }: { items: string[] }) => ({ ...section, items: toIds(items) }))
  await client.menus.create({ ...menu, sections: filled })
}

console.log(`${merchant.name} sells ${venue.products.length} products. Menu: ${origin}/m/${merchant.id}`)
console.log(`API_URL=${origin} MERCHANT_ID=${merchant.id} API_KEY=${key}`)
