import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillVenue, moveVenue, readVenue } from '../../support/moved-venue.ts'
import { createOwnServer, type OwnServer } from '../../support/own-server.ts'
import type { Calls, Service } from '../../support/service.ts'
import { findServer, startService } from '../shared-service.ts'

let own: OwnServer
let later: OwnServer
/** The service with the shared database, as new merchants have it on Cloudflare. */
let shared: Service
beforeAll(async () => {
  const program = await findServer()
  own = await createOwnServer(program)
  later = await createOwnServer(program)
  const [service] = await Promise.all([startService(), own.start(), later.start()])
  shared = service
})
afterAll(async () => {
  await Promise.all([own?.close(), later?.close(), shared?.close()])
})

test.each<[string, () => [Calls, ...Calls[]], string]>([
  ['from a server of one’s own to the other kind of host and back', () => [own, shared, later], 'object'],
  ['from the other kind of host to a server of one’s own', () => [shared, own], 'd1'],
])('a venue moves %s', { timeout: 240_000 }, async (_, listPlaces, home) => {
  const [first, ...others] = listPlaces()
  const venue = await fillVenue(first)
  const before = await readVenue(first, venue)
  let from: Calls = first
  for (const to of others) {
    await moveVenue(from, to, venue)
    expect(await readVenue(to, venue)).toEqual(before)
    const merchant = await to.call('GET', `/admin/merchants/${venue.id}`, to.adminToken)
    // It keeps the kind of its home.
    expect(merchant.body).toMatchObject({ home, status: 'active' })
    const { status, headers } = await fetch(to.origin + venue.code, { redirect: 'manual' })
    expect([status, headers.get('location')]).toEqual([302, expect.stringContaining(`/m/${venue.id}`)])
    const { body: webhooks } = await to.call('GET', `/merchants/${venue.id}/webhooks`, venue.key)
    const till = webhooks.find(({ title }: { title: string }) => title === 'Till')
    expect(till).toMatchObject({ active: false, disabledReason: expect.any(String) })
    from = to
  }
})
