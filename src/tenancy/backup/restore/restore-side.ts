import { bindStatement, type Connection, Database } from '../../../platform/db/database.ts'
import { GuardedConnection } from '../../../platform/db/home/guarded-connection.ts'
import type { Home } from '../../../platform/db/home/home.ts'
import { takePartInObject } from '../../../platform/db/home/object-connection.ts'
import type { Bindings, MovePart } from '../../../platform/env.ts'
import { restoreStatements as statements } from './restore-statements.ts'

/** How long an object keeps writes waiting before it asks the directory whether the restore is done, in milliseconds. */
const fenceMs = 60_000

/** The home of a merchant that is restored, for the request that has the lease. All others wait to write. */
interface RestoreSide {
  database: Database
  /** Lets the writes of others wait, or go on. */
  setFence(isUp: boolean): Promise<void>
}

export function openRestoreSide(env: Bindings, merchantId: string, home: Home, leasedUntil: number): RestoreSide {
  const guard = bindStatement(statements.requireLease(), { merchantId, leasedUntil })
  const directory = new Database(env, new GuardedConnection(env, guard))
  // The directory decides. An object asks it when its own fence has expired.
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
