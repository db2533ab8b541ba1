import { and, eq, sql } from 'drizzle-orm'
import { compile, type Database, lazy, param, type Statement, type Values } from '../../../platform/db/database.ts'
import { insertRow, listed } from '../../../platform/db/query.ts'
import { stagedPrefix, stagedValueTable as table } from '../../../platform/db/schema/releases/staged-values.ts'
import { undoIf, type Write } from '../../../platform/db/transaction.ts'
import { createId } from '../../../platform/lib/ids.ts'

/** Minimum length of a parameter that is staged. A shorter one is sent with the transaction. */
const minStaged = 4_096
/** Maximum length of the values of one round trip. */
const maxRoundTrip = 4_000_000

const isOwn = eq(table.merchantId, param('merchantId'))
const isListed = and(isOwn, sql`${table.id} in ${listed('staged')}`)
const statements = {
  insert: lazy(() => compile(insertRow(table, ['merchantId', 'id', 'data']))),
  remove: lazy(() => compile(sql`delete from ${table} where ${isListed}`)),
  /** Undoes the transaction unless all values are there: a missing one would read as an empty list. */
  requireAll: lazy(() =>
    compile(
      undoIf(sql`(select count(*) from ${table} where ${isListed}) <> (select json_array_length(${param('staged')}))`),
    ),
  ),
  /** The value `:name`, as an expression. */
  read: lazy(() =>
    compile(sql`(select ${table.data} from ${table} where ${isOwn} and ${table.id} = ${param('name')})`),
  ),
}

/** The statement with expressions in place of the parameters that `find` stages, and their values. */
function replaceParameters(
  statement: Statement,
  values: Values,
  find: (value: unknown) => string | undefined,
): readonly [Statement, Values] {
  const { parameters } = statement
  const parts = statement.sql.split('?')
  const staged = parameters.map(({ name, encode }) => (name === '' ? undefined : find(encode(values[name]))))
  // A question mark of a text is no parameter.
  if (parts.length !== parameters.length + 1 || staged.every((id) => id === undefined)) return [statement, values]
  const expression = statements.read()
  const texts = staged.map((id, index) => `${id === undefined ? '?' : expression.sql}${parts[index + 1]}`)
  return [
    {
      ...statement,
      sql: `${parts[0]}${texts.join('')}`,
      parameters: parameters.flatMap((parameter, index) => {
        const id = staged[index]
        if (id === undefined) return [parameter]
        return expression.parameters.map((each) => (each.name === 'name' ? { ...each, name: id } : each))
      }),
    },
    { ...values, ...Object.fromEntries(staged.flatMap((id) => (id === undefined ? [] : [[id, id]]))) },
  ]
}

/** Values of one round trip: as many as fit. */
function* toRoundTrips(rows: readonly { id: string; data: string }[]): Iterable<typeof rows> {
  let trip: { id: string; data: string }[] = []
  let length = 0
  for (const row of rows) {
    if (length > 0 && length + row.data.length > maxRoundTrip) {
      yield trip
      trip = []
      length = 0
    }
    trip.push(row)
    length += row.data.length
  }
  if (trip.length > 0) yield trip
}

/** A transaction whose large parameters are staged. */
interface Staged {
  /** The statements, in their order. */
  writes: Write
  /** Statements that belong to the end of the transaction. */
  end: Write
  /** Deletes the values, after a transaction that failed. */
  discard(): Promise<void>
}

/** Writes the large parameters of statements of a merchant beside its data, in as many round trips as they take. */
export async function stageValues(database: Database, merchantId: string, writes: Write): Promise<Staged> {
  const ids = new Map<string, string>()
  const find = (value: unknown) => {
    if (typeof value !== 'string' || value.length < minStaged) return undefined
    const id = ids.get(value) ?? createId(stagedPrefix)
    ids.set(value, id)
    return id
  }
  const replaced = writes.map(([statement, values]) => replaceParameters(statement, { ...values, merchantId }, find))
  const rows = Array.from(ids, ([data, id]) => ({ id, data }))
  const values = { merchantId, testMode: false, staged: JSON.stringify(rows.map(({ id }) => id)) }
  const discard = async () => {
    await database.run([statements.remove(), values])
  }
  try {
    for (const trip of toRoundTrips(rows)) {
      await database.run(...trip.map((row) => [statements.insert(), { merchantId, ...row }] as const))
    }
  } catch (error) {
    await discard().catch(() => undefined)
    throw error
  }
  return {
    writes: replaced,
    end: [
      [statements.requireAll(), values],
      [statements.remove(), values],
    ],
    discard,
  }
}
