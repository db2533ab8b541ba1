import { afterEach, expect, test, vi } from 'vitest'
import { createVenue, send, toIssues } from '../../../support/api.ts'
import { createMember, invite, request, requestOptions, sameOrigin } from '../../../support/authenticator.ts'
import { observe } from '../../../support/d1.ts'

afterEach(() => vi.useRealTimers())

test('requests are accepted from pages of the same origin and with JSON only', async () => {
  const { cookie } = await createMember((await createVenue()).id)
  for (const path of ['', '/options', '/session', '/registration', '/x']) {
    for (const site of ['cross-site', 'same-site', 'none', '']) {
      const headers = { cookie, 'content-type': 'application/json', ...(site && { 'sec-fetch-site': site }) }
      const { status } = await send(`/console/passkeys${path}`, { method: 'POST', body: '{}', headers })
      expect([path, site, status]).toEqual([path, site, 403])
    }
    const headers = { cookie, ...sameOrigin, 'content-type': 'text/plain' }
    const { status } = await send(`/console/passkeys${path}`, { method: 'POST', body: '{}', headers })
    expect([path, status]).toEqual([path, 415])
  }
})

test('fields are checked', async () => {
  const token = await invite((await createVenue()).id)
  const register = (body: object) => request('POST', '/console/passkeys/registration', body)
  expect(toIssues(await register({ token }))).toEqual(['/name required'])
  expect(toIssues(await register({ token, name: ' ' }))).toEqual(['/name too_short'])
  expect((await register({ token, name: 'x'.repeat(255) })).status).toBe(200)
  expect(toIssues(await register({ token, name: 'x'.repeat(256) }))).toEqual(['/name too_long'])
  expect(toIssues(await register({ token: 'x'.repeat(65), name: 'x' }))).toEqual(['/token too_long'])
  expect(toIssues(await request('POST', '/console/passkeys/session', {}))).toEqual(['/credential required'])
  expect(toIssues(await request('POST', '/console/invitation', {}))).toEqual(['/token required'])
  expect(toIssues(await request('POST', '/console/passkeys/options', { x: 1 }))).toEqual(['/x unknown_field'])
})

test('failures count towards the limit of an address, and a limited address looks up little', async () => {
  const { authenticator } = await createMember((await createVenue()).id)
  let failures = 0
  const bindings = { RATE_LIMITS: 'on', MISSES: { limit: async () => ({ success: ++failures <= 3 }) } }
  const attempt = (path: string, json: object) => observe('POST', path, { json, headers: sameOrigin, bindings })
  const statuses = []
  for (let index = 0; index < 5; index++) {
    statuses.push((await attempt('/console/invitation', { token: `guess${index}` })).status)
  }
  expect(statuses).toEqual([404, 404, 404, 429, 429])
  const credential = await authenticator.sign(await requestOptions())
  expect((await attempt('/console/passkeys/session', { credential })).status).toBe(201)
  // Lookups are limited for each second: no second may end among these.
  vi.useFakeTimers({ toFake: ['Date'] })
  const looked = []
  for (let index = 0; index < 40; index++) {
    looked.push((await attempt('/console/invitation', { token: `guess${index}` })).trips.length)
  }
  expect(looked.at(-1)).toBe(0)
})

test('without an origin in the configuration there are no passkeys; the Host header is not used', async () => {
  const attempt = (bindings: object) =>
    observe('POST', '/console/passkeys/options', { json: {}, headers: sameOrigin, bindings })
  const none = await attempt({ PUBLIC_BASE_URL: undefined })
  expect([none.status, none.body.code]).toEqual([409, 'not_supported'])
  const own = await attempt({ CONSOLE_ORIGIN: 'https://console.example' })
  expect(own.body.rpId).toBe('console.example')
  expect((await requestOptions()).rpId).toBe('menu.example')
})
