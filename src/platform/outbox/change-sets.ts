import { sql } from 'drizzle-orm'
import { compile, databaseNow, lazy, param, type Values } from '../db/database.ts'
import { insertSelect, selectList, setColumns, typed } from '../db/query.ts'
import { type ChangeKind, changeSetTable as table } from '../db/schema/objects/change-sets.ts'
import { isInScope } from '../db/scope.ts'
import { type Actor, undoIf, type Write } from '../db/transaction.ts'
import { createId, createIdAt } from '../lib/ids.ts'

/** Prefix of the id of a change set. */
export const changeSetPrefix = 'chs'
/** Maximum length of the header `Change-Set`. */
export const maxChangeSetName = 64
/** Seconds since the first batch of a set within which further ones with the same name join it. */
const joiningSeconds = 3_600

/** A change set, as the transactions of its changes record it. */
export interface ChangeSet {
  id: string
  kind: ChangeKind
  /** The header `Change-Set` of its batches. */
  name?: string | undefined
}

/** Numbers of objects that a transaction changes. */
export interface ChangeCounts {
  created: number
  updated: number
  deleted: number
}

/** Open sets of the actor with the name `:name`. */
const isNamed = sql`${isInScope(table)} and ${table.name} = ${param('name')} and ${table.actor} = ${param('actor')}
  and ${table.state} = 'done' and ${table.createdAt} > ${databaseNow} - ${sql.raw(String(joiningSeconds))}`
const named = { id: table.id }

const counts = ['created', 'updated', 'deleted'] as const
const statements = {
  findNamed: lazy(() =>
    typed(named, () => sql`select ${selectList(named)} from ${table} where ${isNamed} order by ${table.id} limit 1`),
  ),
  /** Undoes the transaction if another set of the same name has begun since the request looked for one. */
  requireOnly: lazy(() =>
    compile(undoIf(sql`exists (select 1 from ${table} where ${isNamed} and ${table.id} <> ${param('changeSet')})`)),
  ),
  /** Inserts the set, or adds the numbers of a further transaction to it. */
  record: lazy(() =>
    compile(
      sql`${insertSelect(
        table,
        {
          merchantId: param('merchantId'),
          testMode: param('testMode'),
          id: param('changeSet'),
          kind: param('kind'),
          actor: param('actor'),
          name: param('name'),
          created: param('created'),
          updated: param('updated'),
          deleted: param('deleted'),
          state: sql`'done'`,
          createdAt: param('now'),
          updatedAt: param('now'),
        },
        sql`where true`,
      )} on conflict (merchant_id, test_mode, id) do update set ${setColumns(table, {
        ...Object.fromEntries(counts.map((key) => [key, sql`${table[key]} + ${sql.raw(`excluded.${key}`)}`])),
        updatedAt: sql`excluded.updated_at`,
      })}`,
    ),
  ),
}

/** The set of a batch: with a name, that of earlier batches of the actor with this name, if there is one. */
export async function findBatchSet({ database, scope, actor }: Actor, name: string | undefined): Promise<ChangeSet> {
  const [[found]] = name === undefined ? [[]] : await database.run([statements.findNamed(), { ...scope, actor, name }])
  return { id: found?.id ?? createId(changeSetPrefix), kind: 'batch', name }
}

/** Number of digits of an id behind its time. */
const restDigits = 16

/** The id of the set of an import or a release: its own time, and the other digits of the id of what it belongs to. */
export const toChangeSetId = (id: string, atMs: number) =>
  `${createIdAt(changeSetPrefix, atMs).slice(0, -restDigits)}${id.slice(-restDigits)}`

/** Statements that record changes of a set. Run them in the transaction of the changes. */
export function recordChanges(
  { scope, actor }: Actor,
  { id, kind, name }: ChangeSet,
  { created = 0, updated = 0, deleted = 0 }: Partial<ChangeCounts>,
  now: number,
): Write {
  const values: Values = { ...scope, changeSet: id, kind, actor, name, created, updated, deleted, now }
  return [...(name === undefined ? [] : [[statements.requireOnly(), values] as const]), [statements.record(), values]]
}
