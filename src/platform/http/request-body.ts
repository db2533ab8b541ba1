import type { Context, MiddlewareHandler } from 'hono'
import { repeatOldChecks } from '../auth/authenticate.ts'
import { ApiError } from '../errors.ts'
import { toCanonicalJson } from '../lib/encoding/canonical-json.ts'
import { isObject } from '../lib/schema-guard.ts'
import { withTimeout } from '../lib/time.ts'
import type { Env } from './context.ts'
import { bodyTooLarge } from './exact-json.ts'
import { limits } from './fields.ts'
import {
  type BodyRules,
  type ParsedBody,
  parseExactly,
  parseFields,
  parseUpsert,
  type UpsertBodies,
} from './validation.ts'

const mediaType = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i

/** Reads a body. Throws `body_too_large` as soon as it exceeds the limit. Repeats the checks of rights after a slow one. */
export async function readBytes(c: Context<Env>, maxBytes: number = limits.bodyBytes): Promise<Uint8Array> {
  const bytes = await readAll(c.req.raw, maxBytes)
  await repeatOldChecks(c)
  return bytes
}

async function readAll(request: Request, maxBytes: number): Promise<Uint8Array> {
  const declared = request.headers.get('content-length')
  if (Number(declared ?? 0) > maxBytes) throw bodyTooLarge(maxBytes)
  if (declared !== null) {
    // HTTP never delivers more than the declared length, so the body can be read in one call.
    const bytes = new Uint8Array(await request.arrayBuffer())
    if (bytes.length > maxBytes) throw bodyTooLarge(maxBytes)
    return bytes
  }
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of request.body?.values({ preventCancel: true }) ?? []) {
    length += chunk.byteLength
    if (length > maxBytes) throw bodyTooLarge(maxBytes)
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

/** Reads the JSON object of a body: its value, its text and its bytes, which may have been read already. */
async function readJson(c: Context<Env>, maxBytes?: number): Promise<[Record<string, unknown>, string, Uint8Array]> {
  const request = c.req.raw
  const encoding = request.headers.get('content-encoding') ?? 'identity'
  if (!mediaType.test(request.headers.get('content-type') ?? '') || encoding !== 'identity') {
    throw new ApiError('unsupported_media_type', 'The body must be sent as application/json, in UTF-8, unencoded.')
  }
  const bytes = c.get('body') ?? (await readBytes(c, maxBytes))
  try {
    const text = decoder.decode(bytes)
    const body: unknown = JSON.parse(text)
    if (isObject(body)) return [body, text, bytes]
  } catch {
    // The error below says what is expected.
  }
  throw new ApiError('malformed_body', 'The body must be a JSON object in UTF-8.')
}

/** Reads a body of at most `maxBytes`. Hono's own validator reads a body without a JSON content type as `{}`. */
const readBody =
  <In extends object, Out extends object>(
    parse: (body: Record<string, unknown>, text: string) => Out,
    maxBytes?: number,
    getMeaning: (parsed: Out, body: object) => unknown = (_, body) => body,
  ): MiddlewareHandler<Env, string, { in: { json: In }; out: { json: Out } }> =>
  async (c, next) => {
    const [body, text, bytes] = await readJson(c, maxBytes)
    c.set('body', bytes)
    const parsed = parse(body, text)
    c.req.addValidatedData('json', parsed)
    c.set('meaning', () => {
      try {
        const meaning = getMeaning(parsed, body)
        return meaning === undefined ? undefined : toCanonicalJson(meaning)
      } catch (error) {
        // Not recursive, because the client decides the depth.
        if (error instanceof RangeError) return undefined
        throw error
      }
    })
    await next()
  }

/** Canonical text of a body. Undefined for an invalid body, which is rejected. */
const toMeaning =
  <In>({ toMeaning = ({ patch }) => patch }: BodyRules<In>) =>
  (parsed: ParsedBody): unknown =>
    parsed.issues.length > 0 ? undefined : toMeaning(parsed)

/** Validates a body. The handler gets the issues of its fields, to which it can add others. */
export const jsonBody = <In extends object>(rules: BodyRules<In>, maxBytes?: number) =>
  readBody<In, ParsedBody>((body) => parseFields(rules, body), maxBytes, toMeaning(rules))

/** Validates a body that may be empty. */
export const optionalJsonBody = <In extends object>(
  rules: BodyRules<In>,
): MiddlewareHandler<Env, string, { in: { json: In }; out: { json: ParsedBody } }> => {
  const parse = jsonBody(rules)
  return async (c, next) => {
    const bytes = await readBytes(c)
    c.set('body', bytes)
    if (bytes.length > 0) return parse(c, next)
    c.req.addValidatedData('json', parseFields(rules, {}))
    await next()
  }
}

/** Validates a body for an operation that stores the text of its members. */
export const exactBody = <In extends object>(rules: BodyRules<In>, maxBytes?: number) =>
  readBody<In, ParsedBody>((body, text) => parseExactly(rules, body, text), maxBytes, toMeaning(rules))

/** Validates the body of an upsert. */
export const upsertBody = <In extends object>(rules: BodyRules<In>) =>
  readBody<In, UpsertBodies>((body) => parseUpsert(rules, body))

/** Maximum number of bytes that are read of an unused body. Exceeds the largest file that any operation accepts. */
const drainLimits = { bytes: 64 * 1024 * 1024, ms: 30_000 } as const

async function readRest(body: ReadableStream<Uint8Array>): Promise<void> {
  let bytes = 0
  for await (const chunk of body.values({ preventCancel: true })) {
    bytes += chunk.byteLength
    if (bytes > drainLimits.bytes) return
  }
}

/**
 * Returns an error response after the rest of its request was read. Most clients send the whole body before they read. If the connection closes
 * earlier, they report a reset and not the response.
 */
export async function respondBehindBody(
  { body }: Request,
  responding: Response | Promise<Response>,
): Promise<Response> {
  const response = await responding
  if (!body || body.locked || response.status < 400) return response
  await withTimeout(
    drainLimits.ms,
    // A client that hangs up gets no response anyway.
    readRest(body).catch(() => undefined),
  )
  return response
}
