// Registers a webhook and prints its events until Ctrl-C: npx node examples/receiver.ts [PORT]
import { once } from 'node:events'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { createClient, verifyWebhook, WebhookVerificationError } from '../packages/client/src/client.ts'
import { key, merchantId, origin } from './account.ts'

const port = Number(process.argv[2] ?? 8790)
const client = createClient({ origin, merchantId, key })

async function register() {
  const webhook = await client.webhooks.create({
    title: 'Example',
    url: `http://127.0.0.1:${port}/hook`,
    events: ['*'],
  })
  if ('secret' in webhook && typeof webhook.secret === 'string') return { id: webhook.id, secret: webhook.secret }
  return { id: webhook.id, secret: (await client.webhooks.secret(webhook.id)).secret }
}

// Events are delivered at least once: a known id is acknowledged and ignored.
const knownIds = new Set<string>()
const app = new Hono()
app.post('/hook', async (c) => {
  // The first event, `webhook.created`, can arrive before the response to the registration.
  const { secret } = await registration
  const event = await verifyWebhook(await c.req.text(), c.req.raw.headers, secret)
  if (!knownIds.has(event.id)) console.log(`${event.timestamp} ${event.type} ${JSON.stringify(event.data)}`)
  knownIds.add(event.id)
  return c.body(null, 204)
})
app.onError((error, c) => c.text(error.message, error instanceof WebhookVerificationError ? 400 : 500))

// Listens before it registers, so that no event arrives at a closed port.
const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port })
await once(server, 'listening')
const registration = register()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, async () => {
    await client.webhooks.delete((await registration).id)
    process.exit()
  })
}
await registration
console.log(`Listening on port ${port}. Ctrl-C deletes the webhook and stops.`)
