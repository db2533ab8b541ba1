import { sql } from 'drizzle-orm'
import type { Context, MiddlewareHandler } from 'hono'
import * as z from 'zod/mini'
import { getOperatorTokens } from '../auth/operator/operator-tokens.ts'
import {
  type IdempotencyRecord,
  idempotencyStatements,
  isKeyInUseError,
  replaySeconds,
  rowCountMark,
  toPartId,
} from '../db/idempotency-keys.ts'
import { idempotencyKeyTable } from '../db/schema/idempotency-keys.ts'
import type { Scope } from '../db/scope.ts'
import { ApiError, invalid } from '../errors.ts'
import { concatenate } from '../lib/encoding/concatenate.ts'
import { hashKey } from '../lib/encoding/sha256.ts'
import { maxValueBytes } from '../lib/encoding/value-size.ts'
import { getIdForm } from '../lib/ids.ts'
import { nowInSeconds } from '../lib/time.ts'
import { resourceIdentities } from '../names.ts'
import { createAgeRetention } from '../purge-statements.ts'
import { HashedBody } from './bodies/hashed-body.ts'
import type { Env } from './context.ts'
import { readBytes } from './request-body.ts'

/** Characters of an `Idempotency-Key`. */
export const maxKeyLength = 255

/** A move does not compare stored responses, and its clean-up does not remove them: they expire at any home. */
export const keyRetention = createAgeRetention(idempotencyKeyTable, sql`true`)

const storedResponse = z.tuple([z.int(), z.array(z.tuple([z.string(), z.string()])), z.string()])
const utf8 = { encoder: new TextEncoder(), decoder: new TextDecoder() }
const ivBytes = 12
/** Placeholder that is stored for a response that is rendered from results of the transaction. */
const computedText = 'computed'

/** Encrypts responses so that only an identical request can decrypt them: some contain keys that are shown once. */
async function createSeal(secret: string, key: string, body: Uint8Array | HashedBody, query: string) {
  const prefix = utf8.encoder.encode(`${key}\0${secret}\0${query === '' ? '' : `${query}\0`}`)
  const isHashed = body instanceof HashedBody
  if (isHashed) await body.begin(prefix)
  const hash = isHashed ? () => body.finish() : () => crypto.subtle.digest('SHA-256', concatenate([prefix, body]))
  const importKey = async () => crypto.subtle.importKey('raw', await hash(), 'AES-GCM', false, ['encrypt', 'decrypt'])
  // The body may still be unread.
  let imported: CryptoKey | undefined
  const getKey = async () => {
    imported ??= await importKey()
    return imported
  }
  return {
    async seal(text: string): Promise<string> {
      const iv = crypto.getRandomValues(new Uint8Array(ivBytes))
      const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, await getKey(), utf8.encoder.encode(text))
      return iv.toBase64() + new Uint8Array(sealed).toBase64()
    },
    /** Fails if the key, the credential or the request differs from the one that encrypted it. */
    async open(text: string): Promise<string> {
      const bytes = Uint8Array.fromBase64(text)
      const iv = bytes.subarray(0, ivBytes)
      const opened = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, await getKey(), bytes.subarray(ivBytes))
      return utf8.decoder.decode(opened)
    },
  }
}

/** Secrets besides the request that encrypt its stored response, the present one first. The operator's token can be about to be replaced. */
function getSealSecrets(c: Context<Env>): [string, ...string[]] {
  const { scope, sealSecret } = c.var
  if (scope ?? sealSecret) return [sealSecret ?? '']
  const [newest = '', ...earlier] = getOperatorTokens(c.env)
  return [newest, ...earlier]
}

/** Splits an encrypted response, which is ASCII, into parts that fit into rows. */
const split = (text: string): string[] =>
  Array.from({ length: Math.ceil(text.length / maxValueBytes) }, (_, part) =>
    text.slice(part * maxValueBytes, (part + 1) * maxValueBytes),
  )

const customerId = new RegExp(getIdForm(resourceIdentities.customer.idPrefix), 'g')

/** The ids of the customers in a response, as a JSON list. The response is encrypted, so an erasure finds it by these ids. */
function listCustomers(text: string): string | undefined {
  const ids = new Set(text.match(customerId))
  return ids.size === 0 ? undefined : JSON.stringify([...ids])
}

