import { and, asc, eq, getTableColumns, inArray, sql } from 'drizzle-orm'
import { allOf, compile, lazy, param } from '../../platform/db/database.ts'
import { columnParam, db, insertRow, listed, type RowOf, setColumns, typed } from '../../platform/db/query.ts'
import { merchantTable } from '../../platform/db/schema/merchants.ts'
import {
  releaseOperationTable as operations,
  releaseTable as table,
} from '../../platform/db/schema/releases/releases.ts'
import { isInScope } from '../../platform/db/scope.ts'
import { undoIf } from '../../platform/db/transaction.ts'

export const releaseFields = getTableColumns(table)
export type StoredRelease = RowOf<typeof releaseFields>
export const operationFields = getTableColumns(operations)
export type StoredOperation = RowOf<typeof operationFields>

const isRelease = allOf(isInScope(table), eq(table.id, param('release')))
const isOfRelease = and(eq(operations.releaseId, param('release')), eq(operations.merchantId, param('merchantId')))

/** States in which a release can be changed, published and cancelled. */
const isOpen = inArray(table.state, ['draft', 'scheduled', 'failed'])

/** Elements of the JSON list `:rows`. */
const element = (key: string) => sql`(row.value ->> ${sql.raw(`'$.${key}'`)})`
const written = {
  path: element('path'),
  target: element('target'),
  verb: element('verb'),
  externalId: element('externalId'),
  title: element('title'),
  parts: element('parts'),
  base: element('base'),
  bytes: element('bytes'),
}

export const releaseStatements = {
  find: lazy(() => typed(releaseFields, (select) => db.select(select).from(table).where(isRelease))),

  /** Number of open releases of the scope. */
  countOpen: lazy(() =>
    typed({ count: sql<number>`count(*)` }, (select) =>
      db
        .select(select)
        .from(table)
        .where(allOf(isInScope(table), isOpen)),
    ),
  ),

  insert: lazy(() => compile(insertRow(table, Object.keys(releaseFields)))),

  /** Undoes the transaction unless the release is open and still has the version `:expected`. */
  requireVersion: lazy(() =>
    compile(
      undoIf(
        sql`not exists (select 1 from ${table} where ${and(isRelease, isOpen, eq(table.version, param('expected')))})`,
      ),
    ),
  ),

  /** Writes the fields that a request changes. */
  update: lazy(() =>
    typed({ id: table.id }, (select) =>
      db
        .update(table)
        .set({
          title: columnParam(table.title, 'title'),
          note: columnParam(table.note, 'note'),
          state: columnParam(table.state, 'state'),
          publishAt: columnParam(table.publishAt, 'publishAt'),
          scheduledBy: columnParam(table.scheduledBy, 'scheduledBy'),
          baseUrl: columnParam(table.baseUrl, 'baseUrl'),
          publishedAt: columnParam(table.publishedAt, 'publishedAt'),
          publishedBy: columnParam(table.publishedBy, 'publishedBy'),
          changeSet: columnParam(table.changeSet, 'changeSet'),
          failure: columnParam(table.failure, 'failure'),
          changes: columnParam(table.changes, 'changes'),
          bytes: columnParam(table.bytes, 'bytes'),
          version: columnParam(table.version, 'version'),
          updatedAt: columnParam(table.updatedAt, 'updatedAt'),
        })
        .where(isRelease)
        .returning(select),
    ),
  ),

  /** All operations, in the order of their objects. */
  listAll: lazy(() =>
    typed(operationFields, (select) =>
      db.select(select).from(operations).where(isOfRelease).orderBy(asc(operations.path), asc(operations.target)),
    ),
  ),

  /** Who may publish releases of the merchant. */
  findPublishBy: lazy(() =>
    typed({ publishBy: merchantTable.publishBy }, (select) =>
      db
        .select(select)
        .from(merchantTable)
        .where(eq(merchantTable.id, param('merchantId'))),
    ),
  ),

  /** Paths of the resources that operations change. */
  listPaths: lazy(() =>
    typed({ path: operations.path }, (select) => db.selectDistinct(select).from(operations).where(isOfRelease)),
  ),

  /** Operations on the objects `:targets`, and those that create objects with an external id. */
  listNamed: lazy(() =>
    typed(operationFields, (select) =>
      db
        .select(select)
        .from(operations)
        .where(
          and(isOfRelease, sql`(${operations.target} in ${listed('targets')} or ${operations.externalId} is not null)`),
        ),
    ),
  ),

  /** Writes the operations of the JSON list `:rows`, instead of those on the same objects. */
  write: lazy(() =>
    compile(sql`insert into ${operations} (release_id, merchant_id, ${sql.join(
      Object.keys(written).map((key) => sql`${sql.identifier(key === 'externalId' ? 'external_id' : key)}`),
      sql`, `,
    )}) select ${param('release')}, ${param('merchantId')}, ${sql.join(Object.values(written), sql`, `)} from json_each(${param('rows')}) as row where true
      on conflict do update set ${setColumns(operations, {
        verb: sql`excluded.verb`,
        title: sql`excluded.title`,
        parts: sql`excluded.parts`,
        base: sql`excluded.base`,
        bytes: sql`excluded.bytes`,
      })}`),
  ),

  /** Removes the operations on the objects of the JSON list `:rows`. */
  remove: lazy(() =>
    compile(sql`delete from ${operations} where ${isOfRelease} and exists (select 1 from json_each(${param('rows')}) as row
      where ${element('path')} = ${operations.path} and ${element('target')} = ${operations.target})`),
  ),
}
