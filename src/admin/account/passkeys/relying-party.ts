import type { Bindings } from '../../../platform/env.ts'
import { ApiError } from '../../../platform/errors.ts'
import { parsePublicUrl, requirePublicUrl } from '../../../platform/http/public-url.ts'

/**
 * Origin of the console, and the id that passkeys are bound to: its host name. From `CONSOLE_ORIGIN` or `PUBLIC_BASE_URL`, never from the
 * request. Throws `not_supported` if neither is set.
 */
export function getRelyingParty(env: Bindings): { origin: string; id: string } {
  const parsed = env.CONSOLE_ORIGIN ? parsePublicUrl(env.CONSOLE_ORIGIN).origin : requirePublicUrl(env)
  const url = parsed === undefined ? null : URL.parse(parsed)
  if (!url) throw new ApiError('not_supported', 'Passkeys require the variable CONSOLE_ORIGIN or PUBLIC_BASE_URL.')
  return { origin: url.origin, id: url.hostname }
}
