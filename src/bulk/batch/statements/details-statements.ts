import { eq, type SQL, sql } from 'drizzle-orm'
import { raiseEvent } from '../../../catalogue/events/raise-event.ts'
import type { ResourceDefinition } from '../../../catalogue/resource/definition.ts'
import type { selectEach } from '../../../catalogue/resource/details/related-objects.ts'
import { selectNamed } from '../../../catalogue/resource/external-ids.ts'
import { allOf, compile, lazy, param, perFlag } from '../../../platform/db/database.ts'
import { bytesOf } from '../../../platform/db/page-budget.ts'
import { insertSelect, listed, setColumns, withoutIndex } from '../../../platform/db/query.ts'
import { externalIdOf, resourceOf } from '../../../platform/db/schema/external-ids.ts'
import {
  detailsColumn,
  detailsOf,
  detailTable,
  isSideOf,
  translationTable,
} from '../../../platform/db/schema/objects/details.ts'
import { isInScope } from '../../../platform/db/scope.ts'
import { member, rows } from './row-parameters.ts'

/**
 * Statements about the details of objects of a resource, each for all objects of a list, for keys that access one mode and for those that access
 * both. `more` is that of the details.
 */
export const createBatchDetailStatements = (resource: ResourceDefinition, more: SQL | undefined) =>
  perFlag((bothModes) => createStatements(resource, more, bothModes))
export type BatchDetailStatements = ReturnType<typeof createStatements>

function createStatements(resource: ResourceDefinition, more: SQL | undefined, bothModes: boolean) {
  const { name, table } = resource
  const isMode = (mode: SQL) => (bothModes ? sql`${mode} in (0, 1)` : sql`${mode} = ${param('testMode')}`)
  const isOwn = (own: typeof table | typeof translationTable) =>
    bothModes ? allOf(eq(own.merchantId, param('merchantId')), isMode(sql`${own.testMode}`)) : isInScope(own)
  const isListed = sql`${isOwn(table)} and ${table.id} in ${listed('ids')}`
  const seqs = sql`
    select ${withoutIndex(table.seq)} as seq from ${table} where ${isListed}
    union ${selectNamed(resource)}`
  /** SQL for the objects of `:rows`. */
  const fromRows = sql`from ${rows} cross join ${table} where ${isOwn(table)} and ${table.id} = ${member('id')}`
  const bytesIn = (side: typeof detailTable | typeof translationTable, column: SQL) => sql`coalesce((
    select sum(${bytesOf([column])}) from named cross join ${side}
      on ${side.merchantId} = ${param('merchantId')} and ${isMode(sql`${side.testMode}`)}
        and ${side.resource} = ${resourceOf(table)} and ${side.object} = named.seq), 0)`
  const ofObject = {
    merchantId: table.merchantId,
    testMode: table.testMode,
    resource: resourceOf(table),
    object: table.seq,
  }
  return {
    /** The details of `:ids` and `:externalIds`, with the bytes of all. If those exceed `:maxBytes`: one row with the bytes only. */
    find: lazy(() =>
      compile(sql`
        with named as materialized (${seqs}), total as materialized (
          select ${bytesIn(detailTable, sql`${detailTable.data}`)} + ${bytesIn(translationTable, sql`${translationTable.texts}`)} as bytes
        ), whole as materialized (
          select ${table.id} as id, ${detailsOf(table, more)} as ${sql.identifier(detailsColumn)},
            (select ${detailTable.version} from ${detailTable} where ${isSideOf(detailTable, table)}) as version
          from named cross join ${table} on ${table.seq} = named.seq
          where (select bytes from total) <= ${param('maxBytes')}
            and ${withoutIndex(table.merchantId)} = ${param('merchantId')} and ${isMode(withoutIndex(table.testMode))}
        )
        select whole.*, total.bytes as total_bytes from total left join whole`),
    ),

    /** Writes details. Undoes the batch, by violating the NOT NULL of `version`, unless those of each object are at its version `expected`. */
    write: lazy(() => {
      const insert = insertSelect(
        detailTable,
        { ...ofObject, data: sql`named.value -> '$.data'`, version: sql`${member('expected')} + 1` },
        fromRows,
      )
      const version = sql`case when ${detailTable.version} = excluded.version - 1 then excluded.version end`
      return compile(
        sql`${insert} on conflict do update set ${setColumns(detailTable, { data: sql`excluded.data`, version })}`,
      )
    }),

    /** Writes texts, one row for each language of an object. */
    translate: lazy(() => {
      const insert = insertSelect(
        translationTable,
        { ...ofObject, language: member('language'), texts: sql`named.value -> '$.texts'` },
        fromRows,
      )
      return compile(
        sql`${insert} on conflict do update set ${setColumns(translationTable, { texts: sql`excluded.texts` })}`,
      )
    }),

    /** Deletes languages, one row for each language of an object. */
    removeLanguages: lazy(() =>
      compile(sql`delete from ${translationTable}
        where ${isOwn(translationTable)} and ${translationTable.resource} = ${resourceOf(table)}
          and (${translationTable.object}, ${translationTable.language}) in (
            select ${table.seq}, ${member('language')} ${fromRows})`),
    ),

    insertEvents: lazy(() =>
      compile(
        raiseEvent({
          type: `${name}.details_updated`,
          version: sql`${member('expected')} + 1`,
          row: sql`named.value -> '$.row'`,
          previous: sql`named.value -> '$.previous'`,
          object: table.id,
          externalId: externalIdOf(table),
          position: sql`named.key + 1`,
          ...(bothModes ? { scope: table } : {}),
          from: fromRows,
        }),
      ),
    ),
  }
}

/** A statement that reads objects that details name, for `readRelated`: `:ids`, and the owners of `:externalIds`. */
export const createFindRelated = (resource: ResourceDefinition, select: (typeof selectEach)[keyof typeof selectEach]) =>
  compile(
    select(
      { merchantId: sql`${param('merchantId')}`, testMode: sql`${param('testMode')}` },
      sql`select value from json_each(${param('ids')}) union
        select ${resource.table.id} from ${resource.table} where ${resource.table.seq} in (${selectNamed(resource)})`,
    ),
  )
