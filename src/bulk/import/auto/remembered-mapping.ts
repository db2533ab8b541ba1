import * as z from 'zod/mini'
import type { Database } from '../../../platform/db/database.ts'
import type { Scope } from '../../../platform/db/scope.ts'
import type { Write } from '../../../platform/db/transaction.ts'
import { hashKey } from '../../../platform/lib/encoding/sha256.ts'
import { nowInSeconds } from '../../../platform/lib/time.ts'
import type { ResourcePath } from '../../../platform/names.ts'
import { soldByReadings, taxRateReadings } from '../../files/items/file-item.ts'
import { planTable } from '../../files/table/plan.ts'
import { discountTypes } from '../../files/table/targets.ts'
import { fileEncodings } from '../../files/text/encoding.ts'
import { dateFormats } from '../../files/values/dates.ts'
import { numberFormats } from '../../files/values/numbers.ts'
import { importLimits } from '../import-limits.ts'
import { errorColumn } from '../rows/csv-header.ts'
import { rememberedStatements } from '../statements/remembered-statements.ts'
import { decodeHeadings } from './decode-headings.ts'
import type { RawFile } from './read-upload.ts'
import type { StoredChoices } from './stored-reading.ts'

const kept = z.object({
  columns: z.record(z.string(), z.nullable(z.string())),
  numberFormat: z.optional(z.enum(numberFormats)),
  dateFormat: z.optional(z.enum(dateFormats)),
  discountType: z.optional(z.enum(discountTypes)),
  taxRates: z.optional(z.enum(taxRateReadings)),
  soldBy: z.optional(z.enum(soldByReadings)),
  encoding: z.optional(z.enum(fileEncodings)),
})

/** Hash of a heading, of 64 bits. */
const hashHeading = async (name: string) => (await hashKey(`heading ${name.trim()}`)).slice(0, 16)

/** Key of the shape of a table: its resource, and the set of its headings in any order. */
async function getShape(header: readonly string[], wanted: ResourcePath | undefined) {
  // A file of faulty rows has a further column with their messages.
  const names = [...new Set(header.map((name) => name.trim()))].filter((name) => name !== errorColumn).sort()
  return { resource: planTable(header, wanted, {}).resource, headings: await hashKey(JSON.stringify(names)) }
}

interface Reader {
  database: Database
  scope: Scope
}

/** The choices about the last file with the headings of this one. Undefined if nothing was chosen. */
export async function recallChoices(
  { database, scope }: Reader,
  { header, encoding }: Pick<RawFile, 'header' | 'encoding'>,
  wanted: ResourcePath | undefined,
): Promise<StoredChoices | undefined> {
  if (!header) return undefined
  const shape = await getShape(header, wanted)
  const [[found]] = await database.run([rememberedStatements.recall(), { ...scope, ...shape, now: nowInSeconds() }])
  const { data } = kept.safeParse(found?.choices)
  if (!data) return undefined
  const columns: [string, string | null][] = []
  for (const name of decodeHeadings(header, encoding, data.encoding)) {
    const { [await hashHeading(name)]: to } = data.columns
    if (to !== undefined) columns.push([name.trim(), to])
  }
  return { ...data, columns: Object.fromEntries(columns) }
}

/** Statements that keep choices for the next file with these headings: what columns mean, the encoding and formats of ambiguous values. */
export async function rememberChoices(
  scope: Scope,
  header: readonly string[],
  wanted: ResourcePath | undefined,
  { columns = {}, ...chosen }: StoredChoices,
): Promise<Write> {
  const hashed = await Promise.all(
    Object.entries(columns).map(async ([name, to]) => [await hashHeading(name), to] as const),
  )
  const { numberFormat, dateFormat, discountType, taxRates, soldBy, encoding } = chosen
  const formats = { numberFormat, dateFormat, discountType, taxRates, soldBy, encoding }
  const choices: z.output<typeof kept> = { columns: Object.fromEntries(hashed), ...formats }
  const values = { ...scope, ...(await getShape(header, wanted)), choices, usedAt: nowInSeconds() }
  return [
    [rememberedStatements.remember(), values],
    [rememberedStatements.forget(), { ...scope, keep: importLimits.rememberedMappings }],
  ]
}
