import type { ResourceChange } from '../resource/routes.ts'
import { type TagItem, tags } from '../resources/tags.ts'
import type { BatchOptions } from './operation.ts'
import type { Step } from './plan/step.ts'

/** Number of tags whose copies are updated at once. */
const maxConcurrent = 6

function toTagChange({ kind, id, created, change, result, problem, batch }: Step): ResourceChange<TagItem> | undefined {
  const isChanged = created ?? change ?? kind === 'delete'
  if (batch.resource.path !== 'tags' || problem || !isChanged || !result) return undefined
  const deleted = kind === 'delete'
  const version = result.version + (deleted ? 1 : 0)
  if (result.damaged) return { id, readable: result.damaged.readable, version, deleted: true }
  return { item: tags.item.parse(result.item), version, deleted }
}

/** Updates the copies of the tags that a batch changed. */
export async function copyTags(steps: readonly Step[], onTagChange: BatchOptions['onTagChange']): Promise<void> {
  const changes = steps.flatMap((step) => toTagChange(step) ?? []).values()
  const work = Array.from({ length: maxConcurrent }, async () => {
    for (const change of changes) await onTagChange(change)
  })
  await Promise.all(work)
}
