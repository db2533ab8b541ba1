import { and, getTableColumns, getTableName, is, Param, Placeholder, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { CasingCache } from 'drizzle-orm/casing'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Bindings } from '../env.ts'
import { ApiError, MissingMigrationError, UnavailableError } from '../errors.ts'
import { timedOut, withTimeout } from '../lib/timeout.ts'
import { type Damage, type DamageLog, readRows, reportDamage } from './damaged-rows.ts'
import type { Row } from './row.ts'

/** SQLite's spelling. drizzle's own dialect says the same, but brings the query builders along, which weigh 12 KB compressed. */
const dialect = {
  casing: new CasingCache('snake_case'),
  escapeName: (name: string) => `"${name.replaceAll('"', '""')}"`,
  escapeParam: () => '?',
  escapeString: (text: string) => `'${text.replaceAll("'", "''")}'`,
}

type Encode = (value: unknown) => unknown
/** A statement as text, for each of its parameters where its value comes from, and how its rows are read. */
export interface Statement<Result = Row> {
  sql: string
  parameters: readonly { name: string; encode: Encode }[]
  /** Decodes a row as D1 returns it. Throws `DamagedError` where it does not fit the table's declaration. */
  read: (row: Row) => Result
}
/** Reads a row as it is, keyed by SQL names. */
const asRow = (row: Row): Row => row
export type Values = Readonly<Record<string, unknown>>
/** A named parameter of a statement: `sql.placeholder`. */
export const param = sql.placeholder

/** Absent is null. drizzle's encoders are not asked about it: the one for booleans would make it false. */
const bindable = (value: unknown, encode: Encode) => (value === undefined || value === null ? null : encode(value))

/** The name of a parameter whose value is part of the statement. */
const constantName = ''

const encodeAsIs: Encode = (value) => value

/** The text of a drizzle query whose parameters are `sql.placeholder`s; anything constant is bound as it is. */
export function compile(query: SQLWrapper): Statement {
  const { sql: text, params } = query.getSQL().toQuery(dialect)
  return {
    sql: text,
    read: asRow,
    parameters: params.map((param) => {
      if (is(param, Placeholder)) return { name: param.name, encode: encodeAsIs }
      if (is(param, Param)) {
        const { value, encoder } = param
        if (is(value, Placeholder))
          return { name: value.name, encode: (argument) => encoder.mapToDriverValue(argument) }
      }
      return { name: constantName, encode: () => param }
    }),
  }
}

/** Inserts one row; the named columns are parameters. With a condition, a row is returned where it holds. */
export function compileInsert(table: SQLiteTable, keys: readonly string[], condition?: SQL): Statement {
  const values = joinWithCommas(keys.map((key) => columnParam(table, key)))
  const row = condition ? sql`select ${values} where ${condition} returning 1` : sql`values (${values})`
  return compile(sql`insert into ${table} (${joinWithCommas(keys.map(columnName))}) ${row}`)
}

/** The start of an update; behind it goes `where`. */
export const updateSet = (table: SQLiteTable, values: Readonly<Record<string, SQL>>) =>
  sql`update ${table} set ${joinWithCommas(Object.entries(values).map(([key, value]) => sql`${columnName(key)} = ${value}`))}`

/** The parameters that change the named columns. */
export const columnParams = (table: SQLiteTable, keys: readonly string[]) =>
  Object.fromEntries(keys.map((key) => [key, columnParam(table, key)]))

/** A parameter, named and encoded as a column is. */
const columnParam = (table: SQLiteTable, key: string) => sql`${sql.param(sql.placeholder(key), getColumn(table, key))}`
const columnName = (key: string) => sql`${sql.identifier(sqlName(key))}`
const joinWithCommas = (parts: SQL[]) => sql.join(parts, sql`, `)

/** All of the conditions; no row where there is none, lest a condition that is forgotten means every row. */
export const allOf = (...conditions: readonly (SQL | undefined)[]) => and(...conditions) ?? sql`false`

/** The column of a table by its key; a key without one is a mistake in a declaration. */
export function getColumn(table: SQLiteTable, key: string): SQLiteColumn {
  const column = getTableColumns(table)[key]
  if (!column) throw new Error(`${getTableName(table)} has no column ${key}`)
  return column
}

/** Builds a value when it is first asked for. */
export function lazy<Value>(build: () => Value): () => Value {
  let built: { value: Value } | undefined
  return () => {
    built ??= { value: build() }
    return built.value
  }
}

