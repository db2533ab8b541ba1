import { maxValueBytes } from './value-size.ts'

const utf8 = new TextEncoder()

/** Splits rows into JSON lists of at most `maxValueBytes` bytes. A larger row gets a separate list. */
export function toJsonLists(rows: readonly unknown[]): string[] {
  const lists: string[][] = []
  let bytes = maxValueBytes
  for (const row of rows) {
    const text = JSON.stringify(row)
    // One additional byte for the comma or the closing bracket.
    const size = utf8.encode(text).length + 1
    if (bytes + size > maxValueBytes) {
      lists.push([])
      // The opening bracket.
      bytes = 1
    }
    lists.at(-1)?.push(text)
    bytes += size
  }
  return lists.map((texts) => `[${texts.join()}]`)
}
