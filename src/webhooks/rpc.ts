import { WorkerEntrypoint } from 'cloudflare:workers'
import type { Bindings } from '../platform/env.ts'
import type { Published } from './event-routes.ts'

/** The entrypoint for service bindings: `POST /merchants/:merchantId/events` without a key. */
export class Publisher extends WorkerEntrypoint<Bindings> {
  /**
   * Publishes an event for a merchant and returns its id. All arguments are validated, whatever their types at the caller. An error's
   * message begins with the code of the problem. Throws `TypeError` for an invalid event or argument, `RangeError` for an event larger
   * than 256 KiB, `Error` for every other problem.
   */
  async publish(merchantId: string, testMode: boolean, event: unknown): Promise<Published> {
    const { publishRemotely } = await import('./events/remote-events.ts')
    return publishRemotely(this.env, this.ctx, [merchantId, testMode, event])
  }
}
