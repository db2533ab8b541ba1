import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'

const column = z.object({
  name: z.string(),
  type: z.string(),
  primaryKey: z.boolean(),
  notNull: z.boolean(),
  default: z.union([z.string(), z.number(), z.boolean()]).optional(),
})
const table = z.looseObject({
  columns: z.record(z.string(), column.loose()),
  indexes: z.record(z.string(), z.unknown()),
  checkConstraints: z.record(z.string(), z.object({ name: z.string(), value: z.string() })),
})
const snapshot = z.object({ tables: z.record(z.string(), table) })
const journal = z.object({ entries: z.array(z.object({ idx: z.number(), tag: z.string() })) })
/** A column in a snapshot of drizzle-kit. */
export type Column = z.output<typeof column>
/** A table in a snapshot of drizzle-kit. */
export type Table = z.output<typeof table>
export type Tables = z.output<typeof snapshot>['tables']

const readJson = async <Shape extends z.ZodType>(shape: Shape, folder: string, name: string) =>
  shape.parse(JSON.parse(await readFile(join(folder, 'meta', name), 'utf8')))

/** Returns the last migration in the journal of a folder. */
export const lastEntry = async (folder: string) => (await readJson(journal, folder, '_journal.json')).entries.at(-1)

/** Returns the tables after a migration, by name. */
export const tablesAt = async (folder: string, index: number): Promise<Tables> =>
  (await readJson(snapshot, folder, `${String(index).padStart(4, '0')}_snapshot.json`)).tables
