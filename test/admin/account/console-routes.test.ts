import { describe, expect, test } from 'vitest'
import { send } from '../../support/api.ts'

const page = await send('/console')
const files = [...new Set([...page.body.matchAll(/(?:src|href)="(\/console\/[^"]+)"/g)].map(([, path]) => path))]

test('the page allows no script but its own, and no HTML from strings', () => {
  expect(page.status).toBe(200)
  expect(page.headers.get('content-security-policy')?.split('; ').sort()).toEqual([
    "base-uri 'none'",
    "connect-src 'self'",
    "default-src 'none'",
    "font-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "frame-src 'self'",
    "img-src 'self' https: data: blob:",
    "require-trusted-types-for 'script'",
    "script-src 'self'",
    "style-src 'self'",
    "trusted-types 'none'",
  ])
  expect(page.body).not.toMatch(/<script>|<style|style=|\son\w+=/)
  expect(page.headers.get('cache-control')).toBe('no-cache')
})

test('every path below is the same page, which a browser revalidates', async () => {
  for (const path of ['/console/products', '/console/products/prod_1', '/console/products/b.c']) {
    const { status, body, headers } = await send(path)
    expect([path, status, body]).toEqual([path, 200, page.body])
    const again = await send(path, { headers: { 'if-none-match': headers.get('etag') ?? '' } })
    expect([path, again.status]).toEqual([path, 304])
  }
})

describe('a file', () => {
  test('has a name that changes with its content, so that it is cached for good', async () => {
    expect(files.length).toBeGreaterThanOrEqual(3)
    for (const path of files) {
      const { status, headers } = await send(String(path))
      expect([path, status, headers.get('cache-control')]).toEqual([path, 200, 'public, max-age=31536000, immutable'])
      expect(headers.get('content-type')).toMatch(/^text\/(?:javascript|css)/)
    }
  })

  test('that does not exist is a problem, not the page', async () => {
    const { status, headers, body } = await send('/console/products-OLD.js')
    expect([status, headers.get('cache-control'), body.code]).toEqual([404, 'no-store', 'not_found'])
  })
})
