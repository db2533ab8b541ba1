import { extname } from 'node:path'
import type { Client, Import, ImportMapping, ImportOptions } from 'merchant-ordering-client'
import {
  type Command,
  type Context,
  listOf,
  readCount,
  readResource,
  requireWord,
  textOf,
  toCommand,
} from '../../command.ts'
import { exitCodes } from '../../errors/errors.ts'
import { UsageError } from '../../errors/usage-error.ts'
import { readBytes } from '../../fields.ts'
import { explainInterruption } from '../imports.ts'
import { choiceOf, codePages, readMapping } from './import-options.ts'
import { answer, ask, describeOption, describeQuestion, isConversation } from './import-questions.ts'
import { describePreview, describeReading, printIssues } from './import-report.ts'

const matches = ['auto', 'externalId', 'id', 'sku', 'title'] as const
/** Media types of files to import by their formats. */
const importTypes = { csv: 'text/csv', jsonl: 'application/jsonl' } as const
const isFormat = (text: string): text is keyof typeof importTypes => Object.hasOwn(importTypes, text)
/** Number of bytes of a file that show its format. */
const sampleBytes = 100

/** The format from the name of a file. Otherwise, a file that starts with an object is JSON Lines. */
function detectFormat(file: string, content: Uint8Array): keyof typeof importTypes {
  const extension = extname(file).slice(1).toLowerCase()
  if (isFormat(extension)) return extension
  const start = new TextDecoder().decode(content.subarray(0, sampleBytes))
  return start.trimStart().startsWith('{') ? 'jsonl' : 'csv'
}

/** Answers what the file leaves open: by options, or on the terminal. Returns an import that may still be `asking`. */
async function settle(
  context: Context,
  client: Client,
  found: Import,
  options: Pick<ImportOptions, 'onProgress' | 'signal'>,
) {
  const given = readMapping(context)
  const mapped = given ? await client.imports.map(found.id, { ...given, revision: found.revision }, options) : found
  const questions = mapped.state === 'asking' ? (mapped.reading?.questions ?? []) : []
  if (questions.length === 0 || !isConversation(context)) return mapped
  const answers = await answer(context, questions)
  return client.imports.map(mapped.id, { ...answers, revision: mapped.revision }, options)
}

/** The confirmed number of deletions: that of the option, or the one typed on a terminal. */
async function confirmDeletes(context: Context, { check }: Import): Promise<number | undefined> {
  const given = textOf(context, 'confirm-deletes')
  if (given !== undefined) return readCount(given, '--confirm-deletes')
  if (!check?.needsConfirmation || !isConversation(context)) return undefined
  return readCount(
    await ask(context, `This deletes ${check.deletes} objects. Type this number to confirm: `),
    'The number',
  )
}

/** Whether the checked rows are written now. */
async function mayApply(context: Context, { state, failed, rows }: Import): Promise<boolean> {
  const { values } = context
  if (state !== 'ready') return false
  if (values['yes'] === true) return true
  if (values['apply'] === true) return failed === 0 || values['partly'] === true
  if (!isConversation(context)) return false
  const usable = failed === 0 ? 'Apply' : `Apply ${rows - failed} of ${rows} rows`
  return /^y(?:es)?$/i.test(await ask(context, `${usable}? [y/N] `))
}

/** Fields of an import that are printed for people. */
const printed = ['id', 'state', 'rows', 'applied', 'created', 'updated', 'unchanged', 'deleted', 'failed']
const pickState = (found: Import) =>
  Object.fromEntries(Object.entries(found).filter(([name]) => printed.includes(name)))

