import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, test, vi } from 'vitest'
import { app } from '../../src/app.ts'
import type { Bindings } from '../../src/env.ts'
import { createKey, createVenue, origin, send } from '../support/api.ts'
import { createCatalogue, load } from '../support/catalogue.ts'

const policy =
  /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='; img-src 'self' https: data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'$/

/** A café in Lisbon whose menus are open at different times. */
async function createCafe(merchant: object = {}) {
  const venue = await createVenue({ name: 'Café', timezone: 'Europe/Lisbon', ...merchant })
  const products = await load(venue.post, {
    modifiers: [
      {
        title: 'Milk',
        instructions: 'Which milk?',
        options: [
          { label: 'Whole', preSelected: true },
          { label: 'Oat', additionalCost: 0.4 },
          { label: 'None', additionalCost: -0.5 },
        ],
      },
    ],
    products: [
      {
        title: 'Galão',
        price: 2.4,
        calories: 110,
        description: 'In a tall glass.',
        modifiers: [0],
        sku: 'SKU-SECRET',
        metadata: [{ key: 'supplier', value: 'supplier-secret' }],
      },
      { title: 'Winter stew', price: 14, visible: false },
      { title: 'Toast', price: 1234.5, images: [{ url: 'https://images.example.com/toast.jpg' }] },
      { title: 'Last cake', price: 3, manageStock: true, stockQuantity: 0 },
    ],
    menus: [
      {
        title: 'All day',
        description: 'From first to last.',
        sections: [
          { title: 'Drinks', description: 'Hot ones.', items: [0, 1] },
          { title: 'Winter', items: [1] },
          { title: 'Food', items: [3, 2] },
        ],
      },
      { title: 'Breakfast', begin: '0730', end: '1130', sections: [{ title: 'Eggs', items: [2] }] },
      {
        title: 'Late night',
        begin: '2200',
        end: '0300',
        showSectionNavigation: false,
        sections: [
          { title: 'Bar', items: [0] },
          { title: 'Bites', items: [2] },
        ],
      },
      { title: 'Staff only', visible: false, sections: [{ title: 'Secret', items: [0] }] },
    ],
  })
  return { ...venue, products, page: `/m/${venue.id}`, data: `/m/${venue.id}.json` }
}

const at = (time: string) => `?at=2026-11-21T${time}:00Z`
const headings = (page: string) =>
  [...page.matchAll(/<h([1-6])>(?:<bdi>)?(.*?)(?:<\/bdi>)?<\/h\1>/g)].map(([, level, text]) => `${level} ${text}`)

