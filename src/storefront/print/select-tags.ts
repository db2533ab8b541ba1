import { desc, eq, gte, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import * as z from 'zod/mini'
import { selectNamed } from '../../catalogue/resource/external-ids.ts'
import { getSearchPartition, spansBothModes } from '../../catalogue/resource/plan.ts'
import { getSearchTable } from '../../catalogue/resource/statements/list-statements.ts'
import { tags } from '../../catalogue/resources/tags.ts'
import { allOf, type Database, lazy, param, type Statement } from '../../platform/db/database.ts'
import { db, listed, type RowOf, typed, withoutIndex } from '../../platform/db/query.ts'
import { tagTable } from '../../platform/db/schema/resources/tags.ts'
import type { Scope } from '../../platform/db/scope.ts'
import { foldCode } from '../../platform/lib/languages/code-keys.ts'
import { matchExpression } from '../../platform/lib/search-terms.ts'
import { type PrintedTag, toCardLabel } from './cards.ts'
import { sheetLimits } from './sheet-parameters.ts'

/** Selection of the tags that a sheet prints. */
export interface TagSelection {
  ids?: readonly string[] | undefined
  /** Last characters of ids, with equal lengths. They are shorter in a link than ids. */
  idEnds?: readonly string[] | undefined
  externalIds?: readonly string[] | undefined
  area?: string | undefined
  nfc?: boolean | undefined
  testMode?: boolean | undefined
  q?: string | undefined
  updatedSince?: number | undefined
}

/** Maximum number of tags that are sorted by their labels. In a larger selection, only the newest tags are. */
const maxCandidates = 10_000
/** Maximum number of a tag's entries on its card, and of characters of a key and a value. A card has room for no more. */
const cardTexts = { entries: 8, key: 64, value: 200 } as const

const { metadata } = tagTable
/** The entries of the metadata as objects. Damaged metadata has none. */
const entries = sql`json_each(case when json_valid(${metadata}) then ${metadata} else '[]' end) as entry`
const key = sql`entry.value ->> '$.key'`
const value = sql`entry.value ->> '$.value'`

const fields = {
  id: tagTable.id,
  code: tagTable.code,
  testMode: tagTable.testMode,
  nfc: tagTable.nfc,
  total: sql<number>`count(*) over ()`,
  entries: sql<string>`(select json_group_array(json_array(k, v)) from (
    select substr(${key}, 1, ${sql.raw(`${cardTexts.key}`)}) as k, substr(${value}, 1, ${sql.raw(`${cardTexts.value}`)}) as v
    from ${entries} where entry.type = 'object' and ${key} is not null and ${value} is not null and entry.value ->> '$.visible' is not 0
    limit ${sql.raw(`${cardTexts.entries}`)}))`,
  area: sql<
    string | null
  >`(select ${value} from ${entries} where entry.type = 'object' and lower(${key}) = 'area' limit 1)`,
}
const storedEntries = z.array(z.tuple([z.string(), z.string()]))

type Row = RowOf<typeof fields>

const inList = (column: SQLiteColumn, name: string) => sql`${column} in ${listed(name)}`

/** Builds the statement for a selection with these conditions. */
function build(bothModes: boolean, { ids, idEnds, externalIds, nfc, testMode, q, updatedSince }: TagSelection) {
  const isByRowid = externalIds !== undefined || q !== undefined
  const owned = (column: SQLiteColumn): SQL => (isByRowid ? withoutIndex(column) : sql`${column}`)
  const search = getSearchTable(tagTable)
  const conditions = allOf(
    sql`${owned(tagTable.merchantId)} = ${param('merchantId')}`,
    bothModes ? undefined : sql`${owned(tagTable.testMode)} = ${sql.param(param('scopeTestMode'), tagTable.testMode)}`,
    ids && inList(tagTable.id, 'ids'),
    idEnds && sql`substr(${tagTable.id}, -${param('idEndLength')}) in ${listed('idEnds')}`,
    externalIds && sql`${tagTable.seq} in (${selectNamed(tags)})`,
    q === undefined
      ? undefined
      : sql`${tagTable.seq} in (select rowid from ${search} where ${search} match ${param('match')})`,
    nfc === undefined ? undefined : sql`${withoutIndex(tagTable.nfc)} = ${sql.param(param('nfc'), tagTable.nfc)}`,
    testMode === undefined
      ? undefined
      : sql`${withoutIndex(tagTable.testMode)} = ${sql.param(param('testMode'), tagTable.testMode)}`,
    updatedSince === undefined ? undefined : gte(withoutIndex(tagTable.updatedAt), param('updatedSince')),
  )
  return typed(fields, (select) =>
    db
      .select(select)
      .from(tagTable)
      .where(conditions)
      .orderBy(desc(isByRowid ? withoutIndex(tagTable.id) : tagTable.id))
      .limit(maxCandidates),
  )
}

/** Statements by their conditions. */
const built = new Map<string, Statement<Row>>()

function getStatement(bothModes: boolean, selection: TagSelection): Statement<Row> {
  const given = Object.entries(selection).filter(([, value]) => value !== undefined)
  const shape = JSON.stringify([bothModes, ...given.map(([name]) => name).sort()])
  const statement = built.get(shape) ?? build(bothModes, selection)
  built.set(shape, statement)
  return statement
}

/** The tags of a selection, and the number of tags that do not fit. */
interface SelectedTags {
  tags: readonly PrintedTag[]
  omitted: number
}

/** Reads the tags of a selection in one round trip. `order` sorts them and takes as many as fit on a sheet. */
export async function selectTags(database: Database, scope: Scope, selection: TagSelection) {
  const { area, q, ...conditions } = selection
  const match =
    q === undefined ? undefined : matchExpression(scope.merchantId, getSearchPartition(tags, scope.testMode), q)
  const bothModes = spansBothModes(tags, scope)
  const values = {
    ...conditions,
    merchantId: scope.merchantId,
    scopeTestMode: scope.testMode,
    match,
    ids: JSON.stringify(selection.ids),
    idEnds: JSON.stringify(selection.idEnds),
    idEndLength: selection.idEnds?.[0]?.length,
    externalIds: JSON.stringify(selection.externalIds),
  }
  const [found] = await database.run([
    getStatement(bothModes, match === undefined ? conditions : { ...conditions, q }),
    values,
  ])
  const wanted = area === undefined ? undefined : foldCode(area)
  const rows = wanted === undefined ? found : found.filter((row) => row.area !== null && foldCode(row.area) === wanted)
  const unread = (found[0]?.total ?? 0) - found.length
  const selected = rows.map((row) => {
    const entries = storedEntries.parse(JSON.parse(row.entries)).map(([key, value]) => ({ key, value }))
    return { code: row.code, testMode: row.testMode, nfc: row.nfc, entries, label: toCardLabel(entries) }
  })
  return {
    /** The labels of all tags. */
    labels: selected.map(({ label }) => label),
    /** The tags in the natural order of their labels, in which 2 is before 10. Tags without a label come last. */
    order(language: string): SelectedTags {
      const { compare } = new Intl.Collator(language, { numeric: true })
      const rank = (label: string) => (label === '' ? 1 : 0)
      selected.sort((a, b) => rank(a.label) - rank(b.label) || compare(a.label, b.label))
      const printed = selected.slice(0, sheetLimits.tags)
      return { tags: printed, omitted: selected.length - printed.length + unread }
    },
  }
}

const idStatements = { own: lazy(() => selectIds(false)), both: lazy(() => selectIds(true)) }
const selectIds = (bothModes: boolean) =>
  typed({ id: tagTable.id }, (select) =>
    db
      .select(select)
      .from(tagTable)
      .where(
        allOf(
          eq(tagTable.merchantId, param('merchantId')),
          bothModes ? undefined : eq(tagTable.testMode, param('testMode')),
          inList(tagTable.id, 'ids'),
        ),
      )
      .orderBy(tagTable.id),
  )

/** The given ids that are accessible in a scope, ascending. */
export async function findIds(database: Database, scope: Scope, ids: readonly string[]): Promise<string[]> {
  const statement = spansBothModes(tags, scope) ? idStatements.both() : idStatements.own()
  const [rows] = await database.run([statement, { ...scope, ids: JSON.stringify(ids) }])
  return rows.map(({ id }) => id)
}
