import { once } from 'node:events'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import type { Service } from '../support/service.ts'
import { findSharedDatabase } from './storage.ts'

/**
 * Moments of a move at which the service is killed. `waiting`: no row is copied yet. `copying`: rows are being copied. `done`: the home has
 * just been switched.
 */
export type Moment = 'waiting' | 'copying' | 'fenced' | 'verifying' | 'done'

const conditions: Record<Moment, string> = {
  waiting: `state = 'copying' and started_at < unixepoch() - 2`,
  copying: `state = 'copying' and position is not null`,
  fenced: `state = 'fenced'`,
  verifying: `state = 'verifying'`,
  done: `state = 'done' and ended_at >= unixepoch() - 1`,
}

/** Kills the service when a move reaches a moment. Returns false if none does before all moves have ended, or in `maxMs` milliseconds. */
export async function killAtMoment(service: Service, moment: Moment, maxMs: number): Promise<boolean> {
  const workerData = {
    file: await findSharedDatabase(service.state),
    found: `select 1 from moves where ${conditions[moment]} limit 1`,
    isOpen: 'select 1 from moves where ended_at is null limit 1',
    group: service.pid(),
    maxMs,
  }
  const [isKilled] = await once(new Worker(join(import.meta.dirname, 'kill-thread.ts'), { workerData }), 'message')
  return isKilled
}

/**
 * Returns how many moves were under way when a service was killed, by state. Ends their leases and the time until isolates forget a home: no
 * isolate survived.
 */
export async function skipWaits(state: string): Promise<Record<string, number>> {
  const database = new DatabaseSync(await findSharedDatabase(state))
  try {
    const rows = database
      .prepare(`select iif(state = 'copying' and position is null, 'waiting', state) as state, count(*) as moves
        from moves where ended_at is null group by 1`)
      .all()
    database.exec('update moves set leased_until = 0, started_at = started_at - 100 where ended_at is null')
    return Object.fromEntries(rows.map(({ state: name, moves }) => [String(name), Number(moves)]))
  } finally {
    database.close()
  }
}