/** The key, bare or quoted as a string of structured fields (RFC 8941). */
export function parseIdempotencyKey(header: string): string {
  const [, quoted] = /^"(.*)"$/.exec(header.trim()) ?? []
  const key = quoted?.replace(/\\(["\\])/g, '$1') ?? header.trim()
  const parameter = 'Idempotency-Key'
  if (key.trim() === '') throw invalid([{ parameter, code: 'too_short', message: 'must not be empty' }])
  if (key.length <= maxKeyLength) return key
  throw invalid([{ parameter, code: 'too_long', message: `must have at most ${maxKeyLength} characters` }])
}

/** The id of the stored response to a request with the key. */
export const toKeyId = (scope: Scope | undefined, path: string, key: string) =>
  hashKey(JSON.stringify([scope, path, key]))

/** Renders the response to a change once, for a transaction that stores it and for the client. The change may differ between attempts. */
export function renderOnce<Changed extends object, Rendered>(render: (changed: Changed) => Rendered) {
  const known = new WeakMap<Changed, { rendered: Rendered }>()
  return (changed: Changed): Rendered => {
    const { rendered } = known.get(changed) ?? { rendered: render(changed) }
    known.set(changed, { rendered })
    return rendered
  }
}

type Seal = Awaited<ReturnType<typeof createSeal>>
/** Values of the statements about the stored response `id`. Times are in seconds; responses until `before` have expired. */
type RecordValues = Readonly<
  Record<'id', string> & Record<'now' | 'before', number> & { merchantId: string | undefined }
>
/** Statements that the transaction of the request runs for its `Idempotency-Key`. */
function createRecord(values: RecordValues, seal: Seal): IdempotencyRecord {
  const record: IdempotencyRecord = {
    id: values.id,
    deleteExpired: [idempotencyStatements.deleteExpired(), values],
    async store(response, always = false) {
      const text = JSON.stringify([response.status, [...response.headers], await response.clone().text()])
      const [first = '', ...parts] = split(await seal.seal(text))
      const subjects = listCustomers(text)
      record.rest = parts.map((part, index) => [
        idempotencyStatements.storePart(),
        { ...values, subjects, part: toPartId(values.id, index + 1), answer: part },
      ])
      return [idempotencyStatements.store(), { ...values, subjects, always, answer: first }]
    },
    async storeComputed({ store: [statement, besides], render }) {
      record.renderComputed = render
      return [
        statement,
        { ...besides, ...values, subjects: undefined, always: false, answer: await seal.seal(computedText) },
      ]
    },
    rest: [],
    isStored: false,
  }
  return record
}

/** Stores the response to a request that changed nothing, which has no transaction. Returns false if the key is in use. */
async function storeUnchanged(c: Context<Env>, record: IdempotencyRecord): Promise<boolean> {
  try {
    const storing = await record.store(c.res, true)
    await c.var.database.run(record.deleteExpired, storing, ...record.rest)
    return true
  } catch (error) {
    if (!isKeyInUseError(error)) throw error
    return false
  }
}

/** Replaces the response with the one that is stored under the key, if it exists and can be rendered. */
async function replay(
  c: Context<Env>,
  values: RecordValues,
  seals: readonly Seal[],
  { renderComputed }: IdempotencyRecord,
) {
  const { database } = c.var
  database.usePrimary()
  const [rows = []] = await database.run([idempotencyStatements.find(), values])
  const [row] = rows
  if (!row) return
  const rejection = c.res
  // Hono merges the headers of the replaced response into the new one.
  c.res = undefined
  const sealed = rows.map(({ answer }) => answer).join('')
  const text = await Promise.any(seals.map((seal) => seal.open(sealed))).catch((failed: AggregateError) => {
    // The body may turn out to be too large while it is read.
    for (const error of failed.errors) if (error instanceof ApiError) throw error
    throw new ApiError('idempotency_key_reused', 'The Idempotency-Key was used before, with another body or query.')
  })
  if (text === computedText) {
    c.res = renderComputed?.(row.computed) ?? rejection
    if (renderComputed) c.res.headers.set('Idempotent-Replayed', 'true')
    return
  }
  const [status, headers, storedBody] = storedResponse.parse(JSON.parse(text))
  c.res = new Response(storedBody.replace(rowCountMark, String(row.count)), {
    status,
    headers: [...headers, ['Idempotent-Replayed', 'true']],
  })
}

/** The parameters of the request in order. `1` and `0` mean `true` and `false`. */
function getQuery(c: Context<Env>): string {
  const booleans: Readonly<Record<string, string>> = { 1: 'true', 0: 'false' }
  const parameters = [...new URL(c.req.url).searchParams].map(([name, value]) =>
    JSON.stringify([name, booleans[value] ?? value]),
  )
  return parameters.toSorted().join()
}

/**
 * Runs the next handler once for each `Idempotency-Key`: a repeated request gets the first response. Mount it directly before the handler, after the
 * middleware that reads the body. A new key costs no round trip: stored responses are read only after a failure.
 */
export const idempotent: MiddlewareHandler<Env> = async (c, next) => {
  const header = c.req.header('idempotency-key')
  if (header === undefined || c.var.ignoresIdempotencyKey) return next()
  const body = c.var.hashedBody ?? c.var.body ?? (await readBytes(c))
  const key = parseIdempotencyKey(header)
  const id = await toKeyId(c.var.scope, c.req.path, key)
  const query = getQuery(c)
  const meaning = c.var.meaning?.()
  const [secret, ...earlierSecrets] = getSealSecrets(c)
  const content = meaning === undefined ? body : utf8.encoder.encode(meaning)
  const seal = await createSeal(secret, key, content, query)
  const now = nowInSeconds()
  const values = { id, now, before: now - replaySeconds, merchantId: c.var.scope?.merchantId }
  const record = createRecord(values, seal)
  c.set('idempotency', record)
  await next()
  if (record.isStored || record.isOutdated || c.res.status >= 500) return
  // Before a key gets a stored response, its rights are checked.
  if (c.res.status === 401 || c.res.status === 403) return
  if (c.res.ok && (await storeUnchanged(c, record))) return
  // Earlier releases encrypted with the bytes of the body, without the query.
  const isSealedOtherwise = query === '' && meaning !== undefined
  const others = await Promise.all([
    ...earlierSecrets.map((earlier) => createSeal(earlier, key, content, query)),
    ...(isSealedOtherwise ? [createSeal(secret, key, body, query)] : []),
  ])
  await replay(c, values, [seal, ...others], record)
}
