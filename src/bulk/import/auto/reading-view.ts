import * as z from 'zod/mini'
import { fileNoticeCodes, questionCodes } from '../../files/items/file-item.ts'
import { decodeChosen, fileEncodings } from '../../files/text/encoding.ts'
import { numberFormats } from '../../files/values/numbers.ts'
import { fileKinds, type StoredReading } from './stored-reading.ts'

const text = (description: string) => z.string().check(z.describe(description))

/** Findings about a file, in responses. */
export const readingView = z.object({
  kind: z.enum(fileKinds).check(z.describe('Kind of the file, found out by its content.')),
  encoding: z.enum(fileEncodings).check(z.describe('Encoding of the text.')),
  delimiter: z.optional(text('Character between the cells of a CSV file.')),
  sheets: z
    .optional(z.array(z.string()))
    .check(z.describe('Names of the visible sheets of a spreadsheet, if it has several. One of them was read.')),
  numberFormat: z
    .optional(z.enum(numberFormats))
    .check(
      z.describe(
        'Decimal separator of numbers that can be read in two ways: `point` reads 1,234 as 1234, `comma` as 1.234.',
      ),
    ),
  preset: z.optional(text('Name of the system that exported the file, or `export` for an export of this service.')),
  columns: z
    .array(
      z.object({
        name: text('Heading of the column.'),
        to: z.nullable(z.string()).check(z.describe('Field that the column becomes. Null: it is left out.')),
        how: z
          .enum(['field', 'synonym', 'preset', 'chosen', 'left_out'])
          .check(
            z.describe('Why: the heading is the name of the field, a word for it, known from the preset, or chosen.'),
          ),
        samples: z.array(z.string()).check(z.describe('Up to 3 values of the column.')),
      }),
    )
    .check(z.describe('Columns of a table, in the order of the file.')),
  questions: z
    .array(
      z.object({
        code: z
          .enum(questionCodes)
          .check(
            z.describe(
              '`number_format`: numbers can be read in two ways. `location`: prices or stock of several places. `column`: no column, or several, may be the field. `name`: one column has whole names of people. `title_rows`: rows with nothing but a text are titles of sections, or products without a price. `date_format`: the order of day and month is open. `discount_type`: discounts are percentages, or amounts. `tax_rate`: tax rates below 1 may be fractions. `sold_by`: prices of products by weight or volume have no unit. `amounts`: prices are all whole, and may be in cents.',
            ),
          ),
        column: z.optional(text('Column or field that the question is about.')),
        samples: z.array(z.string()).check(z.describe('Values that raise the question.')),
        choices: z.array(z.string()).check(z.describe('Possible answers.')),
      }),
    )
    .check(z.describe('Open questions. Answer them with a mapping.')),
  notices: z
    .array(
      z.object({
        code: z.enum(fileNoticeCodes).check(z.describe('Code of the notice, for programs.')),
        column: z.optional(text('Heading of the column.')),
        count: z.int().check(z.describe('Number of occurrences.')),
        message: text('Explanation of the notice for people.'),
      }),
    )
    .check(z.describe('Parts of the file that are left out or changed.')),
  remembered: z
    .optional(z.boolean())
    .check(z.describe('True if choices about an earlier file with the same headings were used.')),
  menu: z.optional(text('Title of the menu that the import creates or extends. Absent: none.')),
  sections: z
    .optional(z.int())
    .check(z.describe('Number of sections of this menu that get products. Absent without `menu`.')),
})

const maxSamples = 3
const maxSampleUnits = 200

/** Values of each column, in rows as they came. `decode` reads a cell in the encoding that was chosen. */
function listSamples(
  columns: number,
  rows: readonly (string | readonly string[])[],
  decode: (cell: string) => string,
): string[][] {
  const samples = Array.from({ length: columns }, (): string[] => [])
  for (const raw of rows) {
    if (typeof raw === 'string') continue
    for (const [index, cell] of raw.entries()) {
      const { [index]: list } = samples
      const value = decode(cell).trim().slice(0, maxSampleUnits).toWellFormed()
      if (list && list.length < maxSamples && value !== '' && !list.includes(value)) list.push(value)
    }
  }
  return samples
}

/** The reading of a file in responses. `rows` are the first ones as they came. */
export function toReadingView(
  reading: StoredReading,
  rows: readonly (string | readonly string[])[],
): z.output<typeof readingView> {
  const {
    choices: _choices,
    decodedAs,
    lastRow: _lastRow,
    isOwnLines: _isOwn,
    wanted: _wanted,
    menuTitle: _title,
    columns,
    ...shown
  } = reading
  const { encoding } = reading
  const samples = listSamples(columns.length, rows, (cell) => decodeChosen(cell, decodedAs, encoding))
  return {
    ...shown,
    columns: columns.map(({ named: _named, ...column }, index) => ({ ...column, samples: samples[index] ?? [] })),
  }
}
