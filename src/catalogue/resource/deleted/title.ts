import { isObject } from '../../../platform/lib/schema-guard.ts'
import type { Draft, ResourceDefinition } from '../definition.ts'

/** Texts of a value: itself, or the values of entries, such as those of the location of a tag. */
function listTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (!Array.isArray(value)) return []
  return value.flatMap((entry: unknown) => (isObject(entry) ? listTexts(entry['value']) : listTexts(entry)))
}

/** The name by which people know an object: its title, the name of a person, the location of a tag. Empty if it has none. */
export function toTitle(
  { titleFields, item }: Pick<ResourceDefinition, 'titleFields' | 'item'>,
  object: Draft,
): string {
  const fields = 'title' in item.shape ? ['title'] : titleFields.slice(0, 2)
  return fields.flatMap((field) => listTexts(object[field])).join(' ')
}
