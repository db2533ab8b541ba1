import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, test, vi } from 'vitest'
import { app } from '../../../src/app/app.ts'
import type { Bindings } from '../../../src/platform/env.ts'
import { createVenue, origin, send } from '../../support/api.ts'
import { at, createCafe, headings } from './cafe.ts'

const policy =
  /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='; img-src 'self' https: data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'$/
/** That of a menu, which has one script and forms. */
const menuPolicy =
  /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='; script-src 'sha256-[A-Za-z0-9+/]{43}='; img-src 'self' https: data:; connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'$/

describe('a page of an error', () => {
  const unknown = 'mer_01m7y3mn8cengs5j41n4dzxtjv'
  test.each([
    '/m',
    '/m/',
    '/m/x',
    `/m/${unknown}`,
    `/m/${unknown}/`,
    '/m/mer_1/2',
    '/m/%FF',
    '/m/%',
    '/m/%FF/%',
    "/m/'%20or%201=1",
  ])('shows the reason: %s', async (path) => {
    const { status, headers, body } = await send(path)
    expect([status, headers.get('content-type'), headers.get('x-robots-tag')]).toEqual([
      404,
      'text/html; charset=utf-8',
      'noindex',
    ])
    expect(headers.get('content-security-policy')).toMatch(policy)
    expect(headings(body)).toEqual(['1 There is nothing here'])
  })

  test.each([
    ['de-AT,de;q=0.9,en;q=0.8', '', 'de', 'Hier ist nichts'],
    ['is,ja;q=0.5', '', 'ja', 'ここには何もありません'],
    ['is', '', 'en', 'There is nothing here'],
    ['de', '?lang=pt-BR', 'pt', 'Não há nada aqui'],
    ['de', '?lang=<b>', 'de', 'Hier ist nichts'],
  ])("is in the guest's language: %s %s", async (header, query, language, title) => {
    for (const path of ['/m/mer_1', `/m/${unknown}`, '/m/x/y', '/t/0000000000000000', '/n/x', '/chip/x']) {
      const { status, body } = await send(path + query, { headers: { 'accept-language': header } })
      expect([path, status, headings(body)]).toEqual([path, 404, [`1 ${title}`]])
      expect(body).toContain(`<html lang="${language}">`)
    }
  })

  test('is a problem document in the data', async () => {
    for (const path of [`/m/${unknown}.json`, '/m/x.json', '/m/.json']) {
      const { status, headers, body } = await send(path)
      expect([status, body.code, headers.get('access-control-allow-origin')]).toEqual([404, 'not_found', '*'])
    }
  })

  test('does not read the database for an impossible merchant id', async () => {
    const dead: Bindings = { ...env, DB: Object.create(null) }
    const response = await app.fetch(new Request(`${origin}/m/mer_x`), dead, createExecutionContext())
    expect(response.status).toBe(404)
  })

  test('has Retry-After while the database is down', async () => {
    const dead: Bindings = { ...env, DB: Object.create(null) }
    const page = await app.fetch(new Request(`${origin}/m/${unknown}`), dead, createExecutionContext())
    expect([page.status, page.headers.get('retry-after'), page.headers.get('cache-control')]).toEqual([
      503,
      '5',
      'no-store',
    ])
    expect(await page.text()).toContain('back in a moment')
  })

  test('accepts only GET and HEAD', async () => {
    const { id } = await createVenue()
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const { status, headers } = await send(`/m/${id}`, { method })
      expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
    }
    expect((await send(`/m/${id}`, { method: 'OPTIONS' })).status).toBe(204)
    const { status, body, headers } = await send(`/m/${id}`, { method: 'HEAD' })
    expect([status, body, headers.get('content-type')]).toEqual([200, '', 'text/html; charset=utf-8'])
  })
})

