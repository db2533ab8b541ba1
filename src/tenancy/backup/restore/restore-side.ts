import { bindStatement, type Connection, Database } from '../../../platform/db/database.ts'
import { GuardedConnection } from '../../../platform/db/home/guarded-connection.ts'
import type { Home } from '../../../platform/db/home/home.ts'
import { takePartInObject } from '../../../platform/db/home/object-connection.ts'
import type { Bindings, MovePart } from '../../../platform/env.ts'
import { restoreStatements as statements } from './restore-statements.ts'

/** How long an object delays writes before it asks the directory whether the restore is done, in milliseconds. */
const fenceMs = 60_000

/** The home of a merchant during a restore, for the request that has the lease. Writes of other requests wait. */
interface RestoreSide {
  database: Database
  /** Pauses the writes of other requests, or lets them continue. */
  setFence(isUp: boolean): Promise<void>
}

/** Opens the home that a restore writes to. Each write requires the restore's lease. */
export function openRestoreSide(env: Bindings, merchantId: string, home: Home, leasedUntil: number): RestoreSide {
  const guard = bindStatement(statements.requireLease(), { merchantId, leasedUntil })
  const directory = new Database(env, new GuardedConnection(env, guard))
  // The directory decides. When its own fence has expired, an object asks the directory.
  const raise = (isUp: boolean) =>
    isUp ? directory.run([statements.raiseFence(), { merchantId }]) : Promise.resolve(undefined)
  if (home === 'd1')
    return {
      database: directory,
      async setFence(isUp) {
        await raise(isUp)
      },
    }
  const connection: Connection = {
    run: (bound) => takePartInObject(env, merchantId, home, { restore: leasedUntil }, bound),
    listPlatformWebhooks: async () => '[]',
    usePrimary() {},
    bookmark: null,
    async reserveNames() {},
  }
  return {
    database: new Database(env, connection),
    async setFence(isUp) {
      await raise(isUp)
      const part: MovePart = isUp ? 'fenced' : 'open'
      await takePartInObject(env, merchantId, home, { restore: leasedUntil, part, untilMs: Date.now() + fenceMs })
    },
  }
}
