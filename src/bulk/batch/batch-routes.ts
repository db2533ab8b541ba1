import { Hono, type MiddlewareHandler } from 'hono'
import * as z from 'zod/mini'
import { createCaller } from '../../catalogue/resource/caller.ts'
import { withoutNulls } from '../../catalogue/resource/merge-patch.ts'
import { defaultScopes } from '../../platform/auth/api-keys.ts'
import { hasScope } from '../../platform/auth/authenticate.ts'
import { ApiError, invalid } from '../../platform/errors.ts'
import { holdForBody } from '../../platform/http/bodies/read-large-body.ts'
import type { Env } from '../../platform/http/context.ts'
import { booleanFilter } from '../../platform/http/fields/query-parameters.ts'
import { limits } from '../../platform/http/fields.ts'
import { idempotent, renderOnce } from '../../platform/http/idempotency.ts'
import { jsonBody } from '../../platform/http/request-body.ts'
import { getTopField, type ParsedBody, parseFields, query } from '../../platform/http/validation.ts'
import { isObject } from '../../platform/lib/schema-guard.ts'
import { type ChangeSet, findBatchSet, maxChangeSetName } from '../../platform/outbox/change-sets.ts'
import { writeTagChanges } from '../../storefront/tags/kv-sync.ts'
import { getBatchResource } from './batch-resource.ts'
import { listTouchedPaths, readEnvelope } from './envelope.ts'
import type { BatchOperation, OperationResult } from './operation.ts'

/** An operation with the parsed fields of its body. Names of other objects of the batch stay unchanged. */
function toOperationMeaning(operation: BatchOperation) {
  if (!operation.body) return operation
  const { resource, updateRules } = getBatchResource(operation.resource)
  const isCreate = operation.op === 'create'
  const { patch, issues } = parseFields(isCreate ? resource.create : updateRules, { ...operation.body })
  const unread = new Set(issues.map((issue) => ('pointer' in issue ? getTopField(issue.pointer) : undefined)))
  const read = Object.entries(patch).filter(([field]) => !unread.has(field))
  const body = { ...operation.body, ...Object.fromEntries(read) }
  return { ...operation, body: isCreate ? withoutNulls(body) : body }
}

/** Text that identifies a batch, for an `Idempotency-Key`. Undefined for a rejected batch. */
function toBatchMeaning({ patch }: ParsedBody) {
  const { mode, operations, issues } = readEnvelope(patch)
  return issues.length > 0 ? undefined : { mode, operations: operations.map(toOperationMeaning) }
}

/** The query parameters of a batch. */
export const batchQuery = z.strictObject({
  return: z
    .optional(z.enum(['objects']))
    .check(z.describe('`objects`: each result has the object as the single operation returns it.')),
  dryRun: booleanFilter.check(
    z.describe('Whether to check the batch without changing anything. Results of creates have no id.'),
  ),
})

/** Accepts every object. `readEnvelope` checks it after the check of scopes. */
const anyObject = z.custom<Record<string, unknown>>(isObject)
const anyBody = {
  schema: anyObject,
  partial: anyObject,
  readOnly: new Set<string>(),
  hasOpenParts: true,
  toMeaning: toBatchMeaning,
}

/** Requires `<resource>:write` for each resource that the operations touch. */
const requireScopes: MiddlewareHandler<
  Env,
  string,
  { out: { json: { patch: Readonly<Record<string, unknown>> } } }
> = async (c, next) => {
  const needed = listTouchedPaths(c.req.valid('json').patch).map((path) => `${path}:write`)
  const missing = needed.filter((scope) => !hasScope(c.var.grantedScopes, scope))
  if (missing.length > 0) {
    throw new ApiError('forbidden', `The key lacks the scope${missing.length === 1 ? '' : 's'} ${missing.join(', ')}.`)
  }
  await next()
}

/** Rejects a key without any scope to write, before its body takes memory. */
const requireAnyWriteScope: MiddlewareHandler<Env> = async (c, next) => {
  const { grantedScopes = defaultScopes } = c.var
  if (!grantedScopes.some((scope) => scope.endsWith(':write'))) {
    throw new ApiError('forbidden', 'The key lacks a scope that ends with :write.')
  }
  await next()
}

/** Dry runs ignore `Idempotency-Key`. */
const readDryRun: MiddlewareHandler<Env> = async (c, next) => {
  c.set('ignoresIdempotencyKey', /^(?:true|1)$/.test(c.req.query('dryRun') ?? ''))
  await next()
}

/** The header `Change-Set`: batches of an actor with the same name belong to one change set. */
function readChangeSetName(header: string | undefined): string | undefined {
  const name = header?.trim()
  const parameter = 'Change-Set'
  if (name === '') throw invalid([{ parameter, code: 'too_short', message: 'must not be empty' }])
  if (name === undefined || name.length <= maxChangeSetName) return name
  throw invalid([{ parameter, code: 'too_long', message: `must have at most ${maxChangeSetName} characters` }])
}

const changesObject = ({ outcome }: OperationResult) => outcome !== 'unchanged' && outcome !== 'failed'

/** A result as responses show it. */
const toShown = ({ outcome: _, ...result }: OperationResult) => result

/** Memory of a batch for each byte of its body: the body, its values, the plan, the statements and the results. */
const memoryPerByte = 8

export const batchRoutes = new Hono<Env>().post(
  '/',
  requireAnyWriteScope,
  holdForBody(limits.batchBytes, memoryPerByte),
  jsonBody(anyBody, limits.batchBytes),
  requireScopes,
  query(batchQuery),
  readDryRun,
  idempotent,
  async (c) => {
    const { return: returned, dryRun = false } = c.req.valid('query')
    const { mode, operations, issues } = readEnvelope(c.req.valid('json').patch)
    if (issues.length > 0) throw invalid(issues)
    const name = readChangeSetName(c.req.header('change-set'))
    let changeSet: ChangeSet | undefined
    const createResponse = renderOnce((results: readonly OperationResult[]) =>
      c.json(
        {
          mode,
          ...(dryRun && { dryRun }),
          ...(changeSet && results.some(changesObject) && { changeSet: changeSet.id }),
          results: results.map(toShown),
        },
        200,
      ),
    )
    const { runBatch } = await import('./run-batch.ts')
    const results = await runBatch(createCaller(c), operations, {
      mode,
      dryRun,
      returnObjects: returned === 'objects',
      async findChangeSet(actor) {
        changeSet = await findBatchSet(actor, name)
        return changeSet
      },
      createResponse,
      onTagChanges: (changes) => writeTagChanges(c.env, c.executionCtx, c.var.scope.merchantId, changes),
    })
    return createResponse(results)
  },
)
