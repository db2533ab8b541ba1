import type { Statement } from '../../../platform/db/database.ts'

/** Most statements that a memo keeps. It drops all of them before it would keep more. */
const maxStatements = 500

/** Returns a function that builds one statement for each key and keeps it. */
export function createMemo() {
  const built = new Map<string, Statement>()
  return (key: string, build: () => Statement): Statement => {
    const known = built.get(key)
    if (known) return known
    if (built.size >= maxStatements) built.clear()
    const statement = build()
    built.set(key, statement)
    return statement
  }
}
