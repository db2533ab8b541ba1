import type { Context } from 'hono'
import type { ResourceChange } from '../../catalogue/resource/routes.ts'
import type { TagItem } from '../../catalogue/resources/tags.ts'
import type { Bindings } from '../../platform/env.ts'
import type { Env } from '../../platform/http/context.ts'
import type { TagChange } from './tag-changes.ts'
import type { TagRecord } from './tag-record.ts'

/** Writes a changed tag to this isolate and to KV. An isolate loads the code with the first change. */
async function writeChange(c: Context<Env>, change: TagChange): Promise<void> {
  const { writeTagChanges } = await import('./kv-sync.ts')
  await writeTagChanges(c.env, c.executionCtx, c.var.scope.merchantId, [change])
}

/** Observes the routes of tags. */
export const onTagChanged = (c: Context<Env>, change: ResourceChange<TagItem>) => writeChange(c, change)
/** Observes the routes of the details of tags. */
export const onTagDetailsChanged = (c: Context<Env>, id: string) => writeChange(c, { id, deleted: false })

/** Enqueues the sync of a tag that a scan did not find in KV. */
export async function restoreTagLater(env: Bindings, tag: TagRecord, names: readonly string[]): Promise<void> {
  const { restoreTag } = await import('./kv-sync.ts')
  await restoreTag(env, tag, names)
}
