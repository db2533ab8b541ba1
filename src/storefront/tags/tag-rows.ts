import { eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { DamagedError } from '../../platform/db/damaged-rows.ts'
import type { Statement } from '../../platform/db/database.ts'
import { homeFields, type MerchantReference, toHome } from '../../platform/db/home/home.ts'
import { createReader, type RowOf, typed } from '../../platform/db/query.ts'
import { homeTable } from '../../platform/db/schema/directory/homes.ts'
import { merchantTable, suspendedField } from '../../platform/db/schema/merchants.ts'
import { detailTable, isSideOf } from '../../platform/db/schema/objects/details.ts'
import { tagNameTable, tagTable } from '../../platform/db/schema/resources/tags.ts'
import { lastVersion, type Resolved, toDeleted, toResolved } from './isolate-cache.ts'
import { type TagRecord, tagRecord, type VenueRecord } from './tag-record.ts'

type Build = (aliases: Record<string, SQL.Aliased>) => SQLWrapper

const addressFields = {
  timezone: merchantTable.timezone,
  orderingUrl: merchantTable.orderingUrl,
  sandboxUrl: merchantTable.sandboxUrl,
  website: merchantTable.website,
  // Read as text, like other lists: a damaged one must not make the row unreadable.
  destinationHosts: sql<string | null>`${merchantTable.destinationHosts}`,
  updatedAt: merchantTable.updatedAt,
  // Searched as text, because a damaged value must not make the row unreadable.
  calls: sql<number>`coalesce(instr(${merchantTable.menuBar}, '"call"') + instr(${merchantTable.menuBar}, '"bill"'), 0)`,
  suspended: suspendedField,
  deletesAt: merchantTable.deletesAt,
}
const venueFields = { id: merchantTable.id, ...addressFields }

const owner = sql<string | null>`coalesce(${tagTable.merchantId}, ${tagNameTable.merchantId})`
const nameFields = { name: tagNameTable.name, owner, ...homeFields }

const tagFields = {
  ...nameFields,
  id: tagTable.id,
  merchantId: tagTable.merchantId,
  code: tagTable.code,
  testMode: tagTable.testMode,
  nfc: tagTable.nfc,
  version: tagTable.version,
  // Read as text, because a damaged list must not make the row unreadable.
  metadata: sql<string>`${tagTable.metadata}`,
  details: sql<string | null>`${detailTable.data}`,
  detailsVersion: sql<number>`coalesce(${detailTable.version}, 0)`,
  ...addressFields,
}

/**
 * The statement, changed to fail on a damaged row. Otherwise, `Database` would leave the row out, and an existing tag or merchant would be reported
 * as unknown.
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
  const { timezone, orderingUrl, sandboxUrl, website, updatedAt, suspended, deletesAt, calls } = row
  const destinationHosts = parseColumn(hosts, row.destinationHosts)
  return {
    version: updatedAt,
    timezone,
    ...(orderingUrl === null ? {} : { orderingUrl }),
    ...(sandboxUrl === null ? {} : { sandboxUrl }),
    ...(website === null ? {} : { website }),
    ...(destinationHosts && { destinationHosts }),
    ...(calls > 0 ? { calls: true } : {}),
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
const hosts = z.array(z.string())
const details = z.pick(tagRecord, { url: true, rules: true, orderType: true })
/** The value of a column with JSON. Undefined if it is damaged, so that the tag still redirects. */
function parseColumn<Value>(schema: z.ZodMiniType<Value>, json: string | null): Value | undefined {
  try {
    return schema.safeParse(JSON.parse(json ?? 'null')).data
  } catch {
    return undefined
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
  const { merchantId, id, code, testMode, nfc } = row
  const version = row.version + row.detailsVersion
  const shown = (parseColumn(metadata, row.metadata) ?? []).flatMap(({ key, value, visible }): [string, string][] =>
    visible ? [[key, value]] : [],
  )
  const own = parseColumn(details, row.details)
  return toResolved({ version, merchantId, id, code, testMode, nfc, shown, gone: false, ...own }, toVenueRecord(row))
}

/** A tag, and the name that found it. */
export interface FoundTag extends Resolved {
  name: string
}
/** A name whose tag is in an object. */
export interface NameElsewhere {
  name: string
  merchant: MerchantReference
}

/** Joins names with their tags, and tags with their details, and with the home and the settings of their merchant, for `createTagStatement`. */
export const tagJoins = {
  tag: eq(tagTable.seq, tagNameTable.tag),
  home: eq(homeTable.merchantId, owner),
  merchant: eq(merchantTable.id, tagTable.merchantId),
  details: isSideOf(detailTable, tagTable),
}

const readName = createReader(nameFields)

/**
 * A statement whose rows are names, left-joined as `tagJoins` says. A name without a tag belongs to a deleted tag, unless the data of its merchant is
 * in an object.
 */
export function createTagStatement(build: Build): Statement<FoundTag | NameElsewhere> {
  const { read, ...statement } = requireIntactRows(typed(tagFields, build))
  return {
    ...statement,
    read(row) {
      const { name, owner: merchantId, ...home } = readName(row)
      const merchant = { merchantId: merchantId ?? '', home: toHome(home) }
      if (merchant.home !== 'd1') return { name, merchant }
      return {
        ...(row['id' satisfies keyof typeof tagFields] === null ? toDeleted(deletedTag) : toResolvedTag(read(row))),
        name,
      }
    },
  }
}

/** Whether the tag of a name is in an object, where its merchant has its data. */
export const isElsewhere = (found: FoundTag | NameElsewhere): found is NameElsewhere => 'merchant' in found
