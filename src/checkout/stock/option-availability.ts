import { eq, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { insertOptionEvent } from '../../catalogue/events/option-events.ts'
import { nextHistoryVersion, raiseEvent } from '../../catalogue/events/raise-event.ts'
import { type Caller, createEventValues } from '../../catalogue/resource/caller.ts'
import { recordTitled } from '../../catalogue/resource/deleted/title.ts'
import { modifiers } from '../../catalogue/resources/modifiers.ts'
import { allOf, compile, type Database, databaseNow, lazy, param } from '../../platform/db/database.ts'
import { createStoreStatement } from '../../platform/db/idempotency-keys.ts'
import { insertSelect, type RowOf, selectList, setColumns, typed } from '../../platform/db/query.ts'
import { optionAvailabilityTable as table } from '../../platform/db/schema/availability.ts'
import { modifierTable } from '../../platform/db/schema/resources/modifiers.ts'
import { isInScope, type Scope } from '../../platform/db/scope.ts'
import { commitNamed } from '../../platform/db/transaction.ts'
import { type Issue, invalid, notFound } from '../../platform/errors.ts'
import { jsonBody } from '../../platform/http/request-body.ts'
import type { ParsedBody } from '../../platform/http/validation.ts'
import { toJsonPointer } from '../../platform/lib/encoding/json-pointer.ts'
import { isObject } from '../../platform/lib/schema-guard.ts'
import { nowInSeconds } from '../../platform/lib/time.ts'
import { fanOut, toPendingDeliveries } from '../../platform/outbox/fan-out.ts'
import { availabilityRequest, availabilityView, listUntilIssues, resolveUntil, toUntil } from './availability.ts'

/** Body that marks options of a modifier as sold out, or as available. */
export const optionAvailabilityRequest = z.strictObject({
  options: z
    .record(z.string(), availabilityRequest)
    .check(z.describe('Marks by the id of the option. Options that are absent stay as they are.')),
})

export const optionAvailabilityRules = {
  schema: optionAvailabilityRequest,
  partial: z.partial(optionAvailabilityRequest),
  readOnly: new Set<string>(),
}
export const parseOptionMarks = jsonBody(optionAvailabilityRules)

const { until } = availabilityView.shape
/** The availability of the options of a modifier. */
export const optionAvailabilityView = z.object({
  options: z
    .record(
      z.string(),
      z.object({ soldOut: z.boolean().check(z.describe('Whether the option is marked as sold out.')), until }),
    )
    .check(z.describe('All options of the modifier by their ids.')),
})
type OptionAvailability = z.output<typeof optionAvailabilityView>

const isModifier = allOf(isInScope(modifierTable), eq(modifierTable.id, param('modifier')))
const isOfModifier = allOf(isInScope(table), eq(table.modifier, param('modifier')))
const options = sql`json_each(case when json_valid(${modifierTable.options}) then ${modifierTable.options} end) as part`
const optionId = sql`part.value ->> '$.id'`

/** The options of the modifier that `:marks` names, a JSON list of `[option, end of the mark or null]`. */
const named = sql`(
  select ${optionId} as option, mark.value ->> 1 as until from ${modifierTable}
    cross join json_each(${param('marks')}) as mark cross join ${options}
  where ${isModifier} and ${optionId} = mark.value ->> 0) as named`
const markOfNamed = sql`${table} on ${isOfModifier} and ${table.option} = named.option`
const toChanged = (condition: ReturnType<typeof sql>) =>
  sql`(select json_group_array(json_object('modifier', ${param('modifier')}, 'option', named.option))
    from ${named} left join ${markOfNamed} where ${condition})`

const marks = sql`(select json_group_array(json_array(${table.option}, ${table.soldOutUntil})) from ${table} where ${isOfModifier})`
const fields = {
  ids: sql<string>`(select json_group_array(${optionId}) from ${options})`,
  marks: sql<string>`${marks}`,
}
const requestScope = { from: sql``, merchantId: sql`${param('merchantId')}`, testMode: sql`${param('testMode')}` }
/** The list in an event: it precedes the change. */
const after = {
  isKept: sql`not (${table.modifier} = ${param('modifier')} and ${table.option} in (select mark.value ->> 0 from json_each(${param('marks')}) as mark))`,
  also: sql`union all select ${param('modifier')}, named.option from ${named} where named.until is not null`,
  scope: requestScope,
}

const statements = {
  find: lazy(() => typed(fields, () => sql`select ${selectList(fields)} from ${modifierTable} where ${isModifier}`)),
  raiseSoldOut: lazy(() => {
    const isChanged = sql`named.until is not null and coalesce(${table.soldOutUntil}, 0) <= ${databaseNow}`
    return compile(insertOptionEvent({ type: 'option.sold_out', changed: toChanged(isChanged), ...after }))
  }),
  // A mark may have expired, but its row stays until the cron raises the event and deletes it.
  raiseBackInStock: lazy(() => {
    const isChanged = sql`named.until is null and ${table.soldOutUntil} is not null`
    return compile(insertOptionEvent({ type: 'option.back_in_stock', changed: toChanged(isChanged), ...after }))
  }),
  /** Records the changed marks for the history of the modifier, before the change. */
  record: lazy(() => {
    const before = sql`iif(${table.soldOutUntil} > ${databaseNow}, ${table.soldOutUntil}, null)`
    const changed = sql`from ${named} left join ${markOfNamed} where ${before} is not named.until`
    const toOptions = (until: SQL) =>
      sql`json_object('id', ${modifierTable.id}, 'options', (select json_group_object(named.option, ${until}) ${changed}))`
    return compile(
      raiseEvent({
        type: 'modifier.availability_changed',
        object: modifierTable.id,
        version: nextHistoryVersion('modifier.availability_changed', modifierTable.id),
        row: toOptions(sql`named.until`),
        previous: toOptions(before),
        from: sql`from ${modifierTable} where ${isModifier} and exists (select 1 ${changed})`,
      }),
    )
  }),
  clear: lazy(() =>
    compile(
      sql`delete from ${table} where ${isOfModifier} and ${table.option} in (select named.option from ${named} where named.until is null)`,
    ),
  ),
  mark: lazy(() => {
    const row = { merchantId: param('merchantId'), testMode: param('testMode'), modifier: param('modifier') }
    const tail = sql`from ${named} where named.until is not null`
    const insert = insertSelect(table, { ...row, option: sql`named.option`, soldOutUntil: sql`named.until` }, tail)
    return compile(
      sql`${insert} on conflict do update set ${setColumns(table, { soldOutUntil: sql`excluded.sold_out_until` })}`,
    )
  }),
  /** Stores the response to a request with an `Idempotency-Key`, as the options are after the change. */
  store: createStoreStatement(
    sql`(select json_object('ids', json(${fields.ids}), 'marks', json(${marks}), 'at', ${param('now')}) from ${modifierTable} where ${isModifier})`,
  ),
}

const ids = z.array(z.string())
const storedMarks = z.array(z.tuple([z.string(), z.number()]))
const computed = z.object({ ids, marks: storedMarks, at: z.number() })

type Stored = RowOf<typeof fields>

function toView(found: Pick<z.output<typeof computed>, 'ids' | 'marks'>, now: number): OptionAvailability {
  const ends = new Map(found.marks)
  const shown = found.ids.map((id) => {
    const until = toUntil(ends.get(id) ?? null, now)
    return [id, { soldOut: until !== undefined, until }] as const
  })
  return { options: Object.fromEntries(shown) }
}

const parse = (stored: Stored) => ({
  ids: ids.parse(JSON.parse(stored.ids)),
  marks: storedMarks.parse(JSON.parse(stored.marks)),
})

const read = async (database: Database, scope: Scope, modifier: string) =>
  (await database.run([statements.find(), { ...scope, modifier }]))[0][0]

/** Reads the availability of the options of a modifier. */
export async function findOptionAvailability(database: Database, scope: Scope, modifier: string) {
  const stored = await database.findNamed(() => read(database, scope, modifier))
  if (!stored) throw notFound()
  return toView(parse(stored), nowInSeconds())
}

/** The options among `names` that the modifier does not have. */
async function findUnknown({ database, scope }: Caller, modifier: string, names: readonly string[]) {
  const listUnknown = (stored: Stored) => {
    const known = new Set(parse(stored).ids)
    return names.filter((name) => !known.has(name))
  }
  const isFound = (stored: Stored | undefined) => stored !== undefined && listUnknown(stored).length === 0
  const stored = await database.findNamed(() => read(database, scope, modifier), isFound)
  if (!stored) throw notFound()
  return listUnknown(stored)
}

function* listIssues({ patch, issues }: ParsedBody, now: number): Iterable<Issue> {
  yield* issues
  const { options } = patch
  for (const [id, mark] of isObject(options) ? Object.entries(options) : [])
    if (isObject(mark)) yield* listUntilIssues(mark, now, toJsonPointer(['options', id]))
}

/** Marks options as sold out or available, and raises events for those for which that changes something. */
export async function setOptionAvailability(caller: Caller, modifier: string, body: ParsedBody) {
  const { idempotency } = caller
  const common = createEventValues(caller)
  const { now } = common
  const render = (row: unknown) => {
    const { at, ...stored } = computed.parse(row)
    return Response.json(toView(stored, at))
  }
  // When the request is repeated, the end may be in the past.
  if (idempotency) idempotency.renderComputed = render
  const issues = [...listIssues(body, now)]
  if (issues.length > 0) throw invalid(issues)
  const named = Object.entries(optionAvailabilityRequest.parse(body.patch).options)
  const unknown = await findUnknown(
    caller,
    modifier,
    named.map(([id]) => id),
  )
  const message = 'is not the id of an option of this modifier'
  if (unknown.length > 0)
    throw invalid(unknown.map((id) => ({ pointer: toJsonPointer(['options', id]), code: 'not_found', message })))
  const tomorrow = named.some(([, { until }]) => until === 'tomorrow') && (await resolveUntil(caller, 'tomorrow', now))
  const ends = await Promise.all(
    named.map(async ([id, { soldOut, until }]) => {
      const end = until === 'tomorrow' && tomorrow ? tomorrow : until
      return [id, soldOut ? await resolveUntil(caller, end, now) : null]
    }),
  )
  const values = { ...common, modifier, marks: JSON.stringify(ends) }
  // The last statement writes a row if any does: the audit log depends on it.
  const { found, deliveries } = await commitNamed(
    caller,
    {
      operation: 'modifiers.availability.update',
      object: modifier,
      record: recordTitled(modifiers),
      computed: { store: [statements.store(), values], render },
    },
    values,
    {
      soldOut: statements.raiseSoldOut(),
      backInStock: statements.raiseBackInStock(),
      history: statements.record(),
      ...(ends.some(([, end]) => end === null) && { clear: statements.clear() }),
      ...(ends.some(([, end]) => end !== null) && { mark: statements.mark() }),
    },
    { found: statements.find(), deliveries: fanOut() },
  )
  const [stored] = found
  if (!stored) throw notFound()
  caller.enqueue(toPendingDeliveries(deliveries))
  return toView(parse(stored), now)
}
