import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Bindings } from '../../env.ts'
import { nowInSeconds } from '../../lib/now.ts'
import { type BoundStatement, bindStatement, compile, lazy, param } from '../database.ts'
import { ConstraintError, getConstraintSubject } from '../database-errors.ts'
import { db, insertSelect, selectList, typed } from '../query.ts'
import { tagNameTable } from '../schema/resources/tag-names.ts'
import { bareColumn } from '../sql-name.ts'
import { D1Connection } from './d1-connection.ts'

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
 * Reserves names for tags of a merchant whose data is in an object. Throws `ConstraintError` if one of them is, or was, in use. The sweep
 * deletes names whose tags were never created.
 */
export async function reserveNames(
  env: Pick<Bindings, 'DB'>,
  merchantId: string,
  names: readonly string[],
): Promise<void> {
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
          sql`${tagNameTable.name} in (select value from json_each(${param('names')}))`,
        ),
      ),
  ),
)
/** A statement that releases the merchant's own reservations, for the transaction in the directory's database that inserts the names. */
export const releaseNames = (merchantId: string, names: readonly string[]): BoundStatement =>
  bindStatement(release(), { merchantId, names: JSON.stringify(names) })
