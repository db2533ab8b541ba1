/** Label of an entry of a tag's metadata, such as "Table 4". */
export function toTagLabel({ key, value }: { key: string; value: string }): string {
  const name = key.replace(/(?<=\p{Ll})(?=\p{Lu})|[_-]+/gu, ' ').trim()
  if (name === '' || value.toLowerCase().startsWith(name.toLowerCase())) return value
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} ${value}`
}

/** Label of a tag, from all its entries. */
export const toTagTitle = (entries: readonly { key: string; value: string }[]) => entries.map(toTagLabel).join(', ')
