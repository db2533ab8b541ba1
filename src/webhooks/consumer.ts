import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { DamagedError } from '../db/damaged-rows.ts'
import { compile, type Database, lazy, merchantDatabase, param, type Statement, type Values } from '../db/database.ts'
import type { Bindings } from '../env.ts'
import * as field from '../http/fields.ts'
import { isMisconfigured, readPublicUrl } from '../http/public-url.ts'
import { getEndpointIssue } from '../lib/endpoint-url.ts'
import { log } from '../lib/log.ts'
import type { DeliveryMessage } from '../messages.ts'
import { circuitBreaker, failuresUntilSlow } from '../outbox/circuit-breaker.ts'
import { enqueueMerchantDeliveries, maxDelaySeconds } from '../outbox/enqueue-deliveries.ts'
import { overdueSeconds, releaseWave } from './backlog.ts'
import { deactivation } from './deactivation.ts'
import { renderPayload, storedEvent, testEventType } from './payload.ts'
import { getNextDelay } from './retry-schedule.ts'
import { getActiveSecrets, parseSecrets } from './secrets.ts'
import { isSuccess, type Outcome, send } from './send.ts'

/** How long an attempt belongs to whoever claimed it, in seconds: longer than any call may take. */
export const leaseSeconds = 45

/** Attempts that a delivery's log keeps, and how many of them, the latest, with what was answered: together well under D1's 2 MB a row. */
const logLimits = { attempts: 100, answers: 10 } as const
const isDelivery = sql`webhook = ${param('webhook')} and event = ${param('event')}`
const breakerFailures = sql.raw(String(circuitBreaker.failures))
const nextProbe = sql`${param('now')} + ${sql.raw(String(circuitBreaker.pause))}`

/** SQL for the path of what stands in a list before its last `count` elements; a path to nothing where it is not that long. */
const pathFromEnd = (count: number) => sql.raw(`'$[#-${count + 1}]'`)

const statements = {
  /**
   * Begins attempt `:n`, once: whoever comes second, or too early, gets no row. Nor does one to a broken endpoint whose next call is
   * not due: that delivery is parked, which costs no write.
   */
  claim: lazy(() =>
    compile(sql`
      update deliveries set attempt = ${param('n')}, leased_until = ${param('now')} + ${sql.raw(String(leaseSeconds))}
      where ${isDelivery} and state = 'pending' and attempt = ${param('n')} - 1 and leased_until <= ${param('now')} and due_at <= ${param('now')} + 1
        and exists (
          select 1 from webhooks as w where w.seq = ${param('webhook')} and w.active = 1
            and (w.failures < ${breakerFailures} or coalesce(w.probe_at, 0) <= ${param('now')} + 1))
      returning base, most`),
  ),
  subject: lazy(() =>
    compile(sql`
      select w.id as webhook_id, w.url, w.active, w.bearer_token, w.secrets, w.failures, e.*
      from webhooks as w join events as e on e.merchant_id = w.merchant_id and e.test_mode = w.test_mode
      where w.seq = ${param('webhook')} and e.id = ${param('event')}`),
  ),
  cancel: lazy(() =>
    compile(sql`update deliveries set state = 'cancelled', leased_until = 0 where ${isDelivery} and state = 'pending'`),
  ),
  /** Behind `claim`: where it began an attempt at a broken endpoint, the next one has to wait. */
  probe: lazy(() =>
    compile(sql`
      update webhooks set probe_at = ${nextProbe}
      where changes() > 0 and seq = ${param('webhook')} and failures >= ${breakerFailures} returning seq`),
  ),
  /** Before `failed`: returns a row to the one failure that breaks the endpoint, or that finds no next call arranged. */
  arm: lazy(() =>
    compile(sql`
      update webhooks set probe_at = ${nextProbe}
      where seq = ${param('webhook')} and failures + 1 >= ${breakerFailures} and coalesce(probe_at, 0) <= ${param('now')} returning seq`),
  ),
  /** The delivery that a broken endpoint's next call is for. */
  next: lazy(() =>
    compile(sql`
      select event, attempt, due_at from deliveries indexed by deliveries_due
      where state = 'pending' and webhook = ${param('webhook')} and leased_until <= ${param('now')} order by due_at limit 1`),
  ),
  /** A delivery that was called off meanwhile stays so, unless it has arrived. */
  finish: lazy(() =>
    compile(sql`
      update deliveries set
        state = case when ${param('delivered')} then 'delivered' when state = 'pending' then ${param('state')} else state end,
        due_at = ${param('dueAt')}, leased_until = 0, slow = ${param('slow')},
        attempts = json_remove(json_insert(attempts, '$[#]', json(${param('entry')})), ${pathFromEnd(logLimits.answers)} || '.response', ${pathFromEnd(logLimits.attempts)})
      where ${isDelivery} and attempt = ${param('n')}
      returning state`),
  ),
  failed: lazy(() =>
    compile(sql`
      update webhooks set failures = failures + 1, failing_since = coalesce(failing_since, ${param('now')})
      where seq = ${param('webhook')} returning failures, failing_since, probe_at`),
  ),
  recovered: lazy(() =>
    compile(
      sql`update webhooks set failures = 0, failing_since = null, probe_at = null where seq = ${param('webhook')}`,
    ),
  ),
  /** From now on every attempt sends these bytes, whatever version of the service makes it. */
  freeze: lazy(() =>
    compile(sql`
      update events set payload = ${param('payload')}
      where merchant_id = ${param('merchantId')} and test_mode = ${param('testMode')} and id = ${param('event')} and payload is null`),
  ),
}

