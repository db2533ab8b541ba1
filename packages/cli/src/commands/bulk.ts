import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type BatchOperation, maxBatchOperations, toBatches } from 'merchant-ordering-client'
import { type Command, readResource, rejectWords, requireWord, textOf } from '../command.ts'
import { exitCodes } from '../errors/errors.ts'
import { UsageError } from '../errors/usage-error.ts'
import { parseFields } from '../fields.ts'
import { writeOutputFile } from '../files.ts'
import { readOperations } from '../operation-file.ts'
import { toVisibleJson } from '../visible-text.ts'
import { describeVenue } from './venue/write-venue.ts'

/** A line of an export, made safe for a terminal. */
const toLine = (value: object) => `${toVisibleJson(JSON.stringify(value))}\n`

export const bulkCommands: readonly Command[] = [
  {
    name: 'export',
    summary: 'Writes all objects as JSON Lines, or the venue as YAML for apply',
    details: `The name of an incomplete file ends in .part. With --format yaml, the file has settings, modifiers, products, coupons and menus,
without stock and the number of redemptions.`,
    options: {
      format: { value: 'jsonl|yaml', description: 'Default: jsonl' },
      resources: { value: 'NAMES', description: 'Resources separated by commas. Default: all' },
      out: { value: 'FILE', description: 'Writes a file instead of the standard output' },
    },
    examples: [
      'export --out venue.jsonl',
      'export --resources products,menus > menu.jsonl',
      'export --format yaml --out venue.yaml',
    ],
    async run(context) {
      rejectWords(context)
      const { output, signal } = context
      const format = textOf(context, 'format') ?? 'jsonl'
      const resources = textOf(context, 'resources')?.split(',').map(readResource)
      if (format !== 'jsonl' && format !== 'yaml') throw new UsageError('--format must be jsonl or yaml.')
      if (format === 'yaml' && resources) throw new UsageError('Use either --format yaml or --resources, not both.')
      const out = textOf(context, 'out')
      const client = await context.connect()
      if (format === 'yaml') {
        const lines = Readable.from(await describeVenue(client, context))
        if (out === undefined) return void (await pipeline(lines, process.stdout, { end: false }))
        return writeOutputFile(out, lines)
      }
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
      const operations = await readOperations<BatchOperation>(requireWord(context, 'a file'))
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