describe('the page of a menu', () => {
  test('has headings for the venue, its menus and sections, in order', async () => {
    const cafe = await createCafe()
    const { status, body } = await send(cafe.page + at('10:00'))
    expect(status).toBe(200)
    expect(headings(body)).toEqual([
      '1 Café',
      ...['2 All day', '3 Drinks', '3 Food', '2 Breakfast', '3 Eggs'],
      ...['2 Late night', '3 Bar', '3 Bites'],
    ])
    expect(body).toMatch(/^<!doctype html><html lang="en">/)
    for (const landmark of ['<header>', '<main>', '<nav aria-label="All day">']) expect(body).toContain(landmark)
    expect(body.indexOf('Last cake')).toBeLessThan(body.indexOf('>Toast<'))
  })

  test("shows prices in the venue's format", async () => {
    const cafe = await createCafe()
    const { body } = await send(cafe.page + at('15:00'))
    for (const text of [
      '2,40\u00a0€',
      '1234,50\u00a0€',
      '110 kcal',
      'In a tall glass.',
      'Which milk?',
      '<bdi>Oat</bdi><b>+0,40\u00a0€</b>',
      '<bdi>None</bdi><b>-0,50\u00a0€</b>',
      '<bdi>Whole</bdi>',
      'Sold out',
    ]) {
      expect(body).toContain(text)
    }
    expect(body).toContain('<img src="https://images.example.com/toast.jpg" alt="" loading="lazy"')
  })

  test.each([
    [{ currency: 'JPY', timezone: 'Asia/Tokyo' }, '¥1,235', '¥2'],
    [{ currency: 'USD', timezone: 'America/New_York' }, '$1,234.50', '$2.40'],
    [{ currency: 'GBP', timezone: 'Europe/London' }, '£1,234.50', '£2.40'],
    [{ currency: 'EUR', timezone: 'Europe/Berlin' }, '1.234,50\u00a0€', '2,40\u00a0€'],
    [{ currency: 'KWD', timezone: 'Asia/Kuwait' }, 'KWD\u00a01,234.500', 'KWD\u00a02.400'],
    [{ currency: null, timezone: 'UTC' }, '1,234.5', '2.4'],
  ])('shows prices in %o', async (merchant, ...prices) => {
    const cafe = await createCafe(merchant)
    const { body } = await send(`${cafe.page}?at=1795251600`)
    for (const price of prices) expect(body).toContain(`<span>${price}</span>`)
  })

  test('contains no hidden data', async () => {
    const cafe = await createCafe()
    const tag = await cafe.post('/tags', {
      metadata: [
        { key: 'table', value: '4' },
        { key: 'ward', value: 'hidden-ward', visible: false },
      ],
    })
    for (const path of [cafe.page, cafe.data]) {
      const { status, body } = await send(`${path}?tag=${tag.body.id}`)
      expect(status).toBe(200)
      const text = JSON.stringify(body)
      for (const secret of [
        'Winter',
        'Staff only',
        'Secret',
        'hidden-ward',
        'ward',
        'SKU-SECRET',
        'supplier',
        'Breakfast menu',
        'version',
        'seq',
      ]) {
        expect(text).not.toContain(secret)
      }
      expect(text).toContain('Table 4')
    }
  })

  test('shows a change at once without the cache', async () => {
    const cafe = await createCafe()
    await cafe.post(`/products/${cafe.products[0]}`, { title: 'Meia de leite', price: 2.6 })
    const { body } = await send(cafe.page)
    expect(body).toContain('Meia de leite')
    expect(body).not.toContain('Galão')
  })

  test.each([
    ['10:00', ['All day', 'Breakfast'], ['Late night']],
    ['07:29', ['All day'], ['Breakfast', 'Late night']],
    ['07:30', ['All day', 'Breakfast'], ['Late night']],
    ['11:30', ['All day'], ['Breakfast', 'Late night']],
    ['23:00', ['All day', 'Late night'], ['Breakfast']],
    ['02:59', ['All day', 'Late night'], ['Breakfast']],
    ['03:00', ['All day'], ['Breakfast', 'Late night']],
  ])('shows the menus that are open at %s, then the closed ones', async (time, open, closed) => {
    const cafe = await createCafe()
    const { body: page } = await send(cafe.page + at(time))
    expect(headings(page).filter((text) => text.startsWith('2'))).toEqual(
      [...open, ...closed].map((title) => `2 ${title}`),
    )
    expect(Array.from(page.matchAll(/<summary><h2><bdi>(.*?)</g), ([, title]) => title)).toEqual(closed)
    const { body } = await send(cafe.data + at(time))
    const getTitles = (menus: { title: string }[]) => menus.map(({ title }) => title)
    expect([getTitles(body.menus), getTitles(body.closedMenus)]).toEqual([open, closed])
  })

  test('has links to sections if the menu enables them', async () => {
    const cafe = await createCafe()
    const { body } = await send(cafe.page + at('23:00'))
    expect(body).toContain('<a href="#s1-2"><bdi>Food</bdi></a>')
    expect(body).toContain('<section id="s1-2">')
    expect(body).not.toContain('aria-label="Late night"')
  })

  test('says when the next menu opens if none is open', async () => {
    const venue = await createVenue({ name: 'Bar', timezone: 'Europe/Lisbon' })
    expect((await send(`/m/${venue.id}`)).body).toContain('There is no menu here yet.')
    await venue.post('/menus', { title: 'Supper', begin: '1900', end: '2300' })
    expect((await send(`/m/${venue.id}${at('12:00')}`)).body).toContain('<bdi>Supper</bdi> is served from 19:00.')
    expect((await send(`/m/${venue.id}${at('23:30')}`)).body).toMatch(
      /<bdi>Supper<\/bdi> is served from Sunday.* 19:00\./,
    )
    expect((await send(`/m/${venue.id}${at('12:00')}&lang=de`)).body).toContain('<bdi>Supper</bdi> gibt es ab 19:00.')
    expect(
      (await send(`/m/${venue.id}${at('12:00')}`, { headers: { 'accept-language': 'xx, fr-CH;q=0.9, de;q=0.8' } }))
        .body,
    ).toContain('<html lang="fr">')
  })

  test('contains escaped JSON-LD', async () => {
    const cafe = await createCafe({ name: '</script><script>alert(1)</script>' })
    const { body } = await send(cafe.page + at('15:00'))
    const [, data = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(body) ?? []
    expect(JSON.parse(data)).toMatchObject({
      '@type': 'Restaurant',
      name: '</script><script>alert(1)</script>',
      hasMenu: [
        {
          '@type': 'Menu',
          name: 'All day',
          hasMenuSection: [
            { name: 'Drinks', hasMenuItem: [{ name: 'Galão', offers: { price: 2.4, priceCurrency: 'EUR' } }] },
            {},
          ],
        },
        {},
        {},
      ],
    })
    expect(body.match(/<script/g)).toHaveLength(1)
    expect(body).toContain('<h1><bdi>&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;</bdi></h1>')
  })

  test('is small', async () => {
    const venue = await createVenue()
    await load(venue.post, createCatalogue(60))
    const { body } = await send(`/m/${venue.id}`)
    expect(body.match(/class="dish"/g)).toHaveLength(60)
    const zipped = await new Response(
      new Blob([body]).stream().pipeThrough(new CompressionStream('gzip')),
    ).arrayBuffer()
    console.log(`figure: a menu of 60 dishes, ${zipped.byteLength} bytes compressed`)
    expect(zipped.byteLength).toBeLessThanOrEqual(14 * 1024)
  })
})

describe('a tag', () => {
  test('determines the mode by its id or code, in any case', async () => {
    const cafe = await createCafe()
    const trial = await createKey(cafe.id, { mode: 'test' })
    await trial.post('/menus', { title: 'Trial menu' })
    const { id, alias } = (await trial.post('/tags', { metadata: [{ key: 'tableNumber', value: '7' }] })).body
    for (const name of [id, id.toUpperCase(), alias[0], alias[0].toLowerCase()]) {
      const { body, headers } = await send(`${cafe.page}?tag=${name}`)
      expect(headings(body)).toEqual(['1 Café', '2 Trial menu'])
      expect(body).toContain('<li><bdi>Table Number 7</bdi></li>')
      expect(body).toContain('Test mode')
      expect(headers.get('x-robots-tag')).toBe('noindex')
      expect((await send(`${cafe.data}?tag=${name}`)).body).toMatchObject({
        testMode: true,
        tag: { id, label: 'Table Number 7' },
      })
    }
    const { body } = await send(cafe.page)
    expect(body).not.toContain('Trial menu')
    expect(body).not.toContain('Test mode')
  })

  test('that is unknown, foreign, deleted or invalid is ignored', async () => {
    const [cafe, other] = [await createCafe(), await createVenue({ mode: 'test' })]
    const foreign = (await other.post('/tags', { metadata: [{ key: 'table', value: 'foreign' }] })).body
    const gone = (await cafe.post('/tags', { metadata: [{ key: 'table', value: 'gone' }] })).body
    await cafe.remove(`/tags/${gone.id}`)
    const plain = (await send(cafe.data + at('10:00'))).body
    for (const name of [
      foreign.id,
      foreign.alias[0],
      gone.id,
      'tag_0',
      '',
      '%00',
      '<b>',
      "' or 1=1 --",
      'x'.repeat(5000),
    ]) {
      const path = `${at('10:00')}&tag=${name.startsWith('%') ? name : encodeURIComponent(name)}`
      expect((await send(cafe.data + path)).body).toEqual(plain)
      const { status, body } = await send(cafe.page + path)
      expect([status, body.includes('class="tag"')]).toEqual([200, false])
    }
  })
})

describe('the data of a menu', () => {
  test('is that of the page', async () => {
    const cafe = await createCafe()
    const { status, body, headers } = await send(cafe.data + at('10:00'))
    expect(status).toBe(200)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(body).toMatchObject({
      venue: {
        id: cafe.id,
        name: 'Café',
        timezone: 'Europe/Lisbon',
        currency: 'EUR',
        locale: 'pt-PT',
        direction: 'ltr',
      },
      testMode: false,
      availableAt: Date.parse('2026-11-21T10:00:00Z') / 1000,
      nextChangeAt: Date.parse('2026-11-21T11:30:00Z') / 1000,
      nextMenus: [],
      menus: [
        {
          title: 'All day',
          allDayMenu: true,
          sections: [
            {
              title: 'Drinks',
              products: [
                {
                  id: cafe.products[0],
                  title: 'Galão',
                  price: 2.4,
                  calories: 110,
                  soldOut: false,
                  images: [],
                  modifiers: [body.modifiers[0].id],
                },
              ],
            },
            { title: 'Food', products: [{ title: 'Last cake', soldOut: true }, { title: 'Toast' }] },
          ],
        },
        { title: 'Breakfast', begin: '0730', end: '1130' },
      ],
      modifiers: [{ title: 'Milk', options: [{ label: 'Whole' }, { label: 'Oat', additionalCost: 0.4 }, {}] }],
      truncated: false,
    })
    expect(body).not.toHaveProperty('tag')
    expect(body).not.toHaveProperty('nextFrom')
  })

  test('has the next menus if none is open', async () => {
    const venue = await createVenue({ timezone: 'America/New_York' })
    await venue.post('/menus', { title: 'Lunch', begin: '1200', end: '1400' })
    const { body } = await send(`/m/${venue.id}.json${at('12:00')}`)
    expect(body).toMatchObject({
      menus: [],
      nextMenus: ['Lunch'],
      nextChangeAt: Date.parse('2026-11-21T17:00:00Z') / 1000,
    })
  })
})

describe('the parameter at', () => {
  test.each([
    '1795258800',
    '2026-11-21T11:00:00Z',
    '2026-11-21T12:00:00+01:00',
    '2026-11-21T12:00:00%2B01:00',
    '2026-11-21T11:00:00.5Z',
    '2026-11-21T11:00Z',
    '0',
    '253402214400',
  ])('%s', async (moment) => {
    const { id } = await createVenue()
    expect((await send(`/m/${id}?at=${moment}`)).status).toBe(200)
    const { status, body } = await send(`/m/${id}.json?at=${moment}`)
    expect(status).toBe(200)
    if (moment.length > 1 && !moment.startsWith('25')) expect(body.availableAt).toBe(1795258800)
  })

  test.each([
    '',
    'now',
    '-1',
    '1.5',
    '1e9',
    '2026-11-21',
    '2026-11-21T11:00:00',
    '2026-02-30T11:00:00Z',
    '2026-11-21T25:00:00Z',
    '253402214401',
    '9'.repeat(400),
    '<script>',
  ])('%j is none', async (moment) => {
    const { id } = await createVenue()
    const page = await send(`/m/${id}?at=${encodeURIComponent(moment)}`)
    expect([page.status, page.headers.get('content-type')]).toEqual([422, 'text/html; charset=utf-8'])
    const { status, body } = await send(`/m/${id}.json?at=${encodeURIComponent(moment)}`)
    expect(status).toBe(422)
    expect(body.errors).toMatchObject([{ parameter: 'at', code: 'invalid_format' }])
  })
})

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
  test('allows no scripts and sends no referrer', async () => {
    const { id } = await createVenue()
    const { headers } = await send(`/m/${id}`)
    expect(headers.get('content-security-policy')).toMatch(policy)
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
  async function ask(path: string, headers: Record<string, string> = {}, isDown = false) {
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
    for (const question of questions) first.push(await ask(...question))
    expect(first.map(({ reads }) => reads)).toEqual(questions.map((_, index) => (index === 0 ? 1 : 0)))
    await cafe.post(`/products/${cafe.products[0]}`, { title: 'Meia de leite' })
    for (const [index, question] of questions.entries()) {
      const { reads, text, headers } = await ask(...question)
      expect([question, reads, text === first[index]?.text]).toEqual([question, 0, true])
      expect(headers.get('cache-control')).toMatch(/^public, max-age=1?\d$/)
      expect(headers.get('content-security-policy')).toBe(first[index]?.headers.get('content-security-policy'))
    }
    expect((await ask(`${cafe.page}?utm_source=x`)).reads).toBe(0)
    expect((await ask(cafe.page + at('10:00'))).reads).toBe(0)
  })

  test('returns a response of the last ten minutes while the database is down', async () => {
    // Mid-afternoon in the venue, whatever the time here: no menu opens or closes in the ten minutes.
    const offset = Math.min(14, 15 - new Date().getUTCHours())
    const cafe = await createCafe({ timezone: `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}` })
    const paths = [cafe.page, cafe.data]
    const before = []
    for (const path of paths) before.push((await ask(path)).text)
    /** In the data stands the moment that it is about. */
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
        const answer = await ask(path, {}, true)
        expect([path, seconds, answer.status]).toEqual([path, seconds, status])
        if (status === 503) continue
        expect(answer.text.replace(moment, '')).toBe(before[index]?.replace(moment, ''))
        if (seconds > 20) expect(answer.headers.get('cache-control')).toBe('public, max-age=0')
      }
    }
    clock.mockReturnValue(start + 30_000)
    await cafe.post(`/products/${cafe.products[0]}`, { title: 'Meia de leite' })
    for (const path of paths) expect((await ask(path)).text).toContain('Meia de leite')
    vi.restoreAllMocks()
  })

  test('returns 304 for the same page, cached or new', async () => {
    const cafe = await createCafe()
    for (const path of [cafe.page, `${cafe.page}?lang=de`, cafe.page + at('10:00')]) {
      const first = await ask(path)
      const etag = first.headers.get('etag') ?? ''
      expect([first.status, etag]).toEqual([200, expect.stringMatching(/^"[0-9A-HJKMNP-TV-Z]{16}"$/)])
      for (const given of [etag, `W/${etag}`, `"other", W/${etag}`, '*']) {
        const { status, text, headers } = await ask(path, { 'if-none-match': given })
        expect([given, status, text]).toEqual([given, 304, ''])
        for (const name of ['etag', 'vary']) expect(headers.get(name)).toBe(first.headers.get(name))
        expect(headers.get('cache-control')).toMatch(/^public, max-age=\d+$/)
      }
      expect((await ask(path, { 'if-none-match': '"other"' })).status).toBe(200)
    }
    const { headers } = await ask(cafe.page)
    await cafe.post(`/products/${cafe.products[0]}`, { title: 'Meia de leite' })
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 21_000)
    expect((await ask(cafe.page, { 'if-none-match': headers.get('etag') ?? '' })).status).toBe(200)
    clock.mockRestore()
  })

  test('stores no errors', async () => {
    const path = '/m/mer_01m7y3mn8cengs5j41n4dzxtjv'
    expect([(await ask(path)).reads, (await ask(path)).reads]).toEqual([1, 1])
  })
})
