import { WorkerEntrypoint } from 'cloudflare:workers'
import { merchantDatabase } from '../core/database.ts'
import { ring } from '../core/doorbell.ts'
import { createOutbox } from '../core/outbox.ts'
import type { Bindings } from '../env.ts'
import { webhookTable } from '../resources/webhooks.ts'
import { publication, publish } from './events.ts'

const outbox = createOutbox(webhookTable)

/** What another Worker gets over a service binding: the same as `POST /merchants/:merchantId/events`, without a key. */
export class Publisher extends WorkerEntrypoint<Bindings> {
  /** Publishes an event for a merchant; returns its id. Throws a `TypeError` when the event is not valid. */
  async publish(merchantId: string, testMode: boolean, event: unknown): Promise<{ id: string }> {
    const parsed = publication.safeParse(event)
    if (!parsed.success) throw new TypeError(`not an event that can be published: ${parsed.error.message}`)
    const session = {
      database: merchantDatabase(this.env, merchantId),
      scope: { merchantId, testMode },
      actor: 'system',
      situation: { allowInsecureWebhooks: false, ownHosts: [] },
      presentation: { baseUrl: undefined },
      announce: (rung: Parameters<typeof ring>[2]) => this.ctx.waitUntil(ring(this.env, merchantId, rung)),
    }
    return { id: await publish(session, outbox, parsed.data) }
  }
}
