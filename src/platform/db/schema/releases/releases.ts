import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

/** States of a release. `publishing` is reserved: a release keeps its state until the transaction that publishes it. */
export const releaseStates = ['draft', 'scheduled', 'publishing', 'published', 'failed', 'cancelled'] as const

/** Kinds of operations of a release. An `upsert` becomes one of these when it is put into the draft. */
export const releaseVerbs = ['create', 'update', 'delete'] as const

/** Changes that are prepared, and published together. */
export const releaseTable = sqliteTable(
  'releases',
  {
    merchantId: text().notNull(),
    testMode: integer({ mode: 'boolean' }).notNull(),
    id: text().notNull(),
    title: text().notNull(),
    note: text(),
    state: text({ enum: releaseStates }).notNull(),
    /** In seconds. The release is published from this second on, while its state is `scheduled`. */
    publishAt: integer(),
    /** Increases with every change of the release or of its operations. */
    version: integer().notNull(),
    /** Number of operations, and bytes of their JSON. */
    changes: integer().notNull(),
    bytes: integer().notNull(),
    /** Id of the key or the member that created the release. */
    author: text().notNull(),
    /** Id of the key or the member on whose behalf it is published at `publishAt`, and the public base URL of that request. */
    scheduledBy: text(),
    baseUrl: text(),
    publishedAt: integer(),
    publishedBy: text(),
    /** Id of the set of the changes that publishing made. */
    changeSet: text(),
    /** Why the release was not published, as JSON: `{code, message, errors, conflicts}`. */
    failure: text({ mode: 'json' }),
    createdAt: integer().notNull(),
    updatedAt: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.merchantId, table.testMode, table.id] }),
    uniqueIndex('releases_id').on(table.id),
    index('releases_due').on(table.publishAt, table.id).where(sql`${table.state} = 'scheduled'`),
    check('releases_version', sql`${table.version} > 0`),
  ],
)

/** The operations of a release: at most one for each object. */
export const releaseOperationTable = sqliteTable(
  'release_operations',
  {
    releaseId: text()
      .notNull()
      .references(() => releaseTable.id, { onDelete: 'cascade' }),
    /** Path of the resource, and id of the object. That of a new object is chosen when it is put into the draft. */
    path: text().notNull(),
    target: text().notNull(),
    merchantId: text().notNull(),
    verb: text({ enum: releaseVerbs }).notNull(),
    /** External id that a new object gets. */
    externalId: text(),
    /** Title of the object when it was put into the draft. */
    title: text(),
    /** `{body, details, availability, limits}` as JSON. Bodies name objects by their ids. */
    parts: text({ mode: 'json' }).notNull(),
    /** Values before the draft, by the JSON pointer of the fields in `parts`. */
    base: text({ mode: 'json' }).notNull(),
    /** Bytes of `parts` and `base`. */
    bytes: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.releaseId, table.target] })],
)
