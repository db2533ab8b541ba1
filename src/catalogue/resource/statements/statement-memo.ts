import { lazy, type Statement } from '../../../platform/db/database.ts'

/** Maximum number of statements that a memo keeps. When it is full, it drops all of them. */
const maxStatements = 500

/** Returns a function that builds and caches one statement for each key. */
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

/** Builds one value for `false` and one for `true`, each at the first call that needs it. */
export function perFlag<Value>(build: (flag: boolean) => Value): (flag: boolean) => Value {
  const [off, on] = [lazy(() => build(false)), lazy(() => build(true))]
  return (flag) => (flag ? on() : off())
}
