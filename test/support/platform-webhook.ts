import { env } from 'cloudflare:workers'
import { platformList } from '../../src/platform/db/home/d1-connection.ts'
import { adminToken } from './api.ts'
import type { WebhookHarness } from './webhook-harness.ts'

/** Removes all platform webhooks, so that the next test begins without one. */
export async function removePlatformWebhooks() {
  await env.DB.exec('delete from platform_webhooks')
  platformList.readAtMs = 0
}

/** A platform webhook whose endpoint is that of the harness, and requests about it. */
export async function createPlatformWebhook(harness: WebhookHarness, fields: object = {}) {
  const asOperator = (method: string, path: string, json?: unknown, key = adminToken) =>
    harness.request(method, `/admin/webhooks${path}`, json, key)
  const json = { title: 'Platform', url: `https://${harness.host}/all`, events: ['*'], merchants: 'all', ...fields }
  const { status, body } = await asOperator('POST', '', json)
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
  return {
    id: body.id as string,
    secret: body.secret as string,
    bearerToken: body.bearerToken as string,
    asOperator,
    get: async (path = '') => (await asOperator('GET', `/${body.id}${path}`)).body,
    post: (path: string, json: unknown = {}) => asOperator('POST', `/${body.id}${path}`, json),
    /** Deliveries of the venue to the webhook, as its database has them. */
    deliveries: () =>
      harness.query('select * from deliveries where webhook < 0 and merchant_id = ? order by event', harness.venue.id),
    /** Its row in the directory. */
    stored: () => env.DB.prepare('select * from platform_webhooks where id = ?').bind(body.id).first(),
  }
}
