import type { Context, MiddlewareHandler, Next } from 'hono'
import { ApiError } from '../errors.ts'
import { encodeBase32 } from '../lib/encoding/base32.ts'
import { fingerprint } from '../lib/encoding/fnv1a.ts'
import type { Env } from './context.ts'

const utf8 = new TextEncoder()

/** Returns a strong entity tag for a text (RFC 9110, 8.8.3). */
export async function createEtag(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', utf8.encode(text))
  return `"${encodeBase32(new Uint8Array(digest).subarray(0, 10))}"`
}

/**
 * Returns the entity tag of an object: its version, which `If-Match` compares, and a digest of what a retrieve returns. Some of that
 * has no version: addresses, tokens, and fields that a later release adds.
 */
export const createStateTag = (version: number, shown: object) => createTextTag(version, JSON.stringify(shown))

/** The same for the JSON text of what a retrieve returns. */
export const createTextTag = (version: number, json: string) => `"${version}-${fingerprint(json)}"`

/** Entity tags in a header. Ignores everything else. */
const parseTags = (header: string): readonly string[] => header.match(/(?:W\/)?"[^"]*"/g) ?? []

/** Whether `If-None-Match` contains an entity tag. Weak tags match too (RFC 9110, 8.8.3.2). */
export function isNotModified(etag: string, { headers }: Request): boolean {
  const ifNoneMatch = headers.get('if-none-match') ?? ''
  return ifNoneMatch.trim() === '*' || parseTags(ifNoneMatch).some((tag) => tag.replace(/^W\//, '') === etag)
}

/** Condition on the version of an object that a request changes: one of these versions, or none of them. */
export interface Precondition {
  versions: readonly number[]
  wanted: boolean
}

const parseVersions = (header: string) =>
  parseTags(header).flatMap((tag) => {
    const [, version] = /^"(\d+)-/.exec(tag) ?? []
    return version === undefined ? [] : [Number(version)]
  })

/** The condition of an `If-Match` header. `*` is none. A tag that is weak or not of this service matches nothing. */
export const parseIfMatch = (header: string): Precondition | undefined =>
  header.trim() === '*' ? undefined : { versions: parseVersions(header), wanted: true }

/**
 * Reads the precondition of a request that changes an object. A weak tag, a foreign tag and invalid text match no version, so that a
 * conditional change is never made unconditionally.
 */
export function getPrecondition(c: Context): Precondition | undefined {
  const [match, noneMatch] = [c.req.header('if-match'), c.req.header('if-none-match')]
  if (match !== undefined) return parseIfMatch(match)
  if (noneMatch === undefined) return undefined
  if (noneMatch.trim() === '*') return { versions: [], wanted: true }
  return { versions: parseVersions(noneMatch.replaceAll('W/', '')), wanted: false }
}

/** Whether a request requires that the object exists: `If-Match` is never met by an unknown one (RFC 9110, 13.1.1). */
export const requiresExistence = (c: Context): boolean => c.req.header('if-match') !== undefined

/** Whether an object at this version meets the condition. */
export const isPreconditionMet = ({ versions, wanted }: Precondition, version: number) =>
  versions.includes(version) === wanted

/** The error of a request whose `If-Match` or `If-None-Match` is not met. */
export const preconditionFailed = () =>
  new ApiError('precondition_failed', 'The object is not, or no longer, in the state that the request names.')

/** Middleware of a retrieve: returns `304` if the client has the current state, and `412` if `If-Match` names another state. */
export const revalidate: MiddlewareHandler<Env> = (c, next) => {
  const isConditional = ['if-match', 'if-none-match'].some((name) => c.req.header(name) !== undefined)
  return isConditional ? compareTag(c, next) : next()
}

async function compareTag(c: Context<Env>, next: Next): Promise<void> {
  await next()
  const tag = c.res.headers.get('etag')
  if (tag === null) return
  const wanted = c.req.header('if-match')?.trim() ?? '*'
  if (wanted !== '*' && !parseTags(wanted).includes(tag)) throw preconditionFailed()
  if (!isNotModified(tag, c.req.raw)) return
  // A response that replaces another one inherits its headers.
  c.res = undefined
  c.res = new Response(null, { status: 304, headers: { etag: tag } })
}
