import { createExecutionContext, createMessageBatch, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, vi } from 'vitest'
import { app } from '../../../src/app/app.ts'
import { runScheduled } from '../../../src/app/maintenance/maintenance.ts'
import worker from '../../../src/index.ts'
import type { Bindings } from '../../../src/platform/env.ts'
import { limits } from '../../../src/platform/http/fields.ts'
import { createId } from '../../../src/platform/lib/ids.ts'
import { adminToken, call, origin } from '../../support/api.ts'
import { findObject, queryHome, ringAlarm } from '../../support/home.ts'
import { setLimits } from '../../support/limits.ts'
import { startMove } from '../../support/moves.ts'
import { createPlatformWebhook } from '../../support/platform-webhook.ts'
import { createWebhookHarness, type WebhookHarness } from '../../support/webhook-harness.ts'

const now = () => Math.floor(Date.now() / 1000)

/** Bindings whose queues keep their messages. */
export function createQueues() {
  const sent: { queue: string; body: unknown }[] = []
  const create = (queue: string): Queue<unknown> =>
    Object.assign(Object.create(null), {
      send: async (body: unknown) => void sent.push({ queue, body }),
      async sendBatch(batch: Iterable<MessageSendRequest<unknown>>) {
        for (const { body } of batch) sent.push({ queue, body })
      },
    })
  const deliveries = create('deliveries')
  const queues = {
    ...{ SCANS: create('scans'), IMPORTS: create('imports'), BACKUP_CHECKS: create('backups'), MOVES: create('moves') },
    ...{ DELIVERIES: deliveries, DELIVERIES_SLOW: deliveries },
  }
  return { sent, queues }
}

/** Late work: with these bindings, a queue delivers a message, the cron runs, or an alarm rings. */
export type Late = (bindings: Bindings) => Promise<unknown>
interface Setting {
  venue: WebhookHarness['venue']
  harness: WebhookHarness
  home: 'd1' | 'object'
  /** Sends a request whose messages `sent` has. */
  post: (path: string, json?: unknown, type?: string) => Promise<{ id: string }>
  sent: ReturnType<typeof createQueues>['sent']
}

const consume =
  (queue: string, ...bodies: unknown[]): Late =>
  async (bindings) => {
    const batch = createMessageBatch(
      queue,
      bodies.map((body) => ({ id: crypto.randomUUID(), timestamp: new Date(), attempts: 1, body })),
    )
    const context = createExecutionContext()
    await worker.queue(batch, bindings, context)
    await waitOnExecutionContext(context)
  }
/** Delivers the messages that a queue got since `clear`. */
const consumeSent = ({ sent }: Setting, queue: string): Late => {
  const bodies = sent.filter((message) => message.queue === queue).map(({ body }) => body)
  expect(bodies).not.toEqual([])
  return consume(queue, ...bodies)
}
const clear = ({ sent }: Setting) => void sent.splice(0)

/** Everything that the cron and an alarm can find due. */
async function makeDue(setting: Setting) {
  const { venue, post } = setting
  await post('/webhooks', { title: 'Till', url: `https://${setting.harness.host}/in`, events: ['*'] })
  const { id } = await post('/products', { title: 'Tea', price: 1 })
  await post(`/products/${id}/availability`, { soldOut: true, until: now() + 60 })
  await post('/service', { paused: true, until: now() + 60 })
  const operations = [{ op: 'update', resource: 'products', id, body: { price: 2 } }]
  await post('/releases', { title: 'Later', publishAt: now() + 60, operations })
  for (const sql of [
    'update availability set sold_out_until = 1 where merchant_id = ?',
    'update service_states set paused_until = 1 where merchant_id = ?',
    'update releases set publish_at = 1 where merchant_id = ?',
    `update deliveries set due_at = 1 where event in (select id from events where merchant_id = ?)`,
  ])
    await queryHome(venue.id, sql, venue.id)
}

/** Prepares late work for a new venue. */
export type Prepare = (setting: Setting) => Promise<Late>

