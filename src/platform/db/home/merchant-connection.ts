import { and, eq, isNotNull, isNull, ne, or, sql } from 'drizzle-orm'
import type { Bindings } from '../../env.ts'
import { ApiError } from '../../errors.ts'
import { nowInSeconds } from '../../lib/time.ts'
import {
  allOf,
  type BoundStatement,
  bindStatement,
  type Connection,
  compile,
  Database,
  lazy,
  param,
} from '../database.ts'
import { ConstraintError, getConstraintSubject, MovedError, toDatabaseError } from '../database-errors.ts'
import { db, insertSelect, listed, selectList, typed } from '../query.ts'
import type { Row } from '../row.ts'
import { homeTable } from '../schema/directory/homes.ts'
import { tagNameTable } from '../schema/resources/tags.ts'
import { bareColumn } from '../sql-name.ts'
import { D1Connection } from './d1-connection.ts'
import {
  cacheHome,
  getCachedHome,
  type Home,
  homeStatements,
  isFenced,
  type MerchantReference,
  toCacheableHome,
  toHome,
} from './home.ts'
import { runInObject } from './object-connection.ts'

const returned = { name: tagNameTable.name }
/** Returns a row for each of `:names` that is reserved for the merchant now. A repeated request may find its own reservation. */
const statement = lazy(() => {
  const insert = insertSelect(
    tagNameTable,
    { name: sql`value`, merchantId: param('merchantId'), reservedAt: param('now') },
    sql`from json_each(${param('names')}) where true`,
  )
  const isOwn = sql`${tagNameTable.merchantId} = ${param('merchantId')} and ${tagNameTable.reservedAt} is not null`
  return typed(
    returned,
    () =>
      sql`${insert} on conflict do update set ${bareColumn(tagNameTable.reservedAt)} = ${param('now')} where ${isOwn} returning ${selectList(returned)}`,
  )
})

/**
 * Reserves names for tags of a merchant whose data is in an object. Throws `ConstraintError` if one of them is, or was, in use. The sweep releases
 * reserved names whose tags were never created.
 */
async function reserveNames(env: Pick<Bindings, 'DB'>, merchantId: string, names: readonly string[]): Promise<void> {
  const values = { merchantId, names: JSON.stringify(names), now: nowInSeconds() }
  const [reserved = []] = await new D1Connection(env.DB).run([bindStatement(statement(), values)])
  if (reserved.length !== new Set(names).size)
    throw new ConstraintError('unique', getConstraintSubject(tagNameTable.name))
}

const release = lazy(() =>
  compile(
    db
      .delete(tagNameTable)
      .where(
        and(
          eq(tagNameTable.merchantId, param('merchantId')),
          isNull(tagNameTable.tag),
          isNotNull(tagNameTable.reservedAt),
          sql`${tagNameTable.name} in ${listed('names')}`,
        ),
      ),
  ),
)
/** A statement that releases the merchant's own reservations, for the transaction in the directory's database that inserts the names. */
const releaseNames = (merchantId: string, names: readonly string[]): BoundStatement =>
  bindStatement(release(), { merchantId, names: JSON.stringify(names) })

/** Maximum time that a statement waits for the end of a move, and time between two attempts, in milliseconds. */
export const moveWait = { maxMs: 5_000, pauseMs: 100 } as const

/** Undoes the transaction if the data of `:merchantId` is not in this database, or if its writes wait: it violates the NOT NULL of `kind`. */
const guard = lazy(() =>
  compile(
    db
      .update(homeTable)
      .set({ kind: sql`null` })
      .where(allOf(eq(homeTable.merchantId, param('merchantId')), or(ne(homeTable.kind, sql`'d1'`), isFenced))),
  ),
)
const guardSubject = getConstraintSubject(homeTable.kind)
const isElsewhere = (error: unknown) => error instanceof ConstraintError && error.subject === guardSubject
const hasWrite = (statements: readonly BoundStatement[]) => statements.some(({ isWrite }) => isWrite)

/** A move or a restore of the merchant takes longer than a statement waits. Nothing was written. */
export class WaitingError extends ApiError {
  constructor() {
    super('busy', 'Writes of this merchant wait for a move or a restore. Retry.', [], { 'retry-after': '1' })
  }
}

/**
 * Runs statements in the database that holds a merchant's data. If the home is not known, tries the shared database, where most merchants are. A
 * write fails there if the data is elsewhere. A read returns the home with its rows. Merchants in the shared database need no further round trip. At
 * the end of a move, statements wait and continue at the new home.
 */
