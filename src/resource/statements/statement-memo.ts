import type { Statement } from '../../db/database.ts'

/** Returns a function that builds one statement for each key and keeps it. It drops all of them when there are more than `most`. */
export function createMemo(most = 500) {
  const built = new Map<string, Statement>()
  return (key: string, build: () => Statement): Statement => {
    const known = built.get(key)
    if (known) return known
    if (built.size >= most) built.clear()
    const statement = build()
    built.set(key, statement)
    return statement
  }
}