describe('a response', () => {
  test('allows only its own script and sends no referrer', async () => {
    const { id } = await createVenue()
    const { headers } = await send(`/m/${id}`)
    expect(headers.get('content-security-policy')).toMatch(menuPolicy)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('vary')).toBe('Accept-Language')
    expect(headers.get('x-robots-tag')).toBeNull()
    expect((await send(`/m/${id}?lang=de`)).headers.get('vary')).toBeNull()
  })

  test('contains nothing of the request', async () => {
    const { id } = await createVenue()
    const { body } = await send(`/m/${id}?tag=reflected&lang=reflected&utm_source=reflected&x=reflected#reflected`, {
      headers: { 'accept-language': 'reflected', referer: 'https://reflected.example' },
    })
    expect(body).not.toContain('reflected')
  })

  test('expires with its content', async () => {
    const minute = Math.floor(Date.now() / 60_000) + 1
    const time = (minutes: number) => new Date(minutes * 60_000).toISOString().slice(11, 16).replace(':', '')
    const venue = await createVenue({ timezone: 'UTC' })
    await venue.post('/menus', { title: 'Soon', begin: time(minute), end: time(minute + 60) })
    const { headers } = await send(`/m/${venue.id}`)
    const [, age = ''] = /^public, max-age=(\d+)$/.exec(headers.get('cache-control') ?? '') ?? []
    expect(Number(age)).toBeLessThanOrEqual(Math.min(20, Math.ceil(minute * 60 - Date.now() / 1000) + 1))
  })
})

