/** A statement that the Worker has run in D1, and the rows that D1 says it has read. */
export interface LoggedStatement {
  sql: string
  rowsRead: number
}

const loggers = new Set<(statement: LoggedStatement) => void>()

/** Calls `logger` for each statement of sessions of D1, which only the Worker uses. Returns a function that ends this. */
export function logStatements(logger: (statement: LoggedStatement) => void): () => void {
  loggers.add(logger)
  return () => loggers.delete(logger)
}

const toRowsRead = (result: unknown) => {
  const meta: unknown = Reflect.get(Object(result), 'meta')
  return Number(Reflect.get(Object(meta), 'rows_read') ?? 0)
}

/** Passes the statements of a call to the loggers once their results are known. Returns what the call returns. */
export async function passOn(statements: readonly string[], call: unknown): Promise<unknown> {
  const results: unknown = await call
  const all: unknown[] = Array.isArray(results) ? results : [results]
  for (const [index, sql] of statements.entries()) {
    for (const logger of loggers) logger({ sql, rowsRead: toRowsRead(all[index]) })
  }
  return results
}

/** Compares a column with itself, because a subquery has a table of the outer query without an alias. */
const selfComparison = /("\w+"\."\w+")\s*(?:=|<>|<=?|>=?|is)\s*\1(?!\w)/

/** The comparison of a column with itself in a statement. Undefined if the statement compares no column with itself. */
export const findSelfComparison = (sql: string): string | undefined => selfComparison.exec(sql)?.[0]
