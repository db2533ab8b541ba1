import { describe, expect, test } from 'vitest'
import { pageLanguages } from '../../../src/storefront/pages/messages.ts'
import { createVenue, send } from '../../support/api.ts'

const guestDomain = 'https://menu.example'

describe('the page on which a guest types a code', () => {
  test.each([
    ['/t', 'at /t'],
    [`${guestDomain}/`, 'at the front of the domain of guests'],
  ])('%s', async (address) => {
    const { status, headers, body } = await send(`${address}?lang=de`)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(headers.get('content-security-policy')).toMatch(/form-action 'self' https: http:; frame-ancestors 'none'$/)
    expect(body).toContain('<html lang="de">')
    expect(body).toContain(
      '<form action="/t"><h1><label for="code">Geben Sie den Code auf Ihrem Tisch ein</label></h1>',
    )
    expect(body).toContain('<input id="code" name="code"')
  })

  test('is in the language of the browser, in 24 languages', async () => {
    const titles = new Set<string>()
    for (const language of pageLanguages) {
      const { body, headers } = await send('/t', { headers: { 'accept-language': language } })
      expect(headers.get('vary')).toBe('Accept-Language')
      expect(body).toContain(`<html lang="${language}"`)
      titles.add(/<title>(.*?)<\/title>/.exec(body)?.[1] ?? '')
    }
    expect(titles.size).toBe(24)
    expect((await send('/t', { headers: { 'accept-language': 'ar' } })).body).toContain('<html lang="ar" dir="rtl">')
    expect((await send('/t', { headers: { 'accept-language': 'is' } })).body).toContain('<html lang="en">')
  })

  test('leads to the tag', async () => {
    const venue = await createVenue()
    const { body: tag } = await venue.post('/tags', { metadata: [] })
    const code: string = tag.url.split('/').at(-1)
    const typed = ` ${code.toLowerCase().replace(/(.{4})(?=.)/g, '$1 ')}`
    const { status, headers } = await send(`/t?code=${encodeURIComponent(typed)}`)
    expect(status).toBe(302)
    const followed = await send(headers.get('location') ?? '')
    expect([followed.status, followed.headers.get('location')]).toEqual([302, `/m/${venue.id}?tag=${tag.id}`])
  })

  test.each([
    ['//evil.example', '/t/%2F%2Fevil.example'],
    ['https://evil.example', '/t/https%3A%2F%2Fevil.example'],
    ['x\r\nset-cookie: a', '/t/x%0D%0Aset-cookie%3A%20a'],
  ])('never leads elsewhere: %j', async (code, location) => {
    const { status, headers } = await send(`/t?code=${encodeURIComponent(code)}`)
    expect([status, headers.get('location')]).toEqual([302, location])
  })

  test('is shown again without a code', async () => {
    expect((await send('/t?code=%20')).status).toBe(200)
  })
})

test('the front page of every other host is that of developers', async () => {
  for (const host of ['https://api.test', 'http://menu.example:8080', 'https://www.menu.example']) {
    expect((await send(`${host}/`)).body).toContain('Merchant Ordering API')
  }
})
