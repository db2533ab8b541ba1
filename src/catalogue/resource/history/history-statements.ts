import { eq, getTableName, type SQL, sql } from 'drizzle-orm'
import { allOf, compile, lazy, param, perFlag } from '../../../platform/db/database.ts'
import { withinShare } from '../../../platform/db/page-budget.ts'
import { listed, selectList, toSelectList, typed } from '../../../platform/db/query.ts'
import { eventTable as events } from '../../../platform/db/schema/events.ts'
import { resourceNames, verbs } from '../../../platform/names.ts'
import type { ResourceDefinition } from '../definition.ts'

const smallFields = {
  id: events.id,
  seq: events.seq,
  type: events.type,
  at: events.at,
  version: events.version,
  externalId: events.externalId,
  context: events.context,
  erasedAt: events.erasedAt,
}
/** Columns of an event that may be as large as an object. */
export const historyColumns = { row: events.row, previous: events.previous }
const wholeFields = { ...smallFields, ...historyColumns }
const pastFields = { ...wholeFields, kept: events.kept }

/** Maximum number of events that are examined for the beginning of the history. */
const maxExamined = 200
/** Maximum number of events that are read back for an object, or for a catalogue. */
export const maxReadBack = 5_000

const one = (text: string) => sql.raw(`'${text}'`)
/** Types of events that name their object since the history began. */
const namingTypes = sql.join(
  resourceNames.flatMap((name) => verbs.map((verb) => one(`${name}.${verb}`))),
  sql`, `,
)

/** Statements about the history of objects of a resource, in the mode of the request or in both. */
function createStatements({ name }: ResourceDefinition, bothModes: boolean) {
  const isOwn = allOf(
    eq(events.merchantId, param('merchantId')),
    bothModes ? sql`${events.testMode} in (0, 1)` : eq(events.testMode, param('testMode')),
  )
  const isOfObject = sql`${isOwn} and ${events.object} = ${param('id')} and ${events.object} is not null`
  // Compared one by one, because D1 counts each search in a list as another row read.
  const ofObject = sql`(${sql.join(
    verbs.map((verb) => sql`${events.type} = ${one(`${name}.${verb}`)}`),
    sql` or `,
  )})`
  const ofDetails = sql`${events.type} = ${one(`${name}.details_updated`)}`
  const endsDetails = sql`(${ofDetails} or ${events.type} = ${one(`${name}.deleted`)})`
  /** The last event of the object that is not read back. */
  const end = sql`select ${events.seq} as seq from ${events} where ${isOfObject} order by ${events.seq} desc limit 1 offset ${sql.raw(String(maxReadBack))}`
  const isReadBack = sql`${isOfObject} and ${events.seq} > coalesce((${end}), 0)`
  const until = (types: SQL) =>
    lazy(() =>
      typed(
        pastFields,
        () => sql`select ${selectList(pastFields)} from ${events}
          where ${isReadBack} and ${types} and ${events.at} < ${param('endMs')} order by ${events.seq} desc limit 1`,
      ),
    )
  const after = (types: SQL) =>
    lazy(() =>
      typed(
        pastFields,
        () => sql`select ${selectList(pastFields)} from ${events}
          where ${isReadBack} and ${types} and ${events.at} >= ${param('endMs')} order by ${events.seq} limit 1`,
      ),
    )
  const isListed = sql`${isOfObject} and ${events.type} in ${listed('types')}`
  const list = (columns: readonly SQL[], where: SQL) =>
    compile(
      sql`select ${sql.join([...columns], sql`, `)} from ${events} where ${where} order by ${events.seq} desc limit ${param('rows')}`,
    )
  return {
    /** The last event of the object before `:endMs`, and the first one from then on. */
    object: { until: until(ofObject), after: after(ofObject) },
    /** A deletion after `:endMs` has the details that it removed. */
    details: { until: until(ofDetails), after: after(endsDetails) },
    /** A row if the object has more events than are read back. */
    end: lazy(() => typed({ seq: events.seq }, () => end)),
    /** The last deleted object with the external id `:externalId`, among the last deletions. */
    deletedWith: lazy(() =>
      typed(
        { id: sql<string>`deleted.id` },
        () => sql`select deleted.id as id from (
            select ${events.object} as id, ${events.externalId} as external_id from ${events}
            where ${isOwn} and ${events.type} = ${one(`${name}.deleted`)} and ${events.kept} is not null
            order by ${events.seq} desc limit ${sql.raw(String(maxReadBack))}) as deleted
          where deleted.external_id = ${param('externalId')} limit 1`,
      ),
    ),
    /** A row if changes after `:from`, an id of an event, do not name their objects: they are older than the history. */
    begins: lazy(() =>
      typed(
        { id: sql<string>`found.id` },
        () => sql`select found.id as id from (
            select ${events.id} as id, ${events.object} as object, ${events.type} as type, ${events.at} as at from ${events}
            where ${isOwn} and ${events.id} > ${param('from')} order by ${events.id} limit ${sql.raw(String(maxExamined))}) as found
          where found.object is null and found.at >= ${param('endMs')} and found.type in (${namingTypes}) limit 1`,
      ),
    ),
    /** Events of the types `:types` before the number `:before`, newest first. */
    page: lazy(() =>
      list(
        [...toSelectList(smallFields), ...withinShare(historyColumns)],
        sql`${isListed} and ${events.seq} < ${param('before')}`,
      ),
    ),
    /** The events `:ids` with all columns of any size. */
    whole: lazy(() => list(toSelectList(wholeFields), sql`${isOwn} and ${events.id} in ${listed('ids')}`)),
  }
}

type HistoryStatements = ReturnType<typeof createStatements>
const built = new Map<string, (bothModes: boolean) => HistoryStatements>()

/** The statements about the history of a resource's objects. */
export function getHistoryStatements(resource: ResourceDefinition, bothModes: boolean): HistoryStatements {
  const name = getTableName(resource.table)
  const known = built.get(name) ?? perFlag((both) => createStatements(resource, both))
  built.set(name, known)
  return known(bothModes)
}
