import { env } from 'cloudflare:workers'
import { adminToken, call } from '../../support/api.ts'
import type { Operation } from './post-operations.ts'

const webhook = { title: 'A', url: 'https://hooks.example.com/a', events: ['order.created'], merchants: 'all' }

/** A platform webhook, of which there are 10 at most. */
async function createPlatform(): Promise<string> {
  await env.DB.exec('delete from platform_webhooks')
  const { body } = await call('POST', '/admin/webhooks', adminToken, webhook)
  return `/admin/webhooks/${body.id}`
}

/** Operations on webhooks of the operator, which belong to no merchant. */
export const ofPlatform: readonly Operation[] = [
  {
    name: 'the creation of a platform webhook',
    status: 201,
    async prepare() {
      await env.DB.exec('delete from platform_webhooks')
      return { path: '/admin/webhooks', json: webhook, other: { ...webhook, title: 'B' }, token: adminToken }
    },
  },
  ...(
    [
      ['', { title: 'B' }, { title: 'C' }],
      ['/filter', { thin: true }, { thin: false }],
      ['/secret/rotate', undefined, { other: true }],
      ['/token/rotate', undefined, { other: true }],
    ] as const
  ).map(
    ([part, json, other]): Operation => ({
      name: `POST /admin/webhooks/…${part}`,
      status: 200,
      prepare: async () => ({ path: `${await createPlatform()}${part}`, json, other, token: adminToken }),
    }),
  ),
]
