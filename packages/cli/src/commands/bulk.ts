import { extname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  type BatchOperation,
  type Import,
  maxBatchOperations,
  type ResourcePath,
  resourcePaths,
  toBatches,
} from 'merchant-ordering-client'
import { type Command, rejectWords, requireWord, textOf } from '../command.ts'
import { exitCodes, UsageError } from '../errors.ts'
import { parseFields, parseJson, readBytes, readTextFile } from '../fields.ts'
import { isRecord, writeOutputFile } from '../files.ts'
import { toVisibleJson } from '../visible-text.ts'
import { explainInterruption } from './imports.ts'

const isResource = (text: string): text is ResourcePath => resourcePaths.some((path) => path === text)
function readResource(text: string): ResourcePath {
  if (!isResource(text)) throw new UsageError(`${text} is not a resource. Resources: ${resourcePaths.join(', ')}.`)
  return text
}

const matches = ['externalId', 'id', 'sku', 'title'] as const
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

/** A line of an export, made safe for a terminal. */
const toLine = (value: object) => `${toVisibleJson(JSON.stringify(value))}\n`

/** Maximum number of issues of an import that are printed. */
const maxIssues = 20

/** The service checks operations. Here only their shape is checked. */
const isOperation = (value: unknown): value is BatchOperation =>
  isRecord(value) && typeof value['op'] === 'string' && typeof value['resource'] === 'string'

