import * as z from 'zod/mini'
import type { Scope } from '../db/scope.ts'
import { type IssueCode, invalid } from '../errors.ts'
import { fingerprint, fingerprintLength } from '../lib/encoding/fnv1a.ts'
import { foldCode } from '../lib/search-terms.ts'
import { limits, rules } from './fields.ts'

export const pageSize = { default: 50, max: 100 } as const

const parameter = z.string({ error: 'must be given once' })
const cursorForm = new RegExp(`^[0-9A-Z]{${fingerprintLength}}[\\w-]{1,64}$`)
const wholeNumber = z.pipe(
  z.pipe(parameter.check(z.regex(/^\d{1,15}$/, { error: 'must be a whole number' })), z.transform(Number)),
  z.int().check(z.minimum(0)),
)

const inRange = (min: number, max: number) =>
  rules<number>((value) => {
    if (value < min) return { code: 'too_small', message: `must be at least ${min}` }
    return value > max ? { code: 'too_large', message: `must be at most ${max}` } : undefined
  })

const ids = z.pipe(
  z.pipe(
    z.union([z.string(), z.array(z.string())]),
    z.transform((value) => [value].flat().flatMap((text) => text.split(','))),
  ),
  z.array(z.string().check(z.meta({ minLength: 1, maxLength: limits.id }))).check(
    rules((given) => {
      if (given.length > pageSize.max) return { code: 'too_many', message: `must name at most ${pageSize.max} ids` }
      return given.every((id) => id.length > 0 && id.length <= limits.id)
        ? undefined
        : { code: 'invalid_format', message: 'must be ids with commas between them' }
    }),
    z.meta({ maxItems: pageSize.max }),
  ),
)

/** Query parameters that every list knows. */
export const listFields = {
  limit: z
    .optional(
      z.pipe(
        wholeNumber,
        z.number().check(inRange(1, pageSize.max), z.meta({ type: 'integer', minimum: 1, maximum: pageSize.max })),
      ),
    )
    .check(
      z.describe(
        `Most objects on a page; by default ${pageSize.default}. A page has at most 4 MiB, so it may have fewer.`,
      ),
    ),
  cursor: z
    .optional(parameter.check(z.regex(cursorForm, { error: 'is not a cursor of this list' })))
    .check(z.describe('Where the page begins; taken from the `Link` header of the page before.')),
  order: z.optional(z.enum(['asc', 'desc'])).check(z.describe('`desc`, the default, is newest first.')),
  ids: z
    .optional(ids)
    .check(
      z.describe(
        `Only these objects, all on one page of at most 4 MiB: at most ${pageSize.max} ids, with commas between or as a repeated parameter.`,
      ),
    ),
  updatedSince: z.optional(wholeNumber).check(z.describe('Only objects changed at or after this time, in seconds.')),
  q: z
    .optional(parameter)
    .check(
      z.describe('Only objects in whose texts every word, or its beginning, occurs; case and accents do not count.'),
    ),
}

/** The query of a list that cannot be searched. */
export const pageQuery = z.strictObject({ limit: listFields.limit, cursor: listFields.cursor, order: listFields.order })

export const listQuery = z.strictObject(listFields)
/** A list's query; the filters of its resource are further keys. */
export type ListQuery = z.output<typeof listQuery>

/** Where a page of a list begins: behind this id, in this direction. */
export interface Position {
  ascending: boolean
  after?: string | undefined
}

/** One parameter is at fault. */
export const invalidParameter = (parameter: string, code: IssueCode, message: string) =>
  invalid([{ parameter, code, message }])

/**
 * The opaque cursor behind which a list goes on after `id`. It belongs to that list: the same resource, merchant, mode,
 * order and filters; only the page size may change.
 */
export function createCursor(list: string, { merchantId, testMode }: Scope, query: ListQuery, id: string): string {
  const { limit: _limit, cursor: _cursor, order = 'desc', ...selection } = query
  return fingerprint(JSON.stringify([list, merchantId, testMode, order, Object.entries(selection).sort(), id])) + id
}

/** The position a query asks for; a cursor that `createCursor` did not make for this very list is refused. */
export function readPosition(list: string, scope: Scope, query: ListQuery): Position {
  const ascending = query.order === 'asc'
  if (query.cursor === undefined) return { ascending }
  const after = query.cursor.slice(fingerprintLength)
  if (createCursor(list, scope, query, after) !== query.cursor) {
    throw invalidParameter('cursor', 'invalid_value', 'is not a cursor of this list')
  }
  return { ascending, after }
}

/**
 * The `Link` header of a page that has another one behind it (RFC 8288). Relative: anybody can send any Host, and a proxy may have
 * another name than the service.
 */
export function nextLink(requestUrl: string, cursor: string, parameter = 'cursor'): string {
  const url = new URL(requestUrl)
  url.searchParams.set(parameter, cursor)
  return `<${url.pathname}${url.search}>; rel="next"`
}

/** A filter that compares text as it is. */
export const textFilter = z.optional(parameter).check(z.describe('Only objects with exactly this value.'))

/** A filter for a boolean: `true`, `false`, `1` or `0`. */
export const booleanFilter = z
  .optional(
    z.pipe(
      z.pipe(
        z.enum(['true', 'false', '1', '0']),
        z.transform((value) => value === 'true' || value === '1'),
      ),
      z.boolean(),
    ),
  )
  .check(z.describe('Only objects where this is so, or is not; `1` and `0` say the same.'))

/** A filter that compares codes, whatever their case and width. */
export const codeFilter = z
  .optional(z.pipe(z.pipe(parameter, z.transform(foldCode)), z.string()))
  .check(z.describe('Only the object with this code, whatever its case and width.'))
