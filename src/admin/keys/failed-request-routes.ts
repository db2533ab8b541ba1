import { Hono } from 'hono'
import * as z from 'zod/mini'
import { failureStatements } from '../../platform/auth/failures/failure-statements.ts'
import { directoryDatabase } from '../../platform/db/home/d1-connection.ts'
import { parseJson } from '../../platform/db/query.ts'
import { invalid, type ProblemCode, problems } from '../../platform/errors.ts'
import type { Env } from '../../platform/http/context.ts'
import { inRange, parameter, wholeNumber } from '../../platform/http/fields/query-parameters.ts'
import { query } from '../../platform/http/validation.ts'

/** Maximum number of groups in a response. */
const maxGroups = 100

const codes = Object.keys(problems).filter((name): name is ProblemCode => name in problems)

/** Failed requests of a key with the same method, route, status, code and pointers. */
export const failureView = z.object({
  key: z.string().check(z.describe('Id of the API key.')),
  method: z.string().check(z.describe('HTTP method.')),
  path: z.string().check(z.describe('Pattern of the path: `:name` stands for a value.')),
  status: z.int().check(z.describe('HTTP status.')),
  code: z.enum(codes).check(z.describe('Code of the problem. See [errors](/docs/errors).')),
  pointers: z
    .array(z.string())
    .check(
      z.describe(
        'JSON pointers of the fields that were rejected, and names of query parameters with `?` before them. `*` stands for each name that the service does not declare: unknown fields, indexes, ids, names that the client chose.',
      ),
    ),
  count: z.int().check(z.describe('Number of requests. A few can be missing.')),
  lastAt: z.int().check(z.describe('Time of the last one, in seconds since 1970-01-01 UTC.')),
})

const statusForm = /^[45](?:xx|\d\d)$/
export const failureQuery = z.strictObject({
  key: z
    .optional(parameter)
    .check(z.describe('Id of the API key. Default: the key of the request. A session must name one.')),
  status: z
    .optional(parameter.check(z.regex(statusForm, { error: 'must be 4xx, 5xx or a status' })))
    .check(z.describe('Only failures with this status: `4xx`, `5xx` or a number such as `422`.')),
  limit: z
    .optional(
      z.pipe(
        wholeNumber,
        z.number().check(inRange(1, maxGroups), z.meta({ type: 'integer', minimum: 1, maximum: maxGroups })),
      ),
    )
    .check(z.describe(`Maximum number of groups. Default: ${maxGroups}.`)),
})

const storedRequest = z.tuple([z.string(), z.string(), z.int(), z.enum(codes), z.array(z.string())])

/** The statuses that a filter selects. */
function toRange(status: string | undefined): { low: number; high: number } {
  if (status === undefined) return { low: 0, high: 599 }
  if (!status.endsWith('xx')) return { low: Number(status), high: Number(status) }
  const low = Number(status[0]) * 100
  return { low, high: low + 99 }
}

/** The failed requests of a key, the latest first. */
export const failedRequestRoutes = new Hono<Env>().get('/', query(failureQuery), async (c) => {
  const { key = c.get('key')?.id, status, limit = maxGroups } = c.req.valid('query')
  if (key === undefined) throw invalid([{ parameter: 'key', code: 'required', message: 'must be given by a session' }])
  const values = { ...c.var.scope, ...toRange(status), keyId: key, limit }
  const [rows] = await directoryDatabase(c.env).run([failureStatements.list(), values])
  const failures = rows.flatMap(({ request, ...row }): z.output<typeof failureView>[] => {
    const { data } = storedRequest.safeParse(parseJson(request))
    if (!data) return []
    const [method, path, status, code, pointers] = data
    return [{ ...row, method, path, status, code, pointers }]
  })
  return c.json(failures, 200)
})
