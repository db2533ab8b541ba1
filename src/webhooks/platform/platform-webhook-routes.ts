import { type Context, Hono } from 'hono'
import type * as z from 'zod/mini'
import { busy, maxWriteAttempts, pauseAfter } from '../../catalogue/resource/object-lock.ts'
import { createBearerToken, createSigningSecret } from '../../catalogue/resources/webhooks.ts'
import { platformList } from '../../platform/db/home/d1-connection.ts'
import { commit } from '../../platform/db/transaction.ts'
import { ApiError, invalid, notFound } from '../../platform/errors.ts'
import { type Env, getActor } from '../../platform/http/context.ts'
import { idempotent } from '../../platform/http/idempotency.ts'
import { readPage } from '../../platform/http/keyset-list.ts'
import { nextLink, pageQuery } from '../../platform/http/pagination.ts'
import { getPublicOrigin } from '../../platform/http/public-url.ts'
import { jsonBody } from '../../platform/http/request-body.ts'
import { type ParsedBody, query } from '../../platform/http/validation.ts'
import { getEndpointIssue } from '../../platform/lib/endpoint-url.ts'
import { createId } from '../../platform/lib/ids.ts'
import { log } from '../../platform/lib/log.ts'
import { nowInSeconds } from '../../platform/lib/time.ts'
import { rotateSecrets } from '../secrets.ts'
import {
  platformWebhookBodies as bodies,
  type platformWebhookFullView,
  platformWebhookLimits,
  platformWebhookPrefix,
  platformWebhookRules as rules,
} from './platform-webhook-fields.ts'
import {
  findPlatformSecrets,
  findPlatformWebhook,
  platformWebhookStatements as statements,
  toPlatformView,
} from './platform-webhook-store.ts'

const fieldsOf = ({ patch, issues }: ParsedBody) => {
  if (issues.length > 0) throw invalid(issues)
  return patch
}

/** Rejects an address that must not be called, and ids of unknown merchants. */
async function requireTargets(c: Context<Env>, url: string | undefined, merchants: 'all' | readonly string[] = 'all') {
  const { env, var: vars } = c
  const origin = getPublicOrigin(c)
  const ownHosts = [c.req.url, ...(origin ? [origin] : [])].map((address) => new URL(address).host)
  const allowInsecureWebhooks = Boolean(env.ALLOW_INSECURE_WEBHOOKS)
  const issue =
    url === undefined ? undefined : getEndpointIssue(url, { allowInsecureWebhooks, endpoints: env, ownHosts })
  if (issue !== undefined) throw invalid([{ pointer: '/url', code: 'invalid_value', message: issue }])
  if (merchants === 'all') return
  vars.database.usePrimary()
  const [found] = await vars.database.run([statements.findMerchants(), { merchants: JSON.stringify(merchants) }])
  const known = new Set(found.map(({ id }) => id))
  const missing = merchants.flatMap((id, index) =>
    known.has(id) ? [] : [{ pointer: `/merchants/${index}`, code: 'not_found' as const, message: 'is no merchant' }],
  )
  if (missing.length > 0) throw invalid(missing)
}

function report(c: Context<Env>, webhook: string, change: string): void {
  platformList.readAtMs = 0
  log(c.env, 'platform webhook changed', { webhook, change, by: c.var.actor ?? 'operator' })
}

