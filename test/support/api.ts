import { exports } from 'cloudflare:workers'

export const origin = 'https://api.test'
export const adminToken = 'test-admin-token'

export interface ApiResponse {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: contract tests look into whatever came back
  body: any
}

/** Called with the method and the path of each request. */
export const requestListeners = new Set<(method: string, path: string) => void>()

/** Sends a request as it is, for tests that `call` does not fit. */
export async function send(path: string, init: RequestInit = {}): Promise<ApiResponse> {
  for (const listener of requestListeners) listener(init.method ?? 'GET', path)
  const response = await exports.default.fetch(new Request(new URL(path, origin), { redirect: 'manual', ...init }))
  // `text()` warns about types that it does not know as text.
  const text = new TextDecoder().decode(await response.arrayBuffer())
  const isJson = /json\b/.test(response.headers.get('content-type') ?? '')
  return { status: response.status, headers: response.headers, body: isJson && text !== '' ? JSON.parse(text) : text }
}

/** Sends a JSON request. Untyped on purpose: contract tests send the same requests to every resource. */
export function call(
  method: string,
  path: string,
  token: string | undefined,
  body?: unknown,
  headers: Record<string, string> = {},
) {
  return send(path, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

/** The issues of a `422`, sorted, each with its pointer or parameter and its code. Other responses: their status and code. */
export const toIssues = ({ status, body }: ApiResponse): string[] =>
  status === 422
    ? body.errors
        .map((issue: Record<string, string>) => `${issue['pointer'] ?? issue['parameter']} ${issue['code']}`)
        .sort()
    : [`${status} ${body.code}`]

/** Creates a merchant and a key. Returns functions that send requests with this key. */
export async function createVenue({
  mode = 'live',
  ...merchant
}: {
  mode?: 'live' | 'test'
  [field: string]: unknown
} = {}) {
  const created = await call('POST', '/admin/merchants', adminToken, { name: 'Venue', currency: 'EUR', ...merchant })
  const id: string = created.body.id
  return { id, ...(await createKey(id, { mode })) }
}

const json = { 'content-type': 'application/json' }

/** Creates a key of a merchant. Returns functions that send requests with it, to paths relative to `/merchants/:merchantId`. */
export async function createKey(merchantId: string, options: object) {
  const { body } = await call('POST', `/admin/merchants/${merchantId}/keys`, adminToken, options)
  const key: string = body.key
  const path = (relative: string) => `/merchants/${merchantId}${relative}`
  const request = (method: string, relative: string, json?: unknown, headers?: Record<string, string>) =>
    call(method, path(relative), key, json, headers)
  return {
    key,
    keyId: body.id as string,
    path,
    get: (relative: string, headers?: Record<string, string>) => request('GET', relative, undefined, headers),
    post: (relative: string, json: unknown, headers?: Record<string, string>) =>
      request('POST', relative, json, headers),
    remove: (relative: string, headers?: Record<string, string>) => request('DELETE', relative, undefined, headers),
    request,
    /** A POST with this body and these headers. */
    raw: (relative: string, content: BodyInit | null, headers: Record<string, string> = json) =>
      send(path(relative), { method: 'POST', body: content, headers: { authorization: `Bearer ${key}`, ...headers } }),
  }
}
export type Venue = Awaited<ReturnType<typeof createVenue>>
