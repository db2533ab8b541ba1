import { sql } from 'drizzle-orm'
import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import { DamagedError } from '../db/damaged-rows.ts'
import { compile, lazy, param, type Values } from '../db/database.ts'
import { rowCountMark } from '../db/idempotency-keys.ts'
import { bytesOf, readPageWithin, rowShare, shareParameter, showPage, withinShare } from '../db/page-budget.ts'
import type { Row } from '../db/row.ts'
import { deliveryStates } from '../db/schema/deliveries.ts'
import { commit, type Operation } from '../db/transaction.ts'
import { ApiError, invalid, notFound } from '../errors.ts'
import type { Env } from '../http/context.ts'
import { getActor } from '../http/context.ts'
import * as field from '../http/fields.ts'
import { createCursor, nextLink, pageQuery, pageSize, readPosition } from '../http/pagination.ts'
import { jsonBody, noBody } from '../http/request-body.ts'
import { query } from '../http/validation.ts'
import { createId, createIdAt } from '../lib/ids.ts'
import { circuitBreaker } from '../outbox/circuit-breaker.ts'
import { enqueueMerchantDeliveries } from '../outbox/enqueue-deliveries.ts'
import { testEventType } from './payload.ts'
import { retentionDays } from './retention.ts'

/** Deliveries that one request brings back and rings for. */
export const mostRecovered = 1_000
const scoped = sql`merchant_id = ${param('merchantId')} and test_mode = ${param('testMode')}`
const seq = sql`(select seq from webhooks where ${scoped} and id = ${param('id')})`
const activeSeq = sql`(select seq from webhooks where ${scoped} and id = ${param('id')} and active = 1)`

/** What the log tells of a delivery, and which of that grows with every attempt. */
const small = [sql`d.event, e.type, d.state, d.created_at, d.due_at`]
const large = { attempts: sql`d.attempts` }

const listing = (ascending: boolean, byState: boolean) =>
  compile(sql`
    select ${withinShare(small, large, bytesOf(Object.values(large)))}
    from deliveries as d left join events as e on e.${scoped} and e.id = d.event
    where d.webhook = ${seq} and ${byState ? sql`d.state = ${param('state')} and` : sql``}
      d.event ${ascending ? sql`>` : sql`<`} ${param('after')}
    order by d.event ${ascending ? sql`asc` : sql`desc`} limit ${param('rows')}`)
const pages = new Map(
  [true, false].flatMap((ascending) =>
    [true, false].map((byState) => [`${ascending}${byState}`, lazy(() => listing(ascending, byState))]),
  ),
)

const statements = {
  findAll: lazy(() =>
    compile(sql`
      select ${small[0]}, d.attempts
      from deliveries as d left join events as e on e.${scoped} and e.id = d.event
      where d.webhook = ${seq} and d.event in (select value from json_each(${param('events')}))`),
  ),
  webhook: lazy(() =>
    compile(sql`select active, failures, probe_at from webhooks where ${scoped} and id = ${param('id')}`),
  ),
  known: lazy(() =>
    compile(sql`select 1 as known from deliveries where webhook = ${seq} and event = ${param('event')}`),
  ),
  /** A call that the owner asks for is made at once, also to a broken endpoint. */
  allowProbe: lazy(() =>
    compile(sql`
      update webhooks set probe_at = ${param('now')}
      where ${scoped} and id = ${param('id')} and active = 1 and probe_at > ${param('now')}`),
  ),
  retry: lazy(() =>
    compile(sql`
      update deliveries set state = 'pending', due_at = ${param('now')}, base = attempt
      where webhook = ${activeSeq} and event = ${param('event')} and leased_until <= ${param('now')}
      returning webhook, event, attempt, slow`),
  ),
  recover: lazy(() =>
    compile(sql`
      update deliveries set state = 'pending', due_at = ${param('now')}, base = attempt
      where (webhook, event) in (
        select d.webhook, d.event from deliveries as d indexed by deliveries_lost
        where d.webhook = ${activeSeq} and d.event >= ${param('fromId')} and d.state in ('failed', 'cancelled')
          and (select type from events where ${scoped} and events.id = d.event) is not ${sql.raw(`'${testEventType}'`)}
        order by d.event limit ${sql.raw(String(mostRecovered))})
      returning webhook, event, attempt, slow`),
  ),
  raiseTest: lazy(() =>
    compile(sql`
      insert into events (merchant_id, test_mode, id, seq, type, version, at, row)
      select merchant_id, test_mode, ${param('event')},
        (select coalesce(max(seq), 0) + 1 from events where ${scoped}),
        ${sql.raw(`'${testEventType}'`)}, 1, ${param('atMs')}, json_object('webhookId', id, 'title', title)
      from webhooks where ${scoped} and id = ${param('id')} and active = 1`),
  ),
  deliverTest: lazy(() =>
    compile(sql`
      insert into deliveries (webhook, event, state, created_at, due_at, attempt, base, most, slow, leased_until, attempts)
      select seq, ${param('event')}, 'pending', ${param('now')}, ${param('now')}, 0, 0, 1, 0, 0, '[]'
      from webhooks where ${scoped} and id = ${param('id')} and active = 1
      returning webhook, event, attempt, slow`),
  ),
}

