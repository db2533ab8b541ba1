/**
 * Writes the data of a server of this release, which `older-data.test.ts` opens with later ones, and what it answers. Run at a release, before the
 * version is raised: `node -r ./tools/cli/preflight.cjs test/e2e/server/older-data/write.ts [program]`. The program is that of this checkout, or of an
 * older one.
 */
import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { resourcePaths } from '../../../../src/platform/names.ts'
import { buildServer, createOwnServer } from '../../../support/own-server.ts'
import { samples } from '../../../support/samples.ts'

const [, , given] = process.argv
const program = given ?? (await buildServer())
const server = await createOwnServer(program, { PUBLIC_BASE_URL: 'https://menu.example.com' })
const { adminToken } = server

async function call(method: string, path: string, token: string, json?: unknown) {
  const { status, body } = await server.call(method, path, token, json)
  if (status < 300) return body
  throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`)
}

/** Creates a merchant with an object of each resource. Returns what later releases must answer. */
async function fill(home: string) {
  const { id } = await call('POST', '/admin/merchants', adminToken, { name: 'Venue', currency: 'EUR', home })
  const { key } = await call('POST', `/admin/merchants/${id}/keys`, adminToken, { mode: 'live' })
  const post = (path: string, json: unknown) => call('POST', `/merchants/${id}${path}`, key, json)
  const product = await post('/products', { title: 'Tea', price: 2 })
  const modifier = await post('/modifiers', { title: 'Size', instructions: '', type: 'RADIO', options: [{ id: 's' }] })
  for (const { collection, full } of samples)
    await post(`/${collection}`, full({ product: product.id, modifier: modifier.id }))
  await post(`/products/${product.id}/details`, { allergens: [], diets: ['vegan'] })
  await post('/webhooks', { title: 'Till', url: 'https://hooks.example.com/in', events: ['product.created'] })
  await call('PUT', `/merchants/${id}/products/external/tea-1`, key, { title: 'Green tea', price: 3 })
  const { url } = await post('/tags', {})
  const lists: Record<string, unknown> = {}
  for (const resource of resourcePaths)
    lists[resource] = await call('GET', `/merchants/${id}/${resource}?limit=100`, key)
  return { id, key, home, code: new URL(url).pathname, lists }
}

await server.start()
try {
  const venues = [await fill('object'), await fill('d1')]
  const folder = import.meta.dirname
  const answers = join(folder, 'answers.json')
  await writeFile(answers, JSON.stringify(venues))
  execFileSync('npx', ['biome', 'check', '--write', answers])
  execFileSync(process.execPath, [program, 'backup', join(folder, 'data.tar.gz'), '--data', server.state])
} finally {
  await server.close()
}
