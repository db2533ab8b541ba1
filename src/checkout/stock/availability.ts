import { eq, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { nextHistoryVersion, raiseEvent } from '../../catalogue/events/raise-event.ts'
import { insertSoldOutEvent } from '../../catalogue/events/sold-out-events.ts'
import { type Caller, createEventValues } from '../../catalogue/resource/caller.ts'
import { recordTitled } from '../../catalogue/resource/deleted/title.ts'
import { products } from '../../catalogue/resources/products.ts'
import { allOf, compile, type Database, databaseNow, lazy, param } from '../../platform/db/database.ts'
import { createStoreStatement } from '../../platform/db/idempotency-keys.ts'
import { db, insertSelect, selectList, setColumns, typed } from '../../platform/db/query.ts'
import { availabilityTable, furtherNotice } from '../../platform/db/schema/availability.ts'
import { merchantTable } from '../../platform/db/schema/merchants.ts'
import { isOutOfStock, productTable } from '../../platform/db/schema/resources/products.ts'
import { isInScope, type Scope } from '../../platform/db/scope.ts'
import { isSoldOut, joinAvailability } from '../../platform/db/sold-out.ts'
import { commitNamed } from '../../platform/db/transaction.ts'
import { type Issue, invalid, notFound } from '../../platform/errors.ts'
import { seconds } from '../../platform/http/fields/seconds.ts'
import * as field from '../../platform/http/fields.ts'
import type { ParsedBody } from '../../platform/http/validation.ts'
import { daySeconds } from '../../platform/lib/day.ts'
import { type Clock, createClock, findClockChange } from '../../platform/lib/opening-hours.ts'
import { nowInSeconds } from '../../platform/lib/time.ts'
import { fanOut, toPendingDeliveries } from '../../platform/outbox/fan-out.ts'

/** Returns the next second after `at` whose local time is `time` (`HHMM`), or at which a clock change skips that time. */
export function getNextLocalTime(clock: Clock, at: number, time: string): number {
  const local = clock(at)
  const today = local - (local % daySeconds) + Number(time.slice(0, 2)) * 3_600 + Number(time.slice(2)) * 60
  const wanted = today > local ? today : today + daySeconds
  const unchanged = at + wanted - local
  const shifted = unchanged - (clock(unchanged) - wanted)
  if (shifted === unchanged) return unchanged
  return clock(shifted) === wanted ? shifted : findClockChange(clock, at, unchanged)
}

/** Body that marks a product as sold out, or as available. */
export const availabilityRequest = z.strictObject({
  soldOut: field.boolean.check(z.describe('Whether the product is marked as sold out.')),
  until: z
    .nullish(
      z.union([seconds, z.enum(['tomorrow', 'further_notice'])], {
        error: 'must be a time in seconds, tomorrow or further_notice',
      }),
    )
    .check(
      z.describe(
        "First second at which the product is available again, in seconds since 1970-01-01 UTC. `tomorrow`: the next `dayStartsAt` of the merchant, in the venue's time zone. `further_notice`: no end. Only with `soldOut: true`. Default: `further_notice`.",
      ),
    ),
})

export const availabilityRules = {
  schema: availabilityRequest,
  partial: z.partial(availabilityRequest),
  readOnly: new Set<string>(),
}

/** The availability of a product. */
export const availabilityView = z.object({
  soldOut: z.boolean().check(z.describe('Whether the product is sold out: marked, or out of managed stock.')),
  until: z
    .optional(z.union([z.int(), z.literal('further_notice')]))
    .check(
      z.describe(
        'End of the mark: the first second at which it has no effect, in seconds since 1970-01-01 UTC, or `further_notice`. Absent if the product is not marked.',
      ),
    ),
})
type Availability = z.output<typeof availabilityView>

const isProduct = allOf(isInScope(productTable), eq(productTable.id, param('id')))
const isMark = allOf(isInScope(availabilityTable), eq(availabilityTable.product, param('id')))
const productFields = {
  outOfStock: sql<number>`${isOutOfStock(productTable)}`,
  soldOutUntil: sql<number | null>`${availabilityTable.soldOutUntil}`,
}

/** Whether `product.back_in_stock` is due: the mark may have expired, but its row stays until the cron raises the event and deletes it. */
const isReturning = sql`${availabilityTable.soldOutUntil} is not null and not (${isOutOfStock(productTable)})`
/** The product, if its mark decides whether it is sold out. */
const listChanged = (condition: ReturnType<typeof sql>) =>
  sql`(select json_group_array(${productTable.id}) from ${productTable} ${joinAvailability} where ${isProduct} and ${condition})`

const statements = {
  find: lazy(() =>
    typed(
      productFields,
      () => sql`select ${selectList(productFields)} from ${productTable} ${joinAvailability} where ${isProduct}`,
    ),
  ),
  mark: lazy(() => {
    const insert = insertSelect(
      availabilityTable,
      {
        merchantId: productTable.merchantId,
        testMode: productTable.testMode,
        product: productTable.id,
        soldOutUntil: param('until'),
      },
      sql`from ${productTable} where ${isProduct}`,
    )
    return compile(
      sql`${insert} on conflict do update set ${setColumns(availabilityTable, { soldOutUntil: param('until') })}`,
    )
  }),
  /** Stores the response to a request with an `Idempotency-Key`, as the product is after the change. */
  store: createStoreStatement(
    sql`(select json_object('outOfStock', ${productFields.outOfStock}, 'soldOutUntil', ${productFields.soldOutUntil}, 'at', ${param('now')})
      from ${productTable} ${joinAvailability}
      where ${isInScope(productTable)} and ${productTable.id} = ${param('product')})`,
  ),
  /** Records the change of the mark for the history of the product, before the change. */
  record: lazy(() => {
    const before = sql`iif(${availabilityTable.soldOutUntil} > ${databaseNow}, ${availabilityTable.soldOutUntil}, null)`
    return compile(
      raiseEvent({
        type: 'product.availability_changed',
        object: productTable.id,
        version: nextHistoryVersion('product.availability_changed', productTable.id),
        row: sql`json_object('id', ${productTable.id}, 'until', ${param('until')})`,
        previous: sql`json_object('until', ${before})`,
        from: sql`from ${productTable} ${joinAvailability} where ${isProduct} and ${before} is not ${param('until')}`,
      }),
    )
  }),
  clear: lazy(() => compile(db.delete(availabilityTable).where(isMark))),
  // The events come before the change, because they read the previous state.
  raiseSoldOut: lazy(() =>
    compile(
      insertSoldOutEvent({
        type: 'product.sold_out',
        changed: listChanged(sql`not ${isSoldOut}`),
        also: sql`union select ${param('id')}`,
      }),
    ),
  ),
  raiseBackInStock: lazy(() =>
    compile(
      insertSoldOutEvent({
        type: 'product.back_in_stock',
        changed: listChanged(isReturning),
        also: sql`except select ${param('id')}`,
      }),
    ),
  ),
}

const computedAvailability = z.object({
  outOfStock: z.number(),
  soldOutUntil: z.nullable(z.number()),
  /** Time of the change. Responses that earlier releases stored lack it. */
  at: z.optional(z.number()),
})
type StoredAvailability = Omit<z.output<typeof computedAvailability>, 'at'>

/** The end of a mark as the API shows it. */
export const toUntil = (soldOutUntil: number | null, now: number): Availability['until'] => {
  if (soldOutUntil === null || soldOutUntil <= now) return undefined
  return soldOutUntil === furtherNotice ? 'further_notice' : soldOutUntil
}

function toAvailability({ outOfStock, soldOutUntil }: StoredAvailability, now: number): Availability {
  const until = toUntil(soldOutUntil, now)
  return { soldOut: until !== undefined || outOfStock === 1, until }
}

/** Reads the clock and the start of the day of the merchant. */
export const findDayStart = lazy(() =>
  typed({ timezone: merchantTable.timezone, dayStartsAt: merchantTable.dayStartsAt }, (select) =>
    db
      .select(select)
      .from(merchantTable)
      .where(eq(merchantTable.id, param('merchantId'))),
  ),
)

/** Reads the availability of a product. */
export async function findAvailability(database: Database, scope: Scope, id: string): Promise<Availability> {
  const stored = await database.findNamed(async () => (await database.run([statements.find(), { ...scope, id }]))[0][0])
  if (!stored) throw notFound()
  return toAvailability(stored, nowInSeconds())
}

/** The second at which a mark until tomorrow ends. */
export const getTomorrow = ({ timezone, dayStartsAt }: { timezone: string; dayStartsAt: string }, now: number) =>
  getNextLocalTime(createClock(timezone), now, dayStartsAt)

type Requester = Pick<Caller, 'database' | 'scope'>
/** The second at which a mark ends. */
export async function resolveUntil({ database, scope }: Requester, until: unknown, now: number): Promise<number> {
  if (typeof until === 'number') return until
  if (until !== 'tomorrow') return furtherNotice
  const find = async () => (await database.run([findDayStart(), { ...scope }]))[0][0]
  const venue = await database.findNamed(find)
  if (!venue) throw notFound()
  return getTomorrow(venue, now)
}

/** Issues of the end of a mark. `at` is the JSON pointer of the mark. */
export function* listUntilIssues(mark: Readonly<Record<string, unknown>>, now: number, at = ''): Iterable<Issue> {
  const { soldOut, until } = mark
  if (until === undefined || until === null) return
  const pointer = `${at}/until`
  if (soldOut === false) yield { pointer, code: 'conflict', message: 'must not be given with soldOut false' }
  if (typeof until === 'number' && until <= now) yield { pointer, code: 'too_small', message: 'must be in the future' }
}

/** Marks a product as sold out or available, and raises an event if that changes whether it is sold out. */
export async function setAvailability(caller: Caller, id: string, body: ParsedBody): Promise<Availability> {
  const common = createEventValues(caller)
  const { now } = common
  const { idempotency } = caller
  const render = (row: unknown) => {
    const { at = now, ...stored } = computedAvailability.parse(row)
    return Response.json(toAvailability(stored, at))
  }
  // When the request is repeated, the end may be in the past.
  if (idempotency) idempotency.renderComputed = render
  const issues = [...body.issues, ...listUntilIssues(body.patch, now)]
  if (issues.length > 0) throw invalid(issues)
  const { soldOut, until } = availabilityRequest.parse(body.patch)
  const values = {
    ...common,
    id,
    product: id,
    until: soldOut ? await resolveUntil(caller, until, now) : null,
  }
  const { found, deliveries } = await commitNamed(
    caller,
    {
      operation: 'products.availability.update',
      object: id,
      record: recordTitled(products),
      computed: { store: [statements.store(), values], render },
    },
    values,
    {
      found: statements.find(),
      event: soldOut ? statements.raiseSoldOut() : statements.raiseBackInStock(),
      history: statements.record(),
      mark: soldOut ? statements.mark() : statements.clear(),
    },
    { deliveries: fanOut() },
  )
  const [stored] = found
  if (!stored) throw notFound()
  caller.enqueue(toPendingDeliveries(deliveries))
  return toAvailability({ ...stored, soldOutUntil: values.until }, now)
}
