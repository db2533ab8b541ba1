import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { compile, type Database, lazy, param, type Values } from '../../../platform/db/database.ts'
import { db, selectList, setColumns, typed } from '../../../platform/db/query.ts'
import { importTable } from '../../../platform/db/schema/imports/imports.ts'
import { changeSetTable as table } from '../../../platform/db/schema/objects/change-sets.ts'
import { isInScope, type Scope } from '../../../platform/db/scope.ts'
import { type Actor, createAuditEntry, undoIf, type Write } from '../../../platform/db/transaction.ts'
import { resourcePaths } from '../../../platform/names.ts'
import { type ChangeSet, recordChanges } from '../../../platform/outbox/change-sets.ts'
import { changeSetFields, isChangeSet, type StoredChangeSet } from '../change-statements.ts'
import { conflictReasons } from './plan/plan-undo.ts'
import type { ObjectConflict } from './undo-objects.ts'

/** Maximum number of conflicts that an undo lists. It counts all of them. */
export const maxListedConflicts = 1_000

const conflictList = z.array(
  z.object({
    resource: z.enum(resourcePaths),
    id: z.string(),
    reason: z.enum(conflictReasons),
    fields: z.array(z.string()),
  }),
)

/** Passes over a set: counted stock is taken back; deleted objects return, resource by resource; changed ones are set back; created ones are deleted. */
const progress = z.object({
  passes: z.array(
    z.union([z.enum(['stock', 'update']), z.enum(resourcePaths), z.object({ restore: z.enum(resourcePaths) })]),
  ),
  /** The last event whose object was undone in the first of the passes. */
  after: z.int(),
  /** Of the request that asked for the undo. */
  requestId: z.optional(z.string()),
  baseUrl: z.optional(z.string()),
  ownHosts: z.array(z.string()),
})
export type UndoProgress = z.output<typeof progress>

const storedFields = { ...changeSetFields, conflicts: table.conflicts, progress: table.progress, step: table.step }
const digits = (column: typeof table.id | typeof importTable.id) => sql`substr(${column}, -16)`
/** Undone sets keep their state until the undo ends. */
const isOpen = sql`${isChangeSet} and ${table.state} = 'done'`
const updatedAt = sql`${param('now')}`

const statements = {
  find: lazy(() => typed(storedFields, (select) => db.select(select).from(table).where(isChangeSet))),
  /** A row if the set is of an import that is being applied. */
  applying: lazy(() =>
    typed(
      { id: importTable.id },
      () => sql`select ${selectList({ id: importTable.id })} from ${importTable}
        where ${isInScope(importTable)} and ${importTable.state} = 'applying' and ${digits(importTable.id)} = substr(${param('changeSet')}, -16)`,
    ),
  ),
  requireOpen: lazy(() => compile(undoIf(sql`not exists (select 1 from ${table} where ${isOpen})`))),
  /** Says which set undoes this one. Follows `requireOpen`. */
  mark: lazy(() =>
    compile(
      sql`update ${table} set ${setColumns(table, {
        state: param('state'),
        undoneBy: param('undo'),
        updatedAt,
      })} where ${isOpen}`,
    ),
  ),
  /** Writes the result and the next step of an undo. Undoes the transaction if another message made this step. */
  advance: lazy(() =>
    compile(
      sql`update ${table} set ${setColumns(table, {
        undoes: param('undoes'),
        state: param('state'),
        progress: param('progress'),
        conflicts: param('conflicts'),
        conflictCount: sql`${table.conflictCount} + ${param('more')}`,
        step: sql`case when ${table.step} = ${param('step')} then ${table.step} + 1 else -1 end`,
        updatedAt,
      })} where ${isChangeSet}`,
    ),
  ),
  end: lazy(() =>
    compile(sql`update ${table} set ${setColumns(table, { state: sql`'undone'`, updatedAt })}
      where ${isChangeSet} and ${table.state} = 'undoing'`),
  ),
}

/** Name of the constraint that an outdated step violates. */
export const undoStepConstraint = 'change_sets_step'

/** An undo as it is stored: its change set with what it left, and its next step. */
export interface StoredUndo extends StoredChangeSet {
  conflicts: readonly ObjectConflict[]
  progress: UndoProgress | undefined
  step: number
}

/** Reads a change set with what only undos have. */
export async function findUndo(database: Database, scope: Scope, changeSet: string): Promise<StoredUndo | undefined> {
  const [[found]] = await database.run([statements.find(), { ...scope, changeSet }])
  if (!found) return undefined
  return {
    ...found,
    conflicts: found.conflicts === null ? [] : conflictList.parse(found.conflicts),
    progress: found.progress === null ? undefined : progress.parse(found.progress),
  }
}

/** Whether the import of a change set still applies rows. */
export async function isImportApplying(database: Database, scope: Scope, changeSet: string): Promise<boolean> {
  const [rows] = await database.run([statements.applying(), { ...scope, changeSet }])
  return rows.length > 0
}

/** A step of an undo: what it leaves, and what comes next. */
interface UndoStep {
  undo: ChangeSet
  undoes: string
  step: number
  /** Conflicts of earlier steps, and of this one. */
  known: readonly ObjectConflict[]
  conflicts: readonly ObjectConflict[]
  /** Undefined after the last step. */
  next: UndoProgress | undefined
  now: number
}

/** Statements that record a step of an undo, in the transaction of its changes. */
export function recordStep(actor: Actor, { undo, undoes, step, known, conflicts, next, now }: UndoStep): Write {
  const values: Values = { ...actor.scope, now }
  return [
    ...recordChanges(actor, undo, {}, now),
    [
      statements.advance(),
      {
        ...values,
        changeSet: undo.id,
        undoes,
        step,
        state: next ? 'undoing' : 'done',
        progress: next ? JSON.stringify(next) : null,
        conflicts: JSON.stringify([...known, ...conflicts].slice(0, maxListedConflicts)),
        more: conflicts.length,
      },
    ],
  ]
}

/** Statements that mark a change set as undone, or as being undone. They undo the transaction if it is so already. */
export const markUndone = (
  actor: Actor,
  changeSet: string,
  undo: ChangeSet,
  state: 'undoing' | 'undone',
  now: number,
): Write => {
  const values = { ...actor.scope, changeSet, undo: undo.id, state, now }
  return [
    [statements.requireOpen(), values],
    [statements.mark(), values],
    createAuditEntry(actor, 'changes.undo', changeSet),
  ]
}

/** The statement that ends the state `undoing` of a change set. */
export const endUndoing = ({ scope }: Actor, changeSet: string, now: number): Write => [
  [statements.end(), { ...scope, changeSet, now }],
]
