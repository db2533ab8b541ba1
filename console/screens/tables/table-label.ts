import type { Tag } from '../../../packages/client/src/client.ts'
import { capitalize } from '../../app/format.ts'
import { t } from '../../app/language.ts'

type Entry = Tag['metadata'][number]
/** Key of the entry that groups tables. */
export const areaKey = 'area'
const isArea = ({ key }: Pick<Entry, 'key'>) => key.toLowerCase() === areaKey

/** An entry as guests read it: "Table 4". */
function toEntryLabel({ key, value }: Pick<Entry, 'key' | 'value'>): string {
  const name = key.replace(/(?<=\p{Ll})(?=\p{Lu})|[_-]+/gu, ' ').trim()
  if (name === '' || value.toLowerCase().startsWith(name.toLowerCase())) return value
  return `${capitalize(name)} ${value}`
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

/** The name of an entry in a form: "Table" of `table`, and the word of the language for an area. */
export const showKey = (key: string) => (isArea({ key }) ? t().tables.area : capitalize(key))
/** The key of a name that was typed in a form. */
export const readKey = (name: string) => (name === t().tables.area ? areaKey : toKey(name))

/** The metadata of a table with a number. */
export const toMetadata = (name: string, number: number, area: string) => [
  { key: toKey(name), value: String(number), visible: true },
  ...(area === '' ? [] : [{ key: areaKey, value: area, visible: true }]),
]
