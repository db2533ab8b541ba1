import { eq, type SQL, sql } from 'drizzle-orm'
import { allOf, compile, param, type Statement } from '../../../platform/db/database.ts'
import { setColumns } from '../../../platform/db/query.ts'
import { externalIdTable, resourceOf } from '../../../platform/db/schema/external-ids.ts'
import { detailTable, translationTable } from '../../../platform/db/schema/objects/details.ts'
import { hiddenModes } from '../../../platform/db/schema/resource-columns.ts'
import { isInScope } from '../../../platform/db/scope.ts'
import { insertEvent } from '../../../platform/outbox/insert-event.ts'
import type { ResourceDefinition } from '../definition.ts'
import { selectKept } from '../statements/kept-columns.ts'
import { writableAsJson } from '../statements/prune-statements.ts'
import { listReferrers } from '../statements/statements.ts'

/**
 * Statements that delete objects for every reader, and leave their rows until no object names them any more: see `continue-pruning.ts`. The
 * rows get a mode that no scope has. `targets` is SQL that compares with their `seq`: `= …` or `in …`. They take `:ids`, too. The last
 * statement changes the rows.
 */
export function createHideStatements({ table, references, hooks }: ResourceDefinition, targets: SQL): Statement[] {
  const sides = [detailTable, translationTable].map((side) =>
    compile(
      sql`delete from ${side} where ${isInScope(side)} and ${side.resource} = ${resourceOf(table)} and ${side.object} ${targets}`,
    ),
  )
  return [
    ...references.map(({ links }) => compile(sql`delete from ${links} where ${links.owner} ${targets}`)),
    compile(
      sql`delete from ${externalIdTable} where ${externalIdTable.resource} = ${resourceOf(table)} and ${externalIdTable.object} ${targets}`,
    ),
    ...sides,
    ...hooks.hideStatements(),
    compile(sql`
      update ${table} set ${setColumns(table, { testMode: sql`${table.testMode} + ${hiddenModes}`, updatedAt: sql`max(${param('now')}, ${table.updatedAt})` })}
      where ${table.seq} ${targets} and ${isInScope(table)}`),
  ]
}

const hiding = new Map<ResourceDefinition, readonly Statement[]>()

/** Statements that hide the object `:id` and raise the event of its deletion. The first one returns the row before. */
export function createHiding(resource: ResourceDefinition): readonly Statement[] {
  const known = hiding.get(resource)
  if (known) return known
  const { table } = resource
  const one = allOf(isInScope(table), eq(table.id, param('id')))
  const created = [
    compile(sql`select * from ${table} where ${one}`),
    insertEvent({
      resource,
      verb: 'deleted',
      where: sql`${one}`,
      replaced: { ...writableAsJson(table), version: sql`${table.version} + 1` },
      previous: sql`null`,
      kept: selectKept(resource, listReferrers(table)),
    }),
    ...createHideStatements(resource, sql`= (select ${table.seq} from ${table} where ${one})`),
  ]
  hiding.set(resource, created)
  return created
}