/** Reads operations: a JSON array, the body of a batch, or JSON Lines. */
async function readOperations(file: string): Promise<readonly BatchOperation[]> {
  const source = await readTextFile(file)
  const whole = /^\s*(?:\[|\{\s*"(?:mode|operations)")/.test(source)
  const parsed = whole
    ? parseJson(source, file)
    : source.split('\n').flatMap((line, index) => (line.trim() ? [parseJson(line, `Line ${index + 1}`)] : []))
  const operations = isRecord(parsed) ? parsed['operations'] : parsed
  if (!Array.isArray(operations)) throw new UsageError(`${file} must have a list of operations.`)
  return operations.map((operation: unknown, index) => {
    if (!isOperation(operation)) throw new UsageError(`Operation ${index + 1} must have "op" and "resource".`)
    return operation
  })
}

export const bulkCommands: readonly Command[] = [
  {
    name: 'import',
    usage: '<file>',
    summary: 'Checks a CSV or JSON Lines file, and with --apply writes it',
    details:
      'A row with an issue is never applied. With --apply nothing is written if any row has an issue, unless --partly is given.',
    options: {
      resource: { value: 'NAME', description: 'Resource of the rows. A full export needs none' },
      type: {
        value: 'csv|jsonl',
        description: 'Format of the file. Default: from its name, or from its first character',
      },
      match: {
        value: 'FIELD',
        description: 'Field that selects the object of a row: externalId (default), id, sku or title',
      },
      'keep-existing': { description: 'Leaves existing objects unchanged, and only creates the others' },
      'delete-missing': { description: 'Deletes objects with an external id that the file does not name' },
      'set-counters': { description: 'Sets stock and redemptions of existing objects to the values in the file' },
      apply: { description: 'Writes the rows' },
      partly: { description: 'With --apply: writes the rows without issues' },
    },
    examples: [
      'import products.csv --resource products',
      'import venue.jsonl --apply',
      'import - --resource products < products.csv',
    ],
    async run(context) {
      const { output, values, signal } = context
      const file = requireWord(context, 'a file')
      const name = textOf(context, 'resource')
      const matchText = textOf(context, 'match')
      const match = matches.find((field) => field === matchText)
      if (matchText !== undefined && !match) throw new UsageError(`--match must be ${matches.join(', ')}.`)
      const content = await readBytes(file)
      const format = textOf(context, 'type') ?? detectFormat(file, content)
      if (!isFormat(format)) throw new UsageError('--type must be csv or jsonl.')
      const client = await context.connect()
      const apply = values['apply'] === true
      const done = await explainInterruption(context, async (see) => {
        const onProgress = (current: Import) => {
          see(current)
          output.progress(current.state, current.state === 'applying' ? current.applied : current.checked, current.rows)
        }
        const started = await client.import(name === undefined ? undefined : readResource(name), new Blob([content]), {
          type: importTypes[format],
          ...(match && { match }),
          ...(values['keep-existing'] === true && { existing: 'keep' }),
          ...(values['set-counters'] === true && { counters: 'set' }),
          ...(values['delete-missing'] === true && { delete: 'missing' }),
          apply,
          onProgress,
          signal,
        })
        const mustApply = apply && values['partly'] === true && started.state === 'ready'
        return mustApply ? client.imports.apply(started.id, { onProgress, signal }) : started
      })
      output.object(done)
      // If details cannot be written, the row has an issue but counts as applied.
      const { items: issues, cursor } = await client.imports.errors(done.id, { signal }).page()
      if (issues.length > 0 && !output.isJson) {
        await output.list(issues.slice(0, maxIssues))
        if (issues.length > maxIssues || cursor !== undefined)
          output.note(`All issues: GET …/imports/${done.id}/errors`)
      }
      const isComplete = issues.length === 0 && done.failed === 0 && !['failed', 'cancelled'].includes(done.state)
      return isComplete ? exitCodes.success : exitCodes.failed
    },
  },
  {
    name: 'export',
    summary: 'Writes all objects as JSON Lines',
    details: 'The name of an incomplete file ends in .part.',
    options: {
      resources: { value: 'NAMES', description: 'Resources separated by commas. Default: all' },
      out: { value: 'FILE', description: 'Writes a file instead of the standard output' },
    },
    examples: ['export --out venue.jsonl', 'export --resources products,menus > menu.jsonl'],
    async run(context) {
      rejectWords(context)
      const { output, signal } = context
      const resources = textOf(context, 'resources')?.split(',').map(readResource)
      const out = textOf(context, 'out')
      const client = await context.connect()
      async function* readLines() {
        const exported = await client.export(resources, { signal })
        const counts: Record<string, number> = {}
        let total = 0
        yield toLine({ export: exported.header })
        for await (const object of exported) {
          counts[object.resource] = (counts[object.resource] ?? 0) + 1
          output.progress('Exported', ++total)
          yield toLine(object)
        }
        yield toLine({ end: { counts } })
        output.note(`Exported ${total} objects.`)
      }
      if (out === undefined) return void (await pipeline(Readable.from(readLines()), process.stdout, { end: false }))
      await writeOutputFile(out, Readable.from(readLines()))
    },
  },
  {
    name: 'batch',
    usage: '<file>',
    summary: 'Runs the operations of a JSON or JSON Lines file',
    details: `By default all operations succeed or nothing is written, up to ${maxBatchOperations}. With --independent, longer files are sent in parts.
The results of each part are printed, even if a later one is rejected.`,
    options: {
      independent: { description: 'Each operation succeeds or fails alone' },
      'dry-run': { description: 'Runs the batch and rolls it back' },
    },
    examples: ['batch changes.json --dry-run', 'batch changes.jsonl --independent'],
    async run(context) {
      const { output, values, signal } = context
      const operations = await readOperations(requireWord(context, 'a file'))
      const isIndependent = values['independent'] === true
      if (operations.length > maxBatchOperations && !isIndependent) {
        throw new UsageError(
          `${operations.length} operations are more than ${maxBatchOperations}. Use --independent, or split the file.`,
        )
      }
      const client = await context.connect()
      const options = { mode: isIndependent ? 'independent' : 'atomic', dryRun: values['dry-run'] === true } as const
      const parts = isIndependent ? toBatches(operations) : [operations].filter(({ length }) => length > 0)
      const results: { index: number; status: number; problem?: { detail: string } }[] = []
      let failed = 0
      const printSum = () => {
        if (output.isJson) output.object(results)
        else output.print(`${results.length - failed} succeeded, ${failed} failed.`)
      }
      try {
        for (const part of parts) {
          const response = await client.batch(part, options, { signal })
          const start = results.length
          const found = response.results.map(({ index, ...result }) => ({ index: start + index, ...result }))
          const failures = found.flatMap(({ index, status, problem }) =>
            problem ? { index, status, problem: problem.detail } : [],
          )
          results.push(...found)
          failed += failures.length
          if (failures.length > 0 && !output.isJson) await output.list(failures)
          output.progress('Sent', results.length, operations.length)
        }
      } catch (error) {
        if (results.length > 0) printSum()
        if (results.length > 0 && !output.isJson)
          output.note(`The operations from index ${results.length} on have no result.`)
        throw error
      }
      printSum()
      return failed > 0 ? exitCodes.failed : exitCodes.success
    },
  },
  {
    name: 'tags sheet',
    usage: '[filter=value…]',
    summary: 'Writes a PDF of tags to print',
    details: 'Filters and layouts are those of GET …/tags/sheet.pdf, for example layout=tents format=letter.',
    options: { out: { value: 'FILE', description: 'Default: tags.pdf' } },
    examples: ['tags sheet layout=stickers --out stickers.pdf'],
    async run(context) {
      const out = textOf(context, 'out') ?? 'tags.pdf'
      const client = await context.connect()
      const response = await client.tags.sheet(await parseFields(context.words), { signal: context.signal })
      const { body } = response
      if (!body) throw new UsageError('The sheet is empty.')
      await writeOutputFile(out, Readable.from(body))
      const omitted = response.headers.get('tags-omitted')
      context.output.note(`Wrote ${out}.${Number(omitted) > 0 ? ` ${omitted} tags are not on it.` : ''}`)
    },
  },
]
