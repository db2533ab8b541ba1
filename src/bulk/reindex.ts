import { getTableColumns, sql } from 'drizzle-orm'
import type { ResourceDefinition } from '../catalogue/resource/definition.ts'
import { planSearchTerms } from '../catalogue/resource/plan.ts'
import { createRowMapping } from '../catalogue/resource/row-mapping.ts'
import { getSearchTable } from '../catalogue/resource/statements/list-statements.ts'
import { resourceList } from '../catalogue/resources/registry.ts'
import { DamagedError } from '../platform/db/damaged-rows.ts'
import { compile, createMemo, type Database, lazy, param } from '../platform/db/database.ts'
import { getRowBytes } from '../platform/db/home/row-pages.ts'
import { typed } from '../platform/db/query.ts'
import type { Row } from '../platform/db/row.ts'
import { counterTable } from '../platform/db/schema/directory/counters.ts'
import { getValue } from '../platform/db/sql-name.ts'
import { toJsonLists } from '../platform/lib/encoding/json-lists.ts'

/** Limits of one run, and of one of its transactions. The bytes are those of rows. */
const reindexBounds = { pages: 5, rows: 200, bytes: 1024 * 1024 } as const

/** Seconds between the first run and the first page: isolates of the previous release may still write terms of the old form. */
const reindexDelaySeconds = 600

/**
 * Counters of the work that is left: for each resource, the number of the last object that has its terms. A migration inserts them where rows exist;
 * a finished resource has none. `since`, the time of the first run, sorts first.
 */
const prefix = 'search terms '
const sinceName = `${prefix}#since`
const isOwn = sql`${counterTable.name} >= ${sql.raw(`'${prefix}'`)} and ${counterTable.name} < ${sql.raw(`'${prefix}~'`)}`
const counter = { name: counterTable.name, value: counterTable.value }

const statements = {
  state: lazy(() =>
    typed(
      counter,
      () =>
        sql`select ${counterTable.name} as "name", ${counterTable.value} as "value" from ${counterTable} where ${isOwn} order by ${counterTable.name} limit 2`,
    ),
  ),
  set: lazy(() =>
    compile(sql`update ${counterTable} set value = ${param('value')} where ${counterTable.name} = ${param('name')}`),
  ),
  remove: lazy(() => compile(sql`delete from ${counterTable} where ${counterTable.name} = ${param('name')}`)),
}

const built = createMemo()
/** The next objects of a resource, within the bytes, and what writes their terms unless they have changed since. */
const pageOf = ({ table, path }: ResourceDefinition) =>
  built(`page ${path}`, () =>
    compile(sql`
      select ${sql.join(
        Object.values(getTableColumns(table)).map((column) => sql`${column}`),
        sql`, `,
      )} from (
        select seq, size, sum(size) over (order by seq rows unbounded preceding) as total from (
          select ${table.seq} as seq, ${getRowBytes({ table })} as size from ${table}
          where ${table.seq} > ${param('after')} order by ${table.seq} limit ${sql.raw(String(reindexBounds.rows))}
        )
      ) as page cross join ${table} on ${table.seq} = page.seq
      where page.total - page.size < ${sql.raw(String(reindexBounds.bytes))} order by page.seq`),
  )
const writeOf = ({ table, path }: ResourceDefinition) =>
  built(`write ${path}`, () =>
    compile(sql`
      insert or replace into ${getSearchTable(table)} (rowid, terms)
      select ${table.seq}, entry.value ->> 2 from json_each(${param('terms')}) as entry
      cross join ${table} on ${table.seq} = entry.value ->> 0 and ${table.version} = entry.value ->> 1`),
  )

/** The terms of a row. Undefined for a damaged one, which gets them with the update that repairs it, and for one whose deletion is under way. */
function toTerms(resource: ResourceDefinition, row: Row): [unknown, unknown, string | undefined][] {
  const { table } = resource
  const mode = getValue(row, table.testMode)
  if (mode !== 0 && mode !== 1) return []
  const scope = { merchantId: String(getValue(row, table.merchantId)), testMode: mode === 1 }
  try {
    const mapping = createRowMapping(resource)
    const draft = { ...mapping.toRow(mapping.read(row).item), testMode: scope.testMode }
    return [
      [getValue(row, table.seq), getValue(row, table.version), planSearchTerms(resource, scope, undefined, draft)],
    ]
  } catch (error) {
    if (error instanceof DamagedError) return []
    throw error
  }
}

/**
 * Writes the search terms of objects that an earlier release indexed, in order of their numbers. A run does a bounded part, and the next run continues.
 * Searches find what they found before until an object has its new terms.
 */
export async function reindex(database: Database, now: number): Promise<void> {
  for (let page = 0; page < reindexBounds.pages; page++) {
    const [[first, second]] = await database.run([statements.state(), {}])
    if (!first) return
    if (first.name === sinceName && first.value === 0) {
      await database.run([statements.set(), { name: sinceName, value: now }])
      return
    }
    const isWaiting = first.name === sinceName && first.value + reindexDelaySeconds > now
    if (isWaiting) return
    const next = first.name === sinceName ? second : first
    const all: readonly ResourceDefinition[] = resourceList
    const resource = next && all.find(({ path }) => next.name === prefix + path)
    if (!resource || !next) {
      await database.run([statements.remove(), { name: first.name }])
      continue
    }
    const [rows = []] = await database.run<Row[]>([pageOf(resource), { after: next.value }])
    const last = rows.at(-1)
    const writes = toJsonLists(rows.flatMap((row) => toTerms(resource, row))).map(
      (terms) => [writeOf(resource), { terms }] as const,
    )
    const progress = last
      ? ([statements.set(), { name: next.name, value: getValue(last, resource.table.seq) }] as const)
      : ([statements.remove(), { name: next.name }] as const)
    await database.run(...writes, progress)
  }
}

/** Returns the work that is left. */
export const findReindex = statements.state

/** When the work that is left may continue, in seconds. Undefined if none is left. */
export const toReindexTime = (first: { name: string; value: number } | undefined, now: number) =>
  first && (first.name === sinceName && first.value > 0 ? first.value + reindexDelaySeconds : now)
