import type { ObjectResult, ObjectStatement } from '../../platform/env.ts'

/** D1 binds booleans as numbers. */
const toBinding = (value: unknown): SqlStorageValue =>
  typeof value === 'number' || typeof value === 'string' || value instanceof ArrayBuffer
    ? value
    : typeof value === 'boolean'
      ? Number(value)
      : null

/** Whether any of the statements may write. A statement that says nothing may. */
export const hasWrite = (statements: readonly ObjectStatement[]) => statements.some(({ isWrite = true }) => isWrite)

/**
 * Runs statements in one transaction. `check` gets the number of written rows, and can throw to undo the transaction. Returns the rows of
 * each statement, and the number of written rows.
 */
export function runStatements(
  storage: DurableObjectStorage,
  statements: readonly ObjectStatement[],
  check: (written: number) => void,
): { results: Record<string, SqlStorageValue>[][]; written: number } {
  let written = 0
  const runAll = () =>
    statements.map(({ sql, values }) => {
      const cursor = storage.sql.exec(sql, ...values.map(toBinding))
      const rows = cursor.toArray()
      written += cursor.rowsWritten
      return rows
    })
  // Reads need no transaction: nothing runs between them, and nothing is undone or committed.
  if (!hasWrite(statements)) return { results: runAll(), written }
  const results = storage.transactionSync(() => {
    const all = runAll()
    check(written)
    return all
  })
  return { results, written }
}

/** The rows, or the message of the error. It does not throw, because an error that an object throws counts as a crash. */
export async function toObjectResult(run: () => Promise<ObjectResult['rows']>): Promise<ObjectResult> {
  try {
    return { rows: await run() }
  } catch (error) {
    return { rows: [], error: error instanceof Error ? error.message : String(error) }
  }
}
