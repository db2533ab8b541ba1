import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { type Trip, watch } from '../support/d1.ts'
import { createWebhookHarness, now, type WebhookHarness } from '../support/webhook-harness.ts'

const failing = () => new Response(null, { status: 500 })
const breakerFailures = 10
export const probeSeconds = 30

export const sum = (trips: readonly Trip[], count: (trip: Trip) => number) =>
  trips.reduce((total, trip) => total + count(trip), 0)

/** Watches every call of D1 that the stage makes from here on. */
export function watchStage(harness: WebhookHarness) {
  const { database, trips } = watch(env.DB)
  Object.assign(harness.bindings, { DB: database })
  return trips
}

export const breakEndpoint = (id: string) =>
  env.DB.prepare('update webhooks set failures = ?, failing_since = ? where id = ?')
    .bind(breakerFailures, now(), id)
    .run()

/** A webhook whose endpoint is broken, and so many deliveries that are pending for it, each with its message. */
export async function createBacklog(pending: number) {
  const harness = await createWebhookHarness()
  const webhook = await harness.createWebhook({ events: ['order.created'] })
  harness.endpoint = failing
  await harness.post('/events', { type: 'order.created', data: {} })
  const [message] = harness.queued.splice(0)
  if (!message) throw new Error('nothing was rung')
  await harness.copyEvent(pending - 1)
  await breakEndpoint(webhook.id)
  for (const row of await harness.deliveries()) {
    if (row['state'] === 'pending')
      harness.queued.push({ ...message, body: { ...message.body, event: String(row['event']) } })
  }
  expect(harness.queued).toHaveLength(pending)
  return { harness, webhook }
}
