import type { Webhook } from '../../packages/client/src/client.ts'
import { api } from './api.ts'

/** `failing`: the latest attempt failed, or none is made. `waiting`: the first attempt follows. `unused`: nothing was sent. */
export type Health = 'healthy' | 'failing' | 'waiting' | 'unused'

/** Deliveries that are read, the newest first: while an endpoint fails, the newest ones wait for the oldest. */
const readCount = 5
/** Seconds after which a delivery without an attempt is held back by an endpoint that fails. */
const heldBackSeconds = 60

/** Whether an endpoint takes what is sent to it, by the latest attempts. */
export async function readHealth({ id }: Webhook): Promise<Health> {
  const { items } = await api().webhooks.deliveries(id, { limit: readCount }).page()
  // Several attempts of a delivery can be of one second.
  const attempts = items.flatMap(({ attempts }) => attempts.toReversed()).sort((a, b) => b.at - a.at)
  const [latest] = attempts
  if (latest) return latest.status !== undefined && latest.status >= 200 && latest.status < 300 ? 'healthy' : 'failing'
  const pending = items.filter(({ state }) => state === 'pending')
  if (pending.length === 0) return 'unused'
  return pending.some(({ createdAt }) => createdAt < Date.now() / 1000 - heldBackSeconds) ? 'failing' : 'waiting'
}
