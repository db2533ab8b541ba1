import { createSenders } from '../../catalogue/resource/caller.ts'
import { merchantDatabase } from '../../platform/db/home/merchant-connection.ts'
import type { Bindings } from '../../platform/env.ts'
import { ApiError, problems, UnavailableError } from '../../platform/errors.ts'
import { writeJson } from '../../platform/http/exact-json.ts'
import { parseExactly } from '../../platform/http/validation.ts'
import { log } from '../../platform/lib/log.ts'
import { isObject } from '../../platform/lib/schema-guard.ts'
import { type Published, publicationRules, publishEvent } from '../event-routes.ts'

/** Parses an event by the rules of the HTTP body. */
function parseEvent(event: unknown) {
  if (!isObject(event)) throw new TypeError('invalid_request: the event must be an object')
  const text = writeJson(event)
  const parsed: unknown = JSON.parse(text)
  return parseExactly(publicationRules, isObject(parsed) ? parsed : {}, text)
}

/** Converts an error for the calling Worker, which receives its type and message: the code of the problem and its issues. */
function toRemoteError(env: Bindings, error: unknown): Error {
  if (error instanceof TypeError && error.message.startsWith('invalid_request: ')) return error
  if (error instanceof ApiError) {
    const { code, message, issues } = error
    if (code === 'not_found') return new Error('not_found: no merchant has this id')
    if (code === 'body_too_large') return new RangeError(`${code}: ${message}`)
    const [status] = problems[code]
    const isInvalid = status === 400 || status === 422
    const messages = issues.map((issue) => `${'pointer' in issue ? issue.pointer : issue.parameter} ${issue.message}`)
    const text = `${code}: ${messages.length > 0 ? messages.join('; ') : message}`
    return isInvalid ? new TypeError(text) : new Error(text)
  }
  log(env, 'event not published', { error: String(error) })
  return error instanceof UnavailableError
    ? new Error('unavailable: the database does not respond; try again')
    : new Error('internal: the service failed')
}

/** Publishes an event for a calling Worker. Throws errors for it. */
export async function publishRemotely(
  env: Bindings,
  context: Pick<ExecutionContext, 'waitUntil'>,
  [merchantId, testMode, event]: readonly [unknown, unknown, unknown],
): Promise<Published> {
  try {
    if (typeof merchantId !== 'string') throw new TypeError('invalid_request: merchantId must be the id of a merchant')
    if (typeof testMode !== 'boolean') throw new TypeError('invalid_request: testMode must be true or false')
    const parsed = parseEvent(event)
    const caller = {
      database: merchantDatabase(env, { merchantId, home: undefined }),
      scope: { merchantId, testMode },
      actor: 'system',
      validationContext: { allowInsecureWebhooks: false, ownHosts: [] },
      renderContext: { baseUrl: undefined },
      ...createSenders(env, merchantId, (sending) => context.waitUntil(sending)),
    }
    return await publishEvent(caller, parsed)
  } catch (error) {
    throw toRemoteError(env, error)
  }
}
