import type { MiddlewareHandler } from 'hono'
import { ApiError } from '../errors.ts'
import { isObject } from '../lib/schema-guard.ts'
import type { Env } from './context.ts'
import { bodyTooLarge } from './exact-json.ts'
import { limits } from './fields.ts'
import { idempotent } from './idempotency.ts'
import { type BodyRules, type ParsedBody, parseExactly, parseFields } from './validation.ts'

const mediaType = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i

/** The body of a request, at most 256 KiB of it in memory. */
async function readBytes(request: Request): Promise<Uint8Array> {
  const declared = request.headers.get('content-length')
  if (Number(declared ?? 0) > limits.bodyBytes) throw bodyTooLarge()
  if (declared !== null) {
    // Over HTTP no more comes than is declared, so it can be taken at once.
    const bytes = new Uint8Array(await request.arrayBuffer())
    if (bytes.length > limits.bodyBytes) throw bodyTooLarge()
    return bytes
  }
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of request.body ?? []) {
    length += chunk.byteLength
    if (length > limits.bodyBytes) throw bodyTooLarge()
    chunks.push(chunk)
  }
  const [only = new Uint8Array()] = chunks
  if (chunks.length <= 1) return only
  const bytes = new Uint8Array(length)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.byteLength
  }
  return bytes
}
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** The JSON object a request carries. */
async function readJson(request: Request): Promise<[Record<string, unknown>, Uint8Array, string]> {
  const encoding = request.headers.get('content-encoding') ?? 'identity'
  if (!mediaType.test(request.headers.get('content-type') ?? '') || encoding !== 'identity') {
    throw new ApiError('unsupported_media_type', 'The body must be sent as application/json, in UTF-8, unencoded.')
  }
  const bytes = await readBytes(request)
  let body: unknown
  let text: string
  try {
    text = decoder.decode(bytes)
    body = JSON.parse(text)
  } catch {
    throw new ApiError('malformed_body', 'The body is not JSON in UTF-8.')
  }
  if (!isObject(body)) throw new ApiError('malformed_body', 'The body is JSON, but not an object.')
  return [body, bytes, text]
}

/**
 * Reads and checks a body. Field faults do not throw: the operation adds what else is wrong before it answers.
 * Hono's own validator is not used here: it takes a body without a JSON content type for `{}`.
 */
export const jsonBody =
  <In extends object>(
    rules: BodyRules<In>,
  ): MiddlewareHandler<Env, string, { in: { json: In }; out: { json: ParsedBody } }> =>
  async (c, next) => {
    const [parsed, bytes] = await readJson(c.req.raw)
    c.req.addValidatedData('json', parseFields(rules, parsed))
    await idempotent(c, bytes, next)
  }

/** The same for an operation that keeps the text of the body's members. */
export const exactBody =
  <In extends object>(
    rules: BodyRules<In>,
  ): MiddlewareHandler<Env, string, { in: { json: In }; out: { json: ParsedBody } }> =>
  async (c, next) => {
    const [given, bytes, text] = await readJson(c.req.raw)
    c.req.addValidatedData('json', parseExactly(rules, given, text))
    await idempotent(c, bytes, next)
  }

/** For a POST that takes no body: what is sent all the same tells whether it is the same request that comes again. */
export const noBody: MiddlewareHandler<Env> = async (c, next) =>
  c.req.header('idempotency-key') === undefined ? next() : idempotent(c, await readBytes(c.req.raw), next)
