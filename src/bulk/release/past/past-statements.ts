import { type SQL, sql } from 'drizzle-orm'
import { maxReadBack } from '../../../catalogue/resource/history/history-statements.ts'
import { lazy, param } from '../../../platform/db/database.ts'
import { bytesOf } from '../../../platform/db/page-budget.ts'
import { selectList, typed } from '../../../platform/db/query.ts'
import { eventTable as events } from '../../../platform/db/schema/events.ts'
import { menuTable } from '../../../platform/db/schema/resources/menus.ts'
import { modifierTable } from '../../../platform/db/schema/resources/modifiers.ts'
import { productTable } from '../../../platform/db/schema/resources/products.ts'
import { isInScope } from '../../../platform/db/scope.ts'
import { verbs } from '../../../platform/names.ts'

export { maxReadBack }

/** Maximum number of events of all kinds that are examined for those of the catalogue. */
export const maxExaminedBack = 20_000
/** Maximum number of bytes of events that a catalogue is read back from. */
export const maxBytesBack = 6 * 1024 * 1024

const names = ['product', 'modifier', 'menu'] as const
const literals = (types: readonly string[]) => sql.raw(types.map((type) => `'${type}'`).join())
const [objectTypes, detailTypes, flipTypes] = [
  names.flatMap((name) => verbs.map((verb) => `${name}.${verb}`)),
  names.map((name) => `${name}.details_updated`),
  ['product', 'option'].flatMap((name) => [`${name}.sold_out`, `${name}.back_in_stock`]),
].map(literals)

/** The events from the end of the second on. The ids of events begin with their times. */
const since = sql`select ${events.seq} as seq, ${events.type} as type, ${events.object} as object from ${events}
  where ${isInScope(events)} and ${events.id} >= ${param('from')} and ${events.at} >= ${param('endMs')} order by ${events.id} limit ${sql.raw(String(maxExaminedBack + 1))}`
const isOfCatalogue = sql`since.type in (${objectTypes}, ${detailTypes}, ${flipTypes})`
const part = sql`case when since.type in (${detailTypes}) then 2 when since.type like '%.deleted' then 1 else 0 end`
const summary = {
  examined: sql<number>`count(*)`,
  relevant: sql<number>`coalesce(sum(${isOfCatalogue}), 0)`,
  /** Changes from before the history: they do not name their objects. */
  unnamed: sql<number>`coalesce(sum(since.object is null and since.type in (${objectTypes})), 0)`,
}

/** The row of the object of an event, if the object exists. */
const currentOf = (table: typeof productTable | typeof modifierTable | typeof menuTable): SQL =>
  sql`(select ${table.seq} from ${table} where ${isInScope(table)} and ${table.id} = ${events.object})`
/** Of an object that did not exist, only its id is needed. */
const ofExisting = (column: SQL) => sql<string | null>`iif(${events.type} like '%.created', null, ${column})`
const large = {
  row: ofExisting(sql`${events.row}`),
  previous: ofExisting(sql`${events.previous}`),
  kept: ofExisting(sql`${events.kept}`),
}
const size = bytesOf(Object.values(large))
const fields = {
  seq: events.seq,
  type: events.type,
  object: events.object,
  current: sql<
    number | null
  >`coalesce(${currentOf(productTable)}, ${currentOf(modifierTable)}, ${currentOf(menuTable)})`,
  ...large,
}
export const pastStatements = {
  summary: lazy(() => typed(summary, () => sql`select ${selectList(summary)} from (${since}) as since`)),
  /** The first event of each object, its first deletion, the first event of its details, and all changes of what is sold out, with the first one beyond the bytes. */
  firsts: lazy(() =>
    typed(
      { ...fields, total: sql<number>`total` },
      () => sql`select * from (
        select ${selectList(fields)}, ${size} as size, sum(${size}) over (order by ${events.seq} rows unbounded preceding) as total
        from (
          select min(since.seq) as seq from (${since}) as since
            where since.object is not null and since.type in (${objectTypes}, ${detailTypes})
            group by since.object, ${part}
          union all select since.seq from (${since}) as since where since.type in (${flipTypes})
          limit ${sql.raw(String(maxReadBack))}
        ) as first cross join ${events} on ${isInScope(events)} and ${events.seq} = first.seq
      ) where total - size < ${sql.raw(String(maxBytesBack))} order by seq`,
    ),
  ),
}
