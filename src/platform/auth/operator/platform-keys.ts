import { and, eq, gt, isNull, lt, or } from 'drizzle-orm'
import type { Context } from 'hono'
import * as z from 'zod/mini'
import { compile, databaseNow, lazy, param } from '../../db/database.ts'
import { directoryDatabase } from '../../db/home/d1-connection.ts'
import { columnParam, db, typed } from '../../db/query.ts'
import { platformKeyTable as table } from '../../db/schema/directory/platform-keys.ts'
import type { Env } from '../../http/context.ts'
import { hashKey } from '../../lib/encoding/sha256.ts'
import { nowInSeconds } from '../../lib/time.ts'
import { lastUsedPrecisionSeconds, requireAllowedAddress } from '../api-keys.ts'
import { isWellFormedPlatformKey } from '../key-format.ts'

/** Scopes of platform keys. None of them reads data of merchants in a response or creates keys. */
export const platformScopes = [
  'platform:merchants:read',
  'platform:merchants:write',
  'platform:usage:read',
  'platform:webhooks:read',
  'platform:webhooks:write',
] as const
export type PlatformScope = (typeof platformScopes)[number]

const list = z.catch(z.optional(z.array(z.string())), [])
/** A stored list. A damaged value counts as an empty list: no scopes, and no addresses. */
export const readStoredList = (value: unknown) => list.parse(value ?? undefined)

const statements = {
  find: lazy(() =>
    typed(
      { id: table.id, scopes: table.scopes, allowedIps: table.allowedIps, lastUsedAt: table.lastUsedAt },
      (select) =>
        db
          .select(select)
          .from(table)
          .where(and(eq(table.hash, param('hash')), or(isNull(table.expiresAt), gt(table.expiresAt, databaseNow)))),
    ),
  ),
  touch: lazy(() =>
    compile(
      db
        .update(table)
        .set({ lastUsedAt: columnParam(table.lastUsedAt, 'now') })
        .where(and(eq(table.id, param('id')), or(isNull(table.lastUsedAt), lt(table.lastUsedAt, param('before'))))),
    ),
  ),
}

/** Id and scopes of a platform key that is neither revoked nor expired. Throws `address_not_allowed`. */
export async function findPlatformKey(c: Context<Env>, key: string) {
  if (!isWellFormedPlatformKey(key)) return undefined
  const database = directoryDatabase(c.env)
  database.usePrimary()
  const [[found]] = await database.run([statements.find(), { hash: await hashKey(key) }])
  if (!found) return undefined
  await requireAllowedAddress(c, { allowedIps: readStoredList(found.allowedIps) })
  const now = nowInSeconds()
  const before = now - lastUsedPrecisionSeconds
  if ((found.lastUsedAt ?? 0) < before) {
    // A failure must not affect the request. The next use writes the time instead.
    const touched = database.run([statements.touch(), { id: found.id, now, before }])
    c.executionCtx.waitUntil(touched.catch(() => undefined))
  }
  return { id: found.id, scopes: readStoredList(found.scopes) ?? [] }
}
