import { isObject } from '../../../platform/lib/schema-guard.ts'
import type { MetadataCells, RowObject } from '../rows/row-object.ts'
import type { Target } from './find-targets.ts'

type Entry = Readonly<Record<string, unknown>>

function parseEntries(text: unknown): Entry[] {
  try {
    const entries: unknown = JSON.parse(String(text))
    return Array.isArray(entries) ? entries.filter(isObject) : []
  } catch {
    return []
  }
}

/** The metadata of an object with the entries of a row: known keys get the value of the row, new keys come last. */
function mergeMetadata(target: Target | undefined, { entries, hidden }: MetadataCells): Entry[] {
  const merged = target ? parseEntries(target.metadata) : []
  for (const { key, value } of entries) {
    const index = merged.findIndex((entry) => entry['key'] === key)
    if (index === -1) merged.push({ key, value })
    else merged[index] = { ...merged[index], value }
  }
  return hidden ? merged.map((entry) => ({ ...entry, visible: !hidden.includes(String(entry['key'])) })) : merged
}

/** Sections of exported menus have ids of another menu, or those that the menu keeps for sections with the same title. */
const withoutId = (section: unknown): unknown => {
  if (!isObject(section)) return section
  const { id: _id, ...rest } = section
  return rest
}

/** The body of the create or update of a row. */
export function toBody({ resource, isExported, metadata }: RowObject, body: RowObject['body'], target?: Target) {
  const { sections } = body
  return {
    ...body,
    ...(metadata && { metadata: mergeMetadata(target, metadata) }),
    ...(resource === 'menus' && isExported && Array.isArray(sections) && { sections: sections.map(withoutId) }),
  }
}
