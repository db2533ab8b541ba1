import { sql } from 'drizzle-orm'
import { toJsonLists } from '../../bulk/batch/write/json-lists.ts'
import type { ResourceDefinition } from '../../catalogue/resource/definition.ts'
import { planSearchTerms } from '../../catalogue/resource/plan/plan-search.ts'
import { createRowMapping, type RowMapping } from '../../catalogue/resource/plan/row-mapping.ts'
import { getSearchTable } from '../../catalogue/resource/statements/list-statements.ts'
import * as resources from '../../catalogue/resources/registry.ts'
import { DamagedError } from '../../platform/db/damaged-rows.ts'
import { compile, lazy, param, type Statement } from '../../platform/db/database.ts'
import type { Row } from '../../platform/db/row.ts'
import { getValue } from '../../platform/db/sql-name.ts'
import type { Write } from '../../platform/db/transaction.ts'

interface SearchIndex {
  resource: ResourceDefinition
  statements: () => { mapping: RowMapping; remove: Statement; insert: Statement }
}

const isListed = sql`rowid in (select value ->> 0 from json_each(${param('terms')}))`
const all: readonly ResourceDefinition[] = Object.values(resources)
const indexes: ReadonlyMap<string, SearchIndex> = new Map(
  all.map((resource) => {
    const index = getSearchTable(resource.table)
    const statements = lazy(() => ({
      mapping: createRowMapping(resource),
      remove: compile(sql`delete from ${index} where ${isListed}`),
      insert: compile(sql`insert into ${index} (rowid, terms)
        select value ->> 0, value ->> 1 from json_each(${param('terms')})`),
    }))
    return [resource.path, { resource, statements }]
  }),
)

/**
 * Statements that index rows of a resource at the target. Terms cannot be read from an index. A damaged row gets none until an update
 * repairs it.
 */
export function createTermWrites(path: string, rows: readonly Row[]): Write {
  const index = indexes.get(path)
  if (!index) return []
  const { table } = index.resource
  const { mapping, remove, insert } = index.statements()
  const pairs = rows.flatMap((row) => {
    try {
      const testMode = getValue(row, table.testMode) === 1
      const draft = { ...mapping.toRow(mapping.read(row).item), testMode }
      const scope = { merchantId: String(getValue(row, table.merchantId)), testMode }
      return [[getValue(row, table.seq), planSearchTerms(index.resource, scope, undefined, draft)]]
    } catch (error) {
      if (error instanceof DamagedError) return []
      throw error
    }
  })
  return toJsonLists(pairs).flatMap((terms) => [
    [remove, { terms }],
    [insert, { terms }],
  ])
}
