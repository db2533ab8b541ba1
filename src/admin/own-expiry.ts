import type { Context } from 'hono'
import { ApiError } from '../platform/errors.ts'
import type { Env } from '../platform/http/context.ts'
import { nowInSeconds } from '../platform/lib/time.ts'
import { keyStatements as statements } from './keys/key-statements.ts'

/**
 * Time when the key of the request expires, in seconds. Infinity for members (their sessions expire) and the operator: they can create keys that
 * never expire. The transaction rejects a key that has expired since.
 */
export async function findOwnExpiry(c: Context<Env>): Promise<number> {
  const { scope, actor, database } = c.var
  if (!scope) return Number.POSITIVE_INFINITY
  const [[key]] = await database.run([statements.find(), { merchantId: scope.merchantId, id: actor }])
  const { expiresAt = 0 } = key ?? {}
  return expiresAt > nowInSeconds() ? expiresAt : Number.POSITIVE_INFINITY
}

/** Rejects a key that expires or is limited to addresses, because a membership is not. */
export async function requireNoExpiry(c: Context<Env>): Promise<void> {
  if (c.var.allowedIps)
    throw new ApiError('forbidden', 'A key that is limited to addresses cannot invite members or change roles.')
  if (Number.isFinite(await findOwnExpiry(c)))
    throw new ApiError('forbidden', 'A key that expires cannot invite members or change roles.')
}
