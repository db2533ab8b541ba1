import { eq, type SQLWrapper, sql } from 'drizzle-orm'
import { ByteCache } from '../../lib/byte-cache.ts'
import { lazy, param } from '../database.ts'
import { db, type RowOf, typed, withRows } from '../query.ts'
import { homeTable } from '../schema/directory/homes.ts'
import { merchantTable } from '../schema/merchants.ts'

/** A Durable Object that holds a merchant's data. */
export interface ObjectHome {
  /** Number of the object. */
  object: number
  location?: string | undefined
  jurisdiction?: string | undefined
  /** `updatedAt` of the merchant. The object refreshes an older copy. */
  settingsVersion: number
}

/** Where a merchant's data is: the shared D1 database, or an object of its own. */
export type Home = 'd1' | ObjectHome

/** A merchant, and where its data is. Undefined: not known yet, and looked up with the first round trip. */
export interface MerchantReference {
  merchantId: string
  home: Home | undefined
}

/** Columns of a home, for statements that left-join the table. Null without a row. */
export const homeFields = {
  object: sql<number | null>`iif(${homeTable.kind} = 'object', ${homeTable.object}, null)`,
  location: sql<string | null>`${homeTable.location}`,
  jurisdiction: sql<string | null>`${homeTable.jurisdiction}`,
  settingsVersion: sql<
    number | null
  >`(select ${merchantTable.updatedAt} from ${merchantTable} where ${merchantTable.id} = ${homeTable.merchantId})`,
  moving: sql<number>`coalesce(${homeTable.moving}, 0)`,
}

type HomeRow = RowOf<typeof homeFields>
/** The home that a row names. Without an object it is the shared database. */
export const toHome = ({ object, location, jurisdiction, settingsVersion }: Omit<HomeRow, 'moving'>): Home =>
  object === null
    ? 'd1'
    : {
        object,
        location: location ?? undefined,
        jurisdiction: jurisdiction ?? undefined,
        settingsVersion: settingsVersion ?? 0,
      }

/** The home, if a caller may cache it: undefined while the merchant is being moved. */
export const toCacheableHome = (row: HomeRow) => (row.moving ? undefined : toHome(row))

/** SQL for "writes of the merchant wait", by the clock of the database. */
export const isFenced = sql`${homeTable.fencedUntil} > unixepoch()`

/**
 * SQL for "the data of this merchant is in this database, and no write waits", for sweeps of the shared database. During a move, the rows of a
 * merchant are in two databases.
 */
export const isHere = (merchantId: SQLWrapper) =>
  sql`not exists (select 1 from ${homeTable} where ${homeTable.merchantId} = ${merchantId} and (${homeTable.kind} <> 'd1' or ${isFenced}))`

/** SQL for "no move or restore of this merchant is under way", for purges of rows that the directory keeps for merchants at any home. */
export const isSettled = (merchantId: SQLWrapper) =>
  sql`not exists (select 1 from ${homeTable} where ${homeTable.merchantId} = ${merchantId} and (${homeTable.moving} or ${isFenced}))`

export const homeStatements = {
  /** The home of a merchant. Without a row it is the shared D1 database. */
  find: lazy(() =>
    withRows(
      typed(homeFields, (select) =>
        db
          .select(select)
          .from(homeTable)
          .where(eq(homeTable.merchantId, param('merchantId'))),
      ),
      toHome,
    ),
  ),
  /** The home of a merchant, with the state of its move. */
  locate: lazy(() =>
    typed({ ...homeFields, fenced: sql<number>`${isFenced}` }, (select) =>
      db
        .select(select)
        .from(homeTable)
        .where(eq(homeTable.merchantId, param('merchantId'))),
    ),
  ),
}

/** How long an isolate caches the home of a merchant, in milliseconds. */
const homeCacheMs = 30_000
/** Budget of the cached homes, in bytes. */
const homeMemoryBytes = 1024 * 1024
const cache = new ByteCache<{ home: ObjectHome; untilMs: number }>(homeMemoryBytes)

/** The object of a merchant, if it is in the cache of this isolate. Otherwise the shared database is read first. */
export function getCachedHome(merchantId: string): Home | undefined {
  const cached = cache.get(merchantId)
  return cached && cached.untilMs > Date.now() ? cached.home : undefined
}

/** Caches the home of a merchant in an object. Other homes are not cached, and a cached object is dropped. */
export function cacheHome(merchantId: string, home: Home | undefined): void {
  if (home === undefined || home === 'd1') cache.delete(merchantId)
  else cache.set(merchantId, { home, untilMs: Date.now() + homeCacheMs })
}
