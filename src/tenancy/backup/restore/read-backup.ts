import * as z from 'zod/mini'
import { ApiError } from '../../../platform/errors.ts'
import { backupFormat } from '../backup-lines.ts'

const row = z.record(z.string(), z.union([z.string(), z.number(), z.null()]))
export type StoredRow = z.output<typeof row>

/** First line of a backup. */
const header = z.object({
  backup: z.object({ format: z.literal(backupFormat), merchantId: z.string(), takenAt: z.int() }),
  merchant: row,
  keys: z.array(row),
  /** Absent in backups of earlier releases, and for a merchant in the shared database. */
  home: z.nullish(row),
})
export type BackupHeader = z.output<typeof header>

const rowLine = z.object({ table: z.string(), row })
const endLine = z.object({ end: z.object({ counts: z.record(z.string(), z.int()) }) })

/** A line of a backup after the header: a row, or the number of rows of each table. */
type BackupLine = z.output<typeof rowLine> | z.output<typeof endLine>

/** The problem of a backup that cannot be read. */
export const unreadable = (reason: string) => new ApiError('conflict', `The backup cannot be read: ${reason}.`)

function parse<Value>(schema: z.ZodMiniType<Value>, line: string): Value {
  try {
    return schema.parse(JSON.parse(line))
  } catch {
    throw unreadable('a line has an unknown format')
  }
}

/** The lines of a gzip file, in sequence. Only one chunk, and its last incomplete line, is in memory. */
export async function* readLines(file: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const texts = file.pipeThrough(new DecompressionStream('gzip')).pipeThrough(new TextDecoderStream())
  const reader = texts.getReader()
  /** The start of a line, in pieces. */
  let rest: string[] = []
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => {
        throw unreadable('it is damaged or not in gzip format')
      })
      if (done) break
      const [first = '', ...others] = value.split('\n')
      rest.push(first)
      const last = others.pop()
      if (last === undefined) continue
      yield rest.join('')
      yield* others
      rest = [last]
    }
    if (rest.some((piece) => piece !== '')) throw unreadable('it ends within a line')
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

/** Reads the header of a backup of the merchant. */
export async function readHeader(lines: AsyncGenerator<string, void>, merchantId: string): Promise<BackupHeader> {
  const { value } = await lines.next()
  const found = parse(header, value ?? '')
  if (found.backup.merchantId !== merchantId) throw unreadable('it belongs to another merchant')
  return found
}

/** Parses a line after the header. */
export const parseLine = (line: string): BackupLine =>
  line.startsWith('{"end"') ? parse(endLine, line) : parse(rowLine, line)

/** The table of a line, without parsing it. */
export const getTable = (line: string): string | undefined => /^\{"table":"(\w+)"/.exec(line)?.[1]
