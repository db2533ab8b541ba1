import { expect } from 'vitest'
import { operatorCookieName } from '../../src/platform/auth/operator/operator-sessions.ts'
import { type ApiResponse, adminToken, call } from './api.ts'
import { type Authenticator, createAuthenticator, request, requestOptions, sameOrigin } from './authenticator.ts'

/** Calls with the cookie of a sign-in, as the console sends them. */
export function toSession({ status, headers, body }: ApiResponse) {
  expect([status, body]).toEqual([201, expect.objectContaining({ id: expect.stringMatching(/^ses_/) })])
  const [, token = ''] = /^__Host-operator=(\w{32});/.exec(headers.get('set-cookie') ?? '') ?? []
  const cookie = `${operatorCookieName}=${token}`
  const send = (method: string, path: string, json?: unknown, more: Record<string, string> = {}) =>
    call(method, path, undefined, json, { cookie, ...sameOrigin, ...more })
  return { id: body.id as string, cookie, send }
}

/** Adds an operator. Returns the token of the link. */
export async function inviteOperator(fields: object) {
  const { status, body } = await call('POST', '/admin/operators', adminToken, fields)
  expect([status, body.url]).toEqual([201, expect.stringContaining('/console/join/operator#')])
  return { id: body.id as string, token: new URL(body.url).hash.slice(1) }
}

/** A request that accepts an invitation with a passkey. */
export async function joinOperators(token: string, authenticator: Authenticator) {
  const { body: options } = await request('POST', '/console/operator/registration', { token })
  const user = options.user ?? { id: 'AAAA' }
  const challenge = options.challenge ?? (await requestOptions()).challenge
  const credential = await authenticator.register({ challenge, user })
  return request('POST', '/console/operator/passkeys', { token, credential, title: 'Laptop' })
}

/** A request that signs an operator in with a passkey. */
export const signInOperator = async (authenticator: Authenticator) =>
  request('POST', '/console/operator', { credential: await authenticator.sign(await requestOptions()) })

/** An operator with a passkey, who is signed in. */
export async function createOperator(role: 'admin' | 'support', name = 'Ana') {
  const [{ id, token }, authenticator] = [await inviteOperator({ role, name }), await createAuthenticator()]
  const { id: session, cookie, send } = toSession(await joinOperators(token, authenticator))
  return { id, authenticator, session, cookie, send }
}
