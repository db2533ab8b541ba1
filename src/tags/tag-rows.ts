import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { DamagedError } from '../db/damaged-rows.ts'
import type { Statement } from '../db/database.ts'
import { type RowOf, typed } from '../db/query.ts'
import type { Row } from '../db/row.ts'
import { merchantTable, suspendedField } from '../db/schema/merchants.ts'
import { tagNameTable } from '../db/schema/resources/tag-names.ts'
import { tagTable } from '../db/schema/resources/tags.ts'
import { lastVersion, type Resolved, toDeleted, toResolved } from './isolate-cache.ts'
import type { TagRecord, VenueRecord } from './tag-record.ts'

type Build = (aliases: Record<string, SQL.Aliased>) => SQLWrapper

const addressFields = {
  timezone: merchantTable.timezone,
  orderingUrl: merchantTable.orderingUrl,
  sandboxUrl: merchantTable.sandboxUrl,
  updatedAt: merchantTable.updatedAt,
  suspended: suspendedField,
  deletesAt: merchantTable.deletesAt,
}
const venueFields = { id: merchantTable.id, ...addressFields }

const tagFields = {
  name: tagNameTable.name,
  id: tagTable.id,
  merchantId: tagTable.merchantId,
  code: tagTable.code,
  testMode: tagTable.testMode,
  nfc: tagTable.nfc,
  version: tagTable.version,
  // As text: a damaged list must not make the row unreadable.
  metadata: sql<string>`${tagTable.metadata}`,
  ...addressFields,
}

/**
 * The same statement, which fails on a damaged row. Without this, `Database` leaves the row out, and a tag or a merchant that exists
 * would be reported as unknown.
 */
export function requireIntactRows<Result>({ read, ...statement }: Statement<Result>): Statement<Result> {
  return {
    ...statement,
    read(row) {
      try {
        return read(row)
      } catch (error) {
        throw error instanceof DamagedError ? new Error(error.message, { cause: error }) : error
      }
    },
  }
}

function toVenueRecord(row: RowOf<typeof addressFields>): VenueRecord {
  const { timezone, orderingUrl, sandboxUrl, updatedAt, suspended, deletesAt } = row
  return {
    version: updatedAt,
    timezone,
    ...(orderingUrl === null ? {} : { orderingUrl }),
    ...(sandboxUrl === null ? {} : { sandboxUrl }),
    ...(suspended === 1 ? { suspended: true } : {}),
    ...(deletesAt === null ? {} : { deletesAt }),
  }
}

export interface FoundVenue {
  id: string
  venue: VenueRecord
}

/** A statement whose rows are merchants. */
export function selectVenues(build: Build): Statement<FoundVenue> {
  const { read, ...statement } = requireIntactRows(typed(venueFields, build))
  const toFound = (row: RowOf<typeof venueFields>) => ({ id: row.id, venue: toVenueRecord(row) })
  return { ...statement, read: (row) => toFound(read(row)) }
}

const metadata = z.array(z.object({ key: z.string(), value: z.string(), visible: z.boolean() }))
/** Damaged metadata is an empty list: the tag still redirects. */
function parseMetadata(json: string) {
  try {
    return metadata.safeParse(JSON.parse(json)).data ?? []
  } catch {
    return []
  }
}

const deletedTag: TagRecord = {
  version: lastVersion,
  merchantId: '',
  id: '',
  code: '',
  testMode: false,
  nfc: false,
  shown: [],
  gone: true,
}

function toResolvedTag(row: RowOf<typeof tagFields>): Resolved {
  const { merchantId, id, code, version, testMode, nfc } = row
  const shown = parseMetadata(row.metadata).flatMap(({ key, value, visible }): [string, string][] =>
    visible ? [[key, value]] : [],
  )
  return toResolved({ version, merchantId, id, code, testMode, nfc, shown, gone: false }, toVenueRecord(row))
}

/** A tag, and the name that found it. */
export interface FoundTag extends Resolved {
  name: string
}

/**
 * A statement whose rows are names, left-joined with their tags and merchants. A name without a tag belongs to a deleted one: its
 * other columns are null.
 */
export function selectTags(build: Build): Statement<FoundTag> {
  const { read, ...statement } = requireIntactRows(typed(tagFields, build))
  const isDeleted = (row: Row) => row['id' satisfies keyof typeof tagFields] === null
  const nameOf = (row: Row) => String(row['name' satisfies keyof typeof tagFields])
  return {
    ...statement,
    read: (row) => ({ ...(isDeleted(row) ? toDeleted(deletedTag) : toResolvedTag(read(row))), name: nameOf(row) }),
  }
}
