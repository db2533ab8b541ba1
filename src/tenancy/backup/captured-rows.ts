import * as z from 'zod/mini'
import type { Database } from '../../platform/db/database.ts'
import type { Row } from '../../platform/db/row.ts'
import { toEndLine, toRowLine } from './backup-lines.ts'
import { type CapturedTable, capturedTables, changeBounds, changeStatements } from './capture-changes.ts'
import { getTable, parseLine } from './restore/read-backup.ts'

const keyList = z.array(z.union([z.string(), z.number(), z.null()]))
/** A key as `CapturedTable.getKey` returns it. SQLite escapes some characters differently. */
const normalizeKey = (key: string) => JSON.stringify(keyList.parse(JSON.parse(key)))
const byName = new Map(capturedTables.map((table) => [table.name, table]))

/** The rows that have changed since the start of a backup. */
export class CapturedRows {
  /** Lines by table and key. Undefined: the row was deleted. */
  readonly #lines = new Map<string, Map<string, string | undefined>>()
  /** Tables with changes since the start. Only their rows are read. */
  #changed = new Set<CapturedTable>()
  /** Keys of rows that were too large to be read, by table. */
  #pending = new Map<string, string[]>()
  /** Number of the last change that was read. */
  #after = 0
  /** UTF-16 units of the lines. */
  units = 0

  get isEmpty() {
    return this.#lines.size === 0
  }

  #set(table: CapturedTable, key: string, line: string | undefined) {
    const lines = this.#lines.get(table.name) ?? new Map<string, string | undefined>()
    this.units += (line?.length ?? 0) + key.length - (lines.get(key)?.length ?? 0)
    this.#lines.set(table.name, lines.set(key, line))
  }

  /** The changes from now on, without the rows that were already read. */
  createNext(): CapturedRows {
    const next = new CapturedRows()
    next.#changed = this.#changed
    next.#pending = this.#pending
    next.#after = this.#after
    return next
  }

  /**
   * Reads the next changes, and the current rows, in one transaction. Returns whether these rows and those of the backup form one snapshot, because
   * no change is left. Undefined if changes are no longer captured.
   */
  async readNext(database: Database, merchantId: string, capture: number): Promise<boolean | undefined> {
    const tables = [...this.#changed]
    const range = { capture, after: this.#after, limit: changeBounds.changes }
    const pendingOf = ({ name }: CapturedTable) => this.#pending.get(name) ?? []
    const [captures, changes, , ...found] = await database.run(
      [changeStatements.find(), { capture, merchantId }],
      [changeStatements.changes(), range],
      // The rows of the last read.
      [changeStatements.removeRead(), { capture, after: this.#after }],
      ...tables.map(
        (table) => [table.read(), { ...range, merchantId, pending: `[${pendingOf(table).join()}]` }] as const,
      ),
    )
    if (captures.length === 0) return undefined
    const changed = Map.groupBy(changes, ({ entry }) => entry)
    const pending = new Map<string, string[]>()
    for (const [index, table] of tables.entries()) {
      const keys = new Set([
        ...pendingOf(table),
        ...(changed.get(table.name) ?? []).map(({ key }) => normalizeKey(key)),
      ])
      const late = this.#take(table, found[index] ?? [], keys)
      if (late.length > 0) pending.set(table.name, late)
      changed.delete(table.name)
    }
    for (const [name, entries] of changed) {
      const table = byName.get(name)
      if (!table) continue
      this.#changed.add(table)
      pending.set(name, [...new Set(entries.map(({ key }) => normalizeKey(key)))])
    }
    this.#pending = pending
    this.#after = changes.at(-1)?.number ?? this.#after
    return pending.size === 0 && changes.length < changeBounds.changes
  }

  /** Stores the rows that were read from a table. `keys` are the requested keys. Returns the keys of rows that did not fit. */
  #take(table: CapturedTable, rows: readonly Row[], keys: Set<string>): string[] {
    const late: string[] = []
    for (const { 'key list': list, 'fits page': fits, ...row } of rows) {
      const key = normalizeKey(String(list))
      keys.delete(key)
      if (fits === 1) this.#set(table, key, toRowLine(table.name, row))
      else late.push(key)
    }
    for (const key of keys) this.#set(table, key, undefined)
    return late
  }

  /** The lines of a backup, with changed rows replaced by these. */
  async *replaceIn(lines: AsyncGenerator<string, void>, header: string): AsyncGenerator<string, void, undefined> {
    await lines.next()
    yield header
    const counts: Record<string, number> = {}
    const count = (name: string, rows = 1) => {
      counts[name] = (counts[name] ?? 0) + rows
    }
    let line = (await lines.next()).value ?? ''
    for (const { name, getKey } of capturedTables) {
      const changed = this.#lines.get(name)
      for (; getTable(line) === name; line = (await lines.next()).value ?? '') {
        if (changed) {
          const parsed = parseLine(line)
          if ('row' in parsed && changed.has(getKey(parsed.row))) continue
        }
        count(name)
        yield `${line}\n`
      }
      const present = [...(changed?.values() ?? [])].filter((text) => text !== undefined)
      if (present.length > 0) {
        count(name, present.length)
        yield present.join('')
      }
    }
    yield toEndLine(counts)
  }
}
