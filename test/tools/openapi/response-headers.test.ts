import { expect, test } from 'vitest'
import { apiVersion } from '../../../src/platform/http/headers.ts'
import { send } from '../../support/api.ts'
import { document } from './openapi-document.ts'

interface Operation {
  responses: Record<string, { headers?: object; content?: object }>
}
const operations = Object.entries<Record<string, Operation>>(document.paths).flatMap(([path, item]) =>
  Object.entries(item)
    .filter(([key]) => key !== 'parameters')
    .map(([method, { responses }]) => ({ path, method: method.toUpperCase(), responses: Object.values(responses) })),
)
const hasVersion = ({ responses }: (typeof operations)[number]) =>
  responses.some(({ headers = {} }) => 'API-Version' in headers)

test('every operation has API-Version if the document says so, and only then', async () => {
  const differing: unknown[] = []
  for (const operation of operations) {
    const { path, method } = operation
    const { status, headers } = await send(path.replaceAll(/\{\w+\}/g, 'x'), { method })
    const wanted = hasVersion(operation) ? apiVersion : null
    if (headers.get('api-version') !== wanted) differing.push([method, path, status, headers.get('api-version')])
  }
  expect(differing).toEqual([])
  expect(operations.length).toBeGreaterThan(200)
})

test('only the console and the service itself have JSON without API-Version', () => {
  const bare = operations.filter(
    (operation) =>
      !hasVersion(operation) && operation.responses.some(({ content = {} }) => 'application/json' in content),
  )
  const paths = bare.map(({ path }) => path).filter((path) => !path.startsWith('/console/'))
  expect([...new Set(paths)].sort()).toEqual(['/health', '/openapi.json'])
})
