import { env } from 'cloudflare:workers'
import { scopes } from '../../../../src/platform/auth/api-keys.ts'
import { operatorCookieName } from '../../../../src/platform/auth/operator/operator-sessions.ts'
import { adminToken, call, createKey } from '../../../support/api.ts'
import { createMember, sameOrigin } from '../../../support/authenticator.ts'
import { createOperator } from '../../../support/operators.ts'
import { createSession } from '../session-requests.ts'
import { openVenue } from '../support/support-venue.ts'

export type Send = (
  method: string,
  path: string,
  json?: unknown,
  more?: Record<string, string>,
) => ReturnType<typeof call>

/** Who holds a credential, and how it is sent. */
export interface Holder {
  send: Send
  /** Path of the merchant for this holder. */
  base: string
  /** Id of the member, if the holder is one. */
  userId?: string
  /** Id of the key, if the holder has one. */
  keyId?: string
}

const inAnHour = () => Math.floor(Date.now() / 1000) + 3_600

/** Makes the last assertion of a session older than is accepted. */
export const makeStale = (cookie: string) => {
  const table = cookie.startsWith(operatorCookieName) ? 'operator_sessions' : 'sessions'
  return env.DB.prepare(`update ${table} set asserted_at = asserted_at - 301`).run()
}

/** A session of the operator. */
export async function createOperatorSession() {
  const { headers } = await call('POST', '/console/operator', undefined, { token: adminToken }, sameOrigin)
  const cookie = headers.get('set-cookie')?.split(';')[0] ?? ''
  const send: Send = (method, path, json, more) =>
    call(method, path, undefined, json, { cookie, ...sameOrigin, ...more })
  return { cookie, send }
}

async function createKeyHolder(merchantId: string, options: object): Promise<Holder> {
  const { key, keyId } = await createKey(merchantId, options)
  return {
    send: (method, path, json, more) => call(method, path, key, json, { ...sameOrigin, ...more }),
    base: `/merchants/${merchantId}`,
    keyId,
  }
}

async function createKeySession(merchantId: string, options: object): Promise<Holder> {
  const { key, keyId } = await createKey(merchantId, options)
  const { request } = await createSession(key)
  return { send: request, base: `/merchants/${merchantId}`, keyId }
}

async function createMemberHolder(merchantId: string, role: string, isStale: boolean): Promise<Holder> {
  const { request, cookie, userId } = await createMember(merchantId, role)
  if (isStale) await makeStale(cookie)
  return { send: request, base: `/merchants/${merchantId}`, userId }
}

async function createOperatorHolder(
  merchantId: string,
  prepare?: (cookie: string) => Promise<unknown>,
): Promise<Holder> {
  const { send, cookie } = await createOperatorSession()
  await prepare?.(cookie)
  return { send, base: `/admin/merchants/${merchantId}` }
}

/** An operator with a passkey. */
async function createPersonHolder(merchantId: string, role: 'admin' | 'support', isStale: boolean): Promise<Holder> {
  const { send, cookie } = await createOperator(role)
  if (isStale) await makeStale(cookie)
  return { send, base: `/admin/merchants/${merchantId}` }
}

const all = { mode: 'live', scopes }
/** Makes a session one that Cloudflare Access started while there was no admin. */
const forgetToken = () =>
  env.DB.batch(
    [
      'delete from operator_sessions where operator_id is not null',
      'delete from operators',
      'update operator_sessions set asserted_at = null',
    ].map((sql) => env.DB.prepare(sql)),
  )

/** Every credential of the service, by its name. */
export const holders: Readonly<Record<string, (merchantId: string) => Promise<Holder>>> = {
  'operator: token': async (id) => ({
    send: (method, path, json, more) => call(method, path, adminToken, json, { ...sameOrigin, ...more }),
    base: `/admin/merchants/${id}`,
  }),
  'operator: session by token, new': (id) => createOperatorHolder(id),
  'operator: session by token, old': (id) => createOperatorHolder(id, makeStale),
  'operator: session by Access': (id) => createOperatorHolder(id, forgetToken),
  ...Object.fromEntries(
    (['admin', 'support'] as const).flatMap((role) =>
      [false, true].map((isStale) => [
        `operator: ${role}, ${isStale ? 'old' : 'new'} assertion`,
        (id: string) => createPersonHolder(id, role, isStale),
      ]),
    ),
  ),
  'key: all scopes': (id) => createKeyHolder(id, all),
  'key: all scopes, with an end': (id) => createKeyHolder(id, { ...all, expiresAt: inAnHour() }),
  'key: all scopes, test mode': (id) => createKeyHolder(id, { ...all, mode: 'test' }),
  'key: default scopes': (id) => createKeyHolder(id, { mode: 'live' }),
  'session of a key: all scopes': (id) => createKeySession(id, all),
  'session of a key: all scopes, with an end': (id) => createKeySession(id, { ...all, expiresAt: inAnHour() }),
  'session of a key: default scopes': (id) => createKeySession(id, { mode: 'live' }),
  ...Object.fromEntries(
    ['owner', 'manager', 'staff', 'developer'].flatMap((role) =>
      [false, true].map((isStale) => [
        `${role}: ${isStale ? 'old' : 'new'} assertion`,
        (id: string) => createMemberHolder(id, role, isStale),
      ]),
    ),
  ),
  ...Object.fromEntries(
    (['read', 'write'] as const).map((access) => [
      `support: ${access}`,
      async (id: string) => {
        const owner = await createMember(id)
        await owner.to('POST', '', { supportAccess: access })
        const { request } = await openVenue(await createOperator('admin'), id)
        return { send: request, base: `/merchants/${id}` }
      },
    ]),
  ),
  nobody: async (id) => ({
    send: (method, path, json, more) => call(method, path, undefined, json, { ...sameOrigin, ...more }),
    base: `/merchants/${id}`,
  }),
}
