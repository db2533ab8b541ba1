import { env, exports } from 'cloudflare:workers'
import { afterEach, beforeAll, vi } from 'vitest'
import { createVenue, origin, type Venue } from '../../support/api.ts'

/** The merchant of the test file, created by `useVenue`. */
export let venue: Venue
let created = 0
/** A number that no other call returns. */
export const nextNumber = () => ++created
export const newKey = () => `key-${nextNumber()}-${crypto.randomUUID()}`

/** Creates a merchant for the tests of a file, and restores the clock after each of them. */
export function useVenue() {
  beforeAll(async () => {
    venue = await createVenue()
  })
  afterEach(() => {
    vi.useRealTimers()
  })
}

interface Plain {
  status: number
  headers: Record<string, string>
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
  body: any
  isReplayed: boolean
}

export async function read(response: Response): Promise<Plain> {
  const { 'request-id': _, 'd1-bookmark': __, ...headers } = Object.fromEntries(response.headers)
  const text = await response.text()
  const isReplayed = headers['idempotent-replayed'] === 'true'
  return { status: response.status, headers, text, body: text === '' ? undefined : JSON.parse(text), isReplayed }
}

/** The parts of a response that are the same when it is replayed. */
export const toReplayed = ({ status, text, headers: { 'idempotent-replayed': _, ...headers } }: Plain) => ({
  status,
  text,
  headers,
})

/** Sends a POST with an `Idempotency-Key`. */
export async function post(
  path: string,
  json: unknown,
  key?: string,
  token = venue.key,
  more: Record<string, string> = {},
) {
  const request = new Request(new URL(path, origin), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...more,
    },
    ...(json === undefined ? {} : { body: typeof json === 'string' ? json : JSON.stringify(json) }),
  })
  return read(await exports.default.fetch(request))
}
export const postToVenue = (relative: string, json: unknown, key?: string, more?: Record<string, string>) =>
  post(venue.path(relative), json, key, venue.key, more)

/** Sends one request after the other with one key. Returns whether each got the response of the first, or its code. */
export async function repeat(path: string, bodies: readonly unknown[], queries: readonly string[] = ['']) {
  const key = newKey()
  const results: string[] = []
  for (const body of bodies) {
    for (const query of queries) {
      const { status, isReplayed, body: found } = await post(venue.path(`${path}${query}`), body, key)
      results.push(isReplayed ? 'replayed' : status < 300 ? 'made' : found.code)
    }
  }
  return results
}
/** Results of `repeat` if only the first request takes effect. */
export const made = (count: number) => ['made', ...Array(count).fill('replayed')]

export const count = async (table: string, where = '1') =>
  (await env.DB.prepare(`select count(*) as n from ${table} where ${where}`).first<{ n: number }>())?.n
export const countKeys = () => count('idempotency_keys')

export const createWebhook = async (fields: object = {}) =>
  (
    await postToVenue('/webhooks', {
      title: 'Till',
      url: 'https://hooks.example.com/a',
      events: ['order.created'],
      ...fields,
    })
  ).body

export const admin = '/admin/merchants'
