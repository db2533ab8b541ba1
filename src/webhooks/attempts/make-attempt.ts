import { testEventType } from '../../catalogue/events/event-types.ts'
import { DamagedError } from '../../platform/db/damaged-rows.ts'
import type { Database } from '../../platform/db/database.ts'
import type { RowOf } from '../../platform/db/query.ts'
import type { Bindings } from '../../platform/env.ts'
import { readPublicUrl } from '../../platform/http/public-url.ts'
import { getEndpointIssue } from '../../platform/lib/endpoint-url.ts'
import { nowInSeconds } from '../../platform/lib/time.ts'
import { circuitBreaker, failuresUntilSlow } from '../../platform/outbox/circuit-breaker.ts'
import { enqueueMerchantDeliveries, maxDelaySeconds } from '../../platform/outbox/enqueue-deliveries.ts'
import { releaseWave } from '../backlog.ts'
import { deactivation } from '../deactivation.ts'
import { applyShape } from '../filters/shapes.ts'
import { renderPayload } from '../payload.ts'
import { getNextDelay } from '../retry-schedule.ts'
import { type pendingFields, toPendingDelivery } from '../rows/stored-delivery.ts'
import { getActiveSecrets } from '../secrets.ts'
import { type CallOutcome, isSuccess, send } from '../send.ts'
import { signDelivery } from '../signatures/sign-delivery.ts'
import { readSignatureSchemes } from '../signatures/signature-schemes.ts'
import type { Attempt, Subject } from './claim-attempt.ts'
import { type MadeAttempt, recordFailure, recordSuccess, recordUnreadable } from './record-attempt.ts'

/** Calls the endpoint once. A forbidden URL is an outcome as well. */
export async function callEndpoint(env: Bindings, subject: Subject, body: string, now: number): Promise<CallOutcome> {
  const { url, bearerToken, id: eventId } = subject
  const { origin } = readPublicUrl(env)
  const issue = getEndpointIssue(url, {
    allowInsecureWebhooks: Boolean(env.ALLOW_INSECURE_WEBHOOKS),
    endpoints: env,
    ownHosts: origin === undefined ? [] : [new URL(origin).host],
  })
  if (issue !== undefined) return { durationMs: 0, error: `not called: the address ${issue}` }
  const { webhookId, filter } = subject
  const signer = { webhookId, secrets: getActiveSecrets(subject.secrets, now), schemes: readSignatureSchemes(filter) }
  return send({
    url,
    bearerToken,
    eventId,
    body,
    sign: (timestamp) => signDelivery(env, signer, { id: eventId, timestamp, body }),
  })
}

/** The body in the shape of the delivery. A shape that is gone leaves it whole. */
export function shapeBody({ claim, subject }: Pick<Attempt, 'claim' | 'subject'>, payload: string): string {
  const shape = subject.shapes.find(({ number }) => number === claim.shape)
  return shape ? applyShape(payload, shape) : payload
}

/** Returns the body; undefined if the stored event is damaged, which it reports. */
export function renderBody(database: Database, subject: Subject): string | undefined {
  try {
    return renderPayload(subject)
  } catch (error) {
    if (!(error instanceof DamagedError)) throw error
    database.report([error.damage])
    return undefined
  }
}

/** Calls the endpoint for a claimed attempt, records the outcome and enqueues the next attempt. */
export async function makeAttempt(env: Bindings, attempt: Attempt): Promise<void> {
  const { database, message, startedAt, subject } = attempt
  const payload = renderBody(database, subject)
  if (payload === undefined) return recordUnreadable(database, message, startedAt)
  const outcome = await callEndpoint(env, subject, shapeBody(attempt, payload), startedAt)
  const { merchantId, testMode } = subject
  const scope = { merchantId, testMode }
  const made = {
    database,
    message,
    scope,
    startedAt,
    finishedAt: nowInSeconds(),
    outcome,
    subject: attempt.claim.subject,
  }
  if (isSuccess(outcome)) await handleSuccess(env, attempt, made)
  else await handleFailure(env, attempt, made, payload)
}

/** Enqueues deliveries that waited for one that is final. */
const enqueueReleased = (env: Bindings, merchant: string, released: readonly RowOf<typeof pendingFields>[]) =>
  enqueueMerchantDeliveries(env, merchant, released.map(toPendingDelivery))

/** Records a success and releases the deliveries that waited for it. */
async function handleSuccess(env: Bindings, { database, message }: Attempt, made: MadeAttempt): Promise<void> {
  const { wasBroken, released } = await recordSuccess(made)
  const { merchant, webhook } = message
  if (released.length > 0) await enqueueReleased(env, merchant, released)
  const now = made.finishedAt
  // Deliveries to a broken endpoint have no messages.
  if (wasBroken) await releaseWave(env, database, { merchant, webhook, now, before: now })
}

/** Records a failure, then deactivates the webhook, enqueues its next probe, or enqueues the next attempt. */
async function handleFailure(
  env: Bindings,
  { database, claim, subject, message, isProbe }: Attempt,
  made: MadeAttempt,
  payload: string,
): Promise<void> {
  const { merchant, webhook: seq, event, n } = message
  const { outcome, finishedAt: now } = made
  const tries = n - claim.base
  const gone = outcome.status === 410
  const isTest = subject.type === testEventType
  const isLast = tries >= claim.most || (gone && isTest)
  const delay = isLast ? undefined : getNextDelay(tries, Math.random(), outcome.retryAfter)
  const slow = subject.failures + 1 >= failuresUntilSlow
  const failure = { delay, slow, payload, webhookVersion: subject.webhookVersion, event: subject }
  const { webhook, next, isProbeScheduled, released } = await recordFailure(made, failure)
  // During the call, the webhook was deleted and its pending deliveries were cancelled.
  if (!webhook) return
  const { failures, failingSince, probeAt } = webhook
  const reason = isTest
    ? undefined
    : deactivation.getReason({ gone, failures, failingSeconds: now - (failingSince ?? now) })
  if (reason !== undefined && (await deactivation.deactivate(env, database, subject, reason))) return
  if (failures >= circuitBreaker.failures) {
    // The whole endpoint has one message: the probe, or the failure that broke the endpoint, enqueues the next call.
    if (!next || !(isProbe || isProbeScheduled)) return
    const probe = { webhook: seq, event: next.event, slow: true, n: next.attempt + 1 }
    await enqueueMerchantDeliveries(env, merchant, [probe], Math.max(probeAt ?? 0, next.dueAt) - now)
  } else if (released.length > 0) {
    await enqueueReleased(env, merchant, released)
  } else if (delay !== undefined && delay <= maxDelaySeconds) {
    await enqueueMerchantDeliveries(env, merchant, [{ webhook: seq, event, slow, n: n + 1 }], delay)
  }
}
