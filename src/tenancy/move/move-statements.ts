import { and, desc, eq, inArray, isNotNull, lte, not, or, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { byIndex } from '../../platform/by-index.ts'
import { compile, lazy, param } from '../../platform/db/database.ts'
import { isMoveActive as isActive, isRestoring } from '../../platform/db/home/exclusive.ts'
import { homeStatements, isFenced, isSettled } from '../../platform/db/home/home.ts'
import { columnParam, db, type RowOf, typed, withRows } from '../../platform/db/query.ts'
import { homeTable, moveTable as table } from '../../platform/db/schema/directory/homes.ts'
import { merchantTable } from '../../platform/db/schema/merchants.ts'
import { bareColumn } from '../../platform/db/sql-name.ts'

const isMove = eq(table.number, param('move'))
const ofMerchant = eq(table.merchantId, param('merchantId'))
/** No other invocation has taken over the move. */
const isMine = and(isMove, eq(table.lease, param('lease')), isActive)
/** The home that is unused after a move, as JSON. */
const unusedHome = sql<string>`iif(${table.state} = 'done', ${table.source}, ${table.target})`
const isHome = eq(homeTable.merchantId, param('merchantId'))
const isFenceClosed = sql`exists (select 1 from ${homeTable} where ${isHome} and ${isFenced})`

const moveFields = {
  number: table.number,
  merchantId: table.merchantId,
  state: table.state,
  source: sql<string>`${table.source}`,
  target: sql<string>`${table.target}`,
  position: sql<string | null>`${table.position}`,
  rows: table.rows,
  lease: table.lease,
  startedAt: table.startedAt,
  endedAt: table.endedAt,
  fencedMs: table.fencedMs,
  reason: table.reason,
  /** `updatedAt` of the merchant. */
  settingsVersion: sql<number>`coalesce((select ${merchantTable.updatedAt} from ${merchantTable} where ${merchantTable.id} = ${table.merchantId}), 0)`,
}
/** A home in the form that a move stores. */
const storedHome = z.union([
  z.literal('d1'),
  z.object({ object: z.int(), location: z.optional(z.string()), jurisdiction: z.optional(z.string()) }),
])
export type StoredHome = z.output<typeof storedHome>
const position = z.object({
  /** `getTablesVersion` of the release that copied. Absent: an earlier release that did not store it. */
  tables: z.optional(z.string()),
  /** Index in `movedTables`. If it equals the number of tables, all pages are copied. */
  table: z.int(),
  /** Start of the next page. Absent: the first row. */
  key: z.optional(z.record(z.string(), z.union([z.string(), z.number()]))),
})
export type MovePosition = z.output<typeof position>

const toMove = (row: RowOf<typeof moveFields>) => ({
  ...row,
  source: storedHome.parse(JSON.parse(row.source)),
  target: storedHome.parse(JSON.parse(row.target)),
  position: row.position === null ? undefined : position.parse(JSON.parse(row.position)),
})
export type Move = ReturnType<typeof toMove>

const requiredColumns = [table.merchantId, table.state, table.source, table.target, table.startedAt].map(bareColumn)
/** Undoes the transaction unless a move exists and meets the condition: `state` must not be null. */
const undoUnless = (condition: SQL | undefined) =>
  compile(sql`insert into ${table} (${sql.join(requiredColumns, sql`, `)})
    select '', null, '', '', 0 where not exists (select 1 from ${table} where ${condition})`)
const select = (where: SQL | undefined) =>
  withRows(
    typed(moveFields, (aliases) => db.select(aliases).from(table).where(where).orderBy(desc(table.number)).limit(1)),
    toMove,
  )
type HomeChange = Parameters<ReturnType<typeof db.update<typeof homeTable>>['set']>[0]
const updateHome = (change: HomeChange, condition?: SQL) =>
  compile(db.update(homeTable).set(change).where(and(isHome, condition)))
const liftFence = { fencedUntil: 0 }

export const moveStatements = {
  findLast: lazy(() => select(ofMerchant)),
  /** The home in the form that a move stores. Without a row: the shared database. */
  findHome: lazy(() =>
    withRows(homeStatements.find(), (home): StoredHome => {
      if (home === 'd1') return home
      const { settingsVersion: _, ...stored } = home
      return stored
    }),
  ),
  /** Must follow the statement that inserts the object of the target. */
  insert: lazy(() =>
    compile(
      db.insert(table).values({
        merchantId: param('merchantId'),
        // The NOT NULL constraint rejects null.
        state: sql`iif(${isRestoring}, null, 'copying')`,
        source: columnParam(table.source, 'source'),
        target: sql`iif(${param('isObject')}, json_set(${param('target')}, '$.object', last_insert_rowid()), ${param('target')})`,
        startedAt: columnParam(table.startedAt, 'now'),
      }),
    ),
  ),
  /** Starts capturing changes. From now on, no isolate caches the home. */
  markHome: lazy(() =>
    compile(
      db
        .insert(homeTable)
        .values({ merchantId: param('merchantId'), kind: 'd1', moving: true })
        .onConflictDoUpdate({ target: homeTable.merchantId, set: { moving: true } }),
    ),
  ),
  /** Takes over a move that no other invocation works on, and returns it. */
  claim: lazy(() =>
    withRows(
      typed(moveFields, (aliases) =>
        db
          .update(table)
          .set({ lease: sql`${table.lease} + 1`, leasedUntil: columnParam(table.leasedUntil, 'leasedUntil') })
          .where(and(ofMerchant, isActive, lte(table.leasedUntil, param('now'))))
          .returning(aliases),
      ),
      toMove,
    ),
  ),
  release: lazy(() => compile(db.update(table).set({ leasedUntil: 0 }).where(isMine))),
  /** Undoes the transaction if another invocation has taken over the move, or the move was deleted with its merchant. */
  requireLease: lazy(() => undoUnless(isMine)),
  /** Undoes the transaction unless the move is fenced: a source with an expired fence resets it. */
  requireFenced: lazy(() => undoUnless(and(isMine, eq(table.state, 'fenced')))),
  /** Undoes the transaction unless the move is verified and its fence is still closed. */
  requireVerified: lazy(() => undoUnless(and(isMine, eq(table.state, 'verifying'), isFenceClosed))),
  advance: lazy(() =>
    compile(
      db
        .update(table)
        .set({
          position: columnParam(table.position, 'position'),
          rows: sql`${table.rows} + ${param('rows')}`,
          leasedUntil: columnParam(table.leasedUntil, 'leasedUntil'),
        })
        .where(isMine),
    ),
  ),
  setState: lazy(() =>
    compile(
      db
        .update(table)
        .set({ state: columnParam(table.state, 'state') })
        .where(isMine),
    ),
  ),
  raiseFence: lazy(() => updateHome({ fencedUntil: sql`unixepoch() + ${param('seconds')}` })),
  lowerFence: lazy(() => updateHome(liftFence)),
  end: lazy(() =>
    compile(
      db
        .update(table)
        .set({
          state: columnParam(table.state, 'state'),
          endedAt: columnParam(table.endedAt, 'now'),
          fencedMs: columnParam(table.fencedMs, 'fencedMs'),
          reason: columnParam(table.reason, 'reason'),
          cleansAt: columnParam(table.cleansAt, 'cleansAt'),
        })
        .where(isMine),
    ),
  ),
  switchHome: lazy(() =>
    compile(
      db
        .update(homeTable)
        .set({
          kind: columnParam(homeTable.kind, 'kind'),
          object: columnParam(homeTable.object, 'object'),
          location: columnParam(homeTable.location, 'location'),
          jurisdiction: columnParam(homeTable.jurisdiction, 'jurisdiction'),
          moving: false,
          ...liftFence,
        })
        .where(isHome),
    ),
  ),
  /** The merchant stays where it is. */
  keepHome: lazy(() => updateHome({ moving: false, ...liftFence })),
  /** Prevents the switch of a move with an expired fence, so that its source can accept writes again. */
  abandonFence: lazy(() =>
    compile(
      db
        .update(table)
        .set({ state: 'copying' })
        .where(and(ofMerchant, inArray(table.state, ['fenced', 'verifying']))),
    ),
  ),
  /** Lets writes continue, unless they wait for a restore. */
  liftAbandonedFence: lazy(() => updateHome(liftFence, not(isRestoring))),
  /** Merchants whose moves have made no progress for some time. */
  findIdle: lazy(() =>
    typed({ merchantId: table.merchantId }, (aliases) =>
      db
        .select(aliases)
        .from(byIndex(table, 'moves_active'))
        .where(and(isActive, lte(table.leasedUntil, param('before')), lte(table.startedAt, param('before'))))
        .limit(param('limit')),
    ),
  ),
  /** Moves that left rows of a merchant behind, unless another move is running, which may copy rows to the same home. */
  findCleaning: lazy(() =>
    withRows(
      typed(moveFields, (aliases) =>
        db
          .select(aliases)
          .from(table)
          .where(and(lte(table.cleansAt, param('now')), isSettled(table.merchantId)))
          .orderBy(table.cleansAt)
          .limit(param('limit')),
      ),
      toMove,
    ),
  ),
  /** Moves of a merchant with rows at a home that it does not use. */
  findLeft: lazy(() =>
    withRows(
      typed(moveFields, (aliases) =>
        db
          .select(aliases)
          .from(table)
          .where(and(ofMerchant, or(isActive, isNotNull(table.cleansAt)))),
      ),
      toMove,
    ),
  ),
  /** Keeps the rows that earlier moves of the merchant left in the shared database, because it is the home again. */
  keepShared: lazy(() =>
    compile(
      db
        .update(table)
        .set({ cleansAt: null })
        .where(and(ofMerchant, isNotNull(table.cleansAt), eq(unusedHome, '"d1"'))),
    ),
  ),
  finishCleaning: lazy(() => compile(db.update(table).set({ cleansAt: null }).where(isMove))),
  /** Undoes the transaction if the merchant's data is in this database. */
  requireElsewhere: lazy(() => updateHome({ kind: sql`null` }, eq(homeTable.kind, 'd1'))),
  /** Undoes the transaction if the merchant is being moved. */
  requireNoMove: lazy(() => updateHome({ kind: sql`null` }, sql`${homeTable.moving}`)),
  removeMoves: lazy(() => compile(db.delete(table).where(ofMerchant))),
  count: lazy(() =>
    typed({ state: table.state, count: sql<number>`count(*)` }, (aliases) =>
      db.select(aliases).from(table).groupBy(table.state),
    ),
  ),
}
