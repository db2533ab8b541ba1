// Creates tags for tables 1 to N and a PDF to print and cut: npx node examples/table-codes.ts [N] [FILE]
import { writeFileSync } from 'node:fs'
import { createClient } from '../packages/client/src/client.ts'
import { key, merchantId, origin } from './account.ts'

const [count = '12', file = 'tables.pdf'] = process.argv.slice(2)
const client = createClient({ origin, merchantId, key })

const ids: string[] = []
for (let table = 1; table <= Number(count); table++) {
  const tag = await client.tags.create({ metadata: [{ key: 'table', value: String(table) }] })
  console.log(`Table ${table}: ${tag.url}`)
  ids.push(tag.id)
}
const sheet = await client.tags.sheet({ ids, layout: 'tents' })
writeFileSync(file, new Uint8Array(await sheet.arrayBuffer()))
console.log(`Wrote ${file}. Print it and cut out the codes.`)
