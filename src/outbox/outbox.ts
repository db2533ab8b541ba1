import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import {
  check,
  index,
  integer,
  primaryKey,
  type SQLiteColumn,
  type SQLiteTable,
  sqliteTable,
  text,
} from 'drizzle-orm/sqlite-core'
import { compile, getColumn, lazy, param, type Row, type Statement, sqlName } from '../db/database.ts'
import type { ResourceTable } from '../db/resource-columns.ts'
import { crockford } from '../lib/encoding/base32.ts'
import type { Verb } from '../names.ts'
import type { ResourceDefinition } from '../resource/definition.ts'

/**
 * What happened, written in the transaction of the change itself. `seq` counts up within a merchant's mode in the order of the
 * commits, so that who reads on behind an event misses none; ids are made before, and may be committed in another order.
 */
export const eventTable = sqliteTable(
  'events',
  {
    merchantId: text().notNull(),
    testMode: integer({ mode: 'boolean' }).notNull(),
    id: text().notNull(),
    seq: integer().notNull(),
    type: text().notNull(),
    version: integer().notNull(),
    /** Milliseconds since 1970-01-01 UTC. */
    at: integer().notNull(),
    /** The object's row, as JSON keyed by SQL names; for what others publish, the data itself. */
    row: text().notNull(),
    /** The old values of what an update changed. */
    previous: text(),
    /** Origin of the addresses guests use, as it was then. */
    baseUrl: text(),
    /** The body as it was sent, from the first failed attempt on: every attempt sends the same bytes. */
    payload: text(),
  },
  (table) => [
    primaryKey({ columns: [table.merchantId, table.testMode, table.id] }),
    index('events_seq').on(table.merchantId, table.testMode, table.seq),
  ],
)

export const deliveryStates = ['pending', 'delivered', 'failed', 'cancelled'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** One event on its way to one webhook. This, not the queue, says what is still to be done. */
export const deliveryTable = sqliteTable(
  'deliveries',
  {
    /** `seq` of the webhook. */
    webhook: integer().notNull(),
    event: text().notNull(),
    state: text({ enum: deliveryStates }).notNull(),
    createdAt: integer().notNull(),
    /** When the next attempt may begin, in seconds. */
    dueAt: integer().notNull(),
    /** Attempts begun so far. */
    attempt: integer().notNull(),
    /** Attempts begun before the schedule last started over. */
    base: integer().notNull(),
    /** Attempts that the schedule allows. */
    most: integer().notNull(),
    /** The webhook was failing when the event was raised: ring in the slow lane. */
    slow: integer({ mode: 'boolean' }).notNull(),
    /** Until then somebody is making the attempt, in seconds. */
    leasedUntil: integer().notNull(),
    /** What came of the attempts, as JSON. */
    attempts: text({ mode: 'json' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.webhook, table.event] }),
    index('deliveries_due').on(table.webhook, table.dueAt).where(sql`${table.state} = 'pending'`),
    // What can be sent again, found without reading what was delivered.
    index('deliveries_lost').on(table.webhook, table.event).where(sql`${table.state} in ('failed', 'cancelled')`),
    check('deliveries_state', sql`${table.state} in ('pending', 'delivered', 'failed', 'cancelled')`),
    check('deliveries_attempts', sql`json_type(${table.attempts}) = 'array'`),
  ],
)

/**
 * Who is to be told of what: a row for each event name of each active webhook. Triggers keep it in step with the webhooks, so that an
 * event finds its own without reading the others.
 */
export const subscriptionTable = sqliteTable(
  'subscriptions',
  {
    merchantId: text().notNull(),
    testMode: integer({ mode: 'boolean' }).notNull(),
    /** The name of an event, or `*`. */
    type: text().notNull(),
    /** `seq` of the webhook. */
    webhook: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.merchantId, table.testMode, table.type, table.webhook] })],
)

/** What the outbox needs to know of the table of webhooks. */
export type SubscriberTable = SQLiteTable & Record<'seq' | 'failures' | 'probeAt', SQLiteColumn>

/** A delivery that has just come to be, for the doorbell. */
export interface Rung {
  webhook: number
  event: string
  slow: boolean
}

/** Arguments that D1 allows a SQL function. */
const maxFunctionArguments = 32

/**
 * SQL for a JSON object of names and values. `json_object` takes two arguments for each member, so the members beyond its limit are
 * added by `json_set`, which keeps nulls. The names are SQL names, which a JSON path need not quote.
 */
function jsonObject(members: readonly (readonly [name: string, value: SQL])[]): SQL {
  const perObject = maxFunctionArguments / 2
  const perSet = Math.floor((maxFunctionArguments - 1) / 2)
  const pairs = (prefix: string, some: typeof members) =>
    sql.join(
      some.map(([name, value]) => sql`${sql.raw(`'${prefix}${name}'`)}, ${value}`),
      sql`, `,
    )
  let object = sql`json_object(${pairs('', members.slice(0, perObject))})`
  for (let start = perObject; start < members.length; start += perSet) {
    object = sql`json_set(${object}, ${pairs('$.', members.slice(start, start + perSet))})`
  }
  return object
}

/** SQL for a row as JSON, keyed by SQL names; some columns may be replaced by what they are going to hold. */
function rowAsJson(table: ResourceTable, replaced: Readonly<Record<string, SQL>>): SQL {
  return jsonObject(
    Object.entries(getTableColumns(table)).map(([key, column]) => {
      const value = replaced[key] ?? sql`${column}`
      return [sqlName(key), column.dataType === 'json' ? sql`json(${value})` : value]
    }),
  )
}

