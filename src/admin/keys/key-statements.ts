import { and, eq, gte, sql } from 'drizzle-orm'
import { readKeyLists } from '../../platform/auth/stored-key.ts'
import { compile, lazy, param } from '../../platform/db/database.ts'
import { columnParam, db, insertSelect, type RowOf, selectList, typed, withRows } from '../../platform/db/query.ts'
import { keyTable as table } from '../../platform/db/schema/keys.ts'
import { createPageStatements } from '../../platform/http/keyset-list.ts'

/** Columns that are read of a key. */
export const storedKeyFields = {
  id: table.id,
  merchantId: table.merchantId,
  testMode: table.testMode,
  title: table.title,
  scopes: table.scopes,
  allowedIps: table.allowedIps,
  last4: table.last4,
  createdAt: table.createdAt,
  expiresAt: table.expiresAt,
  lastUsedAt: table.lastUsedAt,
}
/** Converts a row to a key. Throws `DamagedError` if one of its lists is damaged. */
export const toStoredKey = ({ merchantId, ...row }: RowOf<typeof storedKeyFields>) => ({
  ...row,
  title: row.title ?? undefined,
  ...readKeyLists({ ...row, merchantId }),
  expiresAt: row.expiresAt ?? undefined,
  lastUsedAt: row.lastUsedAt ?? undefined,
})
/** A key as stored, without its hash. */
export type StoredKey = ReturnType<typeof toStoredKey>

const isOfMerchant = eq(table.merchantId, param('merchantId'))
const isKey = and(isOfMerchant, eq(table.id, param('id')))
const insertedColumns = {
  id: param('id'),
  merchantId: param('merchantId'),
  hash: param('hash'),
  testMode: columnParam(table.testMode, 'testMode'),
  title: columnParam(table.title, 'title'),
  scopes: columnParam(table.scopes, 'scopes'),
  allowedIps: columnParam(table.allowedIps, 'allowedIps'),
  last4: param('last4'),
  createdAt: columnParam(table.createdAt, 'createdAt'),
  expiresAt: columnParam(table.expiresAt, 'expiresAt'),
}
const returned = { id: table.id }
const pages = createPageStatements(storedKeyFields, isOfMerchant)
/** Statements on the keys of a merchant. */
export const keyStatements = {
  find: lazy(() =>
    withRows(
      typed(storedKeyFields, (select) => db.select(select).from(table).where(isKey)),
      toStoredKey,
    ),
  ),
  insert: lazy(() => compile(db.insert(table).values(insertedColumns))),
  /** Runs after `expire`: a key that was deleted since it was read gets no successor. */
  insertSuccessor: lazy(() =>
    typed(returned, () =>
      insertSelect(table, insertedColumns, sql`where changes() > 0 returning ${selectList(returned)}`),
    ),
  ),
  expire: lazy(() =>
    compile(
      db
        .update(table)
        .set({ expiresAt: columnParam(table.expiresAt, 'expiresAt') })
        .where(isKey),
    ),
  ),
  remove: lazy(() =>
    withRows(
      typed(storedKeyFields, (select) =>
        db
          .delete(table)
          .where(and(isKey, gte(table.testMode, columnParam(table.testMode, 'testMode'))))
          .returning(select),
      ),
      toStoredKey,
    ),
  ),
  list: {
    asc: lazy(() => withRows(pages.asc(), toStoredKey)),
    desc: lazy(() => withRows(pages.desc(), toStoredKey)),
  },
}