const claimed = z.object({ base: z.number(), most: z.number() })
const subject = z.extend(storedEvent, {
  webhook_id: z.string(),
  url: z.string(),
  active: field.zeroOrOne,
  bearer_token: z.string(),
  secrets: z.pipe(
    z.string(),
    z.transform((json, context) => {
      const secrets = parseSecrets(json)
      if (secrets) return secrets
      context.issues.push({ code: 'custom', message: 'is no list of secrets', input: json })
      return z.NEVER
    }),
  ),
  failures: z.number(),
})
/** A webhook as `failed` leaves it. */
const failedWebhook = z.object({ failures: z.number(), failing_since: z.number(), probe_at: z.nullable(z.number()) })
const nextDelivery = z.object({ event: z.string(), attempt: z.number(), due_at: z.number() })
type Subject = z.output<typeof subject>
type Claim = z.output<typeof claimed>

/** A delivery whose attempt is ours to make. */
interface Attempt {
  database: Database
  values: Values & { now: number }
  queued: DeliveryMessage
  claim: Claim
  subject: Subject
  /** The one call that the broken endpoint gets: it has to arrange the next. */
  isProbe: boolean
}

/** Claims an attempt; undefined when there is nothing to do: it was made, is being made, or is not to be made any more. */
export async function claimAttempt(env: Bindings, queued: DeliveryMessage): Promise<Attempt | undefined> {
  const database = merchantDatabase(env, queued.merchant)
  const values = { ...queued, now: Math.floor(Date.now() / 1000) }
  const [[claim] = [], probing = [], [row] = []] = await database.run(
    [statements.claim(), values],
    [statements.probe(), values],
    [statements.subject(), values],
  )
  if (!row) return undefined
  const { data: found, error } = subject.safeParse(row)
  if (error) {
    if (!claim) return undefined
    const fields = [...new Set(error.issues.map(({ path: [column] }) => String(column)))]
    database.report([{ table: 'webhooks or events', id: queued.event, merchantId: queued.merchant, fields }])
    await database.run([statements.finish(), { ...values, ...unreadable(queued.n, values.now) }])
    return undefined
  }
  if (!found.active) await database.run([statements.cancel(), values])
  if (!claim) return undefined
  return { database, values, queued, claim: claimed.parse(claim), subject: found, isProbe: probing.length > 0 }
}

/** How an attempt ends that cannot be made: trying again would not help, and the endpoint is not to blame. */
const unreadable = (n: number, now: number): Values => ({
  state: 'failed',
  dueAt: now,
  delivered: 0,
  slow: 0,
  entry: toLogEntry(n, now, { durationMs: 0, error: 'not called: the event or the webhook cannot be read' }),
})

const toLogEntry = (n: number, at: number, { retryAfter: _retryAfter, ...outcome }: Outcome) =>
  JSON.stringify({ number: n, at, ...outcome })

/** One call; what cannot even be called is an outcome as well. */
async function callEndpoint(env: Bindings, subject: Subject, body: string, now: number): Promise<Outcome> {
  const { url, bearer_token: bearerToken, id: eventId } = subject
  const { origin } = readPublicUrl(env)
  const issue = getEndpointIssue(url, {
    allowInsecureWebhooks: Boolean(env.ALLOW_INSECURE_WEBHOOKS),
    ownHosts: origin === undefined ? [] : [new URL(origin).host],
  })
  if (issue !== undefined) return { durationMs: 0, error: `not called: the address ${issue}` }
  const secrets = getActiveSecrets(subject.secrets, now).map(({ secret }) => secret)
  return send({ url, bearerToken, secrets, eventId, body })
}

/** The body; undefined where what was recorded cannot be read, which is reported. */
function renderBody(database: Database, subject: Subject): string | undefined {
  try {
    return renderPayload(subject)
  } catch (error) {
    if (!(error instanceof DamagedError)) throw error
    database.report([error.damage])
    return undefined
  }
}

