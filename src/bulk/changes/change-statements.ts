import { sql } from 'drizzle-orm'
import { param } from '../../platform/db/database.ts'
import type { RowOf } from '../../platform/db/query.ts'
import { changeSetTable as table } from '../../platform/db/schema/objects/change-sets.ts'
import { isInScope } from '../../platform/db/scope.ts'
import { createExaminedPages, createPageStatements } from '../../platform/http/keyset-list.ts'

/** The columns of a change set that responses show. */
export const changeSetFields = {
  id: table.id,
  merchantId: table.merchantId,
  kind: table.kind,
  actor: table.actor,
  name: table.name,
  created: table.created,
  updated: table.updated,
  deleted: table.deleted,
  state: table.state,
  undoneBy: table.undoneBy,
  undoes: table.undoes,
  conflictCount: table.conflictCount,
  createdAt: table.createdAt,
  updatedAt: table.updatedAt,
}
export type StoredChangeSet = RowOf<typeof changeSetFields>

const isOfKind = sql`${table.kind} = ${param('kind')}`

export const changeSetPages = {
  all: createPageStatements(changeSetFields, isInScope(table)),
  ofKind: createExaminedPages(changeSetFields, isInScope(table), isOfKind),
}

export const isChangeSet = sql`${isInScope(table)} and ${table.id} = ${param('changeSet')}`
