import * as z from 'zod/mini'
import type { Bindings } from '../../../platform/env.ts'
import { isObject } from '../../../platform/lib/schema-guard.ts'
import { resourcePaths } from '../../../platform/names.ts'
import { openBackup } from '../check-backup.ts'
import { maxPageUnits } from './insert-rows.ts'
import { parseLine, readHeader, readLines, type StoredRow, unreadable } from './read-backup.ts'
import { ObjectIds } from './row-references.ts'

/** Limits of one page of rows and of one part, in UTF-16 units. A part has at least one page. */
export const partBounds = { rows: 500, units: 4_000_000 } as const

/** Rows of one table that are inserted together, in which ids replace row numbers, and the number of rows without an object between them. */
const page = z.object({ table: z.string(), rows: z.array(z.custom<StoredRow>(isObject)), omitted: z.int() })
/** Pages of a backup, its time, and the number of its lines up to their end. The last part has the numbers of rows that the backup says. */
const part = z.object({
  takenAt: z.int(),
  lines: z.int(),
  pages: z.array(page),
  counts: z.optional(z.record(z.string(), z.int())),
})
export type BackupPart = z.output<typeof part>

/** The backup whose parts are meant. */
interface Source {
  env: Bindings
  merchantId: string
  takenAt: number
}

const resourceTables: ReadonlySet<string> = new Set(resourcePaths)
const allParts = 'restores/'
const toPrefix = (merchantId: string) => `${allParts}${merchantId}/`
/** Key of the part that begins after some lines of the backup. */
const toPartKey = ({ merchantId, takenAt }: Source, lines: number) => `${toPrefix(merchantId)}${takenAt}/${lines}`

/** The part that begins after some lines of the backup. Undefined if it is not written. */
export async function readPart(source: Source, lines: number): Promise<BackupPart | undefined> {
  const file = await source.env.BACKUPS.get(toPartKey(source, lines))
  return file ? part.parse(await file.json()) : undefined
}

/** Deletes the parts of all backups of the merchant. */
export async function deleteParts({ env, merchantId }: Pick<Source, 'env' | 'merchantId'>): Promise<void> {
  for (;;) {
    const { objects, truncated } = await env.BACKUPS.list({ prefix: toPrefix(merchantId) })
    if (objects.length > 0) await env.BACKUPS.delete(objects.map(({ key }) => key))
    if (!truncated) return
  }
}

/** Maximum number of parts that one run of the cron deletes. */
const maxDeleted = 500

/** Deletes parts that were written before a time in seconds: their restore was left unfinished. When it continues, it writes them again. */
export async function deleteOldParts({ BACKUPS }: Bindings, before: number): Promise<void> {
  const { objects } = await BACKUPS.list({ prefix: allParts, limit: maxDeleted })
  const old = objects.filter(({ uploaded }) => uploaded.getTime() < before * 1_000)
  if (old.length > 0) await BACKUPS.delete(old.map(({ key }) => key))
}

/**
 * Reads the whole backup once and writes it as parts, so that each request of a restore reads only the rows that it inserts. `weigh` is the weight of
 * a page; a part ends with the page that reaches `maxWeight`. Only one part is in memory, and the ids of all objects.
 */
export async function writeParts(
  source: Source,
  weigh: (table: string, rows: number) => number,
  maxWeight: number,
): Promise<void> {
  const ids = new ObjectIds()
  let [read, start, weight, units, pageUnits] = [0, 0, 0, 0, 0]
  let current: BackupPart['pages'][number] = { table: '', rows: [], omitted: 0 }
  let pages: BackupPart['pages'] = []
  const lines = readLines(await openBackup(source.env, source.merchantId, source.takenAt))
  const { backup } = await readHeader(lines, source.merchantId)
  const write = async (counts?: Record<string, number>) => {
    await source.env.BACKUPS.put(
      toPartKey(source, start),
      JSON.stringify({ takenAt: backup.takenAt, lines: read, pages, counts }),
    )
    ;[pages, start, weight, units] = [[], read, 0, 0]
  }
  const endPage = async (table: string) => {
    if (current.rows.length > 0 || current.omitted > 0) pages.push(current)
    weight += weigh(current.table, current.rows.length)
    units += pageUnits
    current = { table, rows: [], omitted: 0 }
    pageUnits = 0
    if (pages.length > 0 && (weight >= maxWeight || units >= partBounds.units)) await write()
  }
  for await (const line of lines) {
    const parsed = parseLine(line)
    if ('end' in parsed) {
      await endPage('')
      read++
      return write(parsed.end.counts)
    }
    const { table } = parsed
    if (resourceTables.has(table)) ids.add(table, parsed.row)
    const isFull = current.rows.length >= partBounds.rows || pageUnits + line.length > maxPageUnits
    if (current.table !== table || isFull) await endPage(table)
    const row = ids.resolve(table, parsed.row)
    if (row) current.rows.push(row)
    else current.omitted++
    pageUnits += line.length
    read++
  }
  throw unreadable('its last line is missing')
}
