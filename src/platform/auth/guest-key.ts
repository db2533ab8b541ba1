import type { Context } from 'hono'
import type { Scope } from '../db/scope.ts'
import { ApiError, merchantSuspended } from '../errors.ts'
import type { Env } from '../http/context.ts'
import { createRateLimitError, isLimited, isOverLimit } from '../http/rate-limit.ts'
import { findCredential, type KeyScope, requireAllowedAddress } from './api-keys.ts'
import { createUnauthenticatedError, getBearerToken, requireScopes } from './authenticate.ts'

/** The merchant and the mode of the key of a request for guests. Throws unless it is a key of the merchant with the scopes. */
export async function requireKey(c: Context<Env>, merchantId: string, scopes: readonly KeyScope[]): Promise<Scope> {
  const later = (work: Promise<unknown>) => c.executionCtx.waitUntil(work)
  const credential = await findCredential(c.env, getBearerToken(c), later, isLimited(c))
  if (!credential) throw await createUnauthenticatedError(c)
  await requireAllowedAddress(c, credential)
  if (await isOverLimit(c.env, 'REQUESTS', credential.id)) throw createRateLimitError('REQUESTS')
  if (credential.merchantId !== merchantId) throw new ApiError('forbidden', 'The key belongs to another merchant.')
  if (credential.suspended) throw merchantSuspended()
  requireScopes(credential.scopes, scopes)
  return { merchantId, testMode: credential.testMode }
}
