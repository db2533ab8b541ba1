import * as z from 'zod/mini'
import { openRecord } from '../../../platform/lib/open-record.ts'
import {
  amountReadings,
  fileNoticeCodes,
  questionCodes,
  soldByReadings,
  taxRateReadings,
  titleRowReadings,
} from '../../files/items/file-item.ts'
import { discountTypes } from '../../files/table/targets.ts'
import { fileEncodings } from '../../files/text/encoding.ts'
import { dateFormats } from '../../files/values/dates.ts'
import { numberFormats } from '../../files/values/numbers.ts'

/** Kinds of files. */
export const fileKinds = [
  'csv',
  'xlsx',
  'jsonl',
  'json',
  'catalogue',
  'square_catalogue',
  'uber_menu',
  'schema_org',
  'nested_menu',
] as const
export type FileKind = (typeof fileKinds)[number]

const text = z.string()

/** Choices of a client about a file. */
const storedChoices = z.object({
  columns: z.optional(openRecord(z.nullable(text))),
  numberFormat: z.optional(z.enum(numberFormats)),
  location: z.optional(text),
  titleRows: z.optional(z.enum(titleRowReadings)),
  dateFormat: z.optional(z.enum(dateFormats)),
  discountType: z.optional(z.enum(discountTypes)),
  taxRates: z.optional(z.enum(taxRateReadings)),
  soldBy: z.optional(z.enum(soldByReadings)),
  amounts: z.optional(z.enum(amountReadings)),
  encoding: z.optional(z.enum(fileEncodings)),
  menu: z.optional(z.union([z.literal('none'), z.object({ title: z.optional(text), id: z.optional(text) })])),
})
export type StoredChoices = z.output<typeof storedChoices>

/** Findings about a file. */
const storedReading = z.object({
  kind: z.enum(fileKinds),
  encoding: z.enum(fileEncodings),
  /** Encoding of the stored rows, which do not change when another one is chosen. */
  decodedAs: z.optional(z.enum(fileEncodings)),
  delimiter: z.optional(text),
  /** Visible sheets of a spreadsheet, of which the first one was read unless another one was named. */
  sheets: z.optional(z.array(text)),
  numberFormat: z.optional(z.enum(numberFormats)),
  preset: z.optional(text),
  columns: z.array(
    z.object({
      name: text,
      to: z.nullable(text),
      how: z.enum(['field', 'synonym', 'preset', 'chosen', 'left_out']),
      named: z.optional(text),
    }),
  ),
  questions: z.array(
    z.object({
      code: z.enum(questionCodes),
      column: z.optional(text),
      samples: z.array(text),
      choices: z.array(text),
    }),
  ),
  notices: z.array(
    z.object({ code: z.enum(fileNoticeCodes), column: z.optional(text), count: z.int(), message: text }),
  ),
  menu: z.optional(text),
  /** Number of sections of that menu that get products. */
  sections: z.optional(z.int()),
  /** The choices are those of an earlier file. */
  remembered: z.optional(z.boolean()),
  choices: storedChoices,
  /** Last row of the file. */
  lastRow: z.int(),
  /** The rows are lines with objects of this service. */
  isOwnLines: z.optional(z.boolean()),
  /** The resource that the request names. */
  wanted: z.optional(text),
  menuTitle: z.optional(text),
})
export type StoredReading = z.output<typeof storedReading>

/** The reading of an import with `mapping=auto`. */
export function readStoredReading(reading: unknown): StoredReading | undefined {
  return reading === null || reading === undefined ? undefined : storedReading.parse(reading)
}
