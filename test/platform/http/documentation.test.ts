import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { app } from '../../../src/app/app.ts'
import { problems } from '../../../src/platform/errors.ts'
import { problemCodes } from '../../../src/platform/http/openapi/problem-schema.ts'
import { issueDescriptions, problemDescriptions } from '../../../tools/openapi/problem-descriptions.ts'
import { send } from '../../support/api.ts'
import { document, documentation } from '../../tools/openapi/openapi-document.ts'

describe.each(Object.entries(documentation))('GET %s', (path, type) => {
  test('requires no key and may be cached', async () => {
    const { status, headers, body } = await send(path)
    expect([status, headers.get('content-type')]).toEqual([200, type])
    expect(headers.get('cache-control')).toMatch(/^public, max-age=\d+$/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('request-id')).toMatch(/^req_/)
    expect(body).not.toBe('')
    const kept = await send(path, { headers: { 'if-none-match': headers.get('etag') ?? '' } })
    expect([kept.status, kept.body, kept.headers.get('etag')]).toEqual([304, '', headers.get('etag')])
    expect((await send(path, { headers: { 'if-none-match': '"another"' } })).status).toBe(200)
  })

  test('returns 405 for other methods', async () => {
    const head = await send(path, { method: 'HEAD' })
    expect([head.status, head.body, head.headers.get('content-type')]).toEqual([200, '', type])
    const options = await send(path, { method: 'OPTIONS' })
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS'])
    const posted = await send(path, { method: 'POST' })
    expect(posted).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } })
    expect(posted.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
  })

  test.each([
    ['throws', () => Promise.reject(new Error('no such service'))],
    ['has lost the file', async () => new Response(null, { status: 404 })],
    ['fails', async () => new Response('internal', { status: 500 })],
  ])('returns 503 if the store of files %s', async (_, fetch: () => Promise<Response>) => {
    const response = await app.request(path, {}, { ...env, ASSETS: Object.assign(Object.create(null), { fetch }) })
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('1')
    expect(response.headers.get('request-id')).toMatch(/^req_/)
    expect(await response.json()).toMatchObject({ code: 'unavailable', type: '/docs/errors#unavailable' })
  })
})

test('serves the guides and their pictures', async () => {
  const guide = await send('/docs/guides/guests')
  expect([guide.status, guide.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(guide.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:;/,
  )
  for (const [name, type] of [
    ['menu.png', 'image/png'],
    ['menu-desk.jpg', 'image/jpeg'],
  ] as const) {
    const picture = await send(`/docs/guides/${name}`)
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, type])
  }
})

test('serves exactly the declared files', async () => {
  for (const path of [
    '/errors.html',
    '/event-types.json',
    '/look.css',
    '/index.html',
    '/reference.html',
    '/reference.js',
    '/try.html',
    '/guides.html',
    '/guide-limits.html',
    '/docs/guides/unknown',
    '/docs/guides/..%2findex',
    '/docs/guides/unknown.png',
    '/docs/errors/',
    '/docs/errors.html',
    '/demo-banner.svg',
    '/demo/unknown.svg',
  ]) {
    expect([path, (await send(path)).status]).toEqual([path, 404])
  }
})

test('a slash behind the reference or the console leads to it', async () => {
  for (const path of ['/docs', '/console']) {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await send(`${path}/?a=b`, { method, redirect: 'manual' })
      expect([status, headers.get('location')]).toEqual([308, path])
    }
    expect((await send(`${path}/`, { method: 'POST' })).status).toBe(404)
  }
})

describe('an unknown path', () => {
  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'
  const page = 'text/html; charset=utf-8'
  const problem = 'application/problem+json'
  const request = (path: string, accept: string, method = 'GET') =>
    app.request(path, { method, headers: { accept } }, env)

  test.each(['/menus', '/docs/reference', '/docs/guides/unknown', '/health/', '/favicon.ico', '/a/b/c/d/e/f/g'])(
    'returns a page with links to browsers: %s',
    async (path) => {
      const response = await request(path, browser)
      expect([response.status, response.headers.get('content-type')]).toEqual([404, page])
      expect(Object.fromEntries(response.headers)).toMatchObject({
        vary: 'Accept',
        'x-robots-tag': 'noindex',
        'cache-control': 'no-store',
        'request-id': expect.stringMatching(/^req_/),
      })
      const text = await response.text()
      for (const [, link = ''] of text.matchAll(/<a href="([^"]+)"/g)) {
        expect([link, (await request(link, browser)).status]).toEqual([link, 200])
      }
      expect((await request(path, browser, 'HEAD')).headers.get('content-type')).toBe(page)
    },
  )

  test.each(['*/*', 'application/json', 'text/html;q=0', 'text/*', 'text/htmlx', ''])(
    'returns the problem to a client that accepts %s',
    async (accept) => {
      const response = await request('/menus', accept)
      expect([response.status, response.headers.get('content-type')]).toEqual([404, problem])
    },
  )

  test('of the API, and one that a client writes to, returns the problem', async () => {
    for (const path of ['/merchants', '/merchants/mer_a/products/prod_b/c', '/admin/nothing', '/mcp/nothing']) {
      const { headers } = await send(path, { headers: { accept: browser } })
      expect([path, headers.get('content-type')]).toEqual([path, problem])
    }
    expect((await request('/menus', browser, 'POST')).headers.get('content-type')).toBe(problem)
  })

  test('returns the problem if the page cannot be read', async () => {
    for (const fetch of [() => Promise.reject(new Error('lost')), async () => new Response(null, { status: 404 })]) {
      const broken = { ...env, ASSETS: Object.assign(Object.create(null), { fetch }) }
      const response = await app.request('/menus', { headers: { accept: browser } }, broken)
      expect([response.status, response.headers.get('content-type')]).toEqual([404, problem])
    }
  })
})

