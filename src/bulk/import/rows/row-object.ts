import type { ResourcePath } from '../../../platform/names.ts'
import type { RowIssue } from './file-row.ts'

/** Metadata entries of a CSV row, which replace and extend those of the object by key. */
export interface MetadataCells {
  entries: readonly { key: string; value: string }[]
  /** Keys of the entries that guests cannot see. Undefined: visibility stays unchanged. */
  hidden: readonly string[] | undefined
}

/** Parts of a row that guests will see besides its fields. Only previews show them. */
export interface ShownParts {
  /** Titles of the sections of the menu that get the object. */
  sections?: string[] | undefined
  /** Labels and prices of the sizes. */
  sizes?: { label: string; price?: unknown }[] | undefined
}

/** Content of a row: the keys of its object, and the body of the create or update. */
export interface RowObject {
  resource: ResourcePath | undefined
  id: string | undefined
  externalId: string | undefined
  body: Readonly<Record<string, unknown>>
  metadata?: MetadataCells | undefined
  /** Details of the object, or limits of the coupon, as the line has them. */
  details?: Readonly<Record<string, unknown>> | undefined
  /** The line contains an exported object, so its read-only fields are ignored. */
  isExported?: boolean | undefined
  issues: readonly RowIssue[]
  /** Fields whose values no other row of the file has, so that they can select an object with `match=auto`. */
  unique?: readonly string[] | undefined
  shown?: ShownParts | undefined
  /** Issues of values that do not hide which object the row names. */
  valueIssues?: readonly RowIssue[]
}
