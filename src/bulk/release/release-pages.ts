import { and, asc, desc, eq, gt, lt, sql } from 'drizzle-orm'
import { lazy, param } from '../../platform/db/database.ts'
import { db, typed } from '../../platform/db/query.ts'
import { releaseOperationTable as table } from '../../platform/db/schema/releases/releases.ts'
import { operationFields } from './release-statements.ts'

const isOfRelease = and(eq(table.releaseId, param('release')), eq(table.merchantId, param('merchantId')))
const fields = { ...operationFields, id: sql<string>`${table.target}` }

/** Pages of the operations of a release, by the ids of their objects: ids of different resources differ. */
export const operationPages = {
  asc: lazy(() =>
    typed(fields, (select) =>
      db
        .select(select)
        .from(table)
        .where(and(isOfRelease, gt(table.target, param('after'))))
        .orderBy(asc(table.target))
        .limit(param('rows')),
    ),
  ),
  desc: lazy(() =>
    typed(fields, (select) =>
      db
        .select(select)
        .from(table)
        .where(and(isOfRelease, lt(table.target, param('after'))))
        .orderBy(desc(table.target))
        .limit(param('rows')),
    ),
  ),
}
