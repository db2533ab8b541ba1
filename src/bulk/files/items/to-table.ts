import { getOwn, isObject } from '../../../platform/lib/schema-guard.ts'
import type { TableRow } from '../table/group-rows.ts'

const toCell = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value))
    return value
      .map((part) => (isObject(part) ? String(part['url'] ?? part['src'] ?? part['name'] ?? '') : String(part)))
      .join('|')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Maximum number of members of an object in an object that become columns. */
const maxMembers = 30
const isScalar = (value: unknown) => typeof value !== 'object' || value === null

/** The members of an object. Those of a small flat object in it follow its name: `prices small`. */
const flatten = (object: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(object).flatMap(([name, value]): [string, unknown][] => {
      const members = isObject(value) && !Array.isArray(value) ? Object.entries(value) : []
      const isFlat = members.length > 0 && members.length <= maxMembers && members.every(([, inner]) => isScalar(inner))
      return isFlat ? members.map(([inner, text]) => [`${name} ${inner}`, text]) : [[name, value]]
    }),
  )

/** A list of objects as a table, whose columns are their keys. */
export function toTable(given: readonly Readonly<Record<string, unknown>>[]): { header: string[]; rows: TableRow[] } {
  const objects = given.map(flatten)
  const header = [...new Set(objects.flatMap((object) => Object.keys(object)))]
  const rows = objects.map((object, index) => ({
    row: index + 1,
    cells: header.map((key) => toCell(getOwn(object, key))),
  }))
  return { header, rows }
}
