import type { ResourceChange } from '../../catalogue/resource/routes.ts'
import { type TagItem, tags } from '../../catalogue/resources/tags.ts'
import type { Step } from './plan/step.ts'

function toTagChange({ kind, id, created, change, result, problem, batch }: Step): ResourceChange<TagItem> | undefined {
  const isChanged = created ?? change ?? kind === 'delete'
  if (batch.resource.path !== 'tags' || problem || !isChanged || !result) return undefined
  const deleted = kind === 'delete'
  const version = result.version + (deleted ? 1 : 0)
  if (result.damaged) return { id, readable: result.damaged.readable, version, deleted: true }
  return { item: tags.item.parse(result.item), version, deleted }
}

/** The changes of tags that a batch made. */
export const listTagChanges = (steps: readonly Step[]): readonly ResourceChange<TagItem>[] =>
  steps.flatMap((step) => toTagChange(step) ?? [])