const attemptShape = z.object({
  number: z.int(),
  at: z.int(),
  status: z.optional(z.int()),
  durationMs: z.int(),
  error: z.optional(z.string()),
  response: z.optional(z.string()),
})

const stored = z.object({
  event: z.string(),
  type: z.nullable(z.string()),
  state: z.enum(deliveryStates),
  created_at: z.number(),
  due_at: z.number(),
  attempts: z.pipe(
    z.string(),
    z.transform((json, context) => {
      const attempts = parseAttempts(json)
      if (attempts) return attempts
      context.issues.push({ code: 'custom', message: 'is no list of attempts', input: json })
      return z.NEVER
    }),
  ),
})

/** The attempts of a delivery; undefined where they cannot be read. */
function parseAttempts(json: string) {
  try {
    return z.array(attemptShape).safeParse(JSON.parse(json)).data
  } catch {
    return undefined
  }
}

/** A delivery as its webhook's owner sees it. */
export const deliveryView = z.object({
  eventId: z.string(),
  type: z.string(),
  state: z.enum(deliveryStates),
  createdAt: z.int(),
  attempts: z.array(attemptShape),
  nextAttemptAt: z.optional(z.int()),
})

/** What does not fit of a delivery as the database has it. */
export function damageOfDelivery(row: Row, merchantId: string): DamagedError | undefined {
  const { error } = stored.safeParse(row)
  const fields = new Set(error?.issues.map(({ path: [column] }) => String(column)))
  return error && new DamagedError({ table: 'deliveries', id: String(row['event']), merchantId, fields: [...fields] })
}

/** A delivery; one to a broken endpoint is not attempted before the endpoint's next call, `probeAt`. */
function toView(row: Row, merchantId: string, probeAt: number): z.output<typeof deliveryView> {
  const damage = damageOfDelivery(row, merchantId)
  if (damage) throw damage
  const { event, type, state, created_at, due_at, attempts } = stored.parse(row)
  const shown = { eventId: event, type: type ?? 'unknown', state, createdAt: created_at, attempts }
  return state === 'pending' ? { ...shown, nextAttemptAt: Math.max(due_at, probeAt) } : shown
}

export const deliveriesQuery = z.extend(pageQuery, {
  state: z.optional(z.enum(deliveryStates)),
})

export const recoverFields = z.strictObject({ since: field.count })
const recoverRules = { schema: recoverFields, partial: z.partial(recoverFields), readOnly: new Set<string>() }

const pendingShape = z.object({
  webhook: z.number(),
  event: z.string(),
  attempt: z.number(),
  slow: field.zeroOrOne,
})

/** Rings for deliveries that a statement has made pending, behind the answer: for one of them where the endpoint is broken. */
function enqueue(c: Context<Env>, webhook: Row | undefined, rows: readonly Row[]) {
  const chosen = Number(webhook?.['failures']) >= circuitBreaker.failures ? rows.slice(0, 1) : rows
  const pending = chosen.map((row) => pendingShape.parse(row))
  c.executionCtx.waitUntil(
    enqueueMerchantDeliveries(
      c.env,
      c.var.scope.merchantId,
      pending.map((delivery) => ({ ...delivery, n: delivery.attempt + 1 })),
    ),
  )
}

