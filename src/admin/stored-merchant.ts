import { eq, getTableColumns, getTableName, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { merge } from '../catalogue/resource/merge-patch.ts'
import { DamagedError } from '../platform/db/damaged-rows.ts'
import { type Database, lazy, param } from '../platform/db/database.ts'
import { db, typed, withRawRows } from '../platform/db/query.ts'
import type { Row } from '../platform/db/row.ts'
import { homeTable } from '../platform/db/schema/directory/homes.ts'
import { merchantTable as table } from '../platform/db/schema/merchants.ts'
import { notFound } from '../platform/errors.ts'
import { createPageStatements } from '../platform/http/keyset-list.ts'
import { type Merchant, readMerchantFields } from './merchant-schemas.ts'

const homeColumn = (column: SQLiteColumn) =>
  sql<string | null>`(select ${column} from ${homeTable} where ${homeTable.merchantId} = ${table.id})`
/** Columns for the home of a merchant. */
const homeColumns = {
  home: homeColumn(homeTable.kind),
  location: homeColumn(homeTable.location),
  jurisdiction: homeColumn(homeTable.jurisdiction),
}
/** Columns that are read of a merchant. */
export const merchantFields = {
  id: table.id,
  name: table.name,
  timezone: table.timezone,
  currency: table.currency,
  orderingUrl: table.orderingUrl,
  sandboxUrl: table.sandboxUrl,
  destinationHosts: table.destinationHosts,
  pricesIncludeTax: table.pricesIncludeTax,
  taxRate: table.taxRate,
  taxRounding: table.taxRounding,
  taxRates: table.taxRates,
  cashRounding: table.cashRounding,
  dayStartsAt: table.dayStartsAt,
  language: table.language,
  logo: table.logo,
  color: table.color,
  theme: table.theme,
  menuBar: table.menuBar,
  publishBy: table.publishBy,
  supportAccess: table.supportAccess,
  address: table.address,
  phone: table.phone,
  website: table.website,
  openingHours: table.openingHours,
  notes: table.notes,
  closures: table.closures,
  specialHours: table.specialHours,
  hoursClose: table.hoursClose,
  createdAt: table.createdAt,
  updatedAt: table.updatedAt,
  suspendedAt: table.suspendedAt,
  closedAt: table.closedAt,
  deletesAt: table.deletesAt,
  ...homeColumns,
}

/** Fields that determine the state of a merchant. */
const decisive: ReadonlySet<string> = new Set(['suspendedAt', 'closedAt', 'deletesAt'])
/** Optional fields: a merchant can be read without them. */
const optional: ReadonlySet<string> = new Set(
  Object.entries(getTableColumns(table)).flatMap(([key, { notNull }]) => (notNull || decisive.has(key) ? [] : [key])),
)
const isOptional = (field: string) => optional.has(field)

/** A merchant without its damaged fields, and their names. */
interface StoredMerchant {
  merchant: Merchant
  unreadable: readonly string[]
}

const createDamagedError = (id: string, fields: readonly string[]) =>
  new DamagedError({ table: getTableName(table), id, merchantId: id, fields })

/** Decodes the columns of a row. */
function decode(read: (row: Row) => Row, row: Row): { decoded: Row; unreadable: readonly string[] } {
  try {
    return { decoded: read({ ...row }), unreadable: [] }
  } catch (error) {
    if (!(error instanceof DamagedError)) throw error
    const { fields } = error.damage
    const rest = { ...row, ...Object.fromEntries(fields.filter(isOptional).map((field) => [field, null])) }
    return { decoded: read(rest), unreadable: fields }
  }
}

/** Reads a merchant from a row of `merchantFields`. Throws `DamagedError` if a required field is damaged. */
function readStoredMerchant(read: (row: Row) => Row, row: Row): StoredMerchant {
  const { decoded, unreadable } = decode(read, row)
  const { merchant, unfit } = readMerchantFields(merge({}, decoded), isOptional)
  if (!merchant) throw createDamagedError(String(row['id']), [...unreadable, ...unfit])
  return { merchant, unreadable: [...unreadable, ...unfit] }
}

/** Reads a merchant without damaged fields. */
export function readSoundMerchant(read: (row: Row) => Row, row: Row): Merchant {
  const { merchant, unreadable } = readStoredMerchant(read, row)
  if (unreadable.length > 0) throw createDamagedError(merchant.id, unreadable)
  return merchant
}

/** The damage of a merchant, for the report. */
const toDamage = ({ merchant: { id }, unreadable }: StoredMerchant) => createDamagedError(id, unreadable).damage

/** Whether the name or the id contains `:q`. True without `:q`. */
export const matchesSearch = sql`(${param('q')} is null or instr(lower(${table.name}), lower(${param('q')})) > 0 or instr(${table.id}, lower(${param('q')})) > 0)`

const statements = {
  find: lazy(() =>
    typed(merchantFields, (select) =>
      db
        .select(select)
        .from(table)
        .where(eq(table.id, param('id'))),
    ),
  ),
  list: createPageStatements(merchantFields, matchesSearch),
}

/** Reads a merchant, and reports its damaged fields. */
function readMerchant({ report }: Pick<Database, 'report'>, read: (row: Row) => Row, row: Row): StoredMerchant {
  const stored = readStoredMerchant(read, row)
  if (stored.unreadable.length > 0) report([toDamage(stored)])
  return stored
}

/** Finds a merchant, and reports its damaged fields. Throws `not_found`. */
export async function findStoredMerchant(database: Database, id: string): Promise<StoredMerchant> {
  const statement = statements.find()
  const row = await database.findNamed(async () => (await database.run([withRawRows(statement), { id }]))[0]?.[0])
  if (!row) throw notFound()
  return readMerchant(database, statement.read, row)
}

/**
 * Returns the merchant with the given id, without damaged optional fields, which are reported. Throws `not_found`, or `DamagedError` if
 * another field is damaged.
 */
export const findMerchant = async (database: Database, id: string): Promise<Merchant> =>
  (await findStoredMerchant(database, id)).merchant

/** Statements of the list. Its merchants are shown without damaged optional fields. */
export const createMerchantPages = (database: Database) => {
  const readable = (statement: ReturnType<typeof statements.find>) => ({
    ...statement,
    read: (row: Row) => readMerchant(database, statement.read, row).merchant,
  })
  return { asc: () => readable(statements.list.asc()), desc: () => readable(statements.list.desc()) }
}
