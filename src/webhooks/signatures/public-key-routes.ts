import { eq, sql } from 'drizzle-orm'
import { Hono } from 'hono'
import * as z from 'zod/mini'
import { allOf, lazy, param } from '../../platform/db/database.ts'
import { directoryDatabase } from '../../platform/db/home/d1-connection.ts'
import { merchantDatabase } from '../../platform/db/home/merchant-connection.ts'
import { db, typed } from '../../platform/db/query.ts'
import { platformWebhookTable } from '../../platform/db/schema/directory/platform-webhooks.ts'
import { webhookTable } from '../../platform/db/schema/resources/webhooks.ts'
import { notFound } from '../../platform/errors.ts'
import type { Env } from '../../platform/http/context.ts'
import { countMiss, createRateLimitError, isLimited } from '../../platform/http/rate-limit.ts'
import { query } from '../../platform/http/validation.ts'
import { nowInSeconds } from '../../platform/lib/time.ts'
import { getActiveSecrets, parseSecrets, secretOverlapSeconds } from '../secrets.ts'
import { getPublicKey } from './asymmetric-keys.ts'

export const keysQuery = z.strictObject({
  merchant: z
    .optional(z.string())
    .check(
      z.describe('`merchantId` of the event. Required for a webhook of a merchant; a platform webhook needs none.'),
    ),
  webhook: z.string().check(z.describe('Id of the webhook.')),
})

export const keysView = z.object({
  keys: z
    .array(
      z.object({
        key: z
          .string()
          .check(z.describe('Public key in the format of Standard Webhooks: `whpk_` and 32 bytes in base64.')),
        expiresAt: z
          .optional(z.int())
          .check(
            z.describe(
              'Time from which the key signs nothing, in seconds since 1970-01-01 UTC. Absent: the key is current.',
            ),
          ),
      }),
    )
    .check(z.describe('Public keys, the current one first.')),
})

/** Lifetime of a response in caches, in seconds. A new key signs together with the one before it for a day. */
const maxAgeSeconds = 300

const findSecrets = lazy(() =>
  typed({ secrets: sql<string>`${webhookTable.secrets}` }, (select) =>
    db
      .select(select)
      .from(webhookTable)
      .where(
        allOf(
          eq(webhookTable.merchantId, param('merchantId')),
          sql`${webhookTable.testMode} in (0, 1)`,
          eq(webhookTable.id, param('id')),
        ),
      ),
  ),
)

const findPlatformSecrets = lazy(() =>
  typed({ secrets: sql<string>`${platformWebhookTable.secrets}` }, (select) =>
    db
      .select(select)
      .from(platformWebhookTable)
      .where(eq(platformWebhookTable.id, param('id'))),
  ),
)

/** Public keys of a webhook, which receivers verify `v1a` signatures with. Needs no key: the response has nothing that signs. */
export const publicKeyRoutes = new Hono<Env>().get('/webhook-keys', query(keysQuery), async (c) => {
  if (isLimited(c)) throw createRateLimitError('MISSES')
  const { merchant, webhook: webhookId } = c.req.valid('query')
  const database =
    merchant === undefined
      ? directoryDatabase(c.env)
      : merchantDatabase(c.env, { merchantId: merchant, home: undefined })
  // A webhook may be younger than a replica.
  database.usePrimary()
  const find = merchant === undefined ? findPlatformSecrets() : findSecrets()
  const [[row]] = await database.run([find, { merchantId: merchant, id: webhookId }])
  const secrets = row && parseSecrets(row.secrets)
  if (!secrets) throw await countMiss(c, notFound())
  const keys = getActiveSecrets(secrets, nowInSeconds()).map(async ({ generation = 0, retiredAt }) => ({
    key: await getPublicKey(c.env, { webhookId, generation }),
    ...(retiredAt !== undefined && { expiresAt: retiredAt + secretOverlapSeconds }),
  }))
  return c.json({ keys: await Promise.all(keys) }, 200, { 'cache-control': `public, max-age=${maxAgeSeconds}` })
})
