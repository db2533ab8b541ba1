import { is } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'

const modules = import.meta.glob<Record<string, unknown>>('../../src/platform/db/schema/**/*.ts', { eager: true })

/** All tables of the schema. */
export const tables: readonly SQLiteTable[] = Object.values(modules)
  .flatMap((module) => Object.values(module))
  .filter((exported): exported is SQLiteTable => is(exported, SQLiteTable))
