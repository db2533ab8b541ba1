import { expect, test } from 'vitest'
import { scopes } from '../../src/platform/auth/api-keys.ts'
import { call, createKey, createVenue } from '../support/api.ts'
import { routes } from '../support/routes.ts'
import { samples } from '../support/samples.ts'

const base = '/merchants/:merchantId'
const methodsByPath = new Map(
  [...Map.groupBy(routes, ({ path }) => path)].flatMap(([path, all]): [string, Set<string>][] => {
    const methods = new Set(all.map(({ method }) => method).filter((method) => method !== 'ALL'))
    return methods.size === 0 || path.includes('*') ? [] : [[path, methods]]
  }),
)

/** An address of the path. */
const fill = (path: string, merchantId: string) =>
  path.replace(':merchantId', merchantId).replace(/:(\w+)(?:\{[^}]+\})?/g, (_, name: string) => `x-${name}`)

test('each path says which methods it has, wherever its code is loaded', async () => {
  const { id } = await createVenue()
  const { key } = await createKey(id, { mode: 'live', scopes })
  const paths = [...methodsByPath].filter(([path]) => path.startsWith(base))
  expect(paths.length).toBeGreaterThan(80)
  const differences: unknown[] = []
  for (const [path, methods] of paths) {
    const expected = [...methods, ...(methods.has('GET') ? ['HEAD'] : []), 'OPTIONS'].sort()
    const { status, headers } = await call('OPTIONS', fill(path, id), key)
    const allow = headers.get('allow')?.split(', ').sort()
    if (status !== 204 || JSON.stringify(allow) !== JSON.stringify(expected))
      differences.push({ path, status, allow, expected })
    const other = await call('PROPFIND', fill(path, id), key)
    if (other.status !== 405 || other.headers.get('allow') !== headers.get('allow'))
      differences.push({ path, status: other.status, allow: other.headers.get('allow') })
  }
  expect(differences).toEqual([])
})

/** Names of parts below a collection and its objects. */
const listParts = (collection: string) => {
  const paths = [...methodsByPath.keys()].filter((path) => path.startsWith(`${base}/${collection}/`))
  const parts = paths.flatMap((path) => path.split('/').slice(4))
  return [...new Set(parts)].filter((part) => !part.startsWith(':'))
}

test.each(samples)('an external id of a $name can be the name of any part', async ({ collection, body, change }) => {
  const venue = await createVenue()
  const parts = listParts(collection)
  expect(parts).toContain('versions')
  for (const [index, name] of parts.entries()) {
    const path = `/${collection}/external/${name}`
    const created = await venue.request('PUT', path, body(`o${index}`))
    const read = await venue.request('GET', path)
    const updated = await venue.request('PUT', path, { ...body(`o${index}`), ...change })
    const removed = await venue.request('DELETE', path)
    const statuses = [created, read, updated, removed].map(({ status }) => status)
    expect([name, statuses, read.headers.get('external-id')]).toEqual([name, [201, 200, 200, 200], name])
  }
})