/** Makes the attempt, records what came of it, and arranges the next. */
export async function makeAttempt(
  env: Bindings,
  { database, values, queued, claim: { base, most }, subject, isProbe }: Attempt,
): Promise<void> {
  const payload = renderBody(database, subject)
  if (payload === undefined) {
    await database.run([statements.finish(), { ...values, ...unreadable(queued.n, values.now) }])
    return
  }
  const outcome = await callEndpoint(env, subject, payload, values.now)

  const now = Math.floor(Date.now() / 1000)
  const done = { ...values, now, entry: toLogEntry(queued.n, values.now, outcome) }
  const record = async (state: string, dueAt: number, slow: boolean, also: [Statement, Values][]) => {
    const delivered = isSuccess(outcome) ? 1 : 0
    return database.run([statements.finish(), { ...done, state, dueAt, delivered, slow: slow ? 1 : 0 }], ...also)
  }
  if (isSuccess(outcome)) {
    await record('delivered', now, false, subject.failures > 0 ? [[statements.recovered(), done]] : [])
    // While it was broken nothing had a message. Later waves leave out what an earlier one has released.
    const before = subject.failures >= circuitBreaker.failures ? now : queued.more ? now - overdueSeconds : undefined
    if (before !== undefined) await releaseWave(env, database, { ...queued, now, before })
    return
  }

  const tries = queued.n - base
  const isGone = outcome.status === 410
  const delay = isGone || tries >= most ? undefined : getNextDelay(tries, Math.random(), outcome.retryAfter)
  const slow = subject.failures + 1 >= failuresUntilSlow
  const frozen: Values = {
    payload,
    merchantId: subject.merchant_id,
    testMode: subject.test_mode ? 1 : 0,
    event: subject.id,
  }
  const [, armed = [], [row] = [], [next] = []] = await record(
    delay === undefined ? 'failed' : 'pending',
    now + (delay ?? 0),
    slow,
    [
      [statements.arm(), done],
      [statements.failed(), done],
      [statements.next(), done],
      [statements.freeze(), frozen],
    ],
  )
  // Deleted meanwhile, and what was pending called off with it.
  if (!row) return
  const { failures, failing_since: failingSince, probe_at: probeAt } = failedWebhook.parse(row)
  const reason = deactivation.reason({ gone: isGone, failures, failingSeconds: now - failingSince })
  if (reason !== undefined && subject.type !== testEventType) await deactivation.webhook(env, subject, reason)
  else if (failures >= circuitBreaker.failures) {
    // One message for the whole endpoint: the probe, or the failure that broke it, arranges the next call.
    if (!next || (!isProbe && armed.length === 0)) return
    const { event, attempt, due_at: dueAt } = nextDelivery.parse(next)
    const probe = { webhook: queued.webhook, event, slow: true, n: attempt + 1 }
    await enqueueMerchantDeliveries(env, queued.merchant, [probe], Math.max(probeAt ?? 0, dueAt) - now)
  } else if (delay !== undefined && delay <= maxDelaySeconds) {
    await enqueueMerchantDeliveries(
      env,
      queued.merchant,
      [{ webhook: queued.webhook, event: queued.event, slow, n: queued.n + 1 }],
      delay,
    )
  }
}

const deliveryMessage = z.object({
  merchant: z.string(),
  webhook: z.number(),
  event: z.string(),
  n: z.number(),
  more: z.optional(z.boolean()),
})

/**
 * Answers the doorbell. What is claimed is in D1, so a message is done with as soon as it is claimed. In the main lane the calls go on
 * behind the answer: an endpoint that hangs keeps no other delivery waiting. In the slow lane they are waited for, so that endpoints
 * that fail hold up only one another.
 */
export async function consumeDeliveries(
  batch: MessageBatch<unknown>,
  env: Bindings,
  context: Pick<ExecutionContext, 'waitUntil'>,
): Promise<void> {
  // Left for the sweep, which rings again once the configuration is right.
  if (isMisconfigured(env)) return batch.ackAll()
  const slow = batch.queue.endsWith('-slow')
  await Promise.all(
    batch.messages.map(async (message) => {
      const queued = deliveryMessage.safeParse(message.body)
      if (!queued.success) {
        log(env, 'malformed doorbell', { queue: batch.queue, id: message.id })
        message.ack()
        return
      }
      try {
        const claimed = await claimAttempt(env, queued.data)
        message.ack()
        if (!claimed) return
        const made = makeAttempt(env, claimed).catch((error: unknown) => {
          log(env, 'attempt not recorded', { ...queued.data, error: String(error) })
        })
        if (slow) await made
        else context.waitUntil(made)
      } catch (error) {
        log(env, 'delivery not claimed', { ...queued.data, error: String(error) })
        message.retry({ delaySeconds: 5 })
      }
    }),
  )
}

/** What the queues gave up on. D1 still has it, and the sweep rings again; it is only recorded that it came to this. */
export function logDeadLetters(batch: MessageBatch<unknown>): void {
  for (const { id, body } of batch.messages) log({}, 'dead letter', { queue: batch.queue, id, body })
  batch.ackAll()
}
