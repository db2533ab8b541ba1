import { and, eq, gt, isNull, lte, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { raiseEvent } from '../../../catalogue/events/raise-event.ts'
import { hoursView } from '../../../catalogue/resources/venue-hours.ts'
import { profileView } from '../../../catalogue/resources/venue-profile.ts'
import { compile, databaseNow, lazy, param } from '../../../platform/db/database.ts'
import { columnParam, createRowReader, db, insertSelect, setColumns, typed } from '../../../platform/db/query.ts'
import { merchantTable, suspendedField } from '../../../platform/db/schema/merchants.ts'
import { tagRequestTable as table } from '../../../platform/db/schema/resources/tag-requests.ts'
import { tagTable } from '../../../platform/db/schema/resources/tags.ts'
import { isInScope } from '../../../platform/db/scope.ts'
import { callLimits } from './call-limits.ts'

const number = (value: number) => sql.raw(String(value))
const isRecent = (seconds: number) => gt(table.at, sql`${databaseNow} - ${number(seconds)}`)
const isOpen = and(isInScope(table), isNull(table.doneAt), isRecent(callLimits.seconds))
const isOfTag = eq(table.tag, param('tag'))
const isOfKind = eq(table.kind, columnParam(table.kind, 'kind'))
const isTag = sql`exists (select 1 from ${tagTable} where ${isInScope(tagTable)} and ${tagTable.id} = ${param('tag')})`
const same = sql`exists (select 1 from ${table} where ${and(isOpen, isOfTag, isOfKind)})`
const countOfTag = sql<number>`(select count(*) from ${table} where ${and(isInScope(table), isOfTag, isRecent(callLimits.ofTagSeconds))})`
const countOpen = sql<number>`(select count(*) from ${table} where ${isOpen})`
const isTaken = sql<number>`exists (select 1 from ${table} where ${and(isInScope(table), eq(table.id, param('call')))})`

/** Settings of a venue that decide whether it takes calls. */
const venueView = z.object({ id: z.string(), timezone: z.string(), menuBar: profileView.menuBar, ...hoursView })
export type CallingVenue = z.output<typeof venueView>
export const readCallingVenue = createRowReader(merchantTable, venueView)
const venueColumns = [
  merchantTable.id,
  merchantTable.timezone,
  merchantTable.menuBar,
  merchantTable.openingHours,
  merchantTable.hoursClose,
  merchantTable.closures,
  merchantTable.specialHours,
]

const eventRow = sql`json_object('tag', ${param('tag')}, 'kind', ${param('kind')})`
const openFields = { tag: table.tag, kind: table.kind, at: table.at, metadata: sql<string>`${tagTable.metadata}` }

export const callStatements = {
  /** The settings and the hours of the venue. */
  venue: lazy(() =>
    compile(
      sql`select ${sql.join(venueColumns, sql`, `)}, ${suspendedField} as suspended from ${merchantTable} where ${eq(merchantTable.id, param('merchantId'))}`,
    ),
  ),
  /** Deletes the calls of the venue that are over. */
  forget: lazy(() =>
    compile(
      sql`delete from ${table} where ${and(isInScope(table), lte(table.at, sql`${databaseNow} - ${number(callLimits.seconds)}`))}`,
    ),
  ),
  /** Stores a call, unless the same one is open or a limit is reached. */
  insert: lazy(() =>
    compile(
      insertSelect(
        table,
        {
          merchantId: param('merchantId'),
          testMode: param('testMode'),
          id: param('call'),
          tag: param('tag'),
          kind: param('kind'),
          at: databaseNow,
        },
        sql`where ${isTag} and not ${same} and ${countOfTag} < ${number(callLimits.ofTag)} and ${countOpen} < ${number(callLimits.openOfVenue)}`,
      ),
    ),
  ),
  raise: lazy(() => compile(raiseEvent({ type: 'tag.requested', row: eventRow, from: sql`where ${isTaken}` }))),
  /** Whether the tag exists and its call is open, after `insert`. */
  outcome: lazy(() =>
    typed({ isTag: sql<number>`${isTag}`, isOpen: sql<number>`${same}` }, (select) =>
      db.select(select).from(sql`(select 1)`),
    ),
  ),
  /** The open calls of the venue, the oldest first. */
  list: lazy(() =>
    typed(openFields, (select) =>
      db
        .select(select)
        .from(table)
        .innerJoin(tagTable, and(isInScope(tagTable), eq(tagTable.id, table.tag)))
        .where(isOpen)
        .orderBy(table.id)
        .limit(callLimits.openOfVenue),
    ),
  ),
  /** Raises the event of a call that is still open. */
  raiseDone: lazy(() => compile(raiseEvent({ type: 'tag.request_done', row: eventRow, from: sql`where ${same}` }))),
  /** Marks the open call of a tag as done. */
  finish: lazy(() =>
    compile(
      sql`update ${table} set ${setColumns(table, { doneAt: databaseNow })} where ${and(isOpen, isOfTag, isOfKind)}`,
    ),
  ),
  /** Returns a row if the tag has had such a call, done or not. */
  find: lazy(() =>
    typed({ tag: table.tag }, (select) =>
      db
        .select(select)
        .from(table)
        .where(and(isInScope(table), isOfTag, isOfKind, isRecent(callLimits.seconds)))
        .limit(1),
    ),
  ),
}