const getValues = (c: Context<Env>): Values & { now: number } => ({
  ...c.var.scope,
  id: c.req.param('id'),
  now: Math.floor(Date.now() / 1000),
})

const createOperation = (c: Context<Env>, verb: string, answer: () => Response): Operation => ({
  operation: `webhooks.${verb}`,
  object: c.req.param('id') ?? '',
  answer,
})

function requireActive(row: Row | undefined) {
  if (!row) throw notFound()
  if (row['active'] !== 1) throw new ApiError('conflict', 'The webhook is not active; switch it on first.')
}

/** What became of each event for one webhook, and how to have it sent again. */
export const deliveryRoutes = new Hono<Env>()
  .get('/:id/deliveries', query(deliveriesQuery), async (c) => {
    const { state, ...asked } = c.req.valid('query')
    const values = getValues(c)
    const list = `deliveries of ${c.req.param('id')}${state ? `, ${state}` : ''}`
    const { ascending, after = ascending ? '' : '~' } = readPosition(list, c.var.scope, asked)
    const limit = asked.limit ?? pageSize.default
    const statement = pages.get(`${ascending}${state !== undefined}`)
    if (!statement) throw notFound()
    const [webhook = [], found = []] = await c.var.database.run(
      [statements.webhook(), values],
      [statement(), { ...values, state, after, rows: limit + 1, [shareParameter]: rowShare(limit + 1) }],
    )
    if (webhook.length === 0) throw notFound()
    const { database, scope } = c.var
    const probeAt = Number(webhook[0]?.['probe_at'] ?? 0)
    const readWhole = async (events: readonly string[]) =>
      (await database.run([statements.findAll(), { ...values, events: JSON.stringify(events) }])).flat()
    const page = await readPageWithin(found, limit, 'event', readWhole)
    const { shown, end } = showPage(database, page, 'event', (row) => toView(row, scope.merchantId, probeAt))
    if (end !== undefined) c.header('Link', nextLink(c.req.url, createCursor(list, scope, asked, end)))
    return c.json(shown, 200)
  })
  .post('/:id/deliveries/:eventId/retry', noBody, async (c) => {
    const values = { ...getValues(c), event: c.req.param('eventId') }
    const answer = () => c.json({ id: values.event }, 202)
    const [[webhook] = [], [known] = [], , pending = []] = await commit(
      getActor(c),
      createOperation(c, 'retry', answer),
      [
        [statements.webhook(), values],
        [statements.known(), values],
        [statements.allowProbe(), values],
        [statements.retry(), values],
      ],
    )
    if (!webhook || !known) throw notFound()
    requireActive(webhook)
    enqueue(c, webhook, pending)
    return answer()
  })
  .post('/:id/recover', jsonBody(recoverRules), async (c) => {
    const { patch, issues } = c.req.valid('json')
    if (issues.length > 0) throw invalid(issues)
    const { since } = recoverFields.parse(patch)
    const values = getValues(c)
    if (since < values.now - retentionDays * 86_400) {
      throw invalid([
        { pointer: '/since', code: 'too_small', message: `must be within the last ${retentionDays} days` },
      ])
    }
    const fromId = createIdAt('evt', Math.min(since, values.now + 1) * 1000)
    // How many there are is known only when it is done.
    const answer = () => c.body(`{"recovered":${rowCountMark}}`, 202, { 'Content-Type': 'application/json' })
    const [[webhook] = [], , recovered = []] = await commit(getActor(c), createOperation(c, 'recover', answer), [
      [statements.webhook(), values],
      [statements.allowProbe(), values],
      [statements.recover(), { ...values, fromId }],
    ])
    requireActive(webhook)
    enqueue(c, webhook, recovered)
    return c.json({ recovered: recovered.length }, 202)
  })
  .post('/:id/test', noBody, async (c) => {
    const id = createId('evt')
    const answer = () => c.json({ id }, 202)
    const values = { ...getValues(c), event: id, atMs: Date.now() }
    const [[webhook] = [], , , pending = []] = await commit(getActor(c), createOperation(c, 'test', answer), [
      [statements.webhook(), values],
      [statements.allowProbe(), values],
      [statements.raiseTest(), values],
      [statements.deliverTest(), values],
    ])
    requireActive(webhook)
    enqueue(c, webhook, pending)
    return answer()
  })
