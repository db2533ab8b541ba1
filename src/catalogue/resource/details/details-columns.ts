import { sql } from 'drizzle-orm'
import { getJsonColumns, type LargeColumns } from '../../../platform/db/page-budget.ts'
import { detailsColumn, detailsOf } from '../../../platform/db/schema/objects/details.ts'
import type { ResourceTable } from '../../../platform/db/schema/resource-columns.ts'
import type { LazyDetails } from './load-details.ts'

interface Detailed {
  table: ResourceTable
  details?: LazyDetails | undefined
}

/** SQL for the details of each row, as a further column of a `select`; empty unless they are included. */
export const selectDetails = ({ table, details }: Detailed, includesDetails: boolean) =>
  includesDetails ? sql`, ${detailsOf(table, details?.get().more)} as ${sql.identifier(detailsColumn)}` : sql``

/** The columns that a page reads only if they fit their share of the page budget. */
export const getLargeColumns = ({ table, details }: Detailed, includesDetails: boolean): LargeColumns => ({
  ...getJsonColumns(table),
  ...(includesDetails && { [detailsColumn]: detailsOf(table, details?.get().more) }),
})