async function run(context: Context): Promise<number> {
  const { output, values, signal } = context
  const file = requireWord(context, 'a file')
  const name = textOf(context, 'resource')
  const isStrict = values['strict'] === true
  const match = choiceOf(context, 'match', matches)
  readMapping(context)
  const content = await readBytes(file)
  const format = textOf(context, 'type') ?? detectFormat(file, content)
  if (!isFormat(format)) throw new UsageError('--type must be csv or jsonl.')
  const client = await context.connect()
  const done = await explainInterruption(context, async (see) => {
    const onProgress = (current: Import) => {
      see(current)
      output.progress(current.state, current.state === 'applying' ? current.applied : current.checked, current.rows)
    }
    const started = await client.import(name === undefined ? undefined : readResource(name), new Blob([content]), {
      type: importTypes[format],
      mapping: isStrict ? 'strict' : 'auto',
      sheet: textOf(context, 'sheet'),
      menu: textOf(context, 'menu'),
      match,
      ...(values['keep-existing'] === true && { existing: 'keep' }),
      ...(values['set-counters'] === true && { counters: 'set' }),
      ...(values['delete-missing'] === true && { delete: 'missing' }),
      onProgress,
      signal,
    })
    const checked = await settle(context, client, started, { onProgress, signal })
    if (!output.isJson) {
      describeReading(output, checked)
      if (checked.state === 'ready') await describePreview(output, client, checked, signal)
    }
    if (!(await mayApply(context, checked))) return checked
    const shown = { revision: checked.revision, confirmDeletes: await confirmDeletes(context, checked) }
    return client.imports.apply(checked.id, { ...shown, onProgress, signal })
  })
  output.object(output.isJson ? done : pickState(done))
  if (done.state === 'asking' && !output.isJson) {
    for (const question of done.reading?.questions ?? []) {
      output.note(`${describeQuestion(question)} Answer with ${describeOption(question)}.`)
    }
  }
  if (done.changeSet !== undefined && !output.isJson) {
    output.note(`Take it back: ${toCommand(context, `imports undo ${done.id}`)}`)
  }
  // If details cannot be written, the row has an issue but counts as applied.
  const { items: issues, cursor } = await client.imports.errors(done.id, { signal }).page()
  if (!output.isJson) await printIssues(output, done.id, issues, cursor !== undefined)
  const isComplete = issues.length === 0 && done.failed === 0 && !['failed', 'cancelled', 'asking'].includes(done.state)
  return isComplete ? exitCodes.success : exitCodes.failed
}

/** Imports a file of this service or of another system. */
export const importCommand: Command = {
  name: 'import',
  usage: '<file>',
  summary: 'Reads a spreadsheet, an export of a till or shop, or a menu as JSON, and writes it',
  details: `Shows what was read and what will be written. On a terminal it asks what the file leaves open, and before it writes; otherwise
nothing is written without --apply or --yes. A row with an issue is never applied. With --apply nothing is written if any row
has an issue, unless --partly is given.`,
  options: {
    resource: { value: 'NAME', description: 'Resource of the rows. Default: as the file says' },
    map: {
      value: 'COLUMN=FIELD',
      repeats: true,
      description:
        'Field of a column, for example "Preis=price"; without FIELD, the column is left out. May be repeated',
    },
    'number-format': {
      value: 'point|comma',
      description: 'Decimal separator of numbers that can be read in two ways',
    },
    'title-rows': {
      value: 'sections|products',
      description: 'Meaning of rows with nothing but a text: titles of sections, or products without a price',
    },
    'date-format': {
      value: 'day_first|month_first',
      description: 'Order of day and month in dates that can be read in two ways, such as 03/04/2026',
    },
    'discount-type': {
      value: 'percent|amount',
      description: 'Meaning of discounts of coupons that have neither a sign nor a type',
    },
    'tax-rates': {
      value: 'percent|fraction',
      description: 'Meaning of tax rates below 1: with fraction, 0.19 is 19 %',
    },
    'sold-by': {
      value: 'kg|100g|l|piece',
      description: 'Unit of the prices of products that the file sells by weight or volume',
    },
    amounts: {
      value: 'units|cents',
      description: 'Meaning of prices that are all whole: with cents, 1250 is 12.50',
    },
    encoding: { value: 'NAME', description: `Code page of a file that is not Unicode: ${codePages.join(', ')}` },
    location: { value: 'NAME', description: 'Place whose prices and stock are taken' },
    menu: { value: 'TITLE|none', description: 'Menu whose sections are the categories of the file' },
    sheet: { value: 'NAME', description: 'Sheet of a spreadsheet. Default: the first visible one with rows' },
    strict: { description: 'Columns must have the names of fields; nothing is found out' },
    type: {
      value: 'csv|jsonl',
      description: 'With --strict: format of the file. Default: from its name, or from its first character',
    },
    match: {
      value: 'FIELD',
      description:
        'Field that selects the object of a row: auto (default: external id, id, SKU, barcode, title), externalId, id, sku or title',
    },
    'keep-existing': { description: 'Leaves existing objects unchanged, and only creates the others' },
    'delete-missing': { description: 'Deletes objects with an external id that the file does not name' },
    'confirm-deletes': { value: 'N', description: 'Deletes up to N objects; required where many would be deleted' },
    'set-counters': { description: 'Sets stock and redemptions of existing objects to the values in the file' },
    apply: { description: 'Writes the rows if none has an issue' },
    partly: { description: 'With --apply: writes the rows without issues' },
    yes: { description: 'Writes the rows without issues, and does not ask' },
  },
  examples: [
    'import preisliste.xlsx',
    'import loyverse-export.csv --yes',
    'import liste.csv --map "Preis=price" --map "Notiz=" --number-format comma --apply',
    'import venue.jsonl --apply',
  ],
  run,
}
