import { eq, getTableName, type SQL, sql } from 'drizzle-orm'
import { allOf, compile, lazy, param, perFlag } from '../../../platform/db/database.ts'
import { withinShare } from '../../../platform/db/page-budget.ts'
import { listed, toSelectList, typed } from '../../../platform/db/query.ts'
import { auditTable } from '../../../platform/db/schema/audit.ts'
import { eventTable as events } from '../../../platform/db/schema/events.ts'
import type { ResourceDefinition } from '../definition.ts'

const smallFields = {
  id: events.id,
  seq: events.seq,
  testMode: events.testMode,
  at: events.at,
  version: events.version,
  externalId: events.externalId,
  context: events.context,
}
/** Columns of a deletion that may be as large as an object. */
export const largeFields = { row: events.row }
/** Columns of the deletion that a restore reads. */
const deletionFields = {
  ...smallFields,
  ...largeFields,
  kept: events.kept,
  erasedAt: events.erasedAt,
  object: events.object,
}

/** Statements about deleted objects of a resource, in the mode of the request or in both. */
function createStatements({ name, path, table }: ResourceDefinition, bothModes: boolean) {
  const type = sql.raw(`'${name}.deleted'`)
  const isOwn = allOf(
    eq(events.merchantId, param('merchantId')),
    bothModes ? sql`${events.testMode} in (0, 1)` : eq(events.testMode, param('testMode')),
  )
  const later = sql`exists (select 1 from ${events} as later where later.merchant_id = ${events.merchantId}
    and later.test_mode = ${events.testMode} and later.object = ${events.object} and later.type = ${type} and later.seq > ${events.seq})`
  const isBack = sql`exists (select 1 from ${table} where ${table.merchantId} = ${events.merchantId}
    and ${table.testMode} = ${events.testMode} and ${table.id} = ${events.object})`
  const after = bothModes
    ? sql`(${param('after')} is null or ${events.id} < ${param('after')})`
    : sql`${events.seq} < coalesce((select seq from ${events} as last where last.merchant_id = ${param('merchantId')}
        and last.test_mode = ${param('testMode')} and last.id = ${param('after')}), 9007199254740991)`
  const isListed = sql`${isOwn} and ${events.type} = ${type} and ${events.kept} is not null and not ${later} and not ${isBack}`
  const small = toSelectList(smallFields)
  const list = (columns: readonly SQL[], where: SQL) =>
    compile(sql`select ${sql.join([...columns], sql`, `)} from ${events} where ${where}
      order by ${bothModes ? events.id : events.seq} desc limit ${param('rows')}`)
  return {
    /** Deleted objects, the last deleted first, behind the deletion `:after`. */
    page: lazy(() => list([...small, ...withinShare(largeFields)], sql`${isListed} and ${after}`)),
    /** The deletions `:ids` with all columns of any size. */
    whole: lazy(() =>
      list(toSelectList({ ...smallFields, ...largeFields }), sql`${isOwn} and ${events.id} in ${listed('ids')}`),
    ),
    /** The last deletion of the object `:id`. */
    find: lazy(() =>
      typed(
        deletionFields,
        () => sql`
          select ${sql.join(toSelectList(deletionFields), sql`, `)} from ${events}
          where ${isOwn} and ${events.object} = ${param('id')} and ${events.type} = ${type}
          order by ${events.id} desc limit 1`,
      ),
    ),
    /** The last deletions of the objects `:ids`. */
    findAll: lazy(() =>
      typed(
        { ...deletionFields, changeSet: events.changeSet },
        () => sql`
          select ${sql.join(toSelectList({ ...deletionFields, changeSet: events.changeSet }), sql`, `)} from ${events}
          where ${isOwn} and ${events.object} in ${listed('ids')} and ${events.type} = ${type} and not ${later}`,
      ),
    ),
    /** Entry of the audit log about the end of the object `:id`. */
    audited: lazy(() =>
      typed({ operation: auditTable.operation }, () => {
        const named = ['delete', 'erase'].map((verb) => sql.raw(`'${path}.${verb}'`))
        return sql`select ${auditTable.operation} as operation from ${auditTable}
          where ${auditTable.merchantId} = ${param('merchantId')} and ${bothModes ? sql`${auditTable.testMode} in (0, 1)` : eq(auditTable.testMode, param('testMode'))}
            and ${auditTable.object} = ${param('id')} and ${auditTable.operation} in (${sql.join(named, sql`, `)})`
      }),
    ),
  }
}

type DeletedStatements = ReturnType<typeof createStatements>

const built = new Map<string, (bothModes: boolean) => DeletedStatements>()

/** The statements about deleted objects of a resource. */
export function getDeletedStatements(resource: ResourceDefinition, bothModes: boolean): DeletedStatements {
  const name = getTableName(resource.table)
  const known = built.get(name) ?? perFlag((both) => createStatements(resource, both))
  built.set(name, known)
  return known(bothModes)
}
