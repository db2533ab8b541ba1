import { sql } from 'drizzle-orm'
import type { ResourceDefinition } from '../../../catalogue/resource/definition.ts'
import { compile, lazy, param } from '../../../platform/db/database.ts'
import { insertSelect } from '../../../platform/db/query.ts'
import { externalIdTable } from '../../../platform/db/schema/external-ids.ts'
import type { ResourceTable } from '../../../platform/db/schema/resource-columns.ts'
import { batchResources } from '../batch-resource.ts'
import { member, rows } from './rows.ts'
import { undoAlways, undoIf } from './violation.ts'

const definitions = batchResources.map(({ resource }) => resource)

/** Undoes the transaction. The last statement of a dry run. */
export const undo = lazy(() => compile(undoAlways()))

/** SQL for whether an object of the list at a path of `:objects` is not as it was read. An element is `[seq, id, version]`. */
const hasChanged = ({ path, table }: ResourceDefinition) => sql`exists (
  select 1 from json_each(${param('objects')}, ${sql.raw(`'$.${path}'`)}) as named
    left join ${table} on ${table.seq} = named.value ->> 0 and +${table.merchantId} = ${param('merchantId')}
  where ${table.id} is not named.value ->> 1 or ${table.version} is not named.value ->> 2)`

/** Undoes the transaction if an object of `:objects`, lists by resource, was changed or deleted since it was read. */
export const requireUnchanged = lazy(() => compile(undoIf(sql.join(definitions.map(hasChanged), sql` or `))))

const seqOf = (table: ResourceTable, spansModes: boolean) =>
  sql`(select ${table.seq} from ${table} where ${table.merchantId} = ${param('merchantId')} ${
    spansModes ? sql`` : sql`and ${table.testMode} = ${param('testMode')}`
  } and ${table.id} = ${member('id')})`

/** Inserts the external ids of new objects of all resources. */
export const insertExternalIds = lazy(() => {
  const seqs = definitions.map(
    ({ path, table, spansModes }) => sql`when ${sql.raw(`'${path}'`)} then ${seqOf(table, spansModes)}`,
  )
  return compile(
    insertSelect(
      externalIdTable,
      {
        merchantId: param('merchantId'),
        testMode: sql`${member('externalMode')}`,
        resource: sql`${member('resource')}`,
        externalId: sql`${member('externalId')}`,
        object: sql`case ${member('resource')} ${sql.join(seqs, sql` `)} end`,
      },
      sql`from ${rows}`,
    ),
  )
})