/** Late work, by the name of its message: `platform/messages.ts` has all. */
export const works: Readonly<Record<string, readonly Prepare[]>> = {
  scanMessage: [
    async ({ venue, post }) => {
      const { id: tag } = await post('/tags', {})
      const scan = { kind: 'scan', merchant: venue.id, tag, at: Date.now(), channel: 'qr', timezone: 'UTC' }
      return consume('scans', { ...scan, id: createId('scan') }, { ...scan, id: createId('scan') })
    },
    async (setting) => {
      await setting.post('/tags', {})
      const merchant = setting.venue.id
      return consume(
        'scans',
        ...setting.sent.map(({ body }) => body),
        { kind: 'merchant', merchant },
        { kind: 'transaction', merchant, event: createId('evt') },
      )
    },
  ],
  deliveryMessage: [
    async (setting) => {
      setting.harness.endpoint = () => new Response(null, { status: 410 })
      await setting.post('/webhooks', { title: 'Till', url: `https://${setting.harness.host}/in`, events: ['*'] })
      await setting.post('/webhooks', { title: 'Log', url: 'https://log.venue.com/', events: ['*'] })
      clear(setting)
      await setting.post('/products', { title: 'Tea', price: 1 })
      return consumeSent(setting, 'deliveries')
    },
    async (setting) => {
      setting.harness.endpoint = () => new Response(null, { status: 500 })
      await createPlatformWebhook(setting.harness)
      await env.DB.exec('update platform_webhooks set failures = 9, failing_since = 1')
      clear(setting)
      await setting.post('/products', { title: 'Tea', price: 1 })
      return consumeSent(setting, 'deliveries')
    },
  ],
  importMessage: [
    async (setting) => {
      await setting.post('/imports?resource=products', 'externalId,title,price\nA,Tea,1\nB,Cake,x\n', 'text/csv')
      return consumeSent(setting, 'imports')
    },
    async (setting) => {
      const { id } = await setting.post('/imports?resource=products', 'externalId,title,price\nA,Tea,1\n', 'text/csv')
      await consumeSent(setting, 'imports')({ ...env, ...createQueues().queues })
      clear(setting)
      await setting.post(`/imports/${id}/apply`)
      return consumeSent(setting, 'imports')
    },
  ],
  pruningMessage: [
    async ({ venue, post }) => {
      const { id } = await post('/modifiers', { title: 'Milk', instructions: '', options: [{ label: 'Oat' }] })
      await post('/products', { title: 'Tea', price: 1, modifiers: [id] })
      // As an object that more objects name than one transaction can change.
      await queryHome(venue.id, 'update modifiers set test_mode = test_mode + 2 where id = ?', id)
      return consume('imports', { merchant: venue.id, pruning: true })
    },
  ],
  undoMessage: [
    async ({ venue, post, sent }) => {
      // More than one transaction can undo.
      setLimits(limits, { operations: 5 })
      const rows = Array.from({ length: limits.operations + 1 }, (_, row) => `E${row},Tea,1\n`).join('')
      const { id } = await post('/imports?resource=products', `externalId,title,price\n${rows}`, 'text/csv')
      const bindings = { ...env, ...createQueues().queues }
      const message = { merchant: venue.id, testMode: false, import: id }
      for (let step = 0; step < 2; step++) await consume('imports', message)(bindings)
      await post(`/imports/${id}/apply`)
      for (let step = 0; step < 3; step++) await consume('imports', message)(bindings)
      const { body } = await venue.get(`/imports/${id}`)
      sent.splice(0)
      await post(`/changes/${body.changeSet}/undo`)
      const undo = sent.filter(({ queue }) => queue === 'imports').map((message) => message.body)
      expect(undo).toEqual([expect.objectContaining({ merchant: venue.id })])
      return consume('imports', ...undo)
    },
  ],
  backupMessage: [
    async ({ venue }) => consume('backups', { merchant: venue.id }),
    async ({ venue }) => {
      const { body } = await call('POST', `/admin/merchants/${venue.id}/backups`, adminToken)
      return consume('backups', { merchant: venue.id, rehearse: true }, { merchant: venue.id, scrub: body.takenAt })
    },
  ],
  moveMessage: [
    async ({ venue, home }) => {
      await startMove(venue.id, { home: home === 'd1' ? 'object' : 'd1' })
      return consume('moves', { merchant: venue.id })
    },
  ],
}
/** Late work without a message. */
export const timed: readonly Prepare[] = [
  async (setting) => {
    await makeDue(setting)
    return async (bindings) => {
      // In the night, when backups are due.
      vi.setSystemTime(Math.ceil(Date.now() / 86_400_000) * 86_400_000 + 2 * 3_600_000)
      await runScheduled(bindings)
    }
  },
  async (setting) => {
    await makeDue(setting)
    return async (bindings) => {
      if (await findObject(setting.venue.id)) await ringAlarm(setting.venue.id, bindings)
    }
  },
]

/** A new venue. */
export async function createSetting(home: 'd1' | 'object'): Promise<Setting> {
  const harness = await createWebhookHarness(home === 'object' ? { home } : {})
  const { sent, queues } = createQueues()
  const post = async (path: string, json?: unknown, type = 'application/json') => {
    const { key } = harness.venue
    const body = typeof json === 'string' ? json : JSON.stringify(json)
    const headers = { authorization: `Bearer ${key}`, 'content-type': type }
    const init = { method: 'POST', headers, ...(json === undefined ? {} : { body }) }
    const context = createExecutionContext()
    const response = await app.fetch(new Request(origin + harness.path(path), init), { ...env, ...queues }, context)
    const result: { id: string } = await response.json()
    await waitOnExecutionContext(context)
    expect([path, response.ok, result]).toEqual([path, true, result])
    return result
  }
  return { venue: harness.venue, harness, home, post, sent }
}
