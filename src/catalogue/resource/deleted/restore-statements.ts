import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm'
import { allOf, compile, getColumn, lazy, param, type Statement } from '../../../platform/db/database.ts'
import { listed, setColumns, typed } from '../../../platform/db/query.ts'
import { eventTable as events } from '../../../platform/db/schema/events.ts'
import { externalIdOf, externalIdTable, resourceOf } from '../../../platform/db/schema/external-ids.ts'
import { hiddenModes } from '../../../platform/db/schema/resource-columns.ts'
import { bareColumn, sqlName } from '../../../platform/db/sql-name.ts'
import { idPrefixLength, insertEvent } from '../../../platform/outbox/insert-event.ts'
import { raiseEvent } from '../../events/raise-event.ts'
import type { KeptTable, Reference, ResourceDefinition } from '../definition.ts'
import { isInNamespace } from '../external-ids.ts'
import { listKeptColumns, listKeptTables } from '../statements/kept-columns.ts'
import { listReferrers } from '../statements/statements.ts'

const mode = sql`${param('mode')}`
const merchant = sql`${param('merchantId')}`

/** Inserts the kept rows `:rows` of a table. Each names by `of` its object, which exists again. */
function createKeptInsert({ table }: ResourceDefinition, kept: KeptTable): Statement {
  const { merchantId, testMode, resource } = getTableColumns(kept.table)
  const named = new Map<string, SQL>([
    ...(merchantId ? [[merchantId.name, sql`${table.merchantId}`] as const] : []),
    ...(testMode ? [[testMode.name, sql`${table.testMode}`] as const] : []),
    ...(resource ? [[resource.name, resourceOf(table)] as const] : []),
    [kept.owner.name, sql`${table[kept.by]}`],
    ...listKeptColumns(kept).map(
      ([key, column]) => [column.name, sql`named.value ->> ${sql.raw(`'$.${sqlName(key)}'`)}`] as const,
    ),
  ])
  const columns = Object.entries(getTableColumns(kept.table))
  const names = columns.map(([, column]) => bareColumn(column))
  const values = columns.map(([, column]) => named.get(column.name) ?? sql`null`)
  return compile(sql`insert into ${kept.table} (${sql.join(names, sql`, `)})
    select ${sql.join(values, sql`, `)} from json_each(${param('rows')}) as named cross join ${table}
    where ${table.merchantId} = ${merchant} and ${table.testMode} = ${mode} and ${table.id} = named.value ->> '$.of'`)
}

/** Statements that put the object `:id` back into the objects of a resource that named it. */
function createPlacing(target: ResourceDefinition, owner: ResourceDefinition, { links, field }: Reference) {
  const { table } = owner
  const isOwner = sql`${table.merchantId} = ${merchant} and ${table.testMode} = ${mode}`
  const member = (key: string) => sql`(named.value ->> ${sql.raw(`'$.${key}'`)})`
  const places = sql`json_each(${param('places')}) as named`
  const isNamed = sql`${isOwner} and ${table.id} = ${member('id')}`
  const value = sql`json(named.value -> '$.value')`
  const updatedAt = sql`max(${param('now')}, ${table.updatedAt} + 1)`
  const type = (verb: string) => sql.raw(`'${owner.name}.${verb}'`)
  const ofOwner = sql`was.merchant_id = ${merchant} and was.test_mode = ${mode} and was.object = ${table.id}`
  const isIn = (column: string) => sql`instr(${sql.raw(`was.${column}`)}, ${param('id')}) > 0`
  const path = sql.raw(`'$.${sqlName(field)}'`)
  const key = sql.raw(`'$.${field}'`)
  const oldField = sql`coalesce((
    select was.previous -> ${key} from ${events} as was
    where ${ofOwner} and was.seq > ${param('deletion')} and was.type = ${type('updated')} and ${isIn('previous')} order by was.seq limit 1
  ), (
    select was.row -> ${path} from ${events} as was
    where ${ofOwner} and was.type = ${type('deleted')} and ${isIn('row')}
      and substr(was.id, 1, ${sql.raw(String(idPrefixLength))}) = ${param('transaction')} limit 1))`
  const place = { [field]: value, version: sql`${table.version} + 1`, updatedAt }
  return {
    owner,
    field,
    /** The owners `:owners`, with their field and what it was before the deletion. */
    find: compile(sql`
      select ${table.id} as id, ${table.version} as version, ${getColumn(table, field)} as value, ${oldField} as was
      from ${table} where ${isOwner} and ${table.id} in ${listed('owners')}`),
    /** Each element of `:places` has the `id` of an owner, its `version`, the new `value` of the field and the `previous` one. */
    statements: [
      insertEvent({
        resource: owner,
        verb: 'updated',
        from: sql`${places} cross join ${table}`,
        where: isNamed,
        replaced: place,
        previous: sql`json_object(${sql.raw(`'${field}'`)}, json(named.value -> '$.previous'))`,
        position: sql`named.key + 1`,
        testMode: mode,
      }),
      compile(
        sql`update ${table} set ${setColumns(table, {
          ...place,
          version: sql`case when ${table.version} = ${member('version')} then ${table.version} + 1 end`,
        })} from ${places} where ${isNamed}`,
      ),
      compile(sql`insert into ${links} (${bareColumn(links.owner)}, ${bareColumn(links.target)})
        select ${table.seq}, ${target.table.seq} from ${places} cross join ${table} cross join ${target.table}
        where ${isNamed} and ${target.table.merchantId} = ${merchant} and ${target.table.testMode} = ${mode}
          and ${target.table.id} = ${param('id')} on conflict do nothing`),
    ],
  }
}

