import { sql } from 'drizzle-orm'
import { readRows } from '../../../platform/db/damaged-rows.ts'
import { compile, createMemo, param } from '../../../platform/db/database.ts'
import { columnShare, columnsWithinShare, readPageWithin, shareParameter } from '../../../platform/db/page-budget.ts'
import { withoutIndex } from '../../../platform/db/query.ts'
import type { Row } from '../../../platform/db/row.ts'
import { pageSize } from '../../../platform/http/pagination.ts'
import { toBeginning } from '../../../platform/lib/search-terms.ts'
import type { Caller } from '../caller.ts'
import type { ResourceDefinition } from '../definition.ts'
import { getSearchPartition, spansBothModes } from '../plan.ts'
import { getSearchTable } from '../statements/list-statements.ts'
import { createSimilarMatcher, longWords, similarExpression, similarLimits } from './similar-words.ts'
import type { Store } from './store.ts'

/** Maximum number of objects that are read, for each kind of statement. `exact` are those that show that a word finds something. */
const examined = { candidates: similarLimits.candidates, exact: 50 } as const

const statements = createMemo()

/** A statement over the objects that the full-text index finds, newest first. The scope filters those of merchants with the same partition. */
function selectFound(
  { table, path }: ResourceDefinition,
  bothModes: boolean,
  kind: 'exact' | 'candidates',
  large = {},
) {
  return statements(JSON.stringify([path, bothModes, kind]), () => {
    const search = getSearchTable(table)
    const columns = kind === 'exact' ? sql`1` : columnsWithinShare(table, large)
    return compile(sql`
      select ${columns} from (
        select rowid as number from ${search} where ${search} match ${param('match')} order by rowid desc limit ${sql.raw(String(examined[kind]))}
      ) as found cross join ${table} on ${table.seq} = number
      where ${withoutIndex(table.merchantId)} = ${param('merchantId')} ${bothModes ? sql`` : sql`and ${withoutIndex(table.testMode)} = ${param('testMode')}`}
      order by number desc ${kind === 'exact' ? sql`limit 1` : sql``}`)
  })
}

/**
 * Ids of objects whose names have the words of a query with one typing error in each word that finds nothing, newest first. Undefined if each long word
 * finds something, so that there is no error to look for.
 */
export async function findSimilar<Item extends object>(
  { resource, statements: stored, mapping }: Store<Item>,
  { database, scope }: Caller,
  query: string,
): Promise<string[] | undefined> {
  const words = longWords(query)
  if (words.length === 0) return undefined
  const bothModes = spansBothModes(resource, scope)
  const partition = getSearchPartition(resource, scope.testMode)
  const exact = selectFound(resource, bothModes, 'exact')
  const found = await database.run(
    ...words.map((word) => [exact, { ...scope, match: toBeginning(scope.merchantId, partition, word) }] as const),
  )
  const misspelt = words.filter((_, index) => found[index]?.length === 0)
  if (misspelt.length === 0) return undefined
  const large = stored.largeColumns(false)
  const [rows = []] = await database.run<Row[]>([
    selectFound(resource, bothModes, 'candidates', large),
    {
      ...scope,
      match: similarExpression(scope.merchantId, partition, query, misspelt),
      [shareParameter]: columnShare(examined.candidates, large),
    },
  ])
  const readWhole = async (ids: readonly string[]) =>
    (await database.run([stored.findAll(bothModes, false), { ...scope, ids: JSON.stringify(ids) }])).flat()
  const page = await readPageWithin(rows, examined.candidates, 'id', large, readWhole)
  const matches = createSimilarMatcher(query, misspelt)
  const ids = readRows(database, page.rows, (row) =>
    matches(resource.hooks.searchTexts(mapping.toRow(mapping.read(row).item))) ? [String(row['id'])] : [],
  ).flat()
  return ids.slice(0, pageSize.max)
}