describe('the cache', () => {
  const production: Bindings = { ...env }
  delete production.ALLOW_INSECURE_WEBHOOKS
  async function request(path: string, headers: Record<string, string> = {}, isDown = false) {
    const context = createExecutionContext()
    let reads = 0
    const DB: D1Database = Object.assign(Object.create(null), {
      withSession: (bookmark: string) => {
        reads++
        const session = env.DB.withSession(bookmark)
        const batch = async () => {
          throw new Error('D1_ERROR: internal error')
        }
        return isDown ? { prepare: (sql: string) => session.prepare(sql), batch } : session
      },
    })
    const response = await app.fetch(new Request(origin + path, { headers }), { ...production, DB }, context)
    const text = await response.text()
    await waitOnExecutionContext(context)
    return { reads, text, status: response.status, headers: response.headers }
  }

  test('stores a response for each parameter and avoids database reads', async () => {
    const cafe = await createCafe()
    const tag = (await cafe.post('/tags', { metadata: [{ key: 'table', value: '4' }] })).body
    const questions: [string, Record<string, string>?][] = [
      [cafe.page],
      [cafe.data],
      [`${cafe.page}?tag=${tag.id}`],
      [`${cafe.data}?tag=${tag.id}`],
      [`${cafe.page}?lang=de`],
      [cafe.page, { 'accept-language': 'fr' }],
    ]
    const first = []
    for (const question of questions) first.push(await request(...question))
    expect(first.map(({ reads }) => reads)).toEqual(questions.map((_, index) => (index === 0 ? 1 : 0)))
    await cafe.post(`/products/${cafe.products[0]}`, { title: 'Meia de leite' })
    for (const [index, question] of questions.entries()) {
      const { reads, text, headers } = await request(...question)
      expect([question, reads, text === first[index]?.text]).toEqual([question, 0, true])
      expect(headers.get('cache-control')).toMatch(/^public, max-age=1?\d$/)
      expect(headers.get('content-security-policy')).toBe(first[index]?.headers.get('content-security-policy'))
    }
    expect((await request(`${cafe.page}?utm_source=x`)).reads).toBe(0)
    expect((await request(cafe.page + at('10:00'))).reads).toBe(0)
  })

  test('has links without tags that are not of the venue, and serves stored responses for such tags', async () => {
    const [cafe, other] = [await createCafe(), await createVenue()]
    await cafe.post(`/products/${cafe.products[0]}/details`, { allergens: [{ code: 'milk', level: 'contains' }] })
    const metadata = [{ key: 'table', value: '4' }]
    const foreign: string = (await other.post('/tags', { metadata })).body.id
    const own: string = (await cafe.post('/tags', { metadata })).body.id
    const unknown = 'tag_01m7y3mn8cengs5j41n4dzxtjv'
    for (const page of [cafe.page, `${cafe.page}/allergens`]) {
      await request(`${page}?tag=${foreign}`)
      for (const query of ['', `?tag=${unknown}`, `?tag=${foreign}`]) {
        const { text, headers } = await request(page + query)
        expect([query, text.match(/href="[^"]*tag=/g)]).toEqual([query, null])
        expect(headers.get('etag')).toBe((await request(page)).headers.get('etag'))
      }
      const { text } = await request(`${page}?tag=${own}`)
      expect(new Set(text.match(/tag=[^"&]*/g))).toEqual(new Set([`tag=${own}`]))
    }
  })

  test('returns a response of the last ten minutes while the database is down', async () => {
    // Mid-afternoon in the venue, whatever the time here: no menu opens or closes in the ten minutes.
    const offset = Math.min(14, 15 - new Date().getUTCHours())
    const cafe = await createCafe({ timezone: `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}` })
    const paths = [cafe.page, cafe.data]
    const before = []
    for (const path of paths) before.push((await request(path)).text)
    /** The data contains the time that it is for. */
    const moment = /"availableAt":\d+/
    const start = Date.now()
    const clock = vi.spyOn(Date, 'now')
    for (const [seconds, status] of [
      [10, 200],
      [30, 200],
      [590, 200],
      [620, 503],
    ] as const) {
      clock.mockReturnValue(start + seconds * 1000)
      for (const [index, path] of paths.entries()) {
        const response = await request(path, {}, true)
        expect([path, seconds, response.status]).toEqual([path, seconds, status])
        if (status === 503) continue
        expect(response.text.replace(moment, '')).toBe(before[index]?.replace(moment, ''))
        if (seconds > 20) expect(response.headers.get('cache-control')).toBe('public, max-age=0')
      }
    }
    clock.mockReturnValue(start + 30_000)
    await cafe.post(`/products/${cafe.products[0]}`, { title: 'Meia de leite' })
    for (const path of paths) expect((await request(path)).text).toContain('Meia de leite')
    vi.restoreAllMocks()
  })

  test('returns 304 for the same page, cached or new', async () => {
    const cafe = await createCafe()
    for (const path of [cafe.page, `${cafe.page}?lang=de`, cafe.page + at('10:00')]) {
      const first = await request(path)
      const etag = first.headers.get('etag') ?? ''
      expect([first.status, etag]).toEqual([200, expect.stringMatching(/^"[0-9A-HJKMNP-TV-Z]{16}"$/)])
      for (const given of [etag, `W/${etag}`, `"other", W/${etag}`, '*']) {
        const { status, text, headers } = await request(path, { 'if-none-match': given })
        expect([given, status, text]).toEqual([given, 304, ''])
        for (const name of ['etag', 'vary']) expect(headers.get(name)).toBe(first.headers.get(name))
        expect(headers.get('cache-control')).toMatch(/^public, max-age=\d+$/)
      }
      expect((await request(path, { 'if-none-match': '"other"' })).status).toBe(200)
    }
    const { headers } = await request(cafe.page)
    await cafe.post(`/products/${cafe.products[0]}`, { title: 'Meia de leite' })
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 21_000)
    expect((await request(cafe.page, { 'if-none-match': headers.get('etag') ?? '' })).status).toBe(200)
    clock.mockRestore()
  })

  test('stores no errors', async () => {
    // A replica, then the primary.
    const path = '/m/mer_01m7y3mn8cengs5j41n4dzxtjv'
    expect([(await request(path)).reads, (await request(path)).reads]).toEqual([2, 2])
  })
})
