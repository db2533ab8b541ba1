import { exports } from 'cloudflare:workers'
import { expect } from 'vitest'
import { adminToken, call, createKey, type Venue } from '../../support/api.ts'
import { createAuthenticator, createMember, invite, signIn } from '../../support/authenticator.ts'

/**
 * Routes without an operation of their own in the audit log:
 * - Quotes, published events, backups, and links to chips and sheets change nothing.
 * - Imported tags, batches, requests by external id, pictures, and changes that a merchant's own keys make of the merchant and its keys
 *   are recorded as the single operations are. Invitations of the operator are recorded as those of the merchant.
 * - The copies of tags in KV, operators, their sessions, platform keys and platform webhooks belong to no merchant.
 * - Sign-out ends a session, as its DELETE does. Only the start of a restore is recorded. workerd cannot recover objects.
 * - Support is recorded as `support.open`, which test/admin/account/support examines.
 * - Reading a notice changes what one person sees.
 * - A check, and a preview link, of a release store nothing.
 * - Calls of guests and what became of them are gone after 30 minutes.
 * - A mapping changes how a file is read, and nothing of the catalogue. Applied imports: test/bulk/import.
 */
export const unrecorded: readonly RegExp[] = [
  // An undo is a batch, or steps: test/bulk/changes. A copy of live data is an import.
  /\/(?:events|quotes|check|preview|undo|preview-link|requests|requests\/:kind\/done|nfc-link|sheet-link|backups|restore\/continue|rebuild-tags|test-data|batch|external-id|images|banner|icon|logo)$|\/external\//,
  /^POST \/admin.*\/(?:tags|recover|support)$|\/imports\/:id\/(?:apply|mapping)$|^DELETE \/console\/session$|\/console\/operator(?:\/|$)|^\w+ \/admin\/(?:operators|keys|webhooks)(?:\/|$)|\/admin\/sessions\/:|\/notices\/:/,
  /^\w+ \/merchants\/:merchantId(?:\/(?:keys|invitations).*)?$/,
  /^POST \/console\/(?:invitation|passkeys\/(?:options|registration))$/,
]

/** Objects that changes at the till are made of. */
export async function createTillObjects(venue: Venue) {
  const product = (await venue.post('/products', { title: 'Tea', price: 1, manageStock: true, stockQuantity: 5 })).body
    .id
  const coupon = (await venue.post('/coupons', { title: 'Ten', code: 'TEN', type: 'FIXED', value: 1 })).body.id
  const options = [{ id: 'oat', label: 'Oat' }]
  const modifier = (await venue.post('/modifiers', { title: 'Milk', instructions: '', options })).body.id
  return { product, coupon, modifier }
}

/** Makes changes at the till and cancels an import. Returns the entries that record them, oldest first. */
export async function makeTillChanges(
  venue: Venue,
  { product, coupon, modifier }: Awaited<ReturnType<typeof createTillObjects>>,
) {
  await venue.post(`/coupons/${coupon}/limits`, { maxRedemptions: 5 })
  await venue.post(`/coupons/${coupon}/codes`, { count: 1 }, { 'idempotency-key': crypto.randomUUID() })
  const redemption = (await venue.post('/redemptions', { code: 'TEN', order: 'order-1', hold: 60 })).body.id
  await venue.post(`/redemptions/${redemption}/confirm`, {})
  await venue.post(`/redemptions/${redemption}/release`, {})
  await venue.post(`/products/${product}/availability`, { soldOut: true })
  await venue.post(`/modifiers/${modifier}/availability`, { options: { oat: { soldOut: true } } })
  await venue.post('/service', { paused: true })
  const operations = [{ op: 'update', resource: 'coupons', id: coupon, body: { title: 'Eleven' } }]
  const release = (await venue.post('/releases', { title: 'Autumn', operations })).body.id
  await venue.post(`/releases/${release}`, { title: 'Winter' })
  await venue.post(`/releases/${release}/publish`, {})
  const other = (await venue.post('/releases', { title: 'Spring' })).body.id
  await venue.post(`/releases/${other}/operations`, { operations })
  await venue.remove(`/releases/${other}/operations/${coupon}`)
  await venue.post(`/releases/${other}/cancel`, {})
  await venue.post('/stock', { reference: 'order-1', reason: 'sale', changes: [{ product, delta: -1 }] })
  const uploaded = await exports.default.fetch(
    new Request(new URL(venue.path('/imports?resource=products'), 'https://api.test'), {
      method: 'POST',
      headers: { authorization: `Bearer ${venue.key}`, 'content-type': 'application/jsonl' },
      body: '{"title": "Cake", "price": 3}',
    }),
  )
  const { id } = await uploaded.json<{ id: string }>()
  expect((await venue.post(`/imports/${id}/cancel`, {})).status).toBe(200)
  return [
    `coupons.limits.update ${coupon}`,
    `coupons.codes.create ${coupon}`,
    `redemptions.create ${redemption}`,
    `redemptions.confirm ${redemption}`,
    `redemptions.release ${redemption}`,
    `products.availability.update ${product}`,
    `modifiers.availability.update ${modifier}`,
    `service.update ${venue.id}`,
    `releases.create ${release}`,
    `releases.update ${release}`,
    `releases.publish ${release}`,
    `coupons.update ${coupon}`,
    `releases.create ${other}`,
    `releases.operations.create ${other}`,
    `releases.operations.delete ${other}`,
    `releases.cancel ${other}`,
    'stock.adjust order-1',
    `imports.create ${id}`,
    `imports.cancel ${id}`,
  ]
}

