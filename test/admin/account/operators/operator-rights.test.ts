import { expect, test } from 'vitest'
import { operatorApp } from '../../../../src/app/operator-app.ts'
import { createVenue } from '../../../support/api.ts'
import { createOperator } from '../../../support/operators.ts'

/** Requests of the role support that are not rejected. A new route is rejected until it is listed here and in the service. */
const allowed = new Set([
  'GET /admin/merchants',
  'GET /admin/merchants/:merchantId',
  'GET /admin/merchants/:merchantId/usage',
  'GET /admin/merchants/:merchantId/keys',
  'GET /admin/merchants/:merchantId/move',
  'POST /admin/merchants/:merchantId/support',
  'GET /admin/merchants/:merchantId/code-clashes',
  'GET /admin/failing-webhooks',
  'GET /admin/maintenance',
  'GET /admin/metrics',
  'GET /admin/operators',
  'GET /admin/operators/:operatorId',
  'GET /admin/sessions',
  'DELETE /admin/sessions/:sessionId',
])

/** Every route of the operator. */
const routes = [
  ...new Set(
    operatorApp.routes
      .filter(({ method, path }) => method !== 'ALL' && path.startsWith('/admin/'))
      .map(({ method, path }) => `${method} ${path.replace(/\/$/, '').replaceAll(/\{[^}]*\}/g, '')}`),
  ),
]

test('the role support may use its routes, and no other', async () => {
  expect(routes.length).toBeGreaterThan(30)
  expect(routes).toEqual(expect.arrayContaining([...allowed]))
  const [venue, { send }] = [await createVenue(), await createOperator('support')]
  const outcomes = new Map<string, string>()
  for (const route of routes) {
    const [method = '', pattern = ''] = route.split(' ')
    const path = pattern.replace(':merchantId', venue.id).replaceAll(/:\w+/g, 'x')
    const { status, body } = await send(method, path, method === 'POST' ? {} : undefined)
    outcomes.set(route, status === 403 ? body.code : 'passed')
  }
  expect(Object.fromEntries(outcomes)).toEqual(
    Object.fromEntries(routes.map((route) => [route, allowed.has(route) ? 'passed' : 'forbidden'])),
  )
})

test('no spelling of a path opens a route to the role support', async () => {
  const [venue, { send }] = [await createVenue(), await createOperator('support')]
  const base = `/admin/merchants/${venue.id}`
  const paths = [
    `${base}/backups`,
    `${base}/damaged`,
    `${base}/%62ackups`,
    `${base}//backups`,
    `${base}/usage/../backups`,
  ]
  for (const path of paths) expect([path, (await send('GET', path)).status]).toEqual([path, 403])
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    expect([method, (await send(method, base, {})).status]).toEqual([method, 403])
  }
  expect((await send('HEAD', base)).status).toBe(200)
})

test('what the role support reads contains no secret and nobody’s data', async () => {
  const [venue, { send }] = [await createVenue(), await createOperator('support')]
  await venue.post('/customers', { firstName: 'Noor', lastName: 'Marker', email: 'noor@marker.example' })
  const { body: hook } = await venue.post('/webhooks', {
    title: 'Till',
    url: 'https://hooks.example.com/marker',
    events: ['product.created'],
  })
  const texts: string[] = []
  for (const route of allowed) {
    const [method = '', pattern = ''] = route.split(' ')
    if (method !== 'GET') continue
    const path = pattern.replace(':merchantId', venue.id).replaceAll(/:\w+/g, 'x')
    texts.push(JSON.stringify((await send(method, path)).body))
  }
  const all = texts.join('\n')
  expect(all).toContain(venue.id)
  for (const secret of [venue.key, hook.bearerToken, 'noor@marker', 'Noor']) {
    expect([typeof secret, all.includes(secret)]).toEqual(['string', false])
  }
})