/** The statements that restore objects of a resource. `:mode` is the mode of the object. */
function createStatements(resource: ResourceDefinition) {
  const { table } = resource
  const seqIn = (modes: SQL) =>
    sql`(select ${table.seq} from ${table} where ${allOf(
      sql`${table.merchantId} = ${merchant}`,
      sql`${table.testMode} = ${modes}`,
      sql`${table.id} = ${param('id')}`,
    )})`
  const hiddenSeq = seqIn(sql`${mode} + ${hiddenModes}`)
  const referrers = listReferrers(table)
  return {
    /** Returns a row if another object has the external id `:externalId`. */
    takenExternalId: lazy(() =>
      compile(
        sql`select 1 as taken from ${externalIdTable} where ${isInNamespace(resource)} and ${externalIdTable.externalId} = ${param('externalId')}`,
      ),
    ),
    /** The objects `:ids` of which a deleted row is left that others still name. */
    hidden: lazy(() =>
      typed(
        { id: table.id },
        () => sql`select ${table.id} as id from ${table} where ${table.merchantId} = ${merchant}
          and ${table.testMode} = ${mode} + ${hiddenModes} and ${table.id} in ${listed('ids')}`,
      ),
    ),
    /** Gives the links of a deleted row that others still name to the restored one `:id`, and deletes that row. */
    takeOver: lazy(() =>
      referrers.length === 0
        ? []
        : [
            ...referrers.map(({ reference: { links } }) =>
              compile(
                sql`update ${links} set ${bareColumn(links.target)} = ${seqIn(mode)} where ${links.target} = ${hiddenSeq}`,
              ),
            ),
            compile(sql`delete from ${table} where ${table.seq} = ${hiddenSeq}`),
          ],
    ),
    kept: lazy(() =>
      listKeptTables(resource).map((kept) => ({
        name: getTableName(kept.table),
        insert: createKeptInsert(resource, kept),
      })),
    ),
    /** The events about the details of restored objects. Each element of `:rows` has the `id` of an object, the `version` of its details and the `row` of the event. */
    insertDetailsEvents: lazy(() =>
      compile(
        raiseEvent({
          type: `${resource.name}.details_updated`,
          scope: table,
          version: sql`named.value ->> '$.version'`,
          row: sql`named.value -> '$.row'`,
          object: table.id,
          externalId: externalIdOf(table),
          position: sql`named.key + 1`,
          from: sql`from json_each(${param('rows')}) as named cross join ${table}
            where ${table.merchantId} = ${merchant} and ${table.testMode} = ${mode} and ${table.id} = named.value ->> '$.id'`,
        }),
      ),
    ),
    placings: lazy(() => referrers.map(({ owner, reference }) => createPlacing(resource, owner, reference))),
  }
}

const built = new Map<string, ReturnType<typeof createStatements>>()

/** The statements that restore objects of a resource. */
export function getRestoreStatements(resource: ResourceDefinition) {
  const name = getTableName(resource.table)
  const known = built.get(name) ?? createStatements(resource)
  built.set(name, known)
  return known
}
