import { sql } from 'drizzle-orm'
import { type Context, Hono } from 'hono'
import { recordTitled } from '../catalogue/resource/deleted/title.ts'
import { createBearerToken, createSigningSecret, webhooks } from '../catalogue/resources/webhooks.ts'
import { requireScope } from '../platform/auth/authenticate.ts'
import { DamagedError } from '../platform/db/damaged-rows.ts'
import { allOf, lazy, param } from '../platform/db/database.ts'
import { columnParam, db, typed } from '../platform/db/query.ts'
import { webhookTable } from '../platform/db/schema/resources/webhooks.ts'
import { commit } from '../platform/db/transaction.ts'
import { notFound } from '../platform/errors.ts'
import type { Env } from '../platform/http/context.ts'
import { getActor } from '../platform/http/context.ts'
import { idempotent } from '../platform/http/idempotency.ts'
import { nowInSeconds } from '../platform/lib/time.ts'
import { isWebhook } from './rows/conditions.ts'
import { parseSecrets, rotateSecrets } from './secrets.ts'

const statements = {
  find: lazy(() =>
    typed({ secrets: sql<string>`${webhookTable.secrets}` }, (select) =>
      db.select(select).from(webhookTable).where(isWebhook),
    ),
  ),
  /** Replaces the secrets if they are still `:expected`. */
  replace: lazy(() =>
    typed({ seq: webhookTable.seq }, (select) =>
      db
        .update(webhookTable)
        .set({ secrets: sql`${param('secrets')}` })
        .where(allOf(isWebhook, sql`${webhookTable.secrets} = ${param('expected')}`))
        .returning(select),
    ),
  ),
  replaceToken: lazy(() =>
    typed({ seq: webhookTable.seq }, (select) =>
      db
        .update(webhookTable)
        .set({ bearerToken: columnParam(webhookTable.bearerToken, 'token') })
        .where(isWebhook)
        .returning(select),
    ),
  ),
}

const getValues = (c: Context<Env>) => ({ ...c.var.scope, id: c.req.param('id') })

/** Returns the secrets, and their stored text for `replace`. */
async function findSecrets(c: Context<Env>) {
  const { database } = c.var
  const row = await database.findNamed(async () => (await database.run([statements.find(), getValues(c)]))[0][0])
  if (!row) throw notFound()
  const secrets = parseSecrets(row.secrets)
  if (!secrets) {
    const { merchantId } = c.var.scope
    throw new DamagedError({ table: 'webhooks', id: c.req.param('id') ?? '', merchantId, fields: ['secrets'] })
  }
  return { expected: row.secrets, secrets }
}

/** Routes of the credentials that receivers verify: the signing secret and the bearer token. */
export const secretRoutes = new Hono<Env>()
  .get('/:id/secret', requireScope('webhooks:write'), async (c) => {
    const [current] = (await findSecrets(c)).secrets
    return c.json({ secret: current?.secret ?? '' }, 200)
  })
  .post('/:id/secret/rotate', idempotent, async (c) => {
    const now = nowInSeconds()
    for (;;) {
      c.var.database.usePrimary()
      const { expected, secrets } = await findSecrets(c)
      const secret = createSigningSecret()
      const next = rotateSecrets(secrets, secret, now)
      const values = { ...getValues(c), expected, secrets: JSON.stringify(next) }
      const response = c.json({ secret }, 200)
      const operation = {
        operation: 'webhooks.secret.rotate',
        object: c.req.param('id'),
        record: recordTitled(webhooks),
        response,
      }
      const [rows] = await commit(getActor(c), operation, [[statements.replace(), values]])
      if (rows.length > 0) return response
    }
  })
  .post('/:id/token/rotate', idempotent, async (c) => {
    const token = createBearerToken()
    const response = c.json({ bearerToken: token }, 200)
    const operation = {
      operation: 'webhooks.token.rotate',
      object: c.req.param('id'),
      record: recordTitled(webhooks),
      response,
    }
    const [rows] = await commit(getActor(c), operation, [[statements.replaceToken(), { ...getValues(c), token }]])
    if (rows.length === 0) throw notFound()
    return response
  })
