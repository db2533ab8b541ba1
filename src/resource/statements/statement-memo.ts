import type { Statement } from '../../db/database.ts'

/** Returns a function that builds one statement for each key and keeps it. It drops all of them when there are more than `maxStatements`. */
export function createMemo(maxStatements = 500) {
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
