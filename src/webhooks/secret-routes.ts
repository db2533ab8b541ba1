import { sql } from 'drizzle-orm'
import { type Context, Hono } from 'hono'
import { requireScope } from '../auth/authenticate.ts'
import { DamagedError } from '../db/damaged-rows.ts'
import { compile, lazy, param } from '../db/database.ts'
import { commit } from '../db/transaction.ts'
import { ApiError, notFound } from '../errors.ts'
import type { Env } from '../http/context.ts'
import { getActor } from '../http/context.ts'
import { noBody } from '../http/request-body.ts'
import { createBearerToken, createSigningSecret } from '../resources/webhooks.ts'
import { getActiveSecrets, maxActiveSecrets, parseSecrets } from './secrets.ts'

const isWebhook = sql`merchant_id = ${param('merchantId')} and test_mode = ${param('testMode')} and id = ${param('id')}`

const statements = {
  find: lazy(() => compile(sql`select secrets from webhooks where ${isWebhook}`)),
  replace: lazy(() =>
    compile(sql`
      update webhooks set secrets = ${param('secrets')} where ${isWebhook} and secrets = ${param('expected')} returning seq`),
  ),
  replaceToken: lazy(() =>
    compile(sql`update webhooks set bearer_token = ${param('token')} where ${isWebhook} returning seq`),
  ),
}

const getValues = (c: Context<Env>) => ({ ...c.var.scope, id: c.req.param('id') })

async function findSecrets(c: Context<Env>) {
  const [[row] = []] = await c.var.database.run([statements.find(), getValues(c)])
  if (!row) throw notFound()
  const expected = String(row['secrets'])
  const secrets = parseSecrets(expected)
  if (!secrets) {
    const { merchantId } = c.var.scope
    throw new DamagedError({ table: 'webhooks', id: String(c.req.param('id')), merchantId, fields: ['secrets'] })
  }
  return { expected, secrets }
}

/** What a receiver checks a delivery by: the signing secret and the bearer token. */
export const secretRoutes = new Hono<Env>()
  .get('/:id/secret', requireScope('webhooks:write'), async (c) => {
    const [current] = (await findSecrets(c)).secrets
    return c.json({ secret: current?.secret ?? '' }, 200)
  })
  .post('/:id/secret/rotate', noBody, async (c) => {
    const now = Math.floor(Date.now() / 1000)
    for (;;) {
      c.var.database.usePrimary()
      const { expected, secrets } = await findSecrets(c)
      const still = getActiveSecrets(secrets, now)
      if (still.length >= maxActiveSecrets) {
        throw new ApiError(
          'conflict',
          `${maxActiveSecrets} secrets are signing already; each goes on for a day after it was replaced.`,
        )
      }
      const secret = createSigningSecret()
      const next = [{ secret }, ...still.map((old) => ({ retiredAt: now, ...old }))]
      const values = { ...getValues(c), expected, secrets: JSON.stringify(next) }
      const answer = () => c.json({ secret }, 200)
      const operation = { operation: 'webhooks.secret.rotate', object: c.req.param('id'), answer }
      const [rows = []] = await commit(getActor(c), operation, [[statements.replace(), values]])
      if (rows.length > 0) return answer()
    }
  })
  .post('/:id/token/rotate', noBody, async (c) => {
    const token = createBearerToken()
    const answer = () => c.json({ bearerToken: token }, 200)
    const operation = { operation: 'webhooks.token.rotate', object: c.req.param('id'), answer }
    const [rows = []] = await commit(getActor(c), operation, [[statements.replaceToken(), { ...getValues(c), token }]])
    if (rows.length === 0) throw notFound()
    return answer()
  })