class MerchantConnection implements Connection {
  readonly #env: Bindings
  readonly #merchantId: string
  readonly #shared: D1Connection
  #home: Home | undefined
  #isPrimary = false
  /** Names of tags that the next write inserts, and whether they are reserved in the directory. */
  #names: { list: readonly string[]; isReserved: boolean } = { list: [], isReserved: false }

  constructor(env: Bindings, { merchantId, home = getCachedHome(merchantId) }: MerchantReference, bookmark?: string) {
    this.#env = env
    this.#merchantId = merchantId
    this.#home = home
    this.#shared = new D1Connection(env.DB, bookmark)
  }

  usePrimary() {
    this.#isPrimary = true
    this.#shared.usePrimary()
  }

  /** Objects need no bookmark: they always return the latest state. */
  get bookmark() {
    return this.#home === 'd1' ? this.#shared.bookmark : null
  }

  listPlatformWebhooks() {
    return this.#shared.listPlatformWebhooks()
  }

  async run(statements: readonly BoundStatement[]): Promise<Row[][]> {
    const endMs = Date.now() + moveWait.maxMs
    for (let waitedMs = 0; ; waitedMs += moveWait.pauseMs) {
      try {
        return await this.#attempt(statements)
      } catch (error) {
        if (!(error instanceof MovedError)) throw error
      }
      if (waitedMs >= moveWait.maxMs || Date.now() >= endMs) throw new WaitingError()
      if (waitedMs > 0) await scheduler.wait(moveWait.pauseMs)
      this.#home = undefined
      this.usePrimary()
    }
  }

  async #attempt(statements: readonly BoundStatement[]): Promise<Row[][]> {
    if (this.#home !== undefined && this.#home !== 'd1') return this.#runInObject(this.#home, statements)
    if (hasWrite(statements)) return this.#write(statements)
    return this.#home === undefined ? this.#find(statements) : this.#shared.run(statements)
  }

  async #runInObject(home: Exclude<Home, 'd1'>, statements: readonly BoundStatement[]): Promise<Row[][]> {
    if (hasWrite(statements)) await this.#reserve()
    return runInObject(this.#env.HOMES, this.#merchantId, home, statements)
  }

  /** Writes to the shared database, or to the object that holds the data. */
  async #write(statements: readonly BoundStatement[]): Promise<Row[][]> {
    const { list, isReserved } = this.#names
    // The transaction itself inserts the names: they were reserved when the data was in an object.
    const released = isReserved ? [releaseNames(this.#merchantId, list)] : []
    try {
      const results = await this.#shared.run([this.#bind(guard()), ...released, ...statements])
      this.#home = 'd1'
      return results.slice(1 + released.length)
    } catch (error) {
      if (!isElsewhere(toDatabaseError(error))) throw error
    }
    this.usePrimary()
    return this.#find(statements)
  }

  /** Finds the home, and reads from the shared database at once. */
  async #find(statements: readonly BoundStatement[]): Promise<Row[][]> {
    const isWrite = hasWrite(statements)
    const locate = homeStatements.locate()
    const [[row] = [], ...results] = await this.#shared.run([this.#bind(locate), ...(isWrite ? [] : statements)])
    const found = row && locate.read(row)
    // A replica may not yet show the end of the move.
    if (found?.moving && !this.#isPrimary) {
      this.usePrimary()
      return this.#find(statements)
    }
    const home = found ? toHome(found) : 'd1'
    cacheHome(this.#merchantId, found && toCacheableHome(found))
    this.#home = home
    if (home !== 'd1') return this.#runInObject(home, statements)
    if (!isWrite) return results
    if (found?.fenced) throw new MovedError()
    return this.#write(statements)
  }

  #bind(statement: Parameters<typeof bindStatement>[0]): BoundStatement {
    return bindStatement(statement, { merchantId: this.#merchantId })
  }

  async reserveNames(list: readonly string[]): Promise<void> {
    this.#names = { list, isReserved: false }
    if (this.#home === undefined) await this.#find([])
    if (this.#home !== 'd1') await this.#reserve()
  }

  /** Reserves names for a transaction in an object, also if the data has been in the shared database until now. */
  async #reserve(): Promise<void> {
    const { list, isReserved } = this.#names
    if (list.length === 0 || isReserved) return
    await reserveNames(this.#env, this.#merchantId, list)
    this.#names = { list, isReserved: true }
  }
}

/** The data of a merchant, in either kind of home. */
export const merchantDatabase = (env: Bindings, merchant: MerchantReference, bookmark?: string) =>
  new Database(env, new MerchantConnection(env, merchant, bookmark))
