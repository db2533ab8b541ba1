import { asc, desc, eq, gt, gte, lt, lte, type SQL, sql } from 'drizzle-orm'
import { allOf, compile, lazy, param } from '../../platform/db/database.ts'
import { withinShare } from '../../platform/db/page-budget.ts'
import { db, listed, toSelectList, typed } from '../../platform/db/query.ts'
import { eventTable } from '../../platform/db/schema/events.ts'
import { isPublic } from '../../platform/outbox/history-events.ts'
import { eventFields, isEventInScope, largeEventFields, smallEventFields } from '../rows/stored-event.ts'

/** Maximum number of events that one page examines if `types` selects some of them. */
export const maxExaminedEvents = 1_000

const { seq } = eventTable
const isAfter = allOf(isEventInScope, eq(eventTable.id, param('after')))
/** SQL for the position of `:after`, or else of the event that `end` selects. */
const positionOf = (end: SQL) => {
  const after = db.select({ seq }).from(eventTable).where(isAfter)
  const otherwise = db.select({ seq: end }).from(eventTable).where(isEventInScope)
  return sql`coalesce(${after}, ${otherwise})`
}

const directions = {
  asc: { next: asc, previous: desc, start: positionOf(sql`min(${seq}) - 1`), isBehind: gt },
  desc: { next: desc, previous: asc, start: positionOf(sql`max(${seq}) + 1`), isBehind: lt },
} as const
type Direction = keyof typeof directions

const isWanted = sql`${eventTable.type} in ${listed('types')}`
const columns = sql.join([...toSelectList(smallEventFields), ...withinShare(largeEventFields)], sql`, `)

/** Statements that read one page in a direction, after `:after` or from the end of the log. */
function createPageStatements(direction: Direction) {
  const { next, previous, start, isBehind } = directions[direction]
  const behind = allOf(isEventInScope, isBehind(seq, start))
  // The positions of a merchant and mode have no gaps, so this range contains as many events as a page may examine.
  const isNear =
    direction === 'asc'
      ? lte(seq, sql`${start} + ${maxExaminedEvents}`)
      : gte(seq, sql`${start} - ${maxExaminedEvents}`)
  const examined = allOf(behind, isNear)
  const select = (where: SQL) =>
    compile(sql`select ${columns} from ${eventTable} where ${where} order by ${next(seq)} limit ${param('rows')}`)
  return {
    all: lazy(() => select(allOf(behind, isPublic(eventTable.type)))),
    /** Only events of `:types`, a JSON list, among those that the page may examine. */
    ofTypes: lazy(() => select(allOf(examined, isWanted))),
    /** The last event that `ofTypes` examines. */
    lastExamined: lazy(() =>
      typed({ id: eventTable.id }, (fields) =>
        db.select(fields).from(eventTable).where(examined).orderBy(previous(seq)).limit(1),
      ),
    ),
  }
}

export const feedStatements = {
  asc: createPageStatements('asc'),
  desc: createPageStatements('desc'),
  findAfter: lazy(() => typed({ seq }, (select) => db.select(select).from(eventTable).where(isAfter))),
  newest: lazy(() =>
    typed({ id: eventTable.id }, (select) =>
      db.select(select).from(eventTable).where(isEventInScope).orderBy(desc(seq)).limit(1),
    ),
  ),
  /** The events `:ids` with all columns, of any size. */
  findAll: lazy(() =>
    compile(sql`
      select ${sql.join(toSelectList(eventFields), sql`, `)} from ${eventTable}
      where ${isEventInScope} and ${eventTable.id} in ${listed('ids')}`),
  ),
}