/** Webhooks of the operator. Mounted under `/admin/webhooks`. */
export const platformWebhookRoutes = new Hono<Env>()
  .get('/', query(pageQuery), async (c) => {
    const { items, next } = await readPage(
      c.var.database,
      statements.list,
      'platform webhooks',
      {},
      c.req.valid('query'),
    )
    if (next !== undefined) c.header('Link', nextLink(c.req.url, next))
    return c.json(items.map(toPlatformView), 200)
  })
  .post('/', jsonBody(rules.create), idempotent, async (c) => {
    const { title, url, events, merchants } = bodies.create.parse(fieldsOf(c.req.valid('json')))
    await requireTargets(c, url, merchants)
    const [id, bearerToken, secret, now] = [
      createId(platformWebhookPrefix),
      createBearerToken(),
      createSigningSecret(),
      nowInSeconds(),
    ]
    const createdBy = c.var.actor ?? 'operator'
    const shown: z.output<typeof platformWebhookFullView> = {
      ...{ id, title, url, events, merchants, active: true, failures: 0, createdBy, createdAt: now, updatedAt: now },
      bearerToken,
      secret,
    }
    const response = c.json(shown, 201)
    const [rows] = await commit(getActor(c), { response }, [
      [
        statements.insert(),
        {
          ...{ id, title, url, events, bearerToken, createdBy, createdAt: now },
          merchants: merchants === 'all' ? null : merchants,
          secrets: [{ secret }],
        },
      ],
    ])
    if (rows.length === 0)
      throw new ApiError('too_many', `There are at most ${platformWebhookLimits.webhooks} platform webhooks.`)
    report(c, id, 'create')
    return response
  })
  .get('/:webhookId', async (c) => c.json(toPlatformView(await findPlatformWebhook(c, c.req.param('webhookId'))), 200))
  .post('/:webhookId', jsonBody(rules.update), idempotent, async (c) => {
    const patch = bodies.update.parse(fieldsOf(c.req.valid('json')))
    await requireTargets(c, patch.url, patch.merchants)
    for (let attempt = 0; attempt < maxWriteAttempts; attempt++) {
      const stored = await findPlatformWebhook(c, c.req.param('webhookId'))
      const before = toPlatformView(stored)
      const now = nowInSeconds()
      const active = patch.active ?? before.active
      const resets = (patch.url !== undefined && patch.url !== before.url) || (active && !before.active)
      const after = {
        ...before,
        ...patch,
        disabledReason: active ? undefined : before.disabledReason,
        ...(resets && { failures: 0, failingSince: undefined }),
        updatedAt: now,
      }
      const response = c.json(after, 200)
      const values = {
        ...after,
        merchants: after.merchants === 'all' ? null : after.merchants,
        ...{ resets: resets ? 1 : 0, now, expected: stored.version },
      }
      const [rows] = await commit(getActor(c), { response }, [[statements.update(), values]])
      if (rows.length > 0) {
        report(c, before.id, 'update')
        return response
      }
      await pauseAfter(attempt)
    }
    throw busy()
  })
  .delete('/:webhookId', async (c) => {
    const id = c.req.param('webhookId')
    // The sweep ends its pending deliveries and its backlogs, which name the objects to visit.
    const [[removed]] = await commit(getActor(c), {}, [[statements.remove(), { id }]])
    if (!removed) throw notFound()
    report(c, id, 'delete')
    return c.json({ id, object: toPlatformView(removed), message: 'Webhook deleted', deleted: true as const }, 200)
  })
  .get('/:webhookId/secret', async (c) => {
    const [current] = (await findPlatformSecrets(c, c.req.param('webhookId'))).secrets
    return c.json({ secret: current?.secret ?? '' }, 200)
  })
  .post('/:webhookId/secret/rotate', idempotent, async (c) => {
    const id = c.req.param('webhookId')
    for (;;) {
      const { expected, secrets } = await findPlatformSecrets(c, id)
      const secret = createSigningSecret()
      const values = { id, expected, secrets: JSON.stringify(rotateSecrets(secrets, secret, nowInSeconds())) }
      const response = c.json({ secret }, 200)
      const [rows] = await commit(getActor(c), { response }, [[statements.replaceSecrets(), values]])
      if (rows.length > 0) {
        report(c, id, 'secret')
        return response
      }
    }
  })
  .post('/:webhookId/token/rotate', idempotent, async (c) => {
    const [id, token] = [c.req.param('webhookId'), createBearerToken()]
    const response = c.json({ bearerToken: token }, 200)
    const [rows] = await commit(getActor(c), { response }, [[statements.replaceToken(), { id, token }]])
    if (rows.length === 0) throw notFound()
    report(c, id, 'token')
    return response
  })
