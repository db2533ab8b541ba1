import { afterEach, describe, expect, test } from 'vitest'
import { createVenue } from '../../support/api.ts'
import { observe } from '../../support/d1.ts'
import { createPlatformWebhook, removePlatformWebhooks } from '../../support/platform-webhook.ts'
import { createWebhookHarness } from '../../support/webhook-harness.ts'

/** Maximum length of the statement that writes the deliveries: every change sends its text to the database. */
const maxLength = 950
/** Maximum length of all statements of a change. */
const maxTexts: Readonly<Record<string, number>> = { create: 2_800, update: 2_850, publish: 1_400, delete: 10_850 }

afterEach(removePlatformWebhooks)

describe.each([{ home: 'd1' as const }, { home: 'object' as const }])('a change of a venue in $home', ({ home }) => {
  const findFanOut = async (venue: Awaited<ReturnType<typeof createVenue>>) => {
    const request = { key: venue.key, json: { title: 'Tea', price: 4.5 } }
    const { status, trips } = await observe('POST', venue.path('/products'), request)
    expect(status).toBe(201)
    return trips.flatMap(({ statements }) => statements).find((text) => text.startsWith('insert into "deliveries"'))
  }

  test('sends statements with few characters', async () => {
    const venue = await createVenue({ home })
    const { body: product } = await venue.post('/products', { title: 'Tea', price: 4 })
    const path = `/products/${product.id}`
    const requests = {
      create: ['POST', '/products', { title: 'Coffee', price: 4 }],
      update: ['POST', path, { price: 5 }],
      publish: ['POST', '/events', { type: 'order.created', data: {} }],
      delete: ['DELETE', path, undefined],
    } as const
    for (const [name, [method, relative, json]] of Object.entries(requests)) {
      const { status, trips } = await observe(method, venue.path(relative), { key: venue.key, json })
      expect([name, status]).toEqual([name, expect.toSatisfy((found) => found < 300)])
      const length = trips.flatMap(({ statements }) => statements).join('').length
      console.log(`figure: characters of the statements of a ${name}, ${length}`)
      expect([name, length <= (maxTexts[name] ?? 0)]).toEqual([name, true])
    }
  })

  test('sends the statement for platform webhooks only if there are any', async () => {
    const venue = await createVenue({ home })
    const usual = await findFanOut(venue)
    expect(usual?.length).toBeLessThanOrEqual(maxLength)
    expect(usual).not.toContain('platform')
    await createPlatformWebhook(await createWebhookHarness())
    expect(await findFanOut(venue)).toContain('json_each(?) as platform')
    await removePlatformWebhooks()
    expect(await findFanOut(venue)).toBe(usual)
  })
})
