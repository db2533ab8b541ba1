import { eq, ne, sql } from 'drizzle-orm'
import type { Bindings } from '../../env.ts'
import { allOf, type BoundStatement, bindStatement, type Connection, compile, lazy, param } from '../database.ts'
import { ConstraintError, getConstraintSubject, toDatabaseError } from '../database-errors.ts'
import { db } from '../query.ts'
import type { Row } from '../row.ts'
import { homeTable } from '../schema/directory/homes.ts'
import { D1Connection } from './d1-connection.ts'
import { cacheHome, getCachedHome, type Home, homeStatements, type MerchantReference } from './home.ts'
import { runInObject } from './object-connection.ts'
import { reserveNames } from './reserve-names.ts'

/** Violates the NOT NULL of `kind`, which undoes the transaction, if the data of `:merchantId` is not in this database. */
const guard = lazy(() =>
  compile(
    db
      .update(homeTable)
      .set({ kind: sql`null` })
      .where(allOf(eq(homeTable.merchantId, param('merchantId')), ne(homeTable.kind, sql`'d1'`))),
  ),
)
const guardSubject = getConstraintSubject(homeTable.kind)
const isElsewhere = (error: unknown) => error instanceof ConstraintError && error.subject === guardSubject

/**
 * Runs statements where a merchant's data is. If that is not known, it asks the shared database, where most merchants are: a write
 * fails there if the data is elsewhere, and a read returns the home with its rows. Merchants in the shared database need no further
 * round trip.
 */
export class MerchantConnection implements Connection {
  readonly #env: Bindings
  readonly #merchantId: string
  readonly #shared: D1Connection
  #home: Home | undefined

  constructor(env: Bindings, { merchantId, home = getCachedHome(merchantId) }: MerchantReference, bookmark?: string) {
    this.#env = env
    this.#merchantId = merchantId
    this.#home = home
    this.#shared = new D1Connection(env.DB, bookmark)
  }

  usePrimary() {
    this.#shared.usePrimary()
  }

  /** Objects need no bookmark: they always return the last state. */
  get bookmark() {
    return this.#home === 'd1' ? this.#shared.bookmark : null
  }

  async run(statements: readonly BoundStatement[]): Promise<Row[][]> {
    if (this.#home !== undefined && this.#home !== 'd1') return this.#runInObject(this.#home, statements)
    if (statements.some(({ isWrite }) => isWrite)) return this.#write(statements)
    return this.#home === undefined ? this.#find(statements) : this.#shared.run(statements)
  }

  #runInObject(home: Exclude<Home, 'd1'>, statements: readonly BoundStatement[]): Promise<Row[][]> {
    return runInObject(this.#env.HOMES, this.#merchantId, home, statements)
  }

  /** Writes to the shared database, or where the data is instead. */
  async #write(statements: readonly BoundStatement[]): Promise<Row[][]> {
    try {
      const [, ...results] = await this.#shared.run([this.#bind(guard()), ...statements])
      this.#home = 'd1'
      return results
    } catch (error) {
      if (!isElsewhere(toDatabaseError(error))) throw error
    }
    this.#shared.usePrimary()
    return this.#find(statements)
  }

  /** Finds the home, and reads from the shared database at once. */
  async #find(statements: readonly BoundStatement[]): Promise<Row[][]> {
    const isWrite = statements.some((statement) => statement.isWrite)
    const find = homeStatements.find()
    const [[row] = [], ...results] = await this.#shared.run([this.#bind(find), ...(isWrite ? [] : statements)])
    const home = row ? find.read(row) : 'd1'
    this.#home = home
    cacheHome(this.#merchantId, home)
    if (home !== 'd1') return this.#runInObject(home, statements)
    return isWrite ? this.#write(statements) : results
  }

  #bind(statement: Parameters<typeof bindStatement>[0]): BoundStatement {
    return bindStatement(statement, { merchantId: this.#merchantId })
  }

  async reserveNames(names: readonly string[]): Promise<void> {
    if (this.#home === undefined) await this.#find([])
    if (this.#home !== 'd1') await reserveNames(this.#env, this.#merchantId, names)
  }
}
