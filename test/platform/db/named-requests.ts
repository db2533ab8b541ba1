import { expect } from 'vitest'
import { adminToken, call, createKey, createVenue } from '../../support/api.ts'
import { createMember, sameOrigin } from '../../support/authenticator.ts'
import { check } from '../../support/imports.ts'
import { pictures } from '../../support/pictures.ts'
import { samples } from '../../support/samples.ts'

/** A request that names something by an id. */
export interface NamedRequest {
  method: 'GET' | 'POST'
  path: string
  json?: unknown
  /** A file instead of a JSON body. */
  file?: Uint8Array<ArrayBuffer>
  token?: string
  /** Headers instead of a token. */
  headers?: Record<string, string>
  /** Fields of the response, besides which only the status counts. */
  expected?: object
}

const csvRow = (id: string) => `id,title,price\n${id},Tea,\n`

/** A merchant with one of everything, and a request for each operation that names one of it. */
export async function createNamed() {
  const [venue, moved] = [await createVenue(), await createVenue({ home: 'd1' })]
  const ids: Record<string, string> = {}
  for (const { collection, name, body } of samples) {
    const { status, body: made } = await venue.post(`/${collection}`, body('a'))
    expect(status).toBe(201)
    ids[name] = made.id
    await venue.post(`/${collection}/${made.id}/external-id`, { externalId: `ext-${made.id}` })
  }
  const make = async (path: string, json: unknown): Promise<string> => (await venue.post(path, json)).body.id
  const { product, modifier, menu, coupon, customer, tag, webhook } = ids
  const code = `CODE${product?.slice(-20)}`
  const changed = (
    await venue.post('/batch', {
      operations: [{ op: 'create', resource: 'products', body: { title: 'Bun', price: 1 } }],
    })
  ).body
  const hooked = await make('/webhooks', { title: 'All', url: 'https://hooks.example.com/', events: ['order.created'] })
  const managed = await make('/products', { title: 'Cake', price: 3, manageStock: true, stockQuantity: 9 })
  const choice = { title: 'Milk', instructions: '', options: [{ id: 'oat', label: 'Oat' }] }
  const optional = await make('/modifiers', choice)
  const shown = await make('/menus', { title: 'Shown', visible: true, allDayMenu: true, sections: [] })
  const event = await make('/events', { type: 'order.created', data: {} })
  const free = await make('/coupons', { title: 'Ten', code, type: 'FIXED', value: 10 })
  const keyed = { 'idempotency-key': crypto.randomUUID() }
  const { batch } = (await venue.post(`/coupons/${coupon}/codes`, { count: 3 }, keyed)).body
  const [held, redeemed] = [
    await make('/redemptions', { code, order: 'A-1', hold: 600 }),
    await make('/redemptions', { code, order: 'A-2' }),
  ]
  const [ready, open, faulty] = await Promise.all(
    [`id,price\n${product},5\n`, `id,price\n${product},6\n`, csvRow(product ?? '')].map(
      async (file): Promise<string> => (await check(venue, 'resource=products', file)).id,
    ),
  )
  const operations = [{ op: 'update', resource: 'coupons', id: coupon, body: { value: 3 } }]
  const [release, cancelled] = [
    await make('/releases', { title: 'Autumn', operations }),
    await make('/releases', { title: 'Spring', operations }),
  ]
  const member = await createMember(venue.id)
  const { userId, cookie } = member
  const [spare, other] = [await createKey(venue.id, { mode: 'live' }), await createKey(venue.id, { mode: 'live' })]
  const chip = (await venue.post(`/tags/${tag}/nfc-link`, undefined)).body
  const sheet = (await venue.post('/tags/sheet-link', { ids: [tag] })).body
  const [{ id: passkey }] = (await member.request('GET', '/console/passkeys')).body
  const admin = `/admin/merchants/${venue.id}`
  const backup = (await call('POST', `${admin}/backups`, adminToken)).body.takenAt

  const get = (path: string): NamedRequest => ({ method: 'GET', path: venue.path(path) })
  const post = (path: string, json: unknown = undefined, expected = {}): NamedRequest => ({
    method: 'POST',
    path: venue.path(path),
    json,
    expected,
  })
  const picture = (path: string): NamedRequest => ({ method: 'POST', path: venue.path(path), file: pictures.jpeg })
  const operator = (method: NamedRequest['method'], path: string, json?: unknown): NamedRequest => ({
    method,
    path: `${admin}${path}`,
    json,
    token: adminToken,
  })
  const owner = (method: NamedRequest['method'], path: string, json?: unknown): NamedRequest => ({
    method,
    path: venue.path(path),
    json,
    headers: { ...sameOrigin, cookie },
  })
  const guest = (path: string): NamedRequest => ({ method: 'GET', path, token: '' })
  const since = Math.floor(Date.now() / 1000) - 60
  const text = { translations: { de: { title: 'B' } } }
  const requests: NamedRequest[] = [
    ...samples.flatMap(({ collection, name, change }) => [
      get(`/${collection}/${ids[name]}`),
      get(`/${collection}/external/ext-${ids[name]}`),
      post(`/${collection}/${ids[name]}`, change),
      post(`/${collection}/${ids[name]}/external-id`, { externalId: `new-${ids[name]}` }),
    ]),
    get('/changes'),
    get(`/changes/${changed.changeSet}`),
    post(`/changes/${changed.changeSet}/undo?dryRun=true`),
    get(`/products/${product}?include=details`),
    get(`/products/${product}/details`),
    get(`/modifiers/${modifier}/details`),
    get(`/menus/${menu}/details`),
    get(`/tags/${tag}/details`),
    post(`/products/${product}/details`, text),
    post(`/modifiers/${modifier}/details`, text),
    post(`/menus/${menu}/details`, { prices: [{ product, price: 3 }] }),
    post(`/tags/${tag}/details`, { orderType: 'takeaway' }),
    get(`/products/${product}/availability`),
    post(`/products/${product}/availability`, { soldOut: true, until: 'tomorrow' }),
    post(`/products/${product}/availability`, { soldOut: false }),
    get(`/modifiers/${optional}/availability`),
    post(`/modifiers/${optional}/availability`, { options: { oat: { soldOut: true, until: 'tomorrow' } } }),
    post(`/modifiers/${optional}/availability`, { options: { oat: { soldOut: false } } }),
    get('/requests'),
    get('/service'),
    post('/service', { paused: true, until: 'tomorrow' }),
    post('/service', { paused: false }),
    get(`/releases/${release}`),
    get(`/releases/${release}/operations`),
    post(`/releases/${release}`, { title: 'Winter' }),
    post(`/releases/${release}/operations`, {
      operations: [{ op: 'update', resource: 'coupons', id: coupon, body: { value: 2 } }],
    }),
    post(`/releases/${release}/check`),
    post(`/releases/${release}/preview-link`),
    post(`/releases/${release}/publish`),
    post(`/releases/${cancelled}/cancel`),
    get(`/coupons/${coupon}/limits`),
    post(`/coupons/${coupon}/limits`, { maxRedemptions: 5 }),
    {
      ...post(`/coupons/${coupon}/codes`, { count: 2 }),
      headers: { authorization: `Bearer ${venue.key}`, 'idempotency-key': crypto.randomUUID() },
      expected: { count: 2 },
    },
    get(`/coupons/${coupon}/codes?batch=${batch}`),
    get(`/coupons/${coupon}/codes/batches`),
    get(`/redemptions/${held}`),
    post(`/redemptions/${held}/confirm`),
    post(`/redemptions/${redeemed}/release`),
    get(`/imports/${ready}`),
    get(`/imports/${faulty}/errors`),
    post(`/imports/${ready}/apply`),
    post(`/imports/${open}/cancel`),
    get(`/events?after=${event}`),
    get(`/events?order=desc&after=${event}`),
    get(`/webhooks/${hooked}/deliveries`),
    get(`/webhooks/${hooked}/secret`),
    get(`/webhooks/${hooked}/filter`),
    { method: 'GET', path: `/.well-known/webhook-keys?merchant=${venue.id}&webhook=${hooked}`, token: '' },
    post(`/webhooks/${hooked}/filter`, { where: { 'product.*': { visible: true } } }),
    post(`/webhooks/${hooked}/deliveries/${event}/retry`),
    post(`/webhooks/${hooked}/recover`, { since }),
    post(`/webhooks/${hooked}/test`),
    post(`/webhooks/${webhook}/secret/rotate`),
    post(`/webhooks/${webhook}/token/rotate`),
    get(`/tags/${tag}/scans`),
    get('/scans'),
    get('/scans?by=tag'),
    get('/scans?by=hour'),
    get('/pulse'),
    post(`/tags/${tag}/nfc-link`),
    get(`/tags/sheet?ids=${tag}`),
    get(`/tags/sheet.pdf?ids=${tag}`),
    post('/tags/sheet-link', { ids: [tag] }),
    picture(`/products/${product}/images`),
    picture(`/menus/${menu}/banner`),
    picture(`/menus/${menu}/icon`),
    // Ids in bodies.
    post('/products', { title: 'A', price: 1, modifiers: [modifier] }),
    post(`/products/${product}`, { modifiers: [modifier] }),
    post('/menus', { title: 'A', sections: [{ items: [product] }] }),
    post('/coupons', { title: 'A', code: `X${code}`, type: 'FIXED', value: 1, products: [product] }),
    post('/redemptions', { code, order: 'A-3', customer }),
    post('/stock', { reference: 'A-4', reason: 'sale', changes: [{ product: managed, delta: -1 }] }),
    post('/batch', {
      operations: [
        { op: 'update', resource: 'products', id: product, body: { price: 9 } },
        { op: 'create', resource: 'menus', body: { title: 'B', sections: [{ items: [product] }] } },
      ],
    }),
    post(
      '/quotes',
      { items: [{ product, quantity: 1 }], customer, menu: shown, coupons: [code] },
      { issues: [], coupons: [{ coupon: free }] },
    ),
    post('/preview', { menu: shown }),
    ...samples.map(({ collection }) => get(`/${collection}?ids=${product}`)),
    ...['/redemptions', '/stock', '/audit', '/failed-requests', '/export', '/imports'].map((path) => get(path)),
    get(`/redemptions?customer=${customer}`),
    post('/modifiers', { title: 'A', instructions: '' }),
    post('/customers', { firstName: 'A', lastName: 'B' }),
    post('/tags', {}),
    post('/webhooks', { title: 'A', url: 'https://hooks.example.com/', events: ['*'] }),
    post('/events', { type: 'order.created', data: { customer } }),
    owner('GET', ''),
    owner('POST', '', { name: 'Own' }),
    owner('GET', '/charges'),
    owner('POST', '/charges', { charges: [{ title: 'Box', kind: 'packaging', type: 'FIXED', value: 1 }] }),
    { ...owner('POST', '/logo'), file: pictures.jpeg },
    ...['/sessions', '/members', '/invitations'].map((path) => owner('GET', path)),
    owner('POST', '/keys', { mode: 'test' }),
    owner('POST', '/invitations', { role: 'staff' }),
    owner('GET', `/members/${userId}`),
    owner('POST', `/members/${userId}`, { name: 'Zed' }),
    owner('GET', '/keys'),
    { ...owner('POST', ''), path: `/console/passkeys/${passkey}`, json: { title: 'Mine' } },
    owner('POST', `/keys/${spare.keyId}/roll`, {}),
    operator('GET', ''),
    operator('POST', '', { name: 'Other' }),
    ...['/usage', '/damaged', '/keys', '/invitations', '/backups', `/backups/${backup}`].map((path) =>
      operator('GET', path),
    ),
    operator('POST', '/keys', { mode: 'test' }),
    operator('POST', `/keys/${other.keyId}/roll`, {}),
    ...['/suspend', '/resume', '/close', '/reopen'].map((path) =>
      operator('POST', path, path === '/close' ? {} : undefined),
    ),
    operator('POST', '/invitations', { role: 'staff' }),
    operator('POST', '/tags', { alias: [`T-${code}`] }),
    guest(`/m/${venue.id}`),
    guest(`/m/${venue.id}.json`),
    guest(`/m/${venue.id}/allergens`),
    guest(`/m/${venue.id}/allergens.pdf`),
    guest(`/m/${venue.id}/manifest.webmanifest`),
    guest(`/t/${tag}`),
    guest(`/t/${tag}/qr.png`),
    guest(`/t/${tag}/qr.svg`),
    guest(`/n/${tag}/ABCDEFGH12345678`),
    guest(new URL(chip.url).pathname),
    guest(sheet.url.slice(new URL(sheet.url).origin.length)),
    guest(sheet.pdfUrl.slice(new URL(sheet.pdfUrl).origin.length)),
    // These come last, because they change what the others read.
    get(`/customers/${customer}/export`),
    post(`/customers/${customer}/erase`),
    operator('POST', '/restore', { takenAt: backup, replace: true }),
    operator('GET', '/restore'),
    operator('POST', '/restore/continue'),
    { ...operator('POST', '', { home: 'object' }), path: `/admin/merchants/${moved.id}/move` },
    { ...operator('GET', ''), path: `/admin/merchants/${moved.id}/move` },
  ]
  return { venue, requests }
}
