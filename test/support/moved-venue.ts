import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'vitest'
import { resourcePaths } from '../../src/platform/names.ts'
import { samples } from './samples.ts'
import type { Calls } from './service.ts'

/** Creates a merchant with an object of each resource and what depends on them. */
export async function fillVenue(at: Calls) {
  const { id, key } = await at.createAccount()
  async function post(path: string, json: unknown) {
    const { status, body } = await at.call('POST', `/merchants/${id}${path}`, key, json)
    expect([path, status, status < 300 ? undefined : body]).toEqual([path, expect.any(Number), undefined])
    return body
  }
  const product = await post('/products', { title: 'Tea', price: 2 })
  const modifier = await post('/modifiers', { title: 'Size', instructions: '', type: 'RADIO', options: [{ id: 's' }] })
  // Every field that clients write.
  for (const { collection, full } of samples)
    await post(`/${collection}`, full({ product: product.id, modifier: modifier.id }))
  await post(`/products/${product.id}/details`, { allergens: [], diets: ['vegan'] })
  await post('/webhooks', { title: 'Till', url: 'https://hooks.example.com/in', events: ['product.created'] })
  const tag = await post('/tags', {})
  await at.call('PUT', `/merchants/${id}/products/external/tea-1`, key, { title: 'Green tea', price: 3 })
  return { id, key, code: new URL(tag.url).pathname }
}
export type FilledVenue = Awaited<ReturnType<typeof fillVenue>>

/** Takes a backup at one host and restores it at another, as the guide says. */
export async function moveVenue(from: Calls, to: Calls, { id }: { id: string }) {
  const backups = `/admin/merchants/${id}/backups`
  const taken = await from.call('POST', backups, from.adminToken)
  const path = `${backups}/${taken.body.takenAt}`
  const file = await fetch(from.origin + path, { headers: { authorization: `Bearer ${from.adminToken}` } })
  expect(file.status).toBe(200)
  const headers = { authorization: `Bearer ${to.adminToken}`, 'content-type': 'application/gzip' }
  const uploaded = await fetch(to.origin + path, { method: 'PUT', headers, body: await file.arrayBuffer() })
  expect(uploaded.ok).toBe(true)
  const restore = `/admin/merchants/${id}/restore`
  const { takenAt } = taken.body
  expect((await to.call('POST', restore, to.adminToken, { takenAt, replace: false })).status).toBe(200)
  for (;;) {
    const { status, body } = await to.call('POST', `${restore}/continue`, to.adminToken)
    expect(status).toBe(200)
    if (body.state === 'done') return
    if (body.waitSeconds !== undefined) await wait(body.waitSeconds * 1000)
  }
}

/** All objects of a venue, without the address of the host and the time of the export. Webhooks come back inactive. */
export async function readVenue({ origin, call }: Calls, { id, key }: { id: string; key: string }) {
  const lists: Record<string, unknown> = {}
  for (const resource of resourcePaths) {
    const { status, body } = await call('GET', `/merchants/${id}/${resource}?limit=100`, key)
    expect([resource, status, body.length > 0]).toEqual([resource, 200, true])
    lists[resource] = body
  }
  const external = await call('GET', `/merchants/${id}/products/external/tea-1?include=details`, key)
  const exported = await fetch(`${origin}/merchants/${id}/export?resources=products,modifiers,menus`, {
    headers: { authorization: `Bearer ${key}` },
  })
  const text = JSON.stringify({
    ...lists,
    external: external.body,
    exported: (await exported.text()).replace(/^.*\n/, ''),
  }).replaceAll(origin, '')
  return JSON.parse(text, (name, value) =>
    ['disabledReason', 'active', 'updatedAt', 'nfcUrl'].includes(name) ? undefined : value,
  )
}
