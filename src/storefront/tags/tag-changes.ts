import type { ResourceChange } from '../../catalogue/resource/routes.ts'
import { listTagNames, type TagItem } from '../../catalogue/resources/tags.ts'
import type { Bindings } from '../../platform/env.ts'
import { log } from '../../platform/lib/log.ts'
import { timedOut, withTimeout } from '../../platform/lib/time.ts'
import { type ChangedTag, readChangedTags } from './changed-tags.ts'
import type { TagRecord } from './tag-record.ts'

/** A change of a tag. With an id only, its details changed. */
export type TagChange = ResourceChange<TagItem> | { item?: undefined; id: string; deleted: false }

/** The record of a new or a deleted tag. Only `gone` and `version` are read of a deleted one. */
export function toTagRecord(merchantId: string, change: TagChange): TagRecord {
  const { item, deleted: gone } = change
  const version = 'version' in change ? change.version : 0
  if (!item) return { version, merchantId, id: '', code: '', testMode: false, nfc: false, shown: [], gone }
  const { id, code, testMode, nfc, metadata } = item
  const shown = metadata.filter(({ visible }) => visible).map(({ key, value }): [string, string] => [key, value])
  return { version, merchantId, id, code, testMode, nfc, shown, gone }
}

/** Id of a changed tag. */
export const getId = (change: TagChange) => change.item?.id ?? ('id' in change ? change.id : '')
/** Names of a changed tag, as far as the change says them. */
export const listChangedNames = (change: TagChange) =>
  listTagNames(change.item ?? { ...('readable' in change ? change.readable : {}), id: getId(change) })

/** Whether a record needs what the change does not say: details, unless the tag has none or was deleted. */
export const isPartial = (change: TagChange) => !(change.deleted || ('hasNoDetails' in change && change.hasNoDetails))

/** Maximum time that a response waits for changed tags and their details, in milliseconds. */
const timeoutMs = 1_000

/** Reads changed tags with their details. Undefined if the database does not respond. */
export async function readChanged(env: Bindings, merchantId: string, changes: readonly TagChange[]) {
  const ids = changes.filter(isPartial).map(getId)
  if (ids.length === 0) return new Map<string, ChangedTag>()
  try {
    const read = await withTimeout(timeoutMs, readChangedTags(env, merchantId, ids))
    return read === timedOut ? undefined : read
  } catch (error) {
    log(env, 'changed tags not read', { error: String(error) })
    return undefined
  }
}
