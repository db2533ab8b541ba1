import { type BoundStatement, bindStatement, type Connection, Database } from '../db/database.ts'
import { D1Connection } from '../db/home/d1-connection.ts'
import type { ObjectHome } from '../db/home/home.ts'
import { takePartInObject } from '../db/home/object-connection.ts'
import type { Row } from '../db/row.ts'
import type { Bindings, MovePart } from '../env.ts'
import { type Move, moveStatements, type StoredHome } from './move-statements.ts'

/** Greatest number of invocations that work on one move. */
const maxLeases = 2 ** 20

/** The lease of an invocation: a later one, of a later move too, has a greater token. */
const getToken = ({ number, lease }: Move) => number * maxLeases + lease

/** The source or the target of a move. */
export interface MoveSide {
  home: StoredHome
  /** Runs statements there as long as the invocation has the lease. */
  database: Database
  /** Gives an object a part in the move. The shared database has none: its homes say it. */
  setPart(part: MovePart, untilMs?: number): Promise<void>
}

/** The shared database, for the invocation that has the lease. */
class LeasedConnection extends D1Connection {
  readonly #guard: BoundStatement

  constructor(env: Bindings, { number, lease }: Move) {
    super(env.DB)
    this.usePrimary()
    this.#guard = bindStatement(moveStatements.requireLease(), { move: number, lease })
  }

  override async run(statements: readonly BoundStatement[]): Promise<Row[][]> {
    return (await super.run([this.#guard, ...statements])).slice(1)
  }
}

/** Opens a side of a move. */
export function openSide(env: Bindings, move: Move, home: StoredHome): MoveSide {
  if (home === 'd1') {
    return { home, database: new Database(env, new LeasedConnection(env, move)), async setPart() {} }
  }
  const { merchantId, settingsVersion } = move
  const object: ObjectHome = { ...home, settingsVersion }
  const token = getToken(move)
  const connection: Connection = {
    run: (statements) => takePartInObject(env, merchantId, object, { token }, statements),
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
