import type { Row } from '../../platform/db/row.ts'
import { auditTable } from '../../platform/db/schema/audit.ts'
import type { Copying } from './copy-rows.ts'
import { type MovedTable, movedTables } from './moved-tables.ts'

/** The directory has entries of operators that the home may get later. */
const isEqual = ({ table }: MovedTable, source: Row | undefined, target: Row | undefined) =>
  table === auditTable
    ? Number(target?.['rows']) >= Number(source?.['rows'])
    : source?.['rows'] === target?.['rows'] && source?.['digest'] === target?.['digest']

/** Compares the number and the digest of the rows of every table. Returns the names of the tables that differ. */
export async function findDifferences({ merchantId, source, target, base }: Copying): Promise<string[]> {
  const tables = movedTables.filter(({ isVerified }) => isVerified)
  const read = ({ database }: Copying['source'], numberBase: number): Promise<Row[][]> =>
    database.run(...tables.map(({ statements }) => [statements.digest(), { merchantId, base: numberBase }] as const))
  const [before, after] = await Promise.all([read(source, base), read(target, 0)])
  return tables.flatMap((table, index) => (isEqual(table, before[index]?.[0], after[index]?.[0]) ? [] : [table.name]))
}
