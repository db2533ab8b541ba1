import { env } from 'cloudflare:workers'
import { afterEach, expect, test } from 'vitest'
import { createVenue } from '../../../support/api.ts'
import { document } from '../../../tools/openapi/openapi-document.ts'
import { credentials, letArrive, outdateChecks, restoreChecks, runElsewhere, startSlowly } from './slow-requests.ts'

afterEach(restoreChecks)

type Methods = Readonly<Record<string, { requestBody?: { content: object } }>>
/** Operations that read a body, from the document. Those of guests and sign-ins need no credential that can end; a deletion reads no body. */
const operations = Object.entries<Methods>(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, { requestBody }]) => {
    if (!/^(?:post|put|patch)$/.test(method) || !/^\/(?:merchants|admin)\b/.test(path)) return []
    const [type = 'application/json'] = Object.keys(requestBody?.content ?? {})
    return [{ operation: `${method.toUpperCase()} ${path}`, method: method.toUpperCase(), path, type }]
  }),
)
/** Operations that never read their bodies. */
const withoutBody = ['POST /merchants/{merchantId}/releases/{releaseId}/check']
/** Parameters without which an operation does not read its body. */
const queries: Readonly<Record<string, string>> = { 'POST /merchants/{merchantId}/imports': '?resource=products' }

/** Minimum numbers of operations that read the body of each credential. */
const reading = {
  key: 80,
  'test key': 70,
  'session of a key': 80,
  owner: 80,
  manager: 60,
  staff: 4,
  developer: 10,
  support: 10,
  'admin operator': 25,
  'support operator': 1,
  'session of the token': 25,
  'platform key': 10,
} satisfies Record<keyof typeof credentials, number>
const names = Object.keys(reading).filter((name): name is keyof typeof credentials => name in credentials)

const countAudit = () => env.DB.prepare('select count(*) as total from audit').first('total')

test.each(names)('no request of %s goes on after a slow body', async (name) => {
  const venue = await createVenue()
  const { headers, ending } = await credentials[name](venue.id)
  const started = operations.map(({ operation, method, path, type }, index) => {
    const filled = path
      .replace('{merchantId}', venue.id)
      .replace('{kind}', 'waiter')
      .replaceAll(/\{\w+\}/g, 'abc_00000000000000000000000000')
    const sent = { ...headers, 'content-type': type, 'idempotency-key': `slow-${index}` }
    // No operation accepts this body: one that reads it without new checks returns 400 or 415.
    return [operation, startSlowly(method, `${filled}${queries[operation] ?? ''}`, sent, 'x')] as const
  })
  await letArrive()
  await runElsewhere(`delete from ${ending[0]} where id = ?`, ending[1])
  const before = await countAudit()
  outdateChecks()
  const responses = await Promise.all(started.map(async ([operation, finish]) => [operation, (await finish()).status]))
  // Without its right, a request is rejected before its body is read.
  const others = responses.filter(([, status]) => status !== 401 && status !== 403)
  expect(others.filter(([operation]) => !withoutBody.some((known) => known === operation))).toEqual([])
  expect(await countAudit()).toBe(before)
  expect(responses.filter(([, status]) => status === 401).length).toBeGreaterThanOrEqual(reading[name])
})
