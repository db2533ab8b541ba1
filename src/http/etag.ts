import type { Context, MiddlewareHandler } from 'hono'
import { ApiError } from '../errors.ts'
import { encodeBase32 } from '../lib/encoding/base32.ts'
import { fingerprint } from '../lib/encoding/fnv1a.ts'
import type { Env } from './context.ts'

const utf8 = new TextEncoder()

/** A strong entity tag of what a text stands for (RFC 9110, 8.8.3). */
export async function createEtag(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', utf8.encode(text))
  return `"${encodeBase32(new Uint8Array(digest).subarray(0, 10))}"`
}

/**
 * The entity tag of an object: its version, which `If-Match` is compared by, and a digest of all that a retrieval shows of it,
 * part of which has no version: addresses, tokens, and fields that a later release adds.
 */
export const createStateTag = (version: number, shown: object) => `"${version}-${fingerprint(JSON.stringify(shown))}"`

/** The entity tags of a list; what else is in the header names nothing. */
const parseTags = (header: string): readonly string[] => header.match(/(?:W\/)?"[^"]*"/g) ?? []

/** Whether the one who asks has kept what an entity tag stands for; weak tags are compared as well (RFC 9110, 8.8.3.2). */
export function isNotModified(etag: string, { headers }: Request): boolean {
  const ifNoneMatch = headers.get('if-none-match') ?? ''
  return ifNoneMatch.trim() === '*' || parseTags(ifNoneMatch).some((tag) => tag.replace(/^W\//, '') === etag)
}

/** What the version of an object must be for it to be changed: one of these, or none of them. */
export interface Precondition {
  versions: readonly number[]
  wanted: boolean
}

const parseVersions = (header: string) =>
  parseTags(header).flatMap((tag) => {
    const [, version] = /^"(\d+)-/.exec(tag) ?? []
    return version === undefined ? [] : [Number(version)]
  })

/**
 * What a request that changes an object says of its state. A tag that is weak or none of ours matches nothing, and so does
 * whatever is no tag: a change that was meant to be conditional is never made without its condition.
 */
export function getPrecondition(c: Context): Precondition | undefined {
  const [match, noneMatch] = [c.req.header('if-match'), c.req.header('if-none-match')]
  if (match !== undefined) return match.trim() === '*' ? undefined : { versions: parseVersions(match), wanted: true }
  if (noneMatch === undefined) return undefined
  if (noneMatch.trim() === '*') return { versions: [], wanted: true }
  return { versions: parseVersions(noneMatch.replaceAll('W/', '')), wanted: false }
}

export const isPreconditionMet = ({ versions, wanted }: Precondition, version: number) =>
  versions.includes(version) === wanted

export const preconditionFailed = () =>
  new ApiError('precondition_failed', 'The object is not, or no longer, in the state that the request names.')

/** Around the retrieval of one object: `304` to who has it already, `412` to who wants another state of it. */
export const revalidate: MiddlewareHandler<Env> = async (c, next) => {
  await next()
  const tag = c.res.headers.get('etag')
  if (tag === null) return
  const wanted = c.req.header('if-match')?.trim() ?? '*'
  if (wanted !== '*' && !parseTags(wanted).includes(tag)) throw preconditionFailed()
  if (!isNotModified(tag, c.req.raw)) return
  // What is set over another answer takes over its headers.
  c.res = undefined
  c.res = new Response(null, { status: 304, headers: { etag: tag } })
}
