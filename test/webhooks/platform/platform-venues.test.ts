import { env } from 'cloudflare:workers'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { clearCredentialCaches } from '../../../src/platform/auth/sessions.ts'
import { parkedUntil } from '../../../src/platform/db/schema/events.ts'
import { createVenue } from '../../support/api.ts'
import { moveTo } from '../../support/moves.ts'
import { createPlatformWebhook, removePlatformWebhooks } from '../../support/platform-webhook.ts'
import { createWebhookHarness, type WebhookHarness } from '../../support/webhook-harness.ts'
import { admin, backUp, restore } from '../../tenancy/backup/restores.ts'

afterEach(async () => {
  vi.restoreAllMocks()
  await removePlatformWebhooks()
})

const create = async (harness: WebhookHarness, title = 'Tea') =>
  (await harness.post('/products', { title, price: 4.5 })).body.id as string
const ids = ({ calls }: WebhookHarness) => calls.map(({ body }) => body.data.id)
const events = ['product.created']

describe('the deliveries of a venue', () => {
  test('move with it, in both directions: pending, parked and made ones', async () => {
    const harness = await createWebhookHarness()
    const platform = await createPlatformWebhook(harness, { events })
    const made = await create(harness)
    await harness.deliver()
    const pending = await create(harness)
    harness.queued.length = 0
    const parked = await create(harness)
    harness.queued.length = 0
    await env.DB.prepare(
      'update deliveries set due_at = ? where webhook < 0 and event = (select max(event) from deliveries where webhook < 0)',
    )
      .bind(parkedUntil)
      .run()
    const before = await platform.deliveries()
    expect(before).toHaveLength(3)
    await moveTo(harness.venue.id, 'object')
    expect(await platform.deliveries()).toEqual(before)
    await moveTo(harness.venue.id, 'd1')
    expect(await platform.deliveries()).toEqual(before)
    await moveTo(harness.venue.id, 'object')
    await harness.advance(61)
    clearCredentialCaches()
    await harness.maintain()
    await harness.deliver()
    await harness.advance(61)
    await harness.maintain()
    await harness.deliver()
    expect(ids(harness).sort()).toEqual([made, pending, parked].sort())
    expect((await platform.deliveries()).every(({ state }) => state === 'delivered')).toBe(true)
  })

  test('wait while it is suspended, and are deleted with it', async () => {
    const harness = await createWebhookHarness()
    const platform = await createPlatformWebhook(harness, { events })
    const { id } = harness.venue
    const product = await create(harness)
    await admin(id, 'suspend')
    await harness.deliver()
    await harness.advance(61)
    await harness.maintain()
    await harness.deliver()
    expect([harness.calls, (await platform.deliveries()).map(({ state }) => state)]).toEqual([[], ['pending']])
    await admin(id, 'resume')
    await harness.maintain()
    await harness.deliver()
    expect(ids(harness)).toEqual([product])
    await admin(id, 'close', { graceDays: 1 })
    await harness.advance(86_400 + 61)
    for (let run = 0; run < 3; run++) await harness.maintain()
    const { results } = await env.DB.prepare('select 1 from deliveries where merchant_id = ?').bind(id).all()
    expect(results).toEqual([])
  })

  test('are neither lost nor doubled by a restore', async () => {
    const harness = await createWebhookHarness()
    const platform = await createPlatformWebhook(harness, { events })
    const first = await create(harness)
    await harness.deliver()
    const takenAt = await backUp(harness.venue.id)
    const second = await create(harness, 'Cake')
    await harness.deliver()
    await restore(harness.venue.id, takenAt)
    clearCredentialCaches()
    const third = await create(harness, 'Pie')
    await harness.deliver()
    await harness.maintain()
    await harness.deliver()
    expect(ids(harness)).toEqual([first, second, third])
    expect((await platform.deliveries()).map(({ state }) => state)).toEqual(['delivered', 'delivered', 'delivered'])
  })

  test('are purged with its events', async () => {
    const harness = await createWebhookHarness()
    const platform = await createPlatformWebhook(harness, { events })
    await create(harness)
    await harness.deliver()
    await harness.advance(30 * 86_400 + 3_700)
    await env.DB.exec('update purges set due_at = 0')
    await harness.maintain()
    expect(await platform.deliveries()).toEqual([])
  })
})

test.each([
  ['standardwebhooks', StandardWebhook],
  ['svix', SvixWebhook],
])('the signature is verified by %s, also while the secret is rotated', async (_name, Verifier) => {
  const harness = await createWebhookHarness()
  const platform = await createPlatformWebhook(harness, { events })
  const { body } = await platform.post('/secret/rotate')
  await create(harness)
  await harness.deliver()
  const [call] = harness.calls
  if (!call) throw new Error('no call')
  for (const secret of [platform.secret, body.secret])
    expect(new Verifier(secret).verify(call.text, call.headers)).toMatchObject({ type: 'product.created' })
  expect(call.headers['authorization']).toBe(`Bearer ${platform.bearerToken}`)
})

test('many venues: each event is at the endpoint once, with a move in between and calls that fail', async () => {
  const harness = await createWebhookHarness()
  await createPlatformWebhook(harness, { events })
  const many = process.env['CI'] ? 1_000 : 50
  let calls = 0
  // Every seventh call fails, so that the endpoint never counts as broken.
  harness.endpoint = () => new Response(null, { status: ++calls % 7 === 0 ? 500 : 204 })
  const wanted: string[] = []
  for (let start = 0; start < many; start += 10) {
    const venues = await Promise.all(
      Array.from({ length: Math.min(10, many - start) }, (_, index) =>
        createVenue((start + index) % 5 === 0 ? { home: 'object' } : {}),
      ),
    )
    for (let change = 0; change < 10; change++) {
      const created = await Promise.all(
        venues.map(({ id, key }) =>
          harness.request('POST', `/merchants/${id}/products`, { title: `${change}`, price: 1 }, key),
        ),
      )
      wanted.push(...created.map(({ body }) => body.id))
      // A part of the messages waits during the move.
      if (change === 5 && start === 0) {
        await moveTo(venues[0]?.id ?? '', 'd1')
        await moveTo(venues[1]?.id ?? '', 'object')
      }
      if (change % 3 === 0) await harness.deliver()
    }
    await harness.deliver()
  }
  for (const seconds of [10, 400, 2_500, 9_000, 25_000]) await harness.advance(seconds)
  const delivered = harness.calls.filter((_, index) => (index + 1) % 7 !== 0).map(({ body }) => body.data.id)
  console.log(
    `figure: ${many} venues with 10 changes, ${wanted.length} events, ${delivered.length} delivered, ${new Set(delivered).size} different`,
  )
  expect(delivered.toSorted()).toEqual(wanted.toSorted())
})