describe('GET /docs/errors', async () => {
  const { status, headers, body } = await send('/docs/errors')
  const page: string = body
  const ids = Array.from(page.matchAll(/ id="([^"]*)"/g), ([, id]) => id)

  test('is a page in English with one main heading', () => {
    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(/^text\/html; charset=utf-8$/i)
    expect(page).toMatch(/^<!doctype html>\s*<html lang="en">/)
    expect(page.match(/<h1>/g)).toHaveLength(1)
    expect(page.match(/<h2[ >]/g)).toHaveLength(2)
    expect(page).toMatch(/<title>[^<]+<\/title>/)
  })

  test('allows only its own style sheet and script', async () => {
    const policy = headers.get('content-security-policy')?.split('; ')
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("style-src 'self'")
    expect(policy?.join()).not.toMatch(/unsafe|\*/)
    expect(policy).toContain("script-src 'self'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(page.match(/<script[^>]*>/g)).toEqual(['<script src="/docs/search.js" defer>'])
    expect(page).not.toMatch(/<style|<img| on\w+=| style=/)
    const [, sheet = ''] = /<link rel="stylesheet" href="([^"]+)">/.exec(page) ?? []
    const { status, headers: ofSheet } = await send(sheet)
    expect([status, ofSheet.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/css/)])
  })

  test('describes every problem at its own anchor', () => {
    expect(new Set(ids).size).toBe(ids.length)
    for (const code of problemCodes) {
      const [status, title] = problems[code]
      expect(ids).toContain(code)
      const [, section = ''] = page.split(`<h3 id="${code}">`)
      const [entry = ''] = section.split('<h3')
      expect(entry).toContain(`${status} ${title}`)
      expect(entry.replaceAll(/<\/?code>/g, '')).toContain(problemDescriptions[code].replaceAll('`', ''))
    }
  })

  test('describes every issue code', () => {
    for (const [code, meaning] of Object.entries(issueDescriptions)) {
      expect(ids).toContain(`issue-${code}`)
      expect(page).toContain(meaning.replace(/`([^`]+)`/g, '<code>$1</code>'))
    }
  })

  test('is the target of the type of a problem', async () => {
    const { body: problem } = await send('/nowhere')
    const { pathname, hash } = new URL(problem.type, 'https://api.test/nowhere')
    expect(pathname).toBe('/docs/errors')
    expect(ids).toContain(hash.slice(1))
  })
})

describe('GET /docs/try', async () => {
  const { headers, body } = await send('/docs/try')

  test('allows only scripts and requests of this origin, and inline styles', () => {
    expect(headers.get('content-security-policy')?.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self' 'unsafe-inline'",
      "font-src 'self'",
      "img-src 'self' data:",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ])
    expect(body).not.toMatch(/<style|<img| on\w+=| style=|<script>/)
  })

  test('reads the document, stores no key and contacts no other host', async () => {
    const { body: start } = await send('/docs/start.js')
    const [, configuration = ''] =
      /\n {2}Scalar\.createApiReference\('#reference', \{ \.\.\.(.*), content: document \}\)\n/.exec(start) ?? []
    expect(body).toContain('<div id="reference">')
    expect(start.match(/fetch\(.*?\)/g)).toEqual(["fetch('/openapi.json')"])
    expect(JSON.parse(configuration)).toMatchObject({
      withDefaultFonts: false,
      telemetry: false,
      agent: { disabled: true },
      mcp: { disabled: true },
      persistAuth: false,
    })
  })
})

test('GET /llms.txt names every operation', async () => {
  const { body } = await send('/llms.txt')
  expect(body).toMatch(/^# Merchant Ordering API\n\n> /)
  for (const [path, item] of Object.entries<object>(document.paths)) {
    for (const method of Object.keys(item).filter((key) => key !== 'parameters')) {
      expect(body).toContain(`- \`${method.toUpperCase()} ${path}\`: `)
    }
  }
})
