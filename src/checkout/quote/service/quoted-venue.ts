import { eq } from 'drizzle-orm'
import * as z from 'zod/mini'
import { taxRatesView } from '../../../catalogue/resources/details/order-types.ts'
import { hoursView } from '../../../catalogue/resources/venue-hours.ts'
import { lazy, param } from '../../../platform/db/database.ts'
import { db, type RowOf, typed, withRows } from '../../../platform/db/query.ts'
import { merchantTable } from '../../../platform/db/schema/merchants.ts'
import { parseStored } from '../stored-json.ts'

const venueFields = {
  id: merchantTable.id,
  currency: merchantTable.currency,
  timezone: merchantTable.timezone,
  pricesIncludeTax: merchantTable.pricesIncludeTax,
  taxRate: merchantTable.taxRate,
  taxRounding: merchantTable.taxRounding,
  taxRates: merchantTable.taxRates,
  cashRounding: merchantTable.cashRounding,
  openingHours: merchantTable.openingHours,
  closures: merchantTable.closures,
  specialHours: merchantTable.specialHours,
  hoursClose: merchantTable.hoursClose,
}
const toVenue = ({ id, taxRates, ...row }: RowOf<typeof venueFields>) => ({
  ...row,
  taxRates: parseStored(
    taxRatesView,
    taxRates ?? undefined,
    { id, merchantId: id },
    { table: 'merchants', name: 'taxRates' },
  ),
})

/** Reads the venue `:merchantId`. */
export const findVenue = lazy(() => {
  const build = typed(venueFields, (select) =>
    db
      .select(select)
      .from(merchantTable)
      .where(eq(merchantTable.id, param('merchantId'))),
  )
  return withRows(build, toVenue)
})

const { openingHours, closures, specialHours } = hoursView
const storedHours = z.object({ openingHours, closures, specialHours })
const noHours = { openingHours: undefined, closures: undefined, specialHours: undefined }

/** A venue without damaged hours, and the names of those: such a venue still takes orders. */
export function readQuotedVenue(row: ReturnType<typeof toVenue>) {
  const hours = { openingHours: row.openingHours, closures: row.closures, specialHours: row.specialHours }
  const damaged = Object.entries(hours).flatMap(([name, value]) =>
    value === null || storedHours.safeParse({ [name]: value }).success ? [] : [name],
  )
  const sound = Object.entries(hours).filter(([name, value]) => value !== null && !damaged.includes(name))
  return { venue: { ...row, ...noHours, ...storedHours.parse(Object.fromEntries(sound)) }, damaged }
}

export type QuotedVenue = ReturnType<typeof readQuotedVenue>['venue']
