import { afterEach, describe, expect, test } from 'vitest'
import { createVenue } from '../../support/api.ts'
import { observe } from '../../support/d1.ts'
import { createPlatformWebhook, removePlatformWebhooks } from '../../support/platform-webhook.ts'
import { createWebhookHarness } from '../../support/webhook-harness.ts'

/** Maximum length of the statement that writes the deliveries: every change sends its text to the database. */
const maxLength = 1_000

afterEach(removePlatformWebhooks)

describe.each([{ home: 'd1' as const }, { home: 'object' as const }])('a change of a venue in $home', ({ home }) => {
  const findFanOut = async (venue: Awaited<ReturnType<typeof createVenue>>) => {
    const request = { key: venue.key, json: { title: 'Tea', price: 4.5 } }
    const { status, trips } = await observe('POST', venue.path('/products'), request)
    expect(status).toBe(201)
    return trips.flatMap(({ statements }) => statements).find((text) => text.startsWith('insert into "deliveries"'))
  }

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