/** SQL for a random base 32 digit of an id. */
const randomDigit = sql`substr(${sql.raw(`'${crockford.toLowerCase()}'`)}, 1 + (random() & 31), 1)`
/** As many digits of a TypeID as its time, its version and its counter take: `evt_` and 14 of 26. */
const idPrefixLength = 18

/** What a hidden column is recorded as. */
const emptyValue = (column: SQLiteColumn) => (column.dataType === 'json' ? sql`'[]'` : sql`''`)

/** What one statement raises: events of one type for the rows of one table. */
interface EventInsert {
  resource: Pick<ResourceDefinition, 'name' | 'table' | 'hidden'>
  verb: Verb
  /** Which rows. */
  where: SQL
  /** Columns as they are going to be; without any the row is taken as it is. */
  replaced?: Readonly<Record<string, SQL>>
  /** JSON of the old values; the parameter `:previous` unless given. */
  previous?: SQL
  /** There may be several rows: all but the first digits of their events' ids are then drawn by the database. */
  many?: boolean
}

/** Statement that writes an event for each row. Takes `:merchantId :testMode :event :atMs :baseUrl`, and what `where` needs. */
export function insertEvent({
  resource,
  verb,
  where,
  replaced = {},
  previous = sql`${param('previous')}`,
  many = false,
}: EventInsert): Statement {
  const { name, table, hidden } = resource
  const hiddenColumns = Object.fromEntries(hidden.map((key) => [key, emptyValue(getColumn(table, key))]))
  const last = sql`select coalesce(max(seq), 0) from events where merchant_id = ${table.merchantId} and test_mode = ${table.testMode}`
  const id = many
    ? sql`substr(${param('event')}, 1, ${sql.raw(String(idPrefixLength))}) || ${sql.join(
        Array.from({ length: 12 }, () => randomDigit),
        sql` || `,
      )}`
    : sql`${param('event')}`
  const version = replaced['version'] ?? sql`${table.version}`
  return compile(sql`
    insert into events (merchant_id, test_mode, id, seq, type, version, at, row, previous, base_url)
    select ${table.merchantId}, ${table.testMode}, ${id}, (${last}) + row_number() over (), ${sql.raw(`'${name}.${verb}'`)},
      ${version}, ${param('atMs')}, ${rowAsJson(table, { ...replaced, ...hiddenColumns })}, ${previous}, ${param('baseUrl')}
    from ${table} where ${where}`)
}

/** Attempts of an event that is sent for real; see the schedule. */
export const maxAttempts = 10
/** Failures in a row after which a webhook's deliveries take the slow lane, where they are in nobody's way. */
export const failuresUntilSlow = 3
/**
 * Failures in a row after which an endpoint counts as broken. It then gets one call every `pause` seconds. Its other deliveries are
 * parked: they stay pending without a message until a call succeeds.
 */
export const circuitBreaker = { failures: 10, pause: 30 } as const

/** The part of a transaction that says what happened in it, and to whom that has to be told. */
export function createOutbox(subscribers: SubscriberTable) {
  const ofScope = sql`merchant_id = ${param('merchantId')} and test_mode = ${param('testMode')}`
  return {
    /**
     * Writes a delivery for each active webhook that listens to an event raised in this transaction, and returns it. One for a broken
     * endpoint is due with the endpoint's next call, and is parked until then.
     */
    fanOut: lazy(() => {
      const from = sql`substr(${param('event')}, 1, ${sql.raw(String(idPrefixLength))})`
      const raised = sql`e.test_mode in (0, 1) and e.id >= ${from} and e.id < ${from} || char(126)`
      return compile(sql`
        insert into ${deliveryTable} (webhook, event, state, created_at, due_at, attempt, base, most, slow, leased_until, attempts)
        select w.seq, e.id, 'pending', ${param('now')}, max(${param('now')}, coalesce(w.probe_at, 0)), 0, 0, ${sql.raw(String(maxAttempts))}, w.failures >= ${sql.raw(String(failuresUntilSlow))}, 0, '[]'
        from ${eventTable} as e cross join ${subscriptionTable} as s cross join ${subscribers} as w
        where e.merchant_id = ${param('merchantId')} and ${raised} and w.seq = s.webhook
          and s.merchant_id = e.merchant_id and s.test_mode = e.test_mode and s.type in (e.type, '*')
        on conflict do nothing
        returning webhook, event, slow, due_at > created_at as parked`)
    }),
    /** Writes an event that somebody else publishes. */
    publish: lazy(() => {
      const next = sql`select coalesce(max(seq), 0) + 1 from events where ${ofScope}`
      return compile(sql`
        insert into events (merchant_id, test_mode, id, seq, type, version, at, row)
        select id, ${param('testMode')}, ${param('event')}, (${next}), ${param('type')}, 1, ${param('atMs')}, ${param('row')}
        from merchants where id = ${param('merchantId')} returning id`)
    }),
  }
}
export type Outbox = ReturnType<typeof createOutbox>

/** Calls off whatever is pending for one webhook; takes what `seq` needs. */
export const cancelDeliveries = (seq: SQL): Statement =>
  compile(
    sql`update ${deliveryTable} indexed by deliveries_due set state = 'cancelled' where state = 'pending' and webhook = ${seq}`,
  )

/** The deliveries that a `fanOut` returned and that need a message. */
export const toPendingDeliveries = (rows: readonly Row[]): Rung[] =>
  rows
    .filter(({ parked }) => parked !== 1)
    .map(({ webhook, event, slow }) => ({ webhook: Number(webhook), event: String(event), slow: slow === 1 }))
