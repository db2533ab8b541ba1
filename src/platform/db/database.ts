import { and, getTableColumns, getTableName, is, Param, Placeholder, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { CasingCache } from 'drizzle-orm/casing'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { SharedTimeout, timedOut } from '../lib/time.ts'
import { type Damage, type DamageLog, readRows, reportDamage } from './damaged-rows.ts'
import { toDatabaseError } from './database-errors.ts'
import type { Row } from './row.ts'

/** How to render SQL for SQLite. */
const dialect = {
  casing: new CasingCache('snake_case'),
  escapeName: (name: string) => `"${name.replaceAll('"', '""')}"`,
  escapeParam: () => '?',
  escapeString: (text: string) => `'${text.replaceAll("'", "''")}'`,
}

type Encode = (value: unknown) => unknown
/** A compiled statement: its text, the source of each parameter's value, and the decoder of its rows. */
export interface Statement<Result = Row> {
  sql: string
  /** Whether the statement may change rows. */
  isWrite: boolean
  parameters: readonly { name: string; encode: Encode }[]
  /** The statement that runs instead if there are platform webhooks, with rows that `read` decodes. `Database` fills in their list. */
  withList?: () => Statement<unknown>
  /** Decodes a row of D1. Throws `DamagedError` if it does not fit the table's declaration. */
  read: (row: Row) => Result
}
/** Returns the row unchanged, keyed by SQL names. */
const asRow = (row: Row): Row => row
/** Values of the parameters of a statement by their names. */
export type Values = Readonly<Record<string, unknown>>

/** The fields of an object as values. The named ones that it lacks are undefined, which is bound as null. */
export const toValues = (names: Readonly<Record<string, unknown>>, item: object): Values => ({
  ...Object.fromEntries(Object.keys(names).map((name) => [name, undefined])),
  ...item,
})

/** A named parameter of a statement. */
export const param = sql.placeholder

/** Name of the parameters that hold constants of the statement. */
const constantName = ''

/** Statements that may change rows: a common table expression may precede the verb. */
const writePattern = /\b(?:insert|update|delete)\b/i

const encodeAsIs: Encode = (value) => value

/** Name of the parameter that shifts the time of a statement. `bindStatement` fills it. */
const clockShift = 'clockShift'
/** Offset that is added to the time of each statement. Tests change it to move the clocks of database and Worker together. */
export const databaseClock = { shift: () => '0 seconds' }
/**
 * SQL for the current time of the database, in seconds. Conditions on time use it instead of a parameter: a transaction can start many seconds after
 * its request read the clock, and other transactions may have run since.
 */
export const databaseNow = sql<number>`unixepoch('now', ${param(clockShift)})`

/** Name of the parameter with the list of platform webhooks. */
const listName = 'platformWebhooks'
/** The list of an operator without webhooks. */
export const noWebhooks = '[]'
/** SQL for the active webhooks of the operator, as a JSON list. `Database` fills it. */
export const platformWebhooks = sql`${param(listName)}`

/** Compiles a drizzle query. Each `param` becomes a named parameter; other values are bound as constants. */
export function compile(query: SQLWrapper): Statement {
  const { sql: text, params } = query.getSQL().toQuery(dialect)
  return {
    sql: text,
    isWrite: writePattern.test(text),
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

/** Joins conditions with `and`. Without a condition it matches no row, so that a missing condition never matches all rows. */
export const allOf = (...conditions: readonly (SQL | undefined)[]) => and(...conditions) ?? sql`false`

/** The column of a table by its key. Throws if the table has no such column. */
export function getColumn(table: SQLiteTable, key: string): SQLiteColumn {
  const column = getTableColumns(table)[key]
  if (!column) throw new Error(`${getTableName(table)} has no column ${key}`)
  return column
}

/** Builds a value at the first call and returns it at every call. */
export function lazy<Value>(build: () => Value): () => Value {
  let built: { value: Value } | undefined
  return () => {
    built ??= { value: build() }
    return built.value
  }
}

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

/** Timeout of one round trip, in milliseconds. */
export const databaseTimeoutMs = 10_000

/** A statement with the values of its parameters, in their order. */
export interface BoundStatement {
  sql: string
  isWrite: boolean
  values: readonly unknown[]
}

/**
 * Fills the parameters of a statement. Binds null for undefined: drizzle's encoder for booleans would encode null as false. Throws if a parameter has
 * no value, for example because its name is misspelled.
 */
export const bindStatement = ({ sql, isWrite, parameters }: Statement<unknown>, values: Values): BoundStatement => ({
  sql,
  isWrite,
  values: parameters.map(({ name, encode }) => {
    const value = name === constantName ? name : name === clockShift ? databaseClock.shift() : values[name]
    if (value !== undefined && value !== null) return encode(value)
    if (value === undefined && !(name in values)) throw new Error(`no value for parameter ${name}: ${sql}`)
    return null
  }),
})

/** Runs statements in the database that holds the data. */
export interface Connection {
  /** Runs statements in one round trip and one transaction. Returns the rows of each. */
  run(statements: readonly BoundStatement[]): Promise<Row[][]>
  /** Reads all committed writes from now on. */
  usePrimary(): void
  /** Active webhooks of the operator, as a JSON list. */
  listPlatformWebhooks(): Promise<string>
  /** State that a client can require of its next read. Null before the first round trip, and if reads need no bookmark. */
  readonly bookmark: string | null
  /** If the directory is another database, reserves names of tags there before a transaction inserts them. */
  reserveNames(names: readonly string[]): Promise<void>
}

/** The database of one request: the directory, or the data of a merchant. */
export class Database {
  readonly #connection: Connection
  readonly #timeout = new SharedTimeout(databaseTimeoutMs)
  readonly #bind: typeof bindStatement
  #isPrimary = false
  /** Reports rows that do not fit the schema. */
  readonly report: (damages: readonly Damage[]) => void
  /** The same data; `change` returns the statements that run instead. */
  readonly through: (change: (statement: BoundStatement) => BoundStatement) => Database

  constructor(env: DamageLog, connection: Connection, bind = bindStatement) {
    this.#connection = connection
    this.#bind = bind
    this.report = (damages) => reportDamage(env, damages)
    this.through = (change) => new Database(env, connection, (...filled) => change(bind(...filled)))
  }

  /** Reads from the primary database from now on, so that they see all committed writes. */
  usePrimary() {
    this.#isPrimary = true
    this.#connection.usePrimary()
  }

  /**
   * Finds an object that a client names. If a replica does not have it, reads again from the primary: a replica may lag behind, and the id may be
   * new.
   */
  async findNamed<Found>(
    find: () => Promise<Found>,
    isFound: (found: Found) => boolean = (found) => found !== undefined,
  ): Promise<Found> {
    const found = await find()
    // Without a bookmark, the round trip has read the latest state.
    if (isFound(found) || this.#isPrimary || this.bookmark === null) return found
    this.usePrimary()
    return find()
  }

  /** The session's bookmark, with which a client can read its own writes. Null before the first round trip. */
  get bookmark() {
    return this.#connection.bookmark
  }

  /** Reserves names of tags. Precedes the transaction that inserts them. Throws `ConstraintError` if a name is in use. */
  async reserveNames(names: readonly string[]): Promise<void> {
    if (names.length > 0) await this.#connection.reserveNames(names)
  }

  /**
   * Runs statements in one round trip and one transaction. Throws if it fails. After a timeout it is unknown whether the transaction was
   * committed.
   */
  async run<Results extends readonly unknown[]>(
    ...statements: { [Index in keyof Results]: readonly [Statement<Results[Index]>, Values] }
  ): Promise<{ [Index in keyof Results]: Results[Index][] }>
  async run(...statements: readonly (readonly [Statement<unknown>, Values])[]): Promise<unknown[][]> {
    try {
      const takesList = statements.some(([statement]) => statement.withList)
      const list = takesList ? await this.#connection.listPlatformWebhooks() : noWebhooks
      const bound = statements.map(([statement, values]) => {
        const withList = list === noWebhooks ? undefined : statement.withList?.()
        return withList ? this.#bind(withList, { ...values, [listName]: list }) : this.#bind(statement, values)
      })
      const results = await this.#timeout.run(this.#connection.run(bound))
      if (results === timedOut) throw new Error(`no response within ${databaseTimeoutMs} ms`)
      return results.map((rows, index) => {
        const read = statements[index]?.[0].read ?? asRow
        return read === asRow ? rows : readRows(this, rows, read)
      })
    } catch (error) {
      throw toDatabaseError(error)
    }
  }
}
