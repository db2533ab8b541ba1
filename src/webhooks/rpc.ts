import { WorkerEntrypoint } from 'cloudflare:workers'
import { merchantDatabase } from '../db/database.ts'
import type { Bindings } from '../env.ts'
import { ApiError, UnavailableError } from '../errors.ts'
import { writeJson } from '../http/exact-json.ts'
import { parseExactly } from '../http/validation.ts'
import { log } from '../lib/log.ts'
import { isObject } from '../lib/schema-guard.ts'
import { enqueueMerchantDeliveries, type PendingDelivery } from '../outbox/enqueue-deliveries.ts'
import { publicationRules, publishEvent } from './event-routes.ts'

/** The event as a body over HTTP would say it, checked by the same rules. */
function parseEvent(event: unknown) {
  if (!isObject(event)) throw new TypeError('invalid_request: the event must be an object')
  const text = writeJson(event)
  const given: unknown = JSON.parse(text)
  return parseExactly(publicationRules, isObject(given) ? given : {}, text)
}

/** An error as it arrives at another Worker, which gets the type and the message: the code of a problem, and what is wrong. */
function toRemoteError(env: Bindings, error: unknown): Error {
  if (error instanceof TypeError && error.message.startsWith('invalid_request: ')) return error
  if (error instanceof ApiError) {
    const { code, message, issues } = error
    if (code === 'not_found') return new Error('not_found: there is no merchant with this id')
    if (code === 'body_too_large') return new RangeError(`${code}: ${message}`)
    const faults = issues.map((issue) => `${'pointer' in issue ? issue.pointer : issue.parameter} ${issue.message}`)
    return new TypeError(`${code}: ${faults.length > 0 ? faults.join('; ') : message}`)
  }
  log(env, 'event not published', { error: String(error) })
  return error instanceof UnavailableError
    ? new Error('unavailable: the database does not answer; try again')
    : new Error('internal: something went wrong on the side of the service')
}

/** What another Worker gets over a service binding: the same as `POST /merchants/:merchantId/events`, without a key. */
export class Publisher extends WorkerEntrypoint<Bindings> {
  /**
   * Publishes an event for a merchant; returns its id. The types are what callers are asked for: whatever arrives is checked. The
   * message of an error begins with the code of the problem. A `TypeError` is an event or an argument that is not valid, a
   * `RangeError` an event of more than 256 KiB.
   */
  async publish(merchantId: string, testMode: boolean, event: unknown): Promise<{ id: string }> {
    try {
      if (typeof merchantId !== 'string')
        throw new TypeError('invalid_request: merchantId must be the id of a merchant')
      if (typeof testMode !== 'boolean') throw new TypeError('invalid_request: testMode must be true or false')
      const parsed = parseEvent(event)
      const session = {
        database: merchantDatabase(this.env, merchantId),
        scope: { merchantId, testMode },
        actor: 'system',
        validationContext: { allowInsecureWebhooks: false, ownHosts: [] },
        renderContext: { baseUrl: undefined },
        enqueue: (pending: readonly PendingDelivery[]) =>
          this.ctx.waitUntil(enqueueMerchantDeliveries(this.env, merchantId, pending)),
      }
      return { id: await publishEvent(session, parsed) }
    } catch (error) {
      throw toRemoteError(this.env, error)
    }
  }
}
