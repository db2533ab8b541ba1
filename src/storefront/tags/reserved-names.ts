import { and, eq, inArray, isNull, lte } from 'drizzle-orm'
import { compile, lazy, param } from '../../platform/db/database.ts'
import { directoryDatabase } from '../../platform/db/home/d1-connection.ts'
import { homeFields, toHome } from '../../platform/db/home/home.ts'
import { merchantDatabase } from '../../platform/db/home/merchant-connection.ts'
import { columnParam, db, listed, type RowOf, typed } from '../../platform/db/query.ts'
import { homeTable } from '../../platform/db/schema/directory/homes.ts'
import { tagNameTable } from '../../platform/db/schema/resources/tags.ts'
import type { Bindings } from '../../platform/env.ts'
import { log } from '../../platform/lib/log.ts'

/** Age at which a reserved name is checked, in seconds. It is longer than a request or a step of an import can take. */
export const reservationSeconds = 3_600
/** Maximum number of names that one run checks. */
const maxSweptNames = 500

const fields = { name: tagNameTable.name, merchantId: tagNameTable.merchantId, tag: tagNameTable.tag, ...homeFields }
type ReservedName = RowOf<typeof fields>
const isListed = inArray(tagNameTable.name, listed('names'))
const isReserved = lte(tagNameTable.reservedAt, param('before'))

const statements = {
  findReserved: lazy(() =>
    typed(fields, (select) =>
      db
        .select(select)
        .from(tagNameTable)
        .leftJoin(homeTable, eq(homeTable.merchantId, tagNameTable.merchantId))
        .where(isReserved)
        .orderBy(tagNameTable.reservedAt)
        .limit(param('limit')),
    ),
  ),
  /** If the merchant has since moved, its tags are in the same database as the reservations. */
  findCreated: lazy(() =>
    typed({ name: tagNameTable.name }, (select) =>
      db
        .select(select)
        .from(tagNameTable)
        .where(and(isListed, isNull(tagNameTable.reservedAt))),
    ),
  ),
  confirm: lazy(() => compile(db.update(tagNameTable).set({ reservedAt: null }).where(and(isListed, isReserved)))),
  release: lazy(() => compile(db.delete(tagNameTable).where(and(isListed, isReserved)))),
  postpone: lazy(() =>
    compile(
      db
        .update(tagNameTable)
        .set({ reservedAt: columnParam(tagNameTable.reservedAt, 'now') })
        .where(and(isListed, isReserved)),
    ),
  ),
}

/** Those old reservations of one merchant whose tags exist. */
async function findCreated(env: Bindings, reserved: readonly ReservedName[]): Promise<ReadonlySet<string>> {
  const [first] = reserved
  const home = first ? toHome(first) : 'd1'
  if (!first?.merchantId || home === 'd1')
    return new Set(reserved.flatMap(({ name, tag }) => (tag === null ? [] : [name])))
  const names = JSON.stringify(reserved.map(({ name }) => name))
  const [created] = await merchantDatabase(env, { merchantId: first.merchantId, home }).run([
    statements.findCreated(),
    { names },
  ])
  return new Set(created.map(({ name }) => name))
}

/**
 * Checks names that were reserved in the directory for tags in objects: keeps those whose tags exist, and deletes the others, because their
 * transactions failed. Returns the number of deleted names.
 */
export async function sweepReservedNames(env: Bindings, now: number): Promise<number> {
  const directory = directoryDatabase(env)
  directory.usePrimary()
  const before = now - reservationSeconds
  const [reserved] = await directory.run([statements.findReserved(), { before, limit: maxSweptNames }])
  let released = 0
  for (const [merchantId, own] of Map.groupBy(reserved, (name) => name.merchantId)) {
    try {
      const created = await findCreated(env, own)
      const [kept, unused] = [true, false].map((isCreated) =>
        JSON.stringify(own.flatMap(({ name }) => (created.has(name) === isCreated ? [name] : []))),
      )
      await directory.run(
        [statements.confirm(), { before, names: kept }],
        [statements.release(), { before, names: unused }],
      )
      released += own.length - created.size
    } catch (error) {
      log(env, 'reserved names not checked', { merchant: merchantId, error: String(error) })
      // Names of other merchants come first in the next run.
      await directory.run([statements.postpone(), { before, now, names: JSON.stringify(own.map(({ name }) => name)) }])
    }
  }
  return released
}
