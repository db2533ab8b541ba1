import { addToCounter, counterNames } from '../platform/db/counters.ts'
import { directoryDatabase } from '../platform/db/home/d1-connection.ts'
import { merchantDatabase } from '../platform/db/home/merchant-connection.ts'
import type { Bindings } from '../platform/env.ts'
import { isMisconfigured } from '../platform/http/public-url.ts'
import { log } from '../platform/lib/log.ts'
import { nowInSeconds } from '../platform/lib/time.ts'
import { type DeliveryMessage, deliveryMessage } from '../platform/messages.ts'
import { claimAttempt } from './attempts/claim-attempt.ts'
import { makeAttempt } from './attempts/make-attempt.ts'
import { releaseWave } from './backlog.ts'

/** How long the queue holds back a message whose delivery could not be claimed, in seconds. */
const claimRetrySeconds = 5

/** The part for platform webhooks, which deliveries name by negative numbers. */
const loadPlatform = () => import('./platform/make-platform-attempt.ts')

/** Claims an attempt. Returns what makes it; undefined if it must not be made. */
async function claim(env: Bindings, message: DeliveryMessage): Promise<(() => Promise<void>) | undefined> {
  if (message.webhook < 0) {
    const { takePlatformMessage } = await loadPlatform()
    return takePlatformMessage(env, message)
  }
  const claimed = await claimAttempt(env, message)
  return claimed && (() => makeAttempt(env, claimed))
}

/** Makes a claimed attempt. Then releases the next wave if the message has `wave`, even if another message has made the attempt. */
async function finish(env: Bindings, message: DeliveryMessage, make: (() => Promise<void>) | undefined): Promise<void> {
  try {
    await make?.()
  } finally {
    if (message.wave) await continueWave(env, message, message.wave)
  }
}

async function continueWave(
  env: Bindings,
  { merchant, webhook, event }: DeliveryMessage,
  wave: NonNullable<DeliveryMessage['wave']>,
): Promise<void> {
  if (webhook < 0) {
    const { continueRecovery } = await loadPlatform()
    await continueRecovery(env, webhook)
    return
  }
  const database = merchantDatabase(env, { merchantId: merchant, home: undefined })
  await releaseWave(env, database, { merchant, webhook, event, ...wave, now: nowInSeconds() })
}

/**
 * Handles the messages of a queue of deliveries. Claims are stored in D1, so a message is acknowledged as soon as its attempt is claimed.
 * Calls from the main queue continue after the batch: an endpoint that hangs delays no other delivery. Calls from the slow queue are
 * awaited: failing endpoints delay only one another.
 */
export async function consumeDeliveries(
  batch: MessageBatch<unknown>,
  env: Bindings,
  context: Pick<ExecutionContext, 'waitUntil'>,
): Promise<void> {
  // The scheduled run enqueues the deliveries again once the configuration is valid.
  if (isMisconfigured(env)) return batch.ackAll()
  const isSlow = batch.queue.endsWith('-slow')
  const handle = async (message: Message<unknown>) => {
    const { success, data: body } = deliveryMessage.safeParse(message.body)
    if (!success) {
      log(env, 'malformed delivery message', { queue: batch.queue, id: message.id })
      message.ack()
      return
    }
    try {
      const make = await claim(env, body)
      message.ack()
      const made = finish(env, body, make).catch((error: unknown) => {
        log(env, 'attempt not recorded', { ...body, error: String(error) })
      })
      if (isSlow) await made
      else context.waitUntil(made)
    } catch (error) {
      log(env, 'delivery not claimed', { ...body, error: String(error) })
      message.retry({ delaySeconds: claimRetrySeconds })
    }
  }
  await Promise.all(batch.messages.map(handle))
}

/**
 * Logs and counts messages that a queue gave up on. Scans are lost with their messages. Deliveries, imports, backups and moves are in the
 * database and are enqueued again; `npm run rebuild-tags` repairs copies in KV.
 */
export async function logDeadLetters(batch: MessageBatch<unknown>, env: Bindings): Promise<void> {
  for (const { id, body } of batch.messages) log({}, 'dead letter', { queue: batch.queue, id, body })
  try {
    await addToCounter(directoryDatabase(env), counterNames.deadLetters + batch.queue, batch.messages.length)
  } catch (error) {
    log(env, 'dead letters not counted', { queue: batch.queue, error: String(error) })
  }
  batch.ackAll()
}
