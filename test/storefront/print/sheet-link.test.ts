import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { signHmac } from '../../../src/platform/auth/hmac.ts'
import { linkSeconds } from '../../../src/platform/auth/signed-link.ts'
import { adminToken, call, createKey, createVenue, send, toIssues, type Venue } from '../../support/api.ts'
import { createTestWorker, restoreTime } from '../../support/test-worker.ts'

let venue: Venue
let first: { id: string }
let second: { id: string }
let trial: { id: string }
let worker = createTestWorker()

beforeAll(async () => {
  venue = await createVenue({ name: 'Zum Löwen' })
  const create = async (table: string, more: object = {}) =>
    (await venue.post('/tags', { metadata: [{ key: 'table', value: table }], ...more })).body
  first = await create('1')
  second = await create('2')
  trial = await create('3', { testMode: true })
})
beforeEach(() => {
  restoreTime()
  worker = createTestWorker()
})

const request = (body: object, owner: Pick<Venue, 'post'> = venue) => owner.post('/tags/sheet-link', body)
const toPath = (url: string) => url.slice(new URL(url).origin.length)
const labelsOf = (page: string) => [...page.matchAll(/class="label"><bdi[^>]*>([^<]*)/g)].map(([, label = '']) => label)
/** The labels of the sheet behind a new link. */
const read = async (body: object, owner?: Pick<Venue, 'post'>) => {
  const { body: link } = await request(body, owner)
  return labelsOf((await send(toPath(link.url))).body)
}

