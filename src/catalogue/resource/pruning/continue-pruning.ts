import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm'
import { allOf, compile, type Database, lazy, param } from '../../../platform/db/database.ts'
import { isHere } from '../../../platform/db/home/home.ts'
import { bytesOf } from '../../../platform/db/page-budget.ts'
import { listed, selectList, setColumns, typed } from '../../../platform/db/query.ts'
import type { Row } from '../../../platform/db/row.ts'
import { hiddenModes, type ResourceTable } from '../../../platform/db/schema/resource-columns.ts'
import { type Write, withoutCause } from '../../../platform/db/transaction.ts'
import type { Bindings } from '../../../platform/env.ts'
import { limits } from '../../../platform/http/fields.ts'
import { createId } from '../../../platform/lib/ids.ts'
import { toSeconds } from '../../../platform/lib/time.ts'
import { enqueueMerchantDeliveries } from '../../../platform/outbox/enqueue-deliveries.ts'
import { fanOut, toPendingDeliveries } from '../../../platform/outbox/fan-out.ts'
import type { Reference, ResourceDefinition } from '../definition.ts'
import { createPruneStatements } from '../statements/prune-statements.ts'

/**
 * Limits of pruning: objects that one transaction changes, which have up to `limits.batchObjectBytes` together, and transactions of one run.
 * An event can be delivered to 100 webhooks, and an invocation may make 1,000 queries.
 */
export const pruneBounds = { owners: 250, steps: 100 }

/** A deleted object that others still name. */
interface HiddenObject {
  id: string
  testMode: number
}

/** The rows of deleted objects. Their index is empty, unless some are left. */
const hiddenRows = (table: ResourceTable) =>
  sql`${table} indexed by ${sql.identifier(`${getTableName(table)}_hidden`)} where ${table.testMode} > 1`

/** The statements of one resource that others refer to. */
function createStatements(
  table: ResourceTable,
  referrers: readonly { owner: ResourceDefinition; reference: Reference }[],
) {
  const isRow = allOf(
    sql`${table.merchantId} = ${param('merchantId')}`,
    sql`${table.testMode} = ${param('hiddenMode')}`,
    sql`${table.id} = ${param('id')}`,
  )
  const hidden = { id: sql<string>`${table.id}`, testMode: sql<number>`${table.testMode}` }
  const oldest = { updatedAt: sql<number | null>`min(${table.updatedAt})` }
  const merchant = { merchantId: sql<string>`${table.merchantId}` }
  const seq = sql`(select ${table.seq} from ${table} where ${isRow})`
  const isUnused: SQL[] = referrers.map(
    ({ reference: { links } }) => sql`not exists (select 1 from ${links} where ${links.target} = ${seq})`,
  )
  return {
    /** Deleted objects of the merchant, those of the live mode first. */
    find: typed(
      hidden,
      () => sql`
        select ${selectList(hidden)} from ${hiddenRows(table)} and ${table.merchantId} = ${param('merchantId')}
        order by ${table.testMode}, ${table.id} limit 1`,
    ),
    referrers: referrers.map(({ owner, reference }) => {
      const { links } = reference
      const texts = Object.values(getTableColumns(owner.table)).filter((column) => column.getSQLType() === 'text')
      return {
        /** The next objects that name the deleted one, each with its bytes. */
        owners: compile(sql`
          select ${owner.table.seq} as seq, ${bytesOf(texts.map((column) => sql`${column}`))} as bytes
          from ${links} cross join ${owner.table} on ${owner.table.seq} = ${links.owner}
          where ${links.target} = ${seq} order by ${links.owner} limit ${param('limit')}`),
        /** Take the deleted object out of the objects with the `seq` in `:owners`. */
        prune: createPruneStatements(owner, reference, sql`= ${seq} and ${links.owner} in ${listed('owners')}`, {
          isDamaged: true,
        }),
      }
    }),
    /** Says that there is progress. */
    touch: compile(
      sql`update ${table} set ${setColumns(table, { updatedAt: sql`max(${param('now')}, ${table.updatedAt})` })} where ${isRow}`,
    ),
    remove: compile(sql`delete from ${table} where ${allOf(isRow, ...isUnused)}`),
    /** The last progress that was made longest ago. */
    oldest: typed(oldest, () => sql`select ${selectList(oldest)} from ${hiddenRows(table)}`),
    /** Merchants whose deleted objects have made no progress since `:before`. */
    findOverdue: typed(
      merchant,
      () => sql`
        select distinct ${selectList(merchant)} from ${hiddenRows(table)} and ${table.updatedAt} <= ${param('before')}
          and ${isHere(table.merchantId)} limit ${param('limit')}`,
    ),
  }
}

