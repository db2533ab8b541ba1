import type { Context } from 'hono'
import type { Database } from '../db/database.ts'
import type { IdempotencyRecord } from '../db/idempotency-keys.ts'
import type { Scope } from '../db/scope.ts'
import type { Actor } from '../db/transaction.ts'
import type { Bindings } from '../env.ts'

export interface Env {
  Bindings: Bindings
  Variables: {
    requestId: string
    /** Set where a merchant's key was accepted. */
    scope: Scope
    /** Who makes the request: the id of an API key, or `operator`. */
    actor: string | undefined
    /** Set where the request has an `Idempotency-Key`. */
    idempotency: IdempotencyRecord | undefined
    /** What the key may do; absent: everything. */
    grantedScopes: readonly string[] | undefined
    /** The merchant's database, or under `/admin` the directory. */
    database: Database
  }
}

/** Who makes a request. */
export const getActor = ({
  var: { database, scope, actor = 'system', requestId, idempotency: once },
}: Context<Env>): Actor => ({
  database,
  scope,
  actor,
  requestId,
  idempotency: once,
})
