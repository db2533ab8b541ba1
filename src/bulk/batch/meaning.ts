import { withoutNulls } from '../../catalogue/resource/merge-patch.ts'
import { getTopField, type ParsedBody, parseFields } from '../../platform/http/validation.ts'
import { getBatchResource } from './batch-resource.ts'
import { readEnvelope } from './envelope.ts'
import type { BatchOperation } from './operation.ts'

/** An operation with the fields of its body as they are read. Names of other objects of the batch stay as they are. */
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

/** What distinguishes a batch from another one, for an `Idempotency-Key`. Undefined for one that is rejected. */
export function toBatchMeaning({ patch }: ParsedBody) {
  const { mode, operations, issues } = readEnvelope(patch)
  return issues.length > 0 ? undefined : { mode, operations: operations.map(toOperationMeaning) }
}