type PruneStatements = ReturnType<typeof createStatements>

/** The statements of all resources that others refer to. */
export const createPruning = (all: readonly ResourceDefinition[]) =>
  lazy(() => {
    const targets = new Set(all.flatMap(({ references }) => references.map(({ target }) => target)))
    return Array.from(targets, (table) =>
      createStatements(
        table,
        all.flatMap((owner) =>
          owner.references.filter(({ target }) => target === table).map((reference) => ({ owner, reference })),
        ),
      ),
    )
  })

/** The first owners that fit the bytes of one transaction: at least one. */
function takeOwners(rows: readonly Row[]): readonly unknown[] {
  let left: number = limits.batchObjectBytes
  const end = rows.findIndex(({ bytes }, index) => {
    left -= Number(bytes)
    return index > 0 && left < 0
  })
  return rows.slice(0, end === -1 ? rows.length : end).map(({ seq }) => seq)
}

/** Where a run prunes, and what the events of its changes need. */
interface PruneRun {
  env: Bindings
  database: Database
  merchantId: string
  baseUrl: string | undefined
}

/**
 * Takes one deleted object out of the objects that name it, in at most `steps` transactions, and deletes its row when none is left. Each
 * transaction can be repeated. Returns the number of transactions.
 */
async function pruneObject(
  { env, database, merchantId, baseUrl }: PruneRun,
  { referrers, touch, remove }: PruneStatements,
  { id, testMode: hiddenMode }: HiddenObject,
  steps: number,
): Promise<number> {
  const scope = { merchantId, testMode: hiddenMode - hiddenModes }
  const named = { ...scope, id, hiddenMode, ids: JSON.stringify([id]), limit: pruneBounds.owners }
  const reads: Write = referrers.map(({ owners }) => [owners, named])
  let found = await database.run(...reads)
  for (let step = 1; step <= steps; step++) {
    const atMs = Date.now()
    const event = { event: createId('evt'), atMs, now: toSeconds(atMs), baseUrl: baseUrl ?? null, ...withoutCause }
    const values = { ...named, ...event }
    const index = found.findIndex((rows) => rows.length > 0)
    const owners = JSON.stringify(takeOwners(found[index] ?? []))
    const prune = referrers[index]?.prune
    if (!prune) {
      // Another run may have deleted it. No object can name it again.
      await database.run([remove, values])
      return step
    }
    const changes: Write = [...prune, touch].map((statement) => [statement, { ...values, owners }])
    const results: Row[][] = await database.run(...changes, [fanOut(), values], ...reads)
    const pending = toPendingDeliveries(results[changes.length] ?? [])
    await enqueueMerchantDeliveries(env, merchantId, pending)
    found = results.slice(changes.length + 1)
  }
  return steps
}

/** Prunes deleted objects of a merchant. Returns whether more may be left to do. */
export async function continuePruning(run: PruneRun, pruning: readonly PruneStatements[]): Promise<boolean> {
  let left = pruneBounds.steps
  for (const statements of pruning) {
    while (left > 0) {
      const [[hidden]] = await run.database.run([statements.find, { merchantId: run.merchantId }])
      if (!hidden) break
      left -= await pruneObject(run, statements, hidden, left)
    }
  }
  return left <= 0
}