/** Objects that have details, and a customer. */
export async function createDetailedObjects(venue: Venue) {
  const product = (await venue.post('/products', { title: 'Tea', price: 1 })).body.id
  const modifier = (await venue.post('/modifiers', { title: 'Milk', instructions: '' })).body.id
  const menu = (await venue.post('/menus', { title: 'Day', sections: [] })).body.id
  const customer = (await venue.post('/customers', { firstName: 'A', lastName: 'B' })).body.id
  const tag = (await venue.post('/tags', {})).body.id
  const objects = { products: product, modifiers: modifier, menus: menu, tags: tag }
  return { customer, objects }
}

/** Changes details, erases the customer, signs in and out, and changes the state of the merchant. Returns the entries, oldest first. */
export async function makeMerchantChanges(
  venue: Venue,
  { customer, objects }: Awaited<ReturnType<typeof createDetailedObjects>>,
) {
  for (const [path, id] of Object.entries(objects)) {
    await venue.post(
      `/${path}/${id}/details`,
      path === 'tags' ? { orderType: 'takeaway' } : { translations: { de: { title: 'Neu' } } },
    )
  }
  await venue.post(`/customers/${customer}/erase`, {})
  const manager = await createKey(venue.id, { mode: 'live', scopes: ['merchant:write'] })
  const box = { title: 'Box', kind: 'packaging', type: 'FIXED', value: 1 }
  expect((await manager.post('/charges', { charges: [box] })).status).toBe(200)
  const signedIn = await exports.default.fetch(
    new Request('https://menu.example/console/session', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ key: venue.key }),
    }),
  )
  expect(signedIn.status).toBe(201)
  const session = (await venue.get('/sessions')).body[0].id
  const ended = await venue.remove(`/sessions/${session}`)
  expect(ended.status).toBe(200)
  const states = ['suspend', 'resume', 'close', 'reopen']
  for (const state of states)
    expect((await call('POST', `/admin/merchants/${venue.id}/${state}`, adminToken, {})).status).toBe(200)
  return [
    ...Object.entries(objects).map(([path, id]) => `${path}.details.update ${id}`),
    `customers.erase ${customer}`,
    `charges.update ${venue.id}`,
    `sessions.create ${session}`,
    `sessions.delete ${session}`,
    ...states.map((state) => `merchants.${state} ${venue.id}`),
  ]
}

/** Changes members, invitations and passkeys of a venue, to which a member of another venue comes and goes. */
export async function makeMemberChanges(venue: Venue, other: Venue): Promise<void> {
  const [owner, zoe] = [await createMember(venue.id), await createMember(other.id)]
  const joined = await signIn(zoe.authenticator, {}, { token: await invite(venue.id, 'staff') })
  const path = '/console/passkeys'
  const { body: options } = await owner.request('POST', `${path}/registration`, {})
  const second = await createAuthenticator()
  await owner.request('POST', path, { credential: await second.register(options) })
  await owner.request('POST', `${path}/${second.id}`, { title: 'Phone' })
  await owner.request('DELETE', `${path}/${second.id}`)
  const { body: challenged } = await owner.request('POST', `${path}/options`, {})
  await owner.request('POST', `${path}/assertion`, { credential: await owner.authenticator.sign(challenged) })
  const { body: invitation } = await owner.to('POST', '/invitations', { role: 'staff' })
  await owner.to('DELETE', `/invitations/${invitation.id}`)
  await owner.to('POST', `/members/${joined.body.user.id}`, { role: 'manager' })
  await owner.to('DELETE', `/members/${joined.body.user.id}`)
}
