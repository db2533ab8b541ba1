import type { Context } from 'hono'
import * as z from 'zod/mini'
import { pageBytes } from '../db/page-budget.ts'
import type { Scope } from '../db/scope.ts'
import { type IssueCode, invalid } from '../errors.ts'
import { fingerprint, fingerprintLength } from '../lib/encoding/fnv1a.ts'
import { inRange, parameter, secondsParameter, wholeNumber } from './fields/query-parameters.ts'
import { isExternalId, limits, rules } from './fields.ts'

export const pageSize = { default: 50, max: 100 } as const
/** Maximum number of objects that a page of a list examines to find those that further filters select. */
export const maxExamined = 450
const pageLimit = `${pageBytes / 1024 ** 2} MiB`

const cursorForm = new RegExp(`^[0-9A-Z]{${fingerprintLength}}[\\w-]{1,64}$`)
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

/** Decodes the percent-encoding of one element; empty if it is malformed. */
function decodeElement(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

/** Splits before decoding, so that `%2C` is a comma inside an external id. */
const externalIds = z.pipe(
  z.pipe(
    z.union([z.string(), z.array(z.string())]),
    z.transform((value) => [value].flat().flatMap((text) => text.split(',').map(decodeElement))),
  ),
  z.array(z.string().check(z.meta({ minLength: 1, maxLength: limits.externalId }))).check(
    rules((given) => {
      if (given.length > pageSize.max) {
        return { code: 'too_many', message: `must name at most ${pageSize.max} external ids` }
      }
      return given.every(isExternalId)
        ? undefined
        : { code: 'invalid_format', message: 'must be percent-encoded external ids with commas between them' }
    }),
    z.meta({ maxItems: pageSize.max }),
  ),
)

/** Additional fields of an object, if a request includes them. */
export const includableFields = ['externalId', 'version'] as const

const createInclude = (fields: readonly string[]) =>
  z
    .optional(
      z.pipe(
        z.pipe(
          z.union([z.string(), z.array(z.string())]),
          z.transform((value) => [value].flat().flatMap((text) => text.split(','))),
        ),
        z
          .array(z.string().check(z.meta({ enum: [...fields] })))
          .check(
            rules((names) =>
              names.every((name) => fields.includes(name))
                ? undefined
                : { code: 'invalid_value', message: `must be ${fields.join(' or ')}, with commas between` },
            ),
          ),
      ),
    )
    .check(
      z.describe(
        `Fields to add to each object, with commas between: ${fields.map((field) => `\`${field}\``).join(', ')}.`,
      ),
    )
const include = createInclude(includableFields)
/** Query for resources with details. */
export const includeWithDetails = createInclude([...includableFields, 'details'])

/** The query of a request for one object. It ignores other parameters. */
export const objectQuery = z.object({ include })
/** Query for resources with details. */
export const objectQueryWithDetails = z.object({ include: includeWithDetails })
/** Additional fields that a request includes. */
export type Include = z.output<typeof include>

/** The fields that a request for one object includes. It is not middleware, because middleware would require a query from typed clients. */
export function readInclude(c: Context, hasDetails: boolean): Include {
  if (!c.req.url.includes('?')) return undefined
  const result = (hasDetails ? objectQueryWithDetails : objectQuery).safeParse({ include: c.req.queries('include') })
  if (result.success) return result.data.include
  throw invalidParameter('include', 'invalid_value', result.error.issues[0]?.message ?? '')
}

/** Whether a request for one object has `at`: the object is shown as it was then. */
export const isOfPast = (c: Context) => c.req.url.includes('?') && c.req.query('at') !== undefined

const order = z.optional(z.enum(['asc', 'desc']))
const updatedSince = z.optional(secondsParameter)
/** Description of `updatedSince` of lists and of other selections. */
export const updatedSinceText = 'Returns only objects changed at or after this time, in seconds since 1970-01-01 UTC'

/** Limit of a page with conditions that no index serves. */
const examinesText = `a page examines at most ${maxExamined} objects, so it may be empty and have a next one`

/** Description of `q` of lists and of other selections. */
export const searchText =
  'Full-text search: objects that have every word, or one that begins with it. In titles and names, it may begin inside a word, from the third letter on. Ignores case and accents.'

/** Query parameters of every list. */
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
        `Maximum number of objects on a page. Default: ${pageSize.default}. A page has at most ${pageLimit}, so it may have fewer objects.`,
      ),
    ),
  cursor: z
    .optional(parameter.check(z.regex(cursorForm, { error: 'is not a cursor of this list' })))
    .check(z.describe('From the `Link` header of the previous page.')),
  order: order.check(
    z.describe(
      '`desc` is newest first, `asc` is oldest first. Default: `desc`, but `asc` with `updatedSince`, which rejects `desc`.',
    ),
  ),
  ids: z
    .optional(ids)
    .check(
      z.describe(
        `Returns only the objects with these ids, all on one page of at most ${pageLimit}. At most ${pageSize.max} ids, separated by commas or as a repeated parameter.`,
      ),
    ),
  externalIds: z
    .optional(externalIds)
    .check(
      z.describe(
        `Returns only the objects with these external ids, all on one page of at most ${pageLimit}. At most ${pageSize.max}, with commas between. Percent-encode each one, before the encoding of the query.`,
      ),
    ),
  include,
  updatedSince: updatedSince.check(
    z.describe(
      `${updatedSinceText}: the longest unchanged first, so an object that changes between two pages moves to the end. With \`q\`, ids, a reference or a filter by text, the oldest first. With another filter, ${examinesText}.`,
    ),
  ),
  q: z
    .optional(parameter)
    .check(
      z.describe(
        `${searchText} If a word of at least five letters finds nothing, the list has the objects whose titles or names have it with one typing error, on one page with the header \`Search-Match: similar\`. Ordered by creation. With another filter or \`updatedSince\`, ${examinesText}.`,
      ),
    ),
}

