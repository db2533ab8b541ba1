import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { compile, type Database, lazy, merchantDatabase, type Statement, type Values } from '../core/database.ts'
import { type Doorbell, mostDelay, ring } from '../core/doorbell.ts'
import { endpointFault } from '../core/endpoint.ts'
import * as field from '../core/fields.ts'
import { log } from '../core/log.ts'
import { failuresUntilSlow } from '../core/outbox.ts'
import type { Bindings } from '../env.ts'
import { disable } from './disable.ts'
import { payloadOf, storedEvent, testEvent } from './payload.ts'
import { nextDelay } from './schedule.ts'
import { signing, storedSecrets } from './secrets.ts'
import { isSuccess, type Outcome, send } from './send.ts'

/** How long an attempt belongs to whoever claimed it, in seconds: longer than any call may take. */
export const leaseSeconds = 45
/** Failures in a row from which on a webhook gets one attempt at a time, and how far apart those are, in seconds. */
export const breaker = { failures: 10, pause: 30 } as const

/** Attempts that a delivery's log keeps, and how many of them, the latest, with what was answered: together well under D1's 2 MB a row. */
const kept = { attempts: 100, answers: 10 } as const

const given = sql.placeholder
const itself = sql`webhook = ${given('webhook')} and event = ${given('event')}`

/** SQL for the path of what stands in a list before its last `count` elements; a path to nothing where it is not that long. */
const fromEnd = (count: number) => sql.raw(`'$[#-${count + 1}]'`)

const statements = {
  /** Begins attempt `:n`, once: whoever comes second, or too early, gets no row. */
  claim: lazy(() =>
    compile(sql`
      update deliveries set attempt = ${given('n')}, leased_until = ${given('now')} + ${sql.raw(String(leaseSeconds))}
      where ${itself} and state = 'pending' and attempt = ${given('n')} - 1 and leased_until <= ${given('now')} and due_at <= ${given('now')} + 1
      returning base, most`),
  ),
  subject: lazy(() =>
    compile(sql`
      select w.id as webhook_id, w.url, w.active, w.bearer_token, w.secrets, w.failures, w.probe_at, e.*
      from webhooks as w join events as e on e.merchant_id = w.merchant_id and e.test_mode = w.test_mode
      where w.seq = ${given('webhook')} and e.id = ${given('event')}`),
  ),
  /** Gives an attempt back as if it had not been begun. */
  release: lazy(() =>
    compile(sql`
      update deliveries set attempt = ${given('n')} - 1, leased_until = 0, due_at = ${given('dueAt')}
      where ${itself} and attempt = ${given('n')}`),
  ),
  cancel: lazy(() =>
    compile(sql`update deliveries set state = 'cancelled', leased_until = 0 where ${itself} and state = 'pending'`),
  ),
  /** Takes the one attempt that a failing webhook is allowed at a time. */
  probe: lazy(() =>
    compile(sql`
      update webhooks set probe_at = ${given('now')} + ${sql.raw(String(breaker.pause))}
      where seq = ${given('webhook')} and coalesce(probe_at, 0) <= ${given('now')} returning seq`),
  ),
  /** A delivery that was called off meanwhile stays so, unless it has arrived. */
  finish: lazy(() =>
    compile(sql`
      update deliveries set
        state = case when ${given('delivered')} then 'delivered' when state = 'pending' then ${given('state')} else state end,
        due_at = ${given('dueAt')}, leased_until = 0, slow = ${given('slow')},
        attempts = json_remove(json_insert(attempts, '$[#]', json(${given('entry')})), ${fromEnd(kept.answers)} || '.response', ${fromEnd(kept.attempts)})
      where ${itself} and attempt = ${given('n')}
      returning state`),
  ),
  failed: lazy(() =>
    compile(sql`
      update webhooks set failures = failures + 1, failing_since = coalesce(failing_since, ${given('now')})
      where seq = ${given('webhook')} returning failures, failing_since`),
  ),
  recovered: lazy(() =>
    compile(
      sql`update webhooks set failures = 0, failing_since = null, probe_at = null where seq = ${given('webhook')}`,
    ),
  ),
  /** From now on every attempt sends these bytes, whatever version of the service makes it. */
  freeze: lazy(() =>
    compile(sql`
      update events set payload = ${given('payload')}
      where merchant_id = ${given('merchantId')} and test_mode = ${given('testMode')} and id = ${given('event')} and payload is null`),
  ),
}

const claimed = z.object({ base: z.number(), most: z.number() })
const subject = z.extend(storedEvent, {
  webhook_id: z.string(),
  url: z.string(),
  active: field.bit,
  bearer_token: z.string(),
  secrets: z.pipe(
    z.string(),
    z.transform((json) => storedSecrets.parse(JSON.parse(json))),
  ),
  failures: z.number(),
  probe_at: z.nullable(z.number()),
})
type Subject = z.output<typeof subject>
type Claim = z.output<typeof claimed>

/** A delivery whose attempt is ours to make. */
interface Attempt {
  database: Database
  values: Values & { now: number }
  bell: Doorbell
  claim: Claim
  subject: Subject
}

