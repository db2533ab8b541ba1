// Registers a webhook and prints its events until Ctrl-C: npx node examples/receiver.ts [PORT]
// With WEBHOOK_SECRET, it registers nothing and needs no service: `merchant-ordering certify` tests it.
import { once } from 'node:events'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import {
  createClient,
  verifyWebhook,
  type WebhookEvent,
  WebhookVerificationError,
} from '../packages/client/src/client.ts'

const port = Number(process.argv[2] ?? 8790)
const givenSecret = process.env['WEBHOOK_SECRET']

async function register() {
  if (givenSecret !== undefined) return { secret: givenSecret, remove: async () => undefined }
  const { key, merchantId, origin } = await import('./account.ts')
  const { webhooks } = createClient({ origin, merchantId, key })
  const webhook = await webhooks.create({ title: 'Example', url: `http://127.0.0.1:${port}/hook`, events: ['*'] })
  const { secret } = await webhooks.secret(webhook.id)
  return { secret, remove: () => webhooks.delete(webhook.id) }
}

// Events are delivered at least once: a known id is acknowledged and ignored. Keep the ids in your database, in the transaction of the effect.
const knownIds = new Set<string>()
// Events can overtake each other: an older version is ignored. The version of a deleted product is kept.
const products = new Map<string, { version: number; price: number | null }>()
// How many times each event had an effect, for `certify`.
const effects = new Map<string, number>()

function apply(event: WebhookEvent): void {
  if (knownIds.has(event.id)) return
  knownIds.add(event.id)
  console.log(`${event.timestamp} ${event.type} ${JSON.stringify(event.data)}`)
  if (event.type !== 'product.created' && event.type !== 'product.updated' && event.type !== 'product.deleted') return
  const { id, price = null } = event.data
  if (event.version <= (products.get(id)?.version ?? 0)) return
  products.set(id, { version: event.version, price: event.type === 'product.deleted' ? null : price })
  effects.set(event.id, (effects.get(event.id) ?? 0) + 1)
}

const app = new Hono()
app.post('/hook', async (c) => {
  // The first event, `webhook.created`, can arrive before the response to the registration.
  const { secret } = await registration
  apply(await verifyWebhook(await c.req.text(), c.req.raw.headers, secret))
  return c.body(null, 204)
})
// Questions of `merchant-ordering certify --check-url`, signed as deliveries are. Leave this out in production.
app.post('/check', async (c) => {
  const body = await c.req.text()
  await verifyWebhook(body, c.req.raw.headers, (await registration).secret)
  const questions: { event: string; object: string }[] = JSON.parse(body)
  return c.json(
    questions.map(({ event, object }) => ({
      times: effects.get(event) ?? 0,
      price: products.get(object)?.price ?? null,
    })),
  )
})
app.onError((error, c) => c.text(error.message, error instanceof WebhookVerificationError ? 400 : 500))

// Listens before it registers, so that no event arrives at a closed port.
const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port })
await once(server, 'listening')
const registration = register()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, async () => {
    await (await registration).remove()
    process.exit()
  })
}
await registration
console.log(`Listening on port ${port}. Ctrl-C deletes the webhook and stops.`)