describe('a link to a sheet', () => {
  test('opens a page and a PDF without a key', async () => {
    const before = Math.floor(Date.now() / 1000)
    const { status, headers, body } = await request({ layout: 'avery-l7160', text: 'Order here' })
    expect([status, Object.keys(body), headers.get('cache-control')]).toEqual([
      201,
      ['url', 'pdfUrl', 'expiresAt'],
      'no-store',
    ])
    expect(body.expiresAt - before - linkSeconds).toBeGreaterThanOrEqual(0)
    expect(body.expiresAt - before - linkSeconds).toBeLessThanOrEqual(1)
    expect(body.url).toMatch(/^https:\/\/menu\.example\/sheet\/\d{10}\/[0-9A-Z]{16}\?s=[\w-]+$/)
    expect(body.pdfUrl).toBe(body.url.replace('?', '/tags.pdf?'))
    for (const [url, type] of [
      [body.url, 'text/html; charset=UTF-8'],
      [body.pdfUrl, 'application/pdf'],
    ]) {
      const sheet = await send(toPath(url))
      expect([sheet.status, sheet.headers.get('content-type')]).toEqual([200, type])
      expect([sheet.headers.get('cache-control'), sheet.headers.get('x-robots-tag')]).toEqual(['no-store', 'noindex'])
      expect([sheet.headers.get('tags-omitted'), sheet.headers.get('referrer-policy')]).toEqual(['0', 'no-referrer'])
    }
    const page = (await send(toPath(body.url))).body
    expect(labelsOf(page)).toEqual(['Table 1', 'Table 2', 'Table 3'])
    expect(page).toContain('Order here')
  })

  test('shows its selection only', async () => {
    expect(await read({ ids: [second.id, 'tag_nothing'] })).toEqual(['Table 2'])
    expect(await read({ ids: ['tag_nothing'] })).toEqual([])
    expect(await read({ testMode: true })).toEqual(['Table 3'])
    expect(await read({ testMode: false, q: 'table' })).toEqual(['Table 1', 'Table 2'])
    expect(await read({ area: 'Terrace' })).toEqual([])
    expect(
      await read({ ids: null, area: null, nfc: null, testMode: null, q: null, text: null, format: null, layout: null }),
    ).toHaveLength(3)
  })

  test('does not show what its key cannot see', async () => {
    const tester = await createKey(venue.id, { mode: 'test' })
    expect(await read({}, tester)).toEqual(['Table 3'])
    expect(await read({ ids: [first.id, trial.id] }, tester)).toEqual(['Table 3'])
    expect(await read({ ids: [first.id] }, await createVenue())).toEqual([])
  })

  test('requires the scope tags:read', async () => {
    const reader = await createKey(venue.id, { mode: 'live', scopes: ['tags:read'] })
    expect((await request({}, reader)).status).toBe(201)
    const other = await createKey(venue.id, { mode: 'live', scopes: ['products:write', 'menus:write'] })
    const refused = await request({}, other)
    expect([refused.status, refused.body.detail]).toEqual([403, expect.stringContaining('tags:read')])
    expect((await call('POST', venue.path('/tags/sheet-link'), undefined, {})).status).toBe(401)
    const stranger = await createVenue()
    expect((await call('POST', venue.path('/tags/sheet-link'), stranger.key, {})).status).toBe(403)
    // The scope to read allows nothing else.
    expect((await reader.post(`/tags/${first.id}/nfc-link`, {})).status).toBe(403)
    expect((await reader.post('/tags', {})).status).toBe(403)
  })

  test.each([
    [{ ids: Array.from({ length: 1_001 }, (_, index) => `tag_${index}`) }, ['/ids too_many']],
    [{ ids: [5, ''] }, ['/ids/0 invalid_type', '/ids/1 too_short']],
    [{ ids: 'tag_1' }, ['/ids invalid_type']],
    [{ text: 'x'.repeat(61) }, ['/text too_long']],
    [{ text: ' ' }, ['/text too_short']],
    [{ area: 'x'.repeat(256) }, ['/area too_long']],
    [{ layout: 'mugs', format: 'a0' }, ['/format invalid_value', '/layout invalid_value']],
    [{ layout: 'avery-5160', format: 'a4' }, ['/format invalid_value']],
    [{ limit: 5, cursor: 'x' }, ['/cursor unknown_field', '/limit unknown_field']],
  ])('rejects %j', async (body, issues) => {
    expect(toIssues(await request(body))).toEqual(issues)
  })

  test('with 1,000 ids has an address that browsers and proxies accept', async () => {
    const hall = await createVenue()
    const { body: seat } = await hall.post('/tags', {})
    await env.DB.prepare(`
      with recursive seat(n) as (select 1 union all select n + 1 from seat where n < 1000)
      insert into tags (id, merchant_id, test_mode, created_at, updated_at, version, nfc, metadata, code)
      select 'tag_' || ?1 || n, merchant_id, 0, 1, 1, 1, 0, '[]', printf('%016d', n) from seat, tags where id = ?2`)
      .bind(hall.id, seat.id)
      .run()
    const ids = Array.from({ length: 1_000 }, (_, index) => `tag_${hall.id}${index + 1}`)
    const { status, body } = await request({ ids, text: '無'.repeat(60) }, hall)
    expect([status, body.url.length < 8_000]).toEqual([201, true])
    expect(labelsOf((await send(toPath(body.url))).body)).toHaveLength(1_000)
  })

  test('costs one round trip to create with ids and none without, and two to open; nothing is stored', async () => {
    await worker.call('GET', venue.path('/tags'), venue.key)
    worker.used()
    await worker.call('POST', venue.path('/tags/sheet-link'), venue.key, {})
    expect(worker.used().trips).toBe(0)
    const { body } = await worker.call('POST', venue.path('/tags/sheet-link'), venue.key, { ids: [first.id] })
    expect(worker.used()).toMatchObject({ trips: 1, writes: [], sent: [] })
    await worker.fetch(toPath(body.url))
    expect(worker.used()).toMatchObject({ trips: 2, writes: [], sent: [] })
  })

  test('requires a public address', async () => {
    const nowhere = createTestWorker({ PUBLIC_BASE_URL: undefined })
    const refused = await nowhere.call('POST', venue.path('/tags/sheet-link'), venue.key, {})
    expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
  })
})

