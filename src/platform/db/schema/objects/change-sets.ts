import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Causes of a change set. */
export const changeKinds = ['batch', 'import', 'release', 'restore', 'undo'] as const
export type ChangeKind = (typeof changeKinds)[number]

/** `undoing`: the set is being undone in steps. */
export const changeStates = ['done', 'undoing', 'undone'] as const

/** Changes that were made together, and that can be undone together. Their values are in the events that name the set. */
export const changeSetTable = sqliteTable(
  'change_sets',
  {
    merchantId: text().notNull(),
    testMode: integer({ mode: 'boolean' }).notNull(),
    id: text().notNull(),
    kind: text({ enum: changeKinds }).notNull(),
    /** Id of an API key or a member, or `operator`. */
    actor: text().notNull(),
    /** The header `Change-Set` of the batches of the set. */
    name: text(),
    /** Numbers of objects. */
    created: integer().notNull(),
    updated: integer().notNull(),
    deleted: integer().notNull(),
    state: text({ enum: changeStates }).notNull(),
    /** The set that undoes this one, and the set that this one undoes. */
    undoneBy: text(),
    undoes: text(),
    /** Next step of an undo that is under way, as JSON: see `UndoProgress`. */
    progress: text({ mode: 'json' }),
    /** Increases with every step of an undo. An outdated step sets it to -1, which violates `change_sets_step` and undoes the step. */
    step: integer().notNull().default(0),
    /** Objects and fields that an undo left as they were, as a JSON list; and the number of these objects. */
    conflicts: text({ mode: 'json' }),
    conflictCount: integer().notNull().default(0),
    /** In seconds. */
    createdAt: integer().notNull(),
    updatedAt: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.merchantId, table.testMode, table.id] }),
    index('change_sets_name')
      .on(table.merchantId, table.testMode, table.name, table.actor)
      .where(sql`${table.name} is not null`),
    index('change_sets_undoing').on(table.updatedAt).where(sql`${table.progress} is not null`),
    check('change_sets_step', sql`${table.step} >= 0`),
  ],
)