/** Query of a list that is always complete. */
export const emptyQuery = z.strictObject({})

/** Query of a list without search. */
export const pageQuery = z.strictObject({
  limit: listFields.limit,
  cursor: listFields.cursor,
  order: order.check(z.describe('`desc` is newest first, `asc` is oldest first. Default: `desc`.')),
})

const listQuery = z.strictObject(listFields)
/** Query of a list. The filters of its resource are additional keys. */
export type ListQuery = z.output<typeof listQuery> & { deleted?: 'true' | undefined }

/** Position of a page: that of the object before its first one, and the direction. */
interface Position {
  ascending: boolean
  after?: string | undefined
}

/** Creates the error for one invalid parameter. */
export const invalidParameter = (parameter: string, code: IssueCode, message: string) =>
  invalid([{ parameter, code, message }])

/** The direction of a list. With `updatedSince`, an object that changes while a client pages moves to the end of the list. */
export const isAscending = ({ order, updatedSince }: ListQuery) => order === 'asc' || updatedSince !== undefined

/** The opaque cursor of the page after `position`: valid for the same resource, merchant, mode, order and filters, and any page size. */
export function createCursor(
  list: string,
  { merchantId, testMode }: Scope,
  query: ListQuery,
  position: string,
): string {
  const { limit: _limit, cursor: _cursor, order: _order, ...selection } = query
  const order = isAscending(query) ? 'asc' : 'desc'
  const sealed = JSON.stringify([list, merchantId, testMode, order, Object.entries(selection).sort(), position])
  return fingerprint(sealed) + position
}

/** Creates the error for a cursor that `createCursor` did not create for this list. */
export const invalidCursor = () => invalidParameter('cursor', 'invalid_value', 'is not a cursor of this list')

/** Returns the position that a query requests. Rejects a cursor that `createCursor` did not create for this list. */
export function readPosition(list: string, scope: Scope, query: ListQuery): Position {
  if (query.updatedSince !== undefined && query.order === 'desc') {
    throw invalidParameter(
      'order',
      'invalid_value',
      'must be asc with updatedSince: pages in the other order miss changes',
    )
  }
  const ascending = isAscending(query)
  if (query.cursor === undefined) return { ascending }
  const after = query.cursor.slice(fingerprintLength)
  if (createCursor(list, scope, query, after) !== query.cursor) throw invalidCursor()
  return { ascending, after }
}

/** A URL whose query has the form of `URLSearchParams`. */
const plainUrl = /^[a-z]+:\/\/[^/?#]+(\/[^?#]*)(?:\?((?:[\w.-]+=[\w.-]*(?:&(?=.)|$))+))?$/

/**
 * Returns the `Link` header of a page that another page follows (RFC 8288). The link is relative: clients choose the `Host`, and the name of a proxy
 * may differ from that of the service.
 */
export function nextLink(requestUrl: string, cursor: string, parameter = 'cursor'): string {
  const [, path, search = ''] = plainUrl.exec(requestUrl) ?? []
  // Fast path for the usual query. The text is the same as that of the parser.
  if (path !== undefined && !search.includes(`${parameter}=`)) {
    return `<${path}?${search === '' ? '' : `${search}&`}${parameter}=${cursor}>; rel="next"`
  }
  const url = new URL(requestUrl)
  url.searchParams.set(parameter, cursor)
  return `<${url.pathname}${url.search}>; rel="next"`
}