describe('an opened link', () => {
  test('reports its expiry, also with a wrong signature', async () => {
    const { body } = await request({ ids: [first.id] })
    const clock = vi.spyOn(Date, 'now')
    clock.mockReturnValue(body.expiresAt * 1000 - 1)
    expect((await worker.fetch(toPath(body.url))).status).toBe(200)
    clock.mockReturnValue(body.expiresAt * 1000)
    worker.used()
    for (const address of [body.url, body.pdfUrl, body.url.replace(/\/\w{16}/, '/0'), body.url.replace(/\?.*/, '')]) {
      const { status, headers, body: page } = await worker.fetch(toPath(address))
      expect([status, headers.get('content-type')]).toEqual([410, 'text/html; charset=utf-8'])
      expect(page).toContain('<h1>This link has expired</h1>')
      expect(page).toContain('Ask the person who sent it to you')
    }
    const arabic = await worker.fetch(toPath(body.url), { headers: { 'accept-language': 'ar' } })
    expect(arabic.body).toContain('انتهت صلاحية هذا الرابط')
    expect(worker.used().trips).toBe(0)
    restoreTime()
    clock.mockRestore()
  })

  test('must be unchanged: selection, text, look, expiry and seal', async () => {
    const [{ body: link }, { body: other }] = [
      await request({ ids: [first.id], text: 'Eat' }),
      await request({ text: 'Drink' }),
    ]
    const parse = (url: string) => {
      const { pathname, searchParams } = new URL(url)
      const [, , expires = '', seal = ''] = pathname.split('/')
      return { expires, seal, content: searchParams.get('s') ?? '' }
    }
    const { expires, seal, content } = parse(link.url)
    const foreign = parse(other.url)
    const [json = '', ends = ''] = content.split('.')
    const changed = btoa(JSON.stringify({ ...JSON.parse(atob(json)), merchantId: 'mer_0' })).replaceAll('=', '')
    const forged = `${changed}.${ends}`
    await worker.fetch(toPath(link.url))
    worker.used()
    for (const [at, by, what] of [
      [expires, seal, foreign.content],
      [expires, foreign.seal, content],
      [expires, seal, forged],
      [expires, seal, `${json}.${second.id.slice(-ends.length)}`],
      [expires, seal, json],
      [expires, seal, ''],
      [`${Number(expires) + 1}`, seal, content],
      [expires, await signHmac(env, `nfc-link:${content}:${expires}`), content],
      [expires, 'x', content],
      ['9', seal, content],
      ['x', seal, content],
    ] as const) {
      for (const end of ['', '/tags.pdf']) {
        const { status, headers } = await worker.fetch(`/sheet/${at}/${by}${end}?s=${what}`)
        expect([at, by, what, status, headers.get('content-type')]).toEqual([
          at,
          by,
          what,
          404,
          'text/html; charset=utf-8',
        ])
      }
    }
    expect(worker.used()).toMatchObject({ trips: 0, reads: [] })
  })

  test('does not show a suspended merchant', async () => {
    const closing = await createVenue()
    const { body } = await request({}, closing)
    await call('POST', `/admin/merchants/${closing.id}/suspend`, adminToken, {})
    expect((await send(toPath(body.url))).status).toBe(404)
  })

  test.each(['/sheet', '/sheet/', '/sheet/x', '/sheet/x/y', '/sheet/x/y/z', '/sheet/%zz/y'])(
    '%s is a page for people, and leads nowhere',
    async (path) => {
      const { status, headers } = await send(path)
      expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    },
  )

  test('accepts only GET and HEAD', async () => {
    const { body } = await request({})
    const head = await send(toPath(body.url), { method: 'HEAD' })
    expect([head.status, head.body]).toEqual([200, ''])
    const { status, headers } = await send(toPath(body.url), { method: 'POST' })
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
  })
})
