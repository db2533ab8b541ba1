import { expect, test } from 'vitest'
import { createKey } from '../../../support/api.ts'
import { queryHome } from '../../../support/home.ts'
import { importFile } from '../../../support/imports.ts'
import { fetchAll } from './support-pages.ts'
import { createSupported, homes, openVenue } from './support-venue.ts'

test.each(homes)('in the home %s, support sees no customer, no secret and no order', async (home) => {
  const { venue, operator, owner } = await createSupported(home)
  const marked = { firstName: 'Noor', lastName: 'Qzmarker', email: 'noor@qzmarker.example', phone: '+3512100000' }
  const { body: customer } = await venue.post('/customers', marked)
  await venue.post(`/customers/${customer.id}`, { lastName: 'Qzmarker-Lee' })
  const { body: coupon } = await venue.post('/coupons', { title: 'Ten', code: 'TEN', type: 'FIXED', value: 1 })
  await venue.post('/redemptions', { code: 'TEN', order: 'order-1', customer: customer.id })
  const repeatable = { 'idempotency-key': crypto.randomUUID() }
  const { batch } = (await venue.post(`/coupons/${coupon.id}/codes`, { count: 2 }, repeatable)).body
  const codes = (await venue.get(`/coupons/${coupon.id}/codes?batch=${batch}`)).body.map(
    ({ code }: { code: string }) => code,
  )
  expect(codes).toHaveLength(2)
  const made = await venue.post('/webhooks', { title: 'Till', url: 'https://hooks.example.com/', events: ['*'] })
  expect([made.status, JSON.stringify(made.body.errors)]).toEqual([201, undefined])
  const hook = made.body
  const { body: secret } = await venue.get(`/webhooks/${hook.id}/secret`)
  await venue.post('/events', { type: 'order.created', data: { guest: 'Qzmarker of table 4' } })
  await venue.post('/products', { title: 'Qzvisible soup', price: 6 })
  // An endpoint that echoes what it receives.
  const attempt = { number: 1, at: 1, status: 200, durationMs: 5, response: 'echo of Qzmarker' }
  const echo = 'update deliveries set attempts = ? where webhook = (select seq from webhooks where id = ?)'
  await queryHome(venue.id, echo, JSON.stringify([attempt]), hook.id)
  const link = await owner.to('POST', '/invitations', { role: 'staff' })
  const { key } = await createKey(venue.id, { mode: 'live' })

  const file = 'externalId,firstName,lastName,email\nQ1,Zed,Qzmarker,zed@qzmarker.example\nQ2,Abe,Qzmarker,qzmarker\n'
  const imported = await importFile(venue, 'resource=customers&delete=missing', file)
  const ids = [hook.id, coupon.id, imported.id, imported.changeSet]

  const { to } = await openVenue(operator, venue.id)
  const everything = await fetchAll(to, ids)
  expect(everything).toContain('Qzvisible soup')
  expect(everything).toContain('https://hooks.example.com/')
  expect(everything).toContain('customers.create')
  const token = new URL(link.body.url).hash.slice(1)
  for (const hidden of [hook.bearerToken, secret.secret, token, key, venue.key, ...codes, customer.email, 'Noor'])
    expect([hidden, typeof hidden === 'string' && !everything.includes(hidden)]).toEqual([hidden, true])
  expect(everything).not.toMatch(/Qzmarker/i)
  // The owner sees all of it: the search would find it.
  const ofOwner = await fetchAll(owner.to, ids)
  for (const shown of [hook.bearerToken, 'Qzmarker-Lee', 'Qzmarker of table 4', attempt.response])
    expect(ofOwner).toContain(shown)
  const types = (await to('GET', '/events')).body.map(({ type }: { type: string }) => type)
  expect(types).toContain('product.created')
  expect(types.filter((type: string) => /^(?:customer|order)\.|^coupon\.redeemed/.test(type))).toEqual([])
})
