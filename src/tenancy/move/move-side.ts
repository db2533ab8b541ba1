import { bindStatement, type Connection, Database } from '../../platform/db/database.ts'
import { GuardedConnection } from '../../platform/db/home/guarded-connection.ts'
import type { ObjectHome } from '../../platform/db/home/home.ts'
import { takePartInObject } from '../../platform/db/home/object-connection.ts'
import type { Bindings, MovePart } from '../../platform/env.ts'
import { type Move, moveStatements, type StoredHome } from './move-statements.ts'

/** Maximum number of invocations that work on one move. */
const maxLeases = 2 ** 20

/** The lease of an invocation. A later invocation, even of a later move, has a greater token. */
const getToken = ({ number, lease }: Move) => number * maxLeases + lease

/** The source or the target of a move. */
export interface MoveSide {
  home: StoredHome
  /** Runs statements on this side while the invocation has the lease. */
  database: Database
  /** Sets the role of an object in the move. Not needed for the shared database, whose table of homes contains it. */
  setPart(part: MovePart, untilMs?: number): Promise<void>
}

/** Opens a side of a move. */
export function openSide(env: Bindings, move: Move, home: StoredHome): MoveSide {
  if (home === 'd1') {
    const guard = bindStatement(moveStatements.requireLease(), { move: move.number, lease: move.lease })
    return { home, database: new Database(env, new GuardedConnection(env, guard)), async setPart() {} }
  }
  const { merchantId, settingsVersion } = move
  const object: ObjectHome = { ...home, settingsVersion }
  const token = getToken(move)
  const connection: Connection = {
    run: (statements) => takePartInObject(env, merchantId, object, { token }, statements),
    listPlatformWebhooks: async () => '[]',
    usePrimary() {},
    bookmark: null,
    async reserveNames() {},
  }
  return {
    home,
    database: new Database(env, connection),
    async setPart(part, untilMs) {
      await takePartInObject(env, merchantId, object, { token, part, ...(untilMs !== undefined && { untilMs }) })
    },
  }
}
