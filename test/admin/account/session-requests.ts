import { expect, vi } from 'vitest'
import { cookieName } from '../../../src/platform/auth/sessions.ts'
import { call } from '../../support/api.ts'

export const now = () => Math.floor(Date.now() / 1000)
export const travelTo = (seconds: number) => vi.useFakeTimers({ toFake: ['Date'], now: seconds * 1000 })
export const sameOrigin = { 'sec-fetch-site': 'same-origin' }

export const signIn = (key: string, headers: Record<string, string> = sameOrigin) =>
  call('POST', '/console/session', undefined, { key }, headers)

/** A session of a key, with calls that carry its cookie as the console sends them. */
export async function createSession(key: string, more: Record<string, string> = {}) {
  const { status, headers, body } = await signIn(key, { ...sameOrigin, ...more })
  expect(status).toBe(201)
  const [, token = ''] = /^__Host-session=(\w+);/.exec(headers.get('set-cookie') ?? '') ?? []
  const cookie = `theme=dark; ${cookieName}=${token}; other=1`
  const request = (method: string, path: string, body?: unknown, more: Record<string, string> = {}) =>
    call(method, path, undefined, body, { cookie, ...sameOrigin, ...more })
  return { id: body.id as string, token, cookie, request }
}
