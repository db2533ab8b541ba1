import { readFile, writeFile } from 'node:fs/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Checkout, createCheckout } from './checkout.ts'
import { runScript } from './command.ts'
import { connectService } from './shared-service.ts'

let checkout: Checkout

beforeAll(async () => {
  checkout = await createCheckout()
  const { adminToken } = await connectService()
  await writeFile(checkout.path('.dev.vars'), `ADMIN_TOKEN=${adminToken}\n`)
})
afterAll(() => checkout.remove())

test('npm run backup writes a file, and npm run restore makes a merchant from it', { timeout: 120_000 }, async () => {
  const service = await connectService()
  const run = (name: string, ...args: string[]) => runScript(checkout.folder, name, ...args, '--url', service.origin)
  const venue = await service.createAccount()
  await service.call('POST', `/merchants/${venue.id}/products`, venue.key, { title: 'Tea', price: 1 })
  const taken = await run('backup', venue.id, '--download', 'a.gz')
  expect([taken.code, taken.output]).toEqual([0, expect.stringContaining('Wrote')])
  const listed = await run('backup', venue.id, '--list')
  expect(listed.output).toMatch(/^\S+Z {2}--at \d+ {2}\d+ rows/)

  const refused = await run('restore', venue.id)
  expect([refused.code, refused.output]).toEqual([1, expect.stringContaining('409')])
  const unconfirmed = await run('restore', venue.id, '--replace')
  expect([unconfirmed.code, unconfirmed.output]).toEqual([2, expect.stringContaining('--yes')])
  const early = await run('restore', venue.id, '--at', '2020-01-01T00:00:00Z')
  expect([early.code, early.output]).toEqual([1, expect.stringContaining('no backup of that time')])

  // The same merchant under an id that no merchant has.
  const file = gunzipSync(await readFile(checkout.path('a.gz'))).toString()
  const other = `${venue.id.slice(0, -1)}${venue.id.endsWith('0') ? '1' : '0'}`
  await writeFile(checkout.path('b.gz'), gzipSync(file.replaceAll(venue.id, other)))
  const restored = await run('restore', 'b.gz')
  expect([restored.code, restored.output]).toEqual([0, expect.stringContaining('Restored')])
  const { body: usage } = await service.call('GET', `/admin/merchants/${other}/usage`, service.adminToken)
  expect(usage.objects.products).toEqual({ live: 1, test: 0 })

  await writeFile(checkout.path('c.gz'), 'text')
  const malformed = await run('restore', 'c.gz')
  expect([malformed.code, malformed.output]).toEqual([2, expect.stringContaining('not a backup')])
})
