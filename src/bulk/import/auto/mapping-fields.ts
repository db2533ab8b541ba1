import * as z from 'zod/mini'
import { importMatches } from '../../../platform/db/schema/imports/imports.ts'
import { openRecord } from '../../../platform/lib/open-record.ts'
import { amountReadings, soldByReadings, taxRateReadings, titleRowReadings } from '../../files/items/file-item.ts'
import { discountTypes } from '../../files/table/targets.ts'
import { fileEncodings } from '../../files/text/encoding.ts'
import { dateFormats } from '../../files/values/dates.ts'
import { numberFormats } from '../../files/values/numbers.ts'

const target = z.string().check(z.minLength(1), z.maxLength(200))

/** Body of a mapping. Absent fields stay as they were chosen before. */
export const mappingFields = z.strictObject({
  columns: z
    .optional(openRecord(z.nullable(target)))
    .check(
      z.describe(
        'Field of each column by its heading, such as `price`, `metadata.origin`, `sizes.Small` (price of a size) or `translations.fr.title`. Null leaves a column out.',
      ),
    ),
  numberFormat: z
    .optional(z.enum(numberFormats))
    .check(z.describe('Decimal separator of numbers that can be read in two ways.')),
  location: z.optional(target).check(z.describe('Place whose prices, stock and availability are taken.')),
  titleRows: z
    .optional(z.enum(titleRowReadings))
    .check(
      z.describe(
        'Meaning of rows with nothing but a text: titles of sections of the menu, or products, which lack a price then.',
      ),
    ),
  dateFormat: z
    .optional(z.enum(dateFormats))
    .check(z.describe('Order of day and month in dates that can be read in two ways, such as `03/04/2026`.')),
  discountType: z
    .optional(z.enum(discountTypes))
    .check(z.describe('Meaning of discounts without a sign and without a type: a percentage, or an amount.')),
  taxRates: z
    .optional(z.enum(taxRateReadings))
    .check(z.describe('Meaning of tax rates below 1, such as 0.19: percentages, or fractions of 1.')),
  soldBy: z
    .optional(z.enum(soldByReadings))
    .check(
      z.describe(
        'Unit of the prices of products that the file sells by weight or volume. `piece`: they are prices of one piece.',
      ),
    ),
  amounts: z
    .optional(z.enum(amountReadings))
    .check(
      z.describe(
        'Meaning of prices that are all whole, such as 1250: units of the currency, or cents, its minor unit. Not kept for the next file.',
      ),
    ),
  encoding: z.optional(z.enum(fileEncodings)).check(z.describe('Code page or encoding of a file that is not Unicode.')),
  menu: z
    .optional(z.union([z.enum(['none']), z.strictObject({ title: z.optional(target), id: z.optional(target) })]))
    .check(
      z.describe(
        'Menu to which the categories are added as sections: by title, which creates a menu if it is unknown, or by id. `none`: no menu.',
      ),
    ),
  match: z
    .optional(z.enum([...importMatches, 'auto']))
    .check(z.describe('Field that selects the object that a row updates.')),
  counters: z
    .optional(z.enum(['keep', 'set']))
    .check(z.describe('`set` sets counters of the service to the values in the file.')),
  revision: z
    .optional(z.int())
    .check(
      z.describe(
        'Revision that the choices refer to. If somebody else has mapped the import since, the request fails.',
      ),
    ),
})