/** The SQL name of a column: the rule that drizzle's `casing: 'snake_case'` follows. */
export const sqlName = (key: string) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** What a constraint of the database refused, as far as handlers tell clients about it. */
export class ConstraintError extends Error {
  readonly kind: 'unique' | 'not_null' | 'foreign_key' | 'check'
  /** `table.column`, several with commas between, for unique and not null; the constraint's name for a check. */
  readonly subject: string

  constructor(kind: ConstraintError['kind'], subject: string) {
    super(`${kind} constraint on ${subject}`)
    this.kind = kind
    this.subject = subject
  }
}

const constraintKinds = {
  UNIQUE: 'unique',
  'NOT NULL': 'not_null',
  'FOREIGN KEY': 'foreign_key',
  CHECK: 'check',
} as const

/** What D1 says of a statement that is wrong in itself. Whatever else it says, it may do better the next time. */
const statementError = /SQLITE_(?:ERROR|MISMATCH|TOOBIG|RANGE|MISUSE|AUTH|CONSTRAINT)|D1_TYPE_ERROR/

/** What D1 says of a statement whose table or column a migration has yet to add. */
const schemaGap = /no such (?:table|column): |has no column named /

function toDatabaseError(error: unknown): unknown {
  const message = error instanceof Error ? error.message : String(error)
  for (const [text, kind] of Object.entries(constraintKinds)) {
    const found = message.match(new RegExp(`${text} constraint failed:? ?([\\w., ]*)`))
    if (found) return new ConstraintError(kind, found[1] ?? '')
  }
  if (schemaGap.test(message)) return new MissingMigrationError(message, { cause: error })
  return statementError.test(message) ? error : new UnavailableError(message, { cause: error })
}

/** How long one round trip may take. */
export const databaseTimeoutMs = 10_000

const bookmarkForm = /^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/

/**
 * One request's connection to one D1 database, through the Sessions API: reads may be answered by the nearest replica,
 * but never by one older than the bookmark the request came with or the writes it has made.
 */
export class Database {
  readonly #d1: D1Database
  #session: D1DatabaseSession
  /** Reports rows that do not fit their schema. */
  readonly report: (damages: readonly Damage[]) => void

  constructor(env: DamageLog & Pick<Bindings, 'DB'>, bookmark?: string) {
    if (bookmark !== undefined && !bookmarkForm.test(bookmark)) {
      throw new ApiError('malformed_bookmark', 'The D1-Bookmark header is not one that this service has sent.')
    }
    this.#d1 = env.DB
    this.#session = env.DB.withSession(bookmark ?? 'first-unconstrained')
    this.report = (damages) => reportDamage(env, damages)
  }

  /** From here on reads see every write that was committed before. */
  usePrimary() {
    this.#session = this.#d1.withSession('first-primary')
  }

  /** Where the request's session stands, for a client that wants to read its own writes; null before the first call. */
  get bookmark() {
    return this.#session.getBookmark()
  }

  /**
   * One round trip. Several statements are one transaction: all happen, or none does and it throws. Where no answer came, nobody can
   * say which of the two it was.
   */
  async run<Results extends readonly unknown[]>(
    ...statements: { [Index in keyof Results]: readonly [Statement<Results[Index]>, Values] }
  ): Promise<{ [Index in keyof Results]: Results[Index][] }>
  async run(...statements: readonly (readonly [Statement<unknown>, Values])[]): Promise<unknown[][]> {
    const bound = statements.map(([{ sql, parameters }, values]) =>
      this.#session
        .prepare(sql)
        .bind(...parameters.map(({ name, encode }) => bindable(name === constantName ? name : values[name], encode))),
    )
    try {
      const [only] = bound
      const execute = async () =>
        only && bound.length === 1 ? [await only.all<Row>()] : this.#session.batch<Row>(bound)
      const results = await withTimeout(databaseTimeoutMs, execute())
      if (results === timedOut) throw new Error(`no answer within ${databaseTimeoutMs} ms`)
      return results.map(({ results }, index) => {
        const read = statements[index]?.[0].read ?? asRow
        return read === asRow ? results : readRows(this, results, read)
      })
    } catch (error) {
      throw toDatabaseError(error)
    }
  }
}

/** The database that holds a merchant's data: the one place to change when merchants are spread over several. */
export const merchantDatabase = (env: Bindings, _merchantId: string, bookmark?: string) => new Database(env, bookmark)

/** The database that knows all merchants and all keys. */
export const directoryDatabase = (env: Bindings, bookmark?: string) => new Database(env, bookmark)
