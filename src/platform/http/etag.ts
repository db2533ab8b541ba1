import type { Context, MiddlewareHandler, Next } from 'hono'
import { ApiError } from '../errors.ts'
import { encodeBase32 } from '../lib/encoding/base32.ts'
import { fingerprint } from '../lib/encoding/fnv1a.ts'
import type { Env } from './context.ts'

const utf8 = new TextEncoder()

/** Returns a strong entity tag for a text, or for bytes, which need not be text (RFC 9110, 8.8.3). */
export async function createEtag(content: string | ArrayBuffer): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', typeof content === 'string' ? utf8.encode(content) : content)
  return `"${encodeBase32(new Uint8Array(digest).subarray(0, 10))}"`
}

/** A state of an object. A change with `If-Match` compares the fields that both sides have. */
export interface ObjectState {
  /** After a restore of earlier data, a version can be that of another state. */
  version: number
  /** Time of the last change, in seconds. */
  updatedAt?: number | undefined
  /** Digest of the object, if it has no time. */
  digest?: string | undefined
}

/** The state of an object with `updatedAt`. */
export const toState = (version: number, item: object): ObjectState => ({
  version,
  updatedAt: Number(Reflect.get(item, 'updatedAt')),
})

/** The state of an object that shows neither its time nor its version. */
export const toShownState = (version: number, shown: object): ObjectState => ({
  version,
  digest: fingerprint(JSON.stringify(shown)),
})

/**
 * Returns the entity tag of an object: its state, which `If-Match` compares, and a digest of what a retrieve returns. The version does not cover
 * addresses, tokens, and fields that a later release adds.
 */
export const createStateTag = (state: ObjectState, shown: object) => createTextTag(state, JSON.stringify(shown))

/** Returns the entity tag of an object from the JSON text of a retrieve. */
export const createTextTag = ({ version, updatedAt }: ObjectState, json: string) =>
  `"${version}-${updatedAt === undefined ? '' : `${updatedAt}.`}${fingerprint(json)}"`

/** The `If-Match` that an object meets as long as it has a version. */
export const toIfMatch = (version: number) => `"${version}-"`

/** Entity tags in a header, without the `W/` of weak ones: proxies that compress a response weaken its tag. Ignores everything else. */
const parseTags = (header: string): readonly string[] => header.match(/"[^"]*"/g) ?? []

/** Whether `If-None-Match` contains an entity tag. */
export function isNotModified(etag: string, { headers }: Request): boolean {
  const ifNoneMatch = headers.get('if-none-match') ?? ''
  return ifNoneMatch.trim() === '*' || parseTags(ifNoneMatch).includes(etag)
}

/** Condition on the state of an object that a request changes: one of these states, or none of them. */
export interface Precondition {
  states: readonly ObjectState[]
  wanted: boolean
}

const parseStates = (header: string) =>
  parseTags(header).flatMap((tag): ObjectState[] => {
    const [, version, updatedAt, digest] = /^"(\d+)-(?:(\d+)\.)?([^"]*)/.exec(tag) ?? []
    if (version === undefined) return []
    return [
      {
        version: Number(version),
        updatedAt: updatedAt === undefined ? undefined : Number(updatedAt),
        digest: digest === '' ? undefined : digest,
      },
    ]
  })

/** The condition of an `If-Match` header. `*` is no condition. A tag of another service matches nothing. */
export const parseIfMatch = (header: string): Precondition | undefined =>
  header.trim() === '*' ? undefined : { states: parseStates(header), wanted: true }

/**
 * Reads the precondition of a request that changes an object. A foreign tag and invalid text match no version, so that a conditional change never
 * becomes unconditional. A weak tag counts, although RFC 9110, 13.1.1, excludes it: a change compares states, not bytes.
 */
export function getPrecondition(c: Context): Precondition | undefined {
  const [match, noneMatch] = [c.req.header('if-match'), c.req.header('if-none-match')]
  if (match !== undefined) return parseIfMatch(match)
  if (noneMatch === undefined) return undefined
  if (noneMatch.trim() === '*') return { states: [], wanted: true }
  return { states: parseStates(noneMatch), wanted: false }
}

/** Whether a request requires that the object exists: an unknown object never meets `If-Match` (RFC 9110, 13.1.1). */
export const requiresExistence = (c: Context): boolean => c.req.header('if-match') !== undefined

const isSame = <Value>(one: Value | undefined, other: Value | undefined) =>
  one === undefined || other === undefined || one === other

/** Whether an object in this state meets the condition. */
export const isPreconditionMet = ({ states, wanted }: Precondition, state: ObjectState) =>
  states.some(
    ({ version, updatedAt, digest }) =>
      version === state.version && isSame(updatedAt, state.updatedAt) && isSame(digest, state.digest),
  ) === wanted

/** The error of a request whose `If-Match` or `If-None-Match` is not met. */
export const preconditionFailed = () =>
  new ApiError('precondition_failed', 'The object is not in the state that the request names.')

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
