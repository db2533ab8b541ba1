import { expect, test } from 'vitest'
import { createVenue } from '../../../support/api.ts'
import { createMember } from '../../../support/authenticator.ts'
import { createOperator } from '../../../support/operators.ts'
import { routes } from '../../../support/routes.ts'
import { openVenue } from './support-venue.ts'

const resource = (path: string) => [path, `${path}/:id`, `${path}/:id/versions`, `${path}/external/:externalId`]
/** Requests that support may send. A new route of merchants is rejected until it is listed here and in the service. */
const reads = [
  ...[
    '',
    'audit',
    'changes',
    'changes/:id',
    'charges',
    'events',
    'invitations',
    'keys',
    'members',
    'members/:memberId',
  ],
  ...['pulse', 'releases', 'releases/:id', 'releases/:id/operations', 'requests', 'scans', 'service', 'sessions'],
  ...['stock', 'test-data', 'imports', 'imports/:id', 'imports/:id/deletions', 'imports/:id/errors'],
  ...['imports/:id/preview', 'products/:id/details', 'modifiers/:id/details', 'menus/:id/details', 'tags/:id/details'],
  ...['products/:id/availability', 'modifiers/:id/availability', 'coupons/:id/limits', 'tags/:id/scans'],
  ...['webhooks/:id/deliveries', 'webhooks/:id/filter'],
  ...['products', 'modifiers', 'menus', 'coupons', 'tags', 'webhooks'].flatMap(resource),
].map((path) => `GET ${path}`)
const always = new Set([...reads, 'DELETE sessions/:sessionId'])
const writes = new Set([
  ...['products', 'menus'].flatMap((path) => [
    `POST ${path}`,
    ...[`POST ${path}/:id`, `DELETE ${path}/:id`, `POST ${path}/:id/details`, `POST ${path}/:id/external-id`],
    ...[`POST ${path}/:id/restore`, `PUT ${path}/external/:externalId`, `DELETE ${path}/external/:externalId`],
  ]),
  ...['POST products/:id/availability', 'POST products/:id/images', 'POST modifiers/:id/availability'],
  ...['POST menus/:id/banner', 'POST menus/:id/icon', 'POST batch'],
])

/** Every route of a merchant. */
const all = [
  ...new Set(
    routes
      .filter(({ method, path }) => method !== 'ALL' && /^\/merchants\/:merchantId(?:\/|$)/.test(path))
      .map(({ method, path }) => `${method} ${path.slice('/merchants/:merchantId/'.length)}`),
  ),
]

test.each(['read', 'write'] as const)(
  'with supportAccess %s, support uses its routes, and no other',
  async (access) => {
    expect(all.length).toBeGreaterThan(130)
    expect(all).toEqual(expect.arrayContaining([...always, ...writes]))
    const [venue, operator] = [await createVenue(), await createOperator('support')]
    const owner = await createMember(venue.id)
    await owner.to('POST', '', { supportAccess: access })
    const { to } = await openVenue(operator, venue.id)
    const outcomes = new Map<string, string>()
    for (const route of all) {
      const [method = '', pattern = ''] = route.split(' ')
      const path = pattern
        .replaceAll(/\{[^}]+\}/g, '')
        .replace(':externalId', 'x')
        .replaceAll(/:\w+/g, 'obj_x')
      const body = method === 'POST' || method === 'PUT' ? {} : undefined
      const { status, body: answer } = await to(method, path === '' ? '' : `/${path}`, body)
      outcomes.set(route, status === 403 ? answer.code : status === 401 ? 'out' : 'passed')
    }
    const isOpen = (route: string) => always.has(route) || (access === 'write' && writes.has(route))
    expect(Object.fromEntries(outcomes)).toEqual(
      Object.fromEntries(all.map((route) => [route, isOpen(route) ? 'passed' : 'forbidden'])),
    )
  },
)

test('no spelling of a path opens a route, and a batch has the same rights', async () => {
  const [venue, operator] = [await createVenue(), await createOperator('admin')]
  const owner = await createMember(venue.id)
  await owner.to('POST', '', { supportAccess: 'write' })
  const { to, request } = await openVenue(operator, venue.id)
  for (const path of ['/export', '/%65xport', '//export', '/products/../export', '/customers', '/webhooks/x/secret'])
    expect([path, (await to('GET', path)).status]).toEqual([path, 403])
  for (const path of ['/export%0A', '/products%0A/export', '/webhooks/wh_%0A/secret', '/orders/a%0Ab', '/%0Aexport'])
    expect([path, (await to('GET', path)).body.detail]).toEqual([path, 'Support does not allow this request.'])
  expect((await to('GET', '/products/external/a%0Ab')).status).toBe(404)
  for (const method of ['PATCH', 'PUT'])
    expect([method, (await to(method, '/products/x', {})).status]).toEqual([method, 403])
  expect((await to('HEAD', '/products')).status).toBe(200)
  const create = (name: string, body: object) =>
    to('POST', '/batch', { operations: [{ op: 'create', resource: name, body }] })
  expect((await create('products', { title: 'Tea', price: 1 })).status).toBe(200)
  for (const [name, body] of [
    ['customers', { firstName: 'A', lastName: 'B' }],
    ['coupons', { title: 'C', code: 'C', type: 'FIXED', value: 1 }],
    ['webhooks', { title: 'W', url: 'https://hooks.example.com/' }],
    ['tags', { label: 'T' }],
  ] as const)
    expect([name, (await create(name, body)).status]).toEqual([name, 403])
  for (const path of ['/console/passkeys', '/console/memberships'])
    expect([path, (await request('GET', path)).status]).toEqual([path, 401])
  for (const path of ['/console/passkeys/registration', '/console/passkeys'])
    expect([path, (await request('POST', path, {})).status]).not.toEqual([path, 201])
})