/** Claims an attempt; undefined when there is nothing to do: it was made, is being made, or is not to be made any more. */
export async function claim(env: Bindings, bell: Doorbell): Promise<Attempt | undefined> {
  const database = merchantDatabase(env, bell.merchant)
  const values = { ...bell, now: Math.floor(Date.now() / 1000) }
  const [[claim] = [], [row] = []] = await database.run([statements.claim(), values], [statements.subject(), values])
  if (!claim) return undefined
  const found = row && subject.parse(row)
  if (!found?.active) {
    await database.run([statements.cancel(), values])
    return undefined
  }
  if (found.failures >= breaker.failures) {
    const [[probing] = []] = await database.run([statements.probe(), values])
    if (!probing) {
      const dueAt = Math.max(found.probe_at ?? 0, values.now + 1)
      await database.run([statements.release(), { ...values, dueAt }])
      await ring(env, bell.merchant, [{ ...bell, slow: true }], dueAt - values.now)
      return undefined
    }
  }
  return { database, values, bell, claim: claimed.parse(claim), subject: found }
}

const entryOf = (n: number, at: number, { retryAfter: _retryAfter, ...outcome }: Outcome) =>
  JSON.stringify({ number: n, at, ...outcome })

/** One call; what cannot even be called is an outcome as well. */
async function callOf(env: Bindings, subject: Subject, body: string | undefined, now: number): Promise<Outcome> {
  const { url, bearer_token: bearerToken, id: eventId } = subject
  if (body === undefined) return { durationMs: 0, error: 'not called: the event cannot be read' }
  const fault = endpointFault(url, {
    allowInsecureWebhooks: Boolean(env.ALLOW_INSECURE_WEBHOOKS),
    ownHosts: env.PUBLIC_BASE_URL ? [new URL(env.PUBLIC_BASE_URL).host] : [],
  })
  if (fault !== undefined) return { durationMs: 0, error: `not called: the address ${fault}` }
  const secrets = signing(subject.secrets, now).map(({ secret }) => secret)
  return send({ url, bearerToken, secrets, eventId, body })
}

/** The body; undefined where what was recorded cannot be read, which is a fault of ours and says so in the log. */
function bodyOf(subject: Subject): string | undefined {
  try {
    return payloadOf(subject)
  } catch (error) {
    log({}, 'event cannot be read', { event: subject.id, error: String(error) })
    return undefined
  }
}

/** Makes the attempt, records what came of it, and arranges the next. */
export async function attempt(
  env: Bindings,
  { database, values, bell, claim: { base, most }, subject }: Attempt,
): Promise<void> {
  const payload = bodyOf(subject)
  const outcome = await callOf(env, subject, payload, values.now)

  const now = Math.floor(Date.now() / 1000)
  const done = { ...values, now, entry: entryOf(bell.n, values.now, outcome) }
  const record = async (state: string, dueAt: number, slow: boolean, also: [Statement, Values][]) => {
    const delivered = isSuccess(outcome) ? 1 : 0
    return database.run([statements.finish(), { ...done, state, dueAt, delivered, slow: slow ? 1 : 0 }], ...also)
  }
  if (isSuccess(outcome)) {
    await record('delivered', now, false, subject.failures > 0 ? [[statements.recovered(), done]] : [])
    return
  }

  const tries = bell.n - base
  const gone = outcome.status === 410
  const delay = gone || tries >= most ? undefined : nextDelay(tries, Math.random(), outcome.retryAfter)
  const slow = subject.failures + 1 >= failuresUntilSlow
  const frozen: Values = {
    payload,
    merchantId: subject.merchant_id,
    testMode: subject.test_mode ? 1 : 0,
    event: subject.id,
  }
  const [, [webhook] = []] = await record(delay === undefined ? 'failed' : 'pending', now + (delay ?? 0), slow, [
    [statements.failed(), done],
    [statements.freeze(), frozen],
  ])
  // Deleted meanwhile, and what was pending called off with it.
  if (!webhook) return
  const failingSeconds = now - Number(webhook['failing_since'])
  const reason = disable.reason({ gone, failures: Number(webhook['failures']), failingSeconds })
  if (reason !== undefined && subject.type !== testEvent) await disable.webhook(env, subject, reason)
  else if (delay !== undefined && delay <= mostDelay) {
    await ring(env, bell.merchant, [{ webhook: bell.webhook, event: bell.event, slow, n: bell.n + 1 }], delay)
  }
}

const doorbell = z.object({ merchant: z.string(), webhook: z.number(), event: z.string(), n: z.number() })

/**
 * Answers the doorbell. What is claimed is in D1, so a message is done with as soon as it is claimed. In the main lane the calls go on
 * behind the answer: an endpoint that hangs keeps no other delivery waiting. In the slow lane they are waited for, so that endpoints
 * that fail hold up only one another.
 */
export async function consume(
  batch: MessageBatch<unknown>,
  env: Bindings,
  context: Pick<ExecutionContext, 'waitUntil'>,
): Promise<void> {
  const slow = batch.queue.endsWith('-slow')
  await Promise.all(
    batch.messages.map(async (message) => {
      const bell = doorbell.safeParse(message.body)
      if (!bell.success) {
        log(env, 'malformed doorbell', { queue: batch.queue, id: message.id })
        message.ack()
        return
      }
      try {
        const claimed = await claim(env, bell.data)
        message.ack()
        if (!claimed) return
        const made = attempt(env, claimed).catch((error: unknown) => {
          log(env, 'attempt not recorded', { ...bell.data, error: String(error) })
        })
        if (slow) await made
        else context.waitUntil(made)
      } catch (error) {
        log(env, 'delivery not claimed', { ...bell.data, error: String(error) })
        message.retry({ delaySeconds: 5 })
      }
    }),
  )
}

/** What the queues gave up on. D1 still has it, and the sweep rings again; it is only recorded that it came to this. */
export function bury(batch: MessageBatch<unknown>): void {
  for (const { id, body } of batch.messages) log({}, 'dead letter', { queue: batch.queue, id, body })
  batch.ackAll()
}
