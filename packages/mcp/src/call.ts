import type { Operation } from './document.ts'

/** The part of a service binding that is used. */
export interface Api {
  fetch(request: Request): Promise<Response>
}

/** Longest response that a tool returns, in characters. Lists take `limit`. */
export const maxResultLength = 100_000
const timeoutMs = 30_000

/** An error that the caller can correct. */
export class CallError extends Error {
  override readonly name = 'CallError'
}

/** Arguments of a call of an operation. */
export interface CallInput {
  parameters?: Record<string, string | number | boolean> | undefined
  body?: unknown
  idempotencyKey?: string | undefined
  ifMatch?: string | undefined
}

/** Whether an operation stores nothing. A POST that does takes no `Idempotency-Key`: repeating it has no effect. */
export const isRead = ({ method, parameters }: Operation) =>
  method === 'get' || (method === 'post' && !parameters.some(({ name }) => name === 'Idempotency-Key'))

/** Puts parameters into the path and the query of an operation. Names that the document does not have are rejected. */
function createUrl(
  operation: Operation,
  origin: string,
  given: Readonly<Record<string, string | number | boolean>>,
): URL {
  const known = operation.parameters.filter((each) => each.in === 'path' || each.in === 'query')
  const unknown = Object.keys(given).filter((name) => !known.some((each) => each.name === name))
  const missing = known.filter(({ name, required }) => required && given[name] === undefined)
  if (unknown.length > 0) {
    throw new CallError(
      `Unknown parameters: ${unknown.join(', ')}. Known: ${known.map(({ name }) => name).join(', ')}.`,
    )
  }
  if (missing.length > 0) throw new CallError(`Missing parameters: ${missing.map(({ name }) => name).join(', ')}.`)
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(given[name])
    // These would lead to another path.
    if (/^\.{0,2}$/.test(value)) throw new CallError(`${name} must not be ${JSON.stringify(value)}.`)
    return encodeURIComponent(value)
  })
  const url = new URL(path, origin)
  for (const { name, in: place } of known) {
    if (place === 'query' && given[name] !== undefined) url.searchParams.set(name, String(given[name]))
  }
  return url
}

/** What the API reads of the caller: the origin of addresses, the key, and the address for rate limits. */
export interface Credentials {
  origin: string
  authorization: string | null
  address: string | null
}

/** The response of the API, for the model. */
export interface CallResult extends Record<string, unknown> {
  status: number
  /** Query of the next page of a list. */
  next?: string
  etag?: string
  body: unknown
}

/** Reads JSON and text. Other content is described, not returned. */
async function readBody(response: Response): Promise<unknown> {
  const type = response.headers.get('content-type') ?? ''
  if (!/json|^text\//.test(type)) {
    const bytes = (await response.arrayBuffer()).byteLength
    return bytes === 0 ? null : `${type}, ${bytes} bytes`
  }
  const text = await response.text()
  if (text.length > maxResultLength) {
    throw new CallError(`The response has ${text.length} characters. Use a smaller limit, or filters.`)
  }
  return /json$|json;/.test(type) && !type.includes('jsonl') ? JSON.parse(text) : text
}

/** Calls an operation with the authorization of the request. */
export async function callOperation(
  api: Api,
  operation: Operation,
  { parameters = {}, body, idempotencyKey, ifMatch }: CallInput,
  { origin, authorization, address }: Credentials,
): Promise<CallResult> {
  const headers = new Headers({ accept: 'application/json' })
  if (authorization !== null) headers.set('authorization', authorization)
  if (address !== null) headers.set('cf-connecting-ip', address)
  if (ifMatch !== undefined) headers.set('if-match', ifMatch)
  if (operation.method === 'post' && idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey)
  const takesBody = operation.requestBody?.content['application/json'] !== undefined
  if (body !== undefined && !takesBody) throw new CallError('The operation takes no JSON body.')
  if (takesBody) headers.set('content-type', 'application/json')
  const request = new Request(createUrl(operation, origin, parameters), {
    method: operation.method.toUpperCase(),
    headers,
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
    ...(takesBody && { body: JSON.stringify(body ?? {}) }),
  })
  const response = await api.fetch(request)
  const next = /<([^>]*)>[^<]*;\s*rel="?next\b/i.exec(response.headers.get('link') ?? '')?.[1]
  const etag = response.headers.get('etag')
  return {
    status: response.status,
    ...(next !== undefined && { next: new URL(next, origin).search }),
    ...(etag !== null && { etag }),
    body: await readBody(response),
  }
}
