import { getTableName, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { ResourceDefinition } from '../../../catalogue/resource/definition.ts'
import { planSearchTerms } from '../../../catalogue/resource/plan.ts'
import { getSearchTable } from '../../../catalogue/resource/statements/list-statements.ts'
import { resourceList } from '../../../catalogue/resources/registry.ts'
import { DamagedError } from '../../../platform/db/damaged-rows.ts'
import { compile, type Database, lazy, param, type Statement, type Values } from '../../../platform/db/database.ts'
import type { Home } from '../../../platform/db/home/home.ts'
import { createRowReader, insertSelect } from '../../../platform/db/query.ts'
import { deliveryTable } from '../../../platform/db/schema/events.ts'
import { importTable } from '../../../platform/db/schema/imports/imports.ts'
import { pictureTable } from '../../../platform/db/schema/pictures.ts'
import { releaseTable } from '../../../platform/db/schema/releases/releases.ts'
import { tagNameTable } from '../../../platform/db/schema/resources/tags.ts'
import { webhookTable } from '../../../platform/db/schema/resources/webhooks.ts'
import { bareColumn, excluded, getColumnName, getValue } from '../../../platform/db/sql-name.ts'
import type { Bindings } from '../../../platform/env.ts'
import { toJsonLists } from '../../../platform/lib/encoding/json-lists.ts'
import { log } from '../../../platform/lib/log.ts'
import { requireSent } from '../../../platform/lib/time.ts'
import { toObjectKey } from '../../../storefront/media/picture-name.ts'
import { scrubRow } from '../../../webhooks/rows/scrub-row.ts'
import { insertStatements, maxPageUnits } from './insert-rows.ts'
import { type StoredRow, unreadable } from './read-backup.ts'

/** The target of a restore. */
export interface RestoreTarget {
  env: Bindings
  directory: Database
  database: Database
  merchantId: string
  home: Home
  /** Time of the backup, in seconds. */
  takenAt: number
  /** The data before the restore is loaded again, with unchanged rows. */
  isUndone?: boolean
  /** The target is not a home: the directory, KV and pictures stay unchanged. */
  isRehearsal?: boolean
}

const definitions: readonly ResourceDefinition[] = resourceList
const searched = new Map(
  definitions.map((resource) => [
    getTableName(resource.table),
    {
      resource,
      read: createRowReader(resource.table, resource.item),
      index: lazy(() => {
        const { table } = resource
        const isListed = sql`${table.merchantId} = ${param('merchantId')} and ${table.testMode} in (0, 1) and ${table.id} = entry.value ->> '$.id'`
        return compile(sql`
          insert or replace into ${getSearchTable(table)} (rowid, terms)
          select ${table.seq}, entry.value ->> '$.terms' from json_each(${param('terms')}) as entry cross join ${table} where ${isListed}`)
      }),
    },
  ]),
)

/** Names in the directory for tags in an object. Names that belong to another merchant stay unchanged. */
const claimNames = lazy(() => {
  const insert = insertSelect(
    tagNameTable,
    { name: sql`value`, merchantId: param('merchantId') },
    sql`from json_each(${param('names')}) where true`,
  )
  return compile(sql`${insert} on conflict do update set ${bareColumn(tagNameTable.merchantId)} = ${excluded(tagNameTable.merchantId)}
    where ${tagNameTable.tag} is null and ${tagNameTable.merchantId} is null`)
})

/** Statements that write the search words of restored objects, except damaged ones. */
function createSearchWrites(table: string, rows: readonly StoredRow[], merchantId: string): [Statement, Values][] {
  const found = searched.get(table)
  if (!found) return []
  const { resource } = found
  const terms = rows.flatMap((row) => {
    try {
      const item = found.read(row)
      const scope = { merchantId, testMode: getValue(row, resource.table.testMode) === 1 }
      return [{ id: getValue(row, resource.table.id), terms: planSearchTerms(resource, scope, undefined, { ...item }) }]
    } catch (error) {
      if (error instanceof DamagedError) return []
      throw error
    }
  })
  return toJsonLists(terms).map((list) => [found.index(), { merchantId, terms: list }])
}

/** Why restored webhooks are inactive. */
const getReason = (takenAt: number) =>
  `Restored from the backup of ${new Date(takenAt * 1000).toISOString()}. Activate it to receive new events.`

/** Changes of rows before they are restored: webhooks become inactive, pending deliveries and imports are cancelled, and scheduled releases are drafts again. */
const changes: ReadonlyMap<string, (row: StoredRow, target: RestoreTarget) => StoredRow> = new Map([
  [
    getTableName(webhookTable),
    (row: StoredRow, { takenAt }: RestoreTarget) =>
      row[getColumnName(webhookTable.active)] === 1
        ? {
            ...row,
            [getColumnName(webhookTable.active)]: 0,
            [getColumnName(webhookTable.disabledReason)]: getReason(takenAt),
          }
        : row,
  ],
  [
    getTableName(deliveryTable),
    (row: StoredRow) =>
      row[getColumnName(deliveryTable.state)] === 'pending'
        ? { ...row, [getColumnName(deliveryTable.state)]: 'cancelled', [getColumnName(deliveryTable.leasedUntil)]: 0 }
        : row,
  ],
  [
    getTableName(importTable),
    (row: StoredRow) =>
      ['uploading', 'checking', 'applying'].includes(String(row[getColumnName(importTable.state)]))
        ? { ...row, [getColumnName(importTable.state)]: 'cancelled' }
        : row,
  ],
  [
    getTableName(releaseTable),
    (row: StoredRow) =>
      ['scheduled', 'publishing'].includes(String(row[getColumnName(releaseTable.state)]))
        ? { ...row, [getColumnName(releaseTable.state)]: 'draft', [getColumnName(releaseTable.publishAt)]: null }
        : row,
  ],
])

const widthList = z.array(z.int())

/** The rows of pictures whose files exist. */
async function findPictures(env: Bindings, rows: readonly StoredRow[]): Promise<StoredRow[]> {
  const exist = await Promise.all(
    rows.map(async ({ digest, widths }) => {
      const [width = 0] = widthList.parse(JSON.parse(String(widths)))
      return (await env.MEDIA.head(toObjectKey({ digest: String(digest), width }))) !== null
    }),
  )
  return rows.filter((_, index) => exist[index])
}

/** Names in one message of the queue that writes tags to KV, and messages in one call. */
const queued = { names: 10, messages: 100 } as const

/** Enqueues a sync of the tags with these names to KV. Logs a failure. KV then keeps outdated copies of tags that were changed since the backup. */
async function enqueueTags(env: Bindings, names: readonly string[]): Promise<void> {
  const messages = Array.from({ length: Math.ceil(names.length / queued.names) }, (_, index) => ({
    body: { kind: 'tag' as const, names: names.slice(index * queued.names, (index + 1) * queued.names) },
  }))
  for (let start = 0; start < messages.length; start += queued.messages)
    await requireSent(env.SCANS.sendBatch(messages.slice(start, start + queued.messages))).catch((error: unknown) => {
      log(env, 'restored tags not enqueued', { error: String(error) })
    })
}

/** The weight of a page in the limit of pages per request. A page of pictures makes a call for each picture. */
export const countPages = (table: string, rows: number): number =>
  table === getTableName(pictureTable) ? Math.ceil(rows / 5) : 1

/** Inserts rows of one table, in which ids replace row numbers. Can be repeated. Returns the number of rows that it left out. */
export async function loadPage(target: RestoreTarget, table: string, page: readonly StoredRow[]): Promise<number> {
  const { env, directory, database, merchantId } = target
  const statements = insertStatements.get(table)
  if (!statements) throw unreadable(`this release has no table ${table}`)
  const change = target.isUndone ? undefined : changes.get(table)
  const scrubbed = page.map((row) => scrubRow(table, row))
  let rows = change ? scrubbed.map((row) => change(row, target)) : scrubbed
  if (statements.table === pictureTable && !target.isRehearsal) rows = await findPictures(env, rows)
  const names = statements.table === tagNameTable && !target.isRehearsal ? rows.map(({ name }) => String(name)) : []
  if (names.length > 0 && target.home !== 'd1')
    await directory.run([claimNames(), { merchantId, names: JSON.stringify(names) }])
  const text = JSON.stringify(rows)
  const inserts: [Statement, Values][] =
    text.length > maxPageUnits
      ? rows.map((row) => [statements.insertRow(), { ...statements.emptyRow, ...row, merchantId }])
      : [[statements.insertList(), { merchantId, rows: text }]]
  await database.run(...inserts, ...createSearchWrites(table, rows, merchantId))
  if (names.length > 0) await enqueueTags(env, names)
  return page.length - rows.length
}
