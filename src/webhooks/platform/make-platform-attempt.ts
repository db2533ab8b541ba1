import { directoryDatabase } from '../../platform/db/home/d1-connection.ts'
import { parkedUntil } from '../../platform/db/schema/events.ts'
import type { Bindings } from '../../platform/env.ts'
import { log } from '../../platform/lib/log.ts'
import { nowInSeconds } from '../../platform/lib/time.ts'
import type { DeliveryMessage } from '../../platform/messages.ts'
import { failuresUntilSlow } from '../../platform/outbox/circuit-breaker.ts'
import { enqueueMerchantDeliveries, maxDelaySeconds } from '../../platform/outbox/enqueue-deliveries.ts'
import { callEndpoint, renderBody, shapeBody } from '../attempts/make-attempt.ts'
import { attemptStatements, hasRoom, recordUnreadable, toAttemptValues } from '../attempts/record-attempt.ts'
import { deactivation } from '../deactivation.ts'
import { getNextDelay, limitRetryAfter } from '../retry-schedule.ts'
import { isSuccess } from '../send.ts'
import { endpointStatements, isEndpointBroken, toNumber } from './endpoints.ts'
import { claimPlatformAttempt, findProbe, type PlatformAttempt, recordBacklog } from './platform-attempt.ts'
import { releaseParked } from './release-parked.ts'

/** Calls the endpoint for a claimed attempt, records the outcome, and enqueues the next attempt. */
async function makePlatformAttempt(env: Bindings, attempt: PlatformAttempt): Promise<void> {
  const { database, directory, message, startedAt, subject, endpoint } = attempt
  const payload = renderBody(database, subject)
  if (payload === undefined) return recordUnreadable(database, message, startedAt)
  const outcome = await callEndpoint(env, subject, shapeBody(attempt, payload), startedAt)
  const now = nowInSeconds()
  const scope = { merchantId: subject.merchantId, testMode: subject.testMode }
  const made = { database, message, scope, startedAt, finishedAt: now, outcome, subject: null }
  const values = toAttemptValues(made)
  if (!isSuccess(outcome)) return recordFailure(env, attempt, { values, payload, outcome, now })
  const end = { delivered: true, gone: false, webhookVersion: null, state: 'delivered', dueAt: now, slow: false }
  await database.run([attemptStatements.finish(), { ...values, ...end }])
  if (endpoint.failures === 0) return
  const { number } = endpoint
  const [broken] = await directory.run(
    [endpointStatements.findBroken(), { number }],
    [endpointStatements.resetFailures(), { number }],
  )
  if (broken.length > 0) await releaseParked(env, directory, number, now)
}

interface Failure {
  values: ReturnType<typeof toAttemptValues>
  payload: string
  outcome: Parameters<typeof isSuccess>[0] & { retryAfter?: number | undefined }
  now: number
}

/** Records a failure, then deactivates the webhook, enqueues its next probe, or enqueues the next attempt. */
async function recordFailure(
  env: Bindings,
  { database, directory, message, claim, subject, endpoint, isProbe }: PlatformAttempt,
  { values, payload, outcome, now }: Failure,
): Promise<void> {
  const { merchant, webhook, event, n } = message
  const { number, webhookVersion } = endpoint
  const retryAfter = limitRetryAfter(outcome.retryAfter)
  const counting = { number, version: webhookVersion, now, retryAfter }
  const [[counted]] = await directory.run([endpointStatements.countFailure(), counting])
  const { failures, failingSince, probeAt } = counted ?? { failures: 0, failingSince: null, probeAt: null }
  const isBroken = isEndpointBroken({ failures })
  const tries = n - claim.base
  const gone = outcome.status === 410
  const delay = tries >= claim.most || gone ? undefined : getNextDelay(tries, Math.random(), outcome.retryAfter)
  const isFinal = delay === undefined
  const slow = failures >= failuresUntilSlow
  const dueAt = isBroken && !isFinal ? parkedUntil : now + (delay ?? 0)
  const end = {
    delivered: false,
    gone: false,
    webhookVersion: null,
    state: isFinal ? 'failed' : 'pending',
    dueAt,
    slow,
  }
  const payloads = hasRoom(subject, payload)
    ? [[attemptStatements.storePayload(), { ...subject, event: subject.id, payload }] as const]
    : []
  await database.run([attemptStatements.finish(), { ...values, ...end }], ...payloads)
  const reason = deactivation.getReason({ gone, failures, failingSeconds: now - (failingSince ?? now) })
  if (isFinal || isBroken || reason !== undefined) await recordBacklog(directory, message, isBroken ? 1 : 0)
  if (reason !== undefined && counted) {
    const [rows] = await directory.run([
      endpointStatements.deactivate(),
      { number, version: webhookVersion, now, reason },
    ])
    if (rows.length > 0) log(env, 'platform webhook deactivated', { webhook: subject.webhookId, reason })
    return
  }
  if (isBroken) {
    const isFirst = probeAt !== null && endpoint.failures < failures && !isEndpointBroken(endpoint)
    const next = isProbe || isFirst ? await findProbe(database, webhook, now) : undefined
    if (!next) return
    const probe = { webhook, event: next.event, slow: true, n: next.attempt + 1 }
    await enqueueMerchantDeliveries(env, next.merchantId ?? merchant, [probe], Math.max(0, (probeAt ?? now) - now))
  } else if (delay !== undefined && delay <= maxDelaySeconds) {
    await enqueueMerchantDeliveries(env, merchant, [{ webhook, event, slow, n: n + 1 }], delay)
  }
}

/** Claims the attempt of a message. Returns what makes it; undefined if it must not be made. */
export async function takePlatformMessage(env: Bindings, message: DeliveryMessage) {
  const claimed = await claimPlatformAttempt(env, message)
  return claimed && (() => makePlatformAttempt(env, claimed))
}

/** Releases the next parked deliveries of the platform webhook of a delivery. */
export const continueRecovery = (env: Bindings, webhook: number) =>
  releaseParked(env, directoryDatabase(env), toNumber(webhook), nowInSeconds())
