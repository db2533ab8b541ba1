import type { Operation } from './document.ts'

/** The used part of a service binding. */
export interface Api {
  fetch(request: Request): Promise<Response>
}

/** Maximum length of a tool's response, in characters. Lists take `limit`. */
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

const takesKey = ({ parameters }: Operation) => parameters.some(({ name }) => name === 'Idempotency-Key')
/** Whether an operation stores nothing. Such a POST ignores `Idempotency-Key`: repeating it has no effect. */
export const isRead = (operation: Operation) =>
  operation.method === 'get' || (operation.method === 'post' && !takesKey(operation))

/** Puts parameters into the path and the query of an operation. Rejects names that are not in the document. */
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

/** Data of the caller that the API reads: the origin of addresses, the key, and the address for rate limits. */
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
  /** Key of a POST: a repeated call with it takes effect once. Absent if the call was rejected. */
  idempotencyKey?: string
  body: unknown
}

/**
 * Reads JSON and text. Other content is described and not returned. The same applies to a long response to a write, which was already carried out.
 */
async function readBody(response: Response, isWrite: boolean): Promise<unknown> {
  const type = response.headers.get('content-type') ?? ''
  if (!/json|^text\//.test(type)) {
    const bytes = (await response.arrayBuffer()).byteLength
    return bytes === 0 ? null : `${type}, ${bytes} bytes`
  }
  const text = await response.text()
  if (text.length > maxResultLength) {
    const size = `The response has ${text.length} characters`
    if (!isWrite) throw new CallError(`${size}. Use a smaller limit, or filters.`)
    return `${size} and is left out.${response.ok ? ' The call was carried out: do not repeat it.' : ''}`
  }
  return /json$|json;/.test(type) && !type.includes('jsonl') ? JSON.parse(text) : text
}

/** Calls an operation with the authorization of the request. Throws `CallError` if it is not known whether a write took effect. */
export async function callOperation(
  api: Api,
  operation: Operation,
  { parameters = {}, body, idempotencyKey, ifMatch }: CallInput,
  { origin, authorization, address }: Credentials,
): Promise<CallResult> {
  // Without this header, the service would count the call as the scan of a guest.
  const headers = new Headers({ accept: 'application/json', 'user-agent': 'merchant-ordering-mcp (bot)' })
  if (authorization !== null) headers.set('authorization', authorization)
  if (address !== null) headers.set('cf-connecting-ip', address)
  if (ifMatch !== undefined) headers.set('if-match', ifMatch)
  const key = takesKey(operation) ? (idempotencyKey ?? crypto.randomUUID()) : undefined
  if (key !== undefined) headers.set('idempotency-key', key)
  const takesBody = operation.requestBody?.content['application/json'] !== undefined
  if (body !== undefined && !takesBody) throw new CallError('The operation does not accept a JSON body.')
  if (takesBody) headers.set('content-type', 'application/json')
  const request = new Request(createUrl(operation, origin, parameters), {
    method: operation.method.toUpperCase(),
    headers,
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
    ...(takesBody && { body: JSON.stringify(body ?? {}) }),
  })
  try {
    const response = await api.fetch(request)
    const { status } = response
    const next = /<([^>]*)>[^<]*;\s*rel="?next\b/i.exec(response.headers.get('link') ?? '')?.[1]
    const etag = response.headers.get('etag')
    const isRejected = status >= 400 && status < 500
    return {
      status,
      ...(next !== undefined && { next: new URL(next, origin).search }),
      ...(etag !== null && { etag }),
      ...(key !== undefined && !isRejected && { idempotencyKey: key }),
      body: await readBody(response, !isRead(operation)),
    }
  } catch (error) {
    if (isRead(operation)) throw error
    const repeat =
      key === undefined
        ? 'Read the object before you repeat it.'
        : `Repeat it with "idempotencyKey": ${JSON.stringify(key)}, so that it takes effect once.`
    throw new CallError(`No complete response arrived: ${error}. The call may have taken effect. ${repeat}`)
  }
}
