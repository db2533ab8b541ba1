import { sql } from 'drizzle-orm'
import { getJsonColumns, type LargeColumns } from '../../../platform/db/page-budget.ts'
import { resourceOf } from '../../../platform/db/schema/external-ids.ts'
import { detailsColumn, detailsOf, detailTable } from '../../../platform/db/schema/objects/details.ts'
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

/** Name of the column that says whether an object has details, of resources with copies outside of the database. */
export const hasDetailsColumn = 'has_details'
/** SQL for that column, as a further one; empty for other resources. Details follow a change of the mode, so those of both modes count. */
export const selectHasDetails = ({ table, isCopied }: { table: ResourceTable; isCopied: boolean }) =>
  isCopied
    ? sql`, exists (select 1 from ${detailTable} where ${detailTable.merchantId} = ${table.merchantId} and ${detailTable.testMode} in (0, 1)
        and ${detailTable.resource} = ${resourceOf(table)} and ${detailTable.object} = ${table.seq}) as ${sql.identifier(hasDetailsColumn)}`
    : sql``
