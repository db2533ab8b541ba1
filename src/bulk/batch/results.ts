import type { Caller } from '../../catalogue/resource/caller.ts'
import { readableParts } from '../../catalogue/resource/definition.ts'
import { createStateTag, toState } from '../../platform/http/etag.ts'
import type { BatchOptions, OperationResult } from './operation.ts'
import type { Step } from './plan/step.ts'
import { toFailedResult } from './problems.ts'

function getOutcome({ kind, change }: Step) {
  if (kind === 'create') return { status: 201, outcome: 'created' } as const
  if (kind === 'delete') return { status: 200, outcome: 'deleted' } as const
  return { status: 200, outcome: change ? 'updated' : 'unchanged' } as const
}

/** The entity tag and the object that the response to the single operation shows. */
async function render({ kind, batch: { resource }, result, id }: Step, { renderContext }: Caller) {
  if (!result) return {}
  if (result.damaged) return { object: readableParts(resource, id, result.damaged.readable) }
  const { item, version } = result
  if (kind === 'delete') return { object: resource.toView(item, renderContext) }
  const full = await resource.toFullView(item, renderContext)
  const object = kind === 'create' ? { ...full, ...resource.toCreatedOnly(item) } : resource.toView(item, renderContext)
  return { etag: createStateTag(toState(version, item), full), object }
}

/** The results of a batch, in the order of its operations. */
export async function createResults(
  caller: Caller,
  steps: readonly Step[],
  { dryRun = false, returnObjects = false }: BatchOptions,
): Promise<OperationResult[]> {
  const results: OperationResult[] = []
  for (const step of steps) {
    const { index, kind, id, externalId, problem } = step
    if (problem) {
      results.push(toFailedResult(step, problem))
      continue
    }
    const named = externalId === undefined ? {} : { externalId }
    // What a dry run generates is not what the batch will generate.
    if (dryRun && kind === 'create') {
      results.push({ index, ...getOutcome(step), ...named })
      continue
    }
    const { object, etag } = await render(step, caller)
    results.push({
      index,
      ...getOutcome(step),
      id,
      ...named,
      ...(etag !== undefined && { etag }),
      ...(returnObjects && object && { object }),
    })
  }
  return results
}
