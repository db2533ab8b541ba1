import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { scopes } from '../../../../src/platform/auth/api-keys.ts'
import { checkLife } from '../../../../src/platform/auth/authenticate.ts'
import { platformScopes } from '../../../../src/platform/auth/operator/platform-keys.ts'
import { createSession } from '../../../admin/account/session-requests.ts'
import { openVenue } from '../../../admin/account/support/support-venue.ts'
import { type ApiResponse, adminToken, call, createKey, send } from '../../../support/api.ts'
import { createMember, sameOrigin } from '../../../support/authenticator.ts'
import { createOperator } from '../../../support/operators.ts'
import { createTestWorker } from '../../../support/test-worker.ts'

const worker = createTestWorker()

const { ms, streamMs } = checkLife
/** Lets the checks of all requests that have started be too old. `restoreChecks` undoes it. */
export const outdateChecks = () => Object.assign(checkLife, { ms: -1, streamMs: -1 })
export const restoreChecks = () => Object.assign(checkLife, { ms, streamMs })

/** How long requests have to reach their bodies, in milliseconds. */
const arrivalMs = 200
export const letArrive = () => scheduler.wait(arrivalMs)

/** Sends a request that reaches the body of it, and waits until the Worker reads it. Returns a function that sends the body. */
export async function startReading(method: string, path: string, headers: Record<string, string>, text: string) {
  const [held, reached] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        reached.resolve()
        await held.promise
        controller.enqueue(new TextEncoder().encode(text))
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  // Not by `send`: between two Workers, the platform reads bodies ahead.
  const responding = worker.fetch(path, {
    method,
    body,
    headers: { 'content-type': 'application/json', ...headers },
  })
  await Promise.race([reached.promise, responding])
  return (): Promise<ApiResponse> => {
    held.resolve()
    return responding
  }
}

/** Sends a request without its body. Returns a function that sends the body. */
export function startSlowly(method: string, path: string, headers: Record<string, string>, text: string) {
  const held = Promise.withResolvers<void>()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await held.promise
      controller.enqueue(new TextEncoder().encode(text))
      controller.close()
    },
  })
  const responding = send(path, { method, body, headers: { 'content-type': 'application/json', ...headers } })
  return (): Promise<ApiResponse> => {
    held.resolve()
    return responding
  }
}

/** A credential: its headers, and the rows that it depends on. */
export interface Slow {
  headers: Record<string, string>
  /** Table and id of the key, the member or the operator. */
  owner: readonly [table: string, id: string]
  /** Table and id of the session, or of the key. */
  ending: readonly [table: string, id: string]
}
type Kind = (merchantId: string) => Promise<Slow>

const bearer = (key: string) => ({ authorization: `Bearer ${key}`, ...sameOrigin })
const sessionOf = async (cookie: string): Promise<string> => {
  const { body } = await call('GET', '/console/session', undefined, undefined, { cookie, ...sameOrigin })
  return body.id
}
const member =
  (role: string): Kind =>
  async (merchantId) => {
    const { userId, cookie } = await createMember(merchantId, role)
    return {
      headers: { cookie, ...sameOrigin },
      owner: ['users', userId],
      ending: ['sessions', await sessionOf(cookie)],
    }
  }
const operator =
  (role: 'admin' | 'support'): Kind =>
  async () => {
    const { id, session, cookie } = await createOperator(role)
    return { headers: { cookie, ...sameOrigin }, owner: ['operators', id], ending: ['operator_sessions', session] }
  }

/** Every credential that can end, by its name. */
export const credentials = {
  key: async (merchantId) => {
    const { key, keyId } = await createKey(merchantId, { mode: 'live', scopes })
    return { headers: bearer(key), owner: ['keys', keyId], ending: ['keys', keyId] }
  },
  'test key': async (merchantId) => {
    const { key, keyId } = await createKey(merchantId, { mode: 'test', scopes })
    return { headers: bearer(key), owner: ['keys', keyId], ending: ['keys', keyId] }
  },
  'session of a key': async (merchantId) => {
    const { key, keyId } = await createKey(merchantId, { mode: 'live', scopes })
    const { cookie, id: session } = await createSession(key)
    return { headers: { cookie, ...sameOrigin }, owner: ['keys', keyId], ending: ['sessions', session] }
  },
  owner: member('owner'),
  manager: member('manager'),
  staff: member('staff'),
  developer: member('developer'),
  support: async (merchantId) => {
    await env.DB.prepare(`update merchants set support_access = 'write' where id = ?`).bind(merchantId).run()
    const person = await createOperator('support')
    const { id: session, cookie } = await openVenue(person, merchantId)
    return { headers: { cookie, ...sameOrigin }, owner: ['operators', person.id], ending: ['sessions', session] }
  },
  'admin operator': operator('admin'),
  'support operator': operator('support'),
  'session of the token': async () => {
    const { headers, body } = await call('POST', '/console/operator', undefined, { token: adminToken }, sameOrigin)
    const cookie = headers.get('set-cookie')?.split(';')[0] ?? ''
    return { headers: { cookie, ...sameOrigin }, owner: ['operators', ''], ending: ['operator_sessions', body.id] }
  },
  'platform key': async () => {
    const { body } = await call('POST', '/admin/keys', adminToken, { title: 'Sync', scopes: platformScopes })
    return { headers: bearer(body.key), owner: ['platform_keys', body.id], ending: ['platform_keys', body.id] }
  },
} satisfies Readonly<Record<string, Kind>>

/** Runs a statement as another isolate does: this one clears no cache. */
export async function runElsewhere(sql: string, ...values: readonly unknown[]): Promise<void> {
  const { meta } = await env.DB.prepare(sql)
    .bind(...values)
    .run()
  expect(meta.changes).toBeGreaterThan(0)
}
