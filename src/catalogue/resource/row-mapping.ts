import { getTableColumns } from 'drizzle-orm'
import { DamagedError } from '../../platform/db/damaged-rows.ts'
import { createRowReader } from '../../platform/db/query.ts'
import type { Row } from '../../platform/db/row.ts'
import { detailsColumn } from '../../platform/db/schema/objects/details.ts'
import { createObjectParser } from '../../platform/lib/schema-guard.ts'
import type { Draft, ResourceDefinition } from './definition.ts'
import { hasDetailsColumn } from './details/details-columns.ts'

/** An object and its version, which is one on create and increases by one with every change. */
export interface StoredObject<Item> {
  id: string
  item: Item
  version: number
  externalId?: string | undefined
  /** Stored details, if the statement selects them. */
  details?: string | undefined
  /** Whether it has details, if it belongs to a resource with copies and the statement selects this. */
  hasDetails?: boolean | undefined
  damaged?: undefined
}

/** An object, or the readable part of a damaged object. */
export type ReadObject<Item> =
  | StoredObject<Item>
  | {
      id: string
      item?: undefined
      damaged: DamagedError
      version: number
      externalId?: string | undefined
      hasDetails?: boolean | undefined
    }

/** Converts the objects of one resource from and to rows. */
export interface RowMapping<Item extends object = object> {
  resource: ResourceDefinition<Item>
  /** Columns that belong to the object, by their keys. */
  columns: readonly string[]
  /** Throws `DamagedError` if the row does not fit the schema. */
  read(row: Row): StoredObject<Item>
  readAsFarAsPossible(row: Row): ReadObject<Item>
  /** The object with these fields. Throws if they do not fit the schema. */
  parse(fields: Draft): Item
  /** The columns of an object, by their keys. */
  toRow(item: object): Draft
}

/** Columns that are not part of an object. */
const internalColumns: ReadonlySet<string> = new Set(['seq', 'merchantId', 'version'])

/** Whether the object of a row has details, if its statement selects this. */
export const readHasDetails = ({ [hasDetailsColumn]: hasDetails }: Row) =>
  typeof hasDetails === 'number' ? { hasDetails: hasDetails === 1 } : {}

/** Columns of a row besides the object. Only some statements select the external id and the details. */
const readVersion = (row: Row) => {
  const { version, external_id: externalId, [detailsColumn]: details } = row
  return {
    version: Number(version),
    externalId: typeof externalId === 'string' ? externalId : undefined,
    ...(typeof details === 'string' && { details }),
    ...readHasDetails(row),
  }
}

/** Creates the mapping of a resource. */
export function createRowMapping<Item extends object>(resource: ResourceDefinition<Item>): RowMapping<Item> {
  const { table, hooks, item } = resource
  const columns = Object.keys(getTableColumns(table)).filter((key) => !internalColumns.has(key))
  const readItem = createRowReader(table, item)
  const read = (row: Row): StoredObject<Item> => ({
    id: String(row['id']),
    item: readItem(row),
    ...readVersion(row),
  })
  return {
    resource,
    columns,
    read,
    readAsFarAsPossible(row) {
      try {
        return read(row)
      } catch (error) {
        if (!(error instanceof DamagedError)) throw error
        return { id: String(row['id']), damaged: error, ...readVersion(row) }
      }
    },
    parse: createObjectParser(item),
    toRow(item) {
      const fields: Draft = { ...item }
      const derived = { ...fields, ...hooks.derive(fields) }
      return Object.fromEntries(columns.map((key) => [key, derived[key]]))
    },
  }
}
