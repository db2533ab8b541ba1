import { expect, test } from 'vitest'
import { type ApiResponse, adminToken } from '../../support/api.ts'
import { observe, rowsRead } from '../../support/d1.ts'
import { samples } from '../../support/samples.ts'
import { document } from '../../tools/openapi/openapi-document.ts'
import { createNamed } from './named-requests.ts'
import expected from './rows-read.json'

/** Rows by which an operation may read more: ids and search words are random, and so is the depth of the trees of indexes. */
const tolerance = 6

const templates = Object.entries<object>(document.paths).flatMap(([path, item]) =>
  Object.keys(item).map((method) => ({
    name: `${method.toUpperCase()} ${path}`,
    form: new RegExp(`^${method.toUpperCase()} ${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
  })),
)
/** The operation of a request. A path without parameters precedes one with parameters. */
function findOperation(method: string, path: string): string {
  const request = `${method} ${path.replace(/\?.*/, '')}`
  const found = templates.filter(({ form }) => form.test(request)).map(({ name }) => name)
  return found.toSorted((a, b) => a.split('{').length - b.split('{').length)[0] ?? request
}

const { venue, requests } = await createNamed()
const read: Record<string, number> = {}

async function send(method: string, path: string, options: Parameters<typeof observe>[2]): Promise<ApiResponse> {
  const response = await observe(method, path, options)
  await response.settled()
  const operation = findOperation(method, path)
  read[operation] = Math.max(read[operation] ?? 0, rowsRead(response.trips))
  return response
}

// Uploads of files read the same as other changes: `observe` sends JSON.
for (const { collection, body } of samples) {
  const own = (method: string, path: string, json?: unknown) =>
    send(method, venue.path(`/${collection}${path}`), { key: venue.key, json })
  const { id } = (await own('POST', '', body('gone'))).body
  await own('PUT', `/external/gone-${id}`, body('gone too'))
  for (const query of ['', '?q=gone', '?updatedSince=0', `?externalIds=gone-${id}`]) await own('GET', query)
  await own('DELETE', `/external/gone-${id}`)
  await own('DELETE', `/${id}`)
}
for (const target of ['merchants', 'maintenance', 'metrics', 'failing-webhooks', 'sessions'])
  await send('GET', `/admin/${target}`, { key: adminToken })
for (const { method, path, json, file, token, headers } of requests) {
  if (file) continue
  const key = token === '' || headers ? undefined : (token ?? venue.key)
  await send(method, path, { json, ...(key !== undefined && { key }), ...(headers && { headers }) })
}

test('no operation reads more rows than the table says', () => {
  const table: Record<string, number> = expected
  const sorted = Object.fromEntries(Object.entries(read).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  const more = Object.entries(sorted).filter(([operation, rows]) => rows > (table[operation] ?? -1) + tolerance)
  if (more.length > 0) console.log(`figure: rows read by each operation: ${JSON.stringify(sorted)}`)
  expect(more).toEqual([])
  expect(Object.keys(table).filter((operation) => read[operation] === undefined)).toEqual([])
})
