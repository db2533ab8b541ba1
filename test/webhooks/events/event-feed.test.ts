import { afterEach, describe, expect, test, vi } from 'vitest'
import { createIdAt } from '../../../src/platform/lib/ids.ts'
import { maxExaminedEvents } from '../../../src/webhooks/events/feed-statements.ts'
import { createKey } from '../../support/api.ts'
import { observe, plansOf, rowsRead } from '../../support/d1.ts'
import { createWebhookHarness, type WebhookHarness } from '../../support/webhook-harness.ts'

afterEach(() => vi.restoreAllMocks())

const dayMs = 86_400_000
const nextOf = ({ headers }: { headers: Headers }) => /<(\/[^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
const idsOf = (list: { id: string }[]) => list.map(({ id }) => id)
const typesOf = (list: { type: string }[]) => list.map(({ type }) => type)

/** Follows `Link` from a request on. Returns the events of each page. */
async function walk(harness: WebhookHarness, search: string) {
  const pages: { id: string; type: string }[][] = []
  for (let next: string | undefined = harness.path(`/events${search}`); next !== undefined; ) {
    const page = await harness.request('GET', next)
    expect(page.status).toBe(200)
    pages.push(page.body)
    next = nextOf(page)
  }
  return pages
}

const order = async (harness: WebhookHarness, n = 0): Promise<string> =>
  (await harness.post('/events', { type: 'order.created', data: { n } })).body.id

describe('order=desc', () => {
  test('lists the newest event first, in pages that go back in time', async () => {
    const harness = await createWebhookHarness()
    for (let n = 0; n < 5; n++) await order(harness, n)
    const ids = idsOf((await harness.get('/events')).body)
    const pages = await walk(harness, '?order=desc&limit=2')
    expect(pages.map((page) => page.length)).toEqual([2, 2, 1])
    expect(idsOf(pages.flat())).toEqual(ids.toReversed())
  })

  test('with `after`, lists the events before it', async () => {
    const harness = await createWebhookHarness()
    const [first, second, third] = [await order(harness), await order(harness), await order(harness)]
    expect(idsOf((await harness.get(`/events?order=desc&after=${third}`)).body)).toEqual([second, first])
    expect((await harness.get(`/events?order=desc&after=${first}`)).body).toEqual([])
  })
})

describe('types', () => {
  test('selects events in both directions, page by page', async () => {
    const harness = await createWebhookHarness()
    const { id } = (await harness.post('/products', { title: 'Tea', price: 1 })).body
    for (let n = 0; n < 3; n++) {
      await order(harness, n)
      await harness.post(`/products/${id}`, { price: n + 2 })
    }
    await harness.remove(`/products/${id}`)
    const changes = ['product.created', 'product.updated', 'product.updated', 'product.updated', 'product.deleted']
    for (const types of [
      'types=product.created,product.updated,product.deleted',
      'types=product.created&types=product.updated,product.deleted',
    ]) {
      expect(typesOf((await walk(harness, `?${types}&limit=2`)).flat())).toEqual(changes)
      expect(typesOf((await walk(harness, `?${types}&limit=2&order=desc`)).flat())).toEqual(changes.toReversed())
    }
    const [created] = (await harness.get('/events?types=product.created')).body
    expect(typesOf((await harness.get(`/events?types=product.deleted&after=${created.id}`)).body)).toEqual([
      'product.deleted',
    ])
    expect((await harness.get('/events?types=menu.created')).body).toEqual([])
  })

  test('continues behind the examined events, also those of other types', async () => {
    const harness = await createWebhookHarness()
    await harness.post('/products', { title: 'Tea', price: 1 })
    const last = await order(harness)
    const page = await harness.get('/events?types=product.created')
    expect(nextOf(page)).toContain(`after=${last}`)
    const rest = await harness.request('GET', nextOf(page) ?? '')
    expect([rest.body, nextOf(rest)]).toEqual([[], undefined])
  })

  test.each(['asc', 'desc'])(
    'examines at most 1,000 events of a page, and no other merchant’s, %s',
    async (direction) => {
      const other = await createWebhookHarness()
      await order(other)
      await other.copyEvent(3 * maxExaminedEvents)
      for (const beyond of [0, 1]) {
        const harness = await createWebhookHarness()
        const product = async () => void (await harness.post('/products', { title: 'Tea', price: 1 }))
        if (direction === 'desc') await product()
        await order(harness)
        await harness.copyEvent(maxExaminedEvents - 2 + beyond)
        if (direction === 'asc') await product()
        const path = harness.path(`/events?types=product.created&order=${direction}`)
        const { body, headers, trips } = await observe('GET', path, { key: harness.venue.key })
        expect(typesOf(body)).toEqual(beyond === 0 ? ['product.created'] : [])
        expect(rowsRead(trips)).toBeLessThanOrEqual(maxExaminedEvents + 10)
        const next = nextOf({ headers })
        expect(next === undefined).toBe(beyond === 0)
        if (next === undefined) continue
        const rest = await harness.request('GET', next)
        expect([typesOf(rest.body), nextOf(rest)]).toEqual([['product.created'], undefined])
      }
    },
  )
})

describe('after=latest', () => {
  test('returns an empty page whose `Link` begins after the newest event', async () => {
    const harness = await createWebhookHarness()
    await order(harness)
    const page = await harness.get('/events?after=latest&limit=2')
    expect([page.status, page.body]).toEqual([200, []])
    const next = nextOf(page) ?? ''
    expect((await harness.request('GET', next)).body).toEqual([])
    const ids = [await order(harness), await order(harness), await order(harness)]
    const first = await harness.request('GET', next)
    expect(idsOf(first.body)).toEqual(ids.slice(0, 2))
    expect(idsOf((await harness.request('GET', nextOf(first) ?? '')).body)).toEqual(ids.slice(2))
  })

  test('keeps the types', async () => {
    const harness = await createWebhookHarness()
    const next = nextOf(await harness.get('/events?after=latest&types=product.created')) ?? ''
    await order(harness)
    await harness.post('/products', { title: 'Tea', price: 1 })
    expect(typesOf((await harness.request('GET', next)).body)).toEqual(['product.created'])
  })

  test('has a `Link` on an empty log, which begins with the first event, until events have expired', async () => {
    const harness = await createWebhookHarness()
    const page = await harness.get('/events?after=latest')
    expect([page.status, page.body]).toEqual([200, []])
    const next = nextOf(page) ?? ''
    const empty = await harness.request('GET', next)
    expect([empty.status, empty.body, nextOf(empty)]).toEqual([200, [], undefined])
    const ids = [await order(harness), await order(harness)]
    expect(idsOf((await harness.request('GET', next)).body)).toEqual(ids)
    vi.setSystemTime(Date.now() + 30 * dayMs)
    expect((await harness.request('GET', next)).status).toBe(200)
    vi.setSystemTime(Date.now() + 1)
    const expired = await harness.request('GET', next)
    expect([expired.status, expired.body.code]).toEqual([410, 'events_expired'])
  })

  test('does not combine with order=desc', async () => {
    const harness = await createWebhookHarness()
    const { status, body } = await harness.get('/events?after=latest&order=desc')
    expect([status, body.errors]).toEqual([422, [expect.objectContaining({ parameter: 'after', code: 'conflict' })]])
  })
})

describe('an `after` that the log does not contain', () => {
  const refusalOf = async (harness: WebhookHarness, after: string) => {
    const { status, body } = await harness.get(`/events?after=${after}`)
    return [status, body.code]
  }

  test('is 410 if it is older than 30 days, else 422', async () => {
    const harness = await createWebhookHarness()
    const at = (ms: number) => `${createIdAt('evt', ms).slice(0, -1)}1`
    const limit = Date.now() - 30 * dayMs
    expect(await refusalOf(harness, at(limit - 1))).toEqual([410, 'events_expired'])
    expect(await refusalOf(harness, at(limit))).toEqual([422, 'invalid_request'])
    expect(await refusalOf(harness, at(Date.now()))).toEqual([422, 'invalid_request'])
    const old = at(limit - dayMs)
    for (const malformed of [
      old.slice(0, -1),
      `${old}0`,
      old.replace('evt', 'prod'),
      old.toUpperCase(),
      `${old.slice(0, -1)}l`,
    ]) {
      expect([malformed, ...(await refusalOf(harness, malformed))]).toEqual([malformed, 422, 'invalid_request'])
    }
    const back = await harness.get(`/events?order=desc&after=${at(limit - 1)}`)
    expect([back.status, back.body.code]).toEqual([410, 'events_expired'])
  })

  test('is no position while the log contains it, however old it is', async () => {
    const harness = await createWebhookHarness()
    const id = await order(harness)
    vi.setSystemTime(Date.now() + 31 * dayMs)
    expect((await harness.get(`/events?after=${id}`)).status).toBe(200)
    await harness.query('delete from events where merchant_id = ?', harness.venue.id)
    expect(await refusalOf(harness, id)).toEqual([410, 'events_expired'])
  })

  test('has no events of another mode', async () => {
    const harness = await createWebhookHarness()
    const id = await order(harness)
    const { key } = await createKey(harness.venue.id, { mode: 'test' })
    const { status } = await harness.request('GET', harness.path(`/events?after=${id}`), undefined, key)
    expect(status).toBe(422)
  })
})

test('every statement of the list is read by an index, without a sort', async () => {
  const harness = await createWebhookHarness()
  const id = await order(harness)
  const searches = ['', `?after=${id}`, '?after=latest', '?types=order.created', `?types=order.created&after=${id}`]
  for (const search of searches.flatMap((each) =>
    each.includes('latest') ? [each] : [each, `${each}${each ? '&' : '?'}order=desc`],
  )) {
    const { trips, status } = await observe('GET', harness.path(`/events${search}`), { key: harness.venue.key })
    expect([search, status]).toEqual([search, 200])
    const asked = trips.flatMap(({ statements }) => statements).filter((sql) => sql.includes('"events"'))
    expect(asked.length).toBeGreaterThan(0)
    for (const [index, plan] of (await plansOf(asked)).entries()) {
      const steps = plan.filter((step) => /^(SCAN|SEARCH|USE)/.test(step) && !step.startsWith('SCAN json_each'))
      const known = expect.stringMatching(
        /^SEARCH events USING (PRIMARY KEY|.*INDEX \w+) \(merchant_id=\? AND test_mode=\?/,
      )
      expect([asked[index], steps]).toEqual([asked[index], steps.map(() => known)])
    }
  }
})
