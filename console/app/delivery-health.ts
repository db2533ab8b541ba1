import type { Webhook } from '../../packages/client/src/client.ts'
import { api } from './api.ts'

/** `failing`: the latest attempt failed, or attempts are not made. `waiting`: the first attempt follows. `unused`: nothing was sent. */
export type Health = 'healthy' | 'failing' | 'waiting' | 'unused'

/** Number of deliveries to read, newest first. While an endpoint fails, newer deliveries wait for older ones. */
const readCount = 5
/** Seconds after which a delivery without an attempt counts as delayed by a failing endpoint. */
const heldBackSeconds = 60

/** Health of an endpoint, based on the latest attempts. */
export async function readHealth({ id }: Webhook): Promise<Health> {
  const { items } = await api().webhooks.deliveries(id, { limit: readCount }).page()
  // Several attempts of a delivery can be in one second.
  const attempts = items.flatMap(({ attempts }) => attempts.toReversed()).sort((a, b) => b.at - a.at)
  const [latest] = attempts
  if (latest) return latest.status !== undefined && latest.status >= 200 && latest.status < 300 ? 'healthy' : 'failing'
  const pending = items.filter(({ state }) => state === 'pending')
  if (pending.length === 0) return 'unused'
  return pending.some(({ createdAt }) => createdAt < Date.now() / 1000 - heldBackSeconds) ? 'failing' : 'waiting'
}
