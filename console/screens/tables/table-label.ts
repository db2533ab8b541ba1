import type { Tag } from '../../../packages/client/src/client.ts'

type Entry = Tag['metadata'][number]
/** Key of the entry that groups tables. */
export const areaKey = 'area'
const isArea = ({ key }: Entry) => key.toLowerCase() === areaKey

/** An entry as guests read it: "Table 4". */
function toEntryLabel({ key, value }: Pick<Entry, 'key' | 'value'>): string {
  const name = key.replace(/(?<=\p{Ll})(?=\p{Lu})|[_-]+/gu, ' ').trim()
  if (name === '' || value.toLowerCase().startsWith(name.toLowerCase())) return value
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} ${value}`
}

export const getArea = ({ metadata }: Pick<Tag, 'metadata'>) => metadata.find(isArea)?.value.trim() ?? ''

/** The label of a table for guests without its area. If it is empty, the area or the code. */
export function getLabel(tag: Pick<Tag, 'metadata' | 'alias' | 'id'>): string {
  const others = tag.metadata.filter((entry) => !isArea(entry))
  const shown = others.some(({ visible }) => visible) ? others.filter(({ visible }) => visible) : others
  return shown.map(toEntryLabel).join(', ') || getArea(tag) || tag.alias[0] || tag.id
}

/** The name as a key of metadata: `table` of "Table". The display capitalizes it again. */
const toKey = (name: string) => (/^\p{Lu}\p{Ll}+$/u.test(name) ? name.toLowerCase() : name)

/** The metadata of a table with a number. */
export const toMetadata = (name: string, number: number, area: string) => [
  { key: toKey(name), value: String(number), visible: true },
  ...(area === '' ? [] : [{ key: areaKey, value: area, visible: true }]),
]
