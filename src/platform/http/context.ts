import type { Context } from 'hono'
import type { Credential } from '../auth/api-keys.ts'
import type { OperatorIdentity } from '../auth/operator/operator-identity.ts'
import type { Database } from '../db/database.ts'
import type { IdempotencyRecord } from '../db/idempotency-keys.ts'
import type { Scope } from '../db/scope.ts'
import type { Actor } from '../db/transaction.ts'
import type { Bindings } from '../env.ts'
import type { HashedBody } from './bodies/hashed-body.ts'

/** The catalogue of a merchant as it is after a release. */
interface PlannedCatalogue {
  database: Database
  testMode: boolean
  /** Time that is shown, in seconds. Absent: the time of the request. */
  at: number | undefined
}

/** Opens catalogues as they are after a release that is not published, or as they were. */
export interface PlannedCatalogues {
  /** Undefined if the parameter is not signed for this merchant, has expired, or shows a release that is not open. */
  openLink(merchantId: string, value: string): Promise<PlannedCatalogue | undefined>
  /** The catalogue after operations that a preview has stored. Undefined if they have expired. */
  openDraft(scope: Scope, draft: string): Promise<Database | undefined>
  /** The catalogue as it was at the end of a second. Throws if events do not tell it. */
  openPast(scope: Scope, at: number): Promise<Database>
  /** The catalogue of the request's merchant. Undefined if the release does not exist or is not open. */
  open(release: string): Promise<Database | undefined>
}

/** Hono's context in a handler: the bindings of the Worker, and values that middleware has set for the request. */
export interface Env {
  Bindings: Bindings
  Variables: {
    requestId: string
    /** Set if the request has a valid key or session of a merchant. */
    scope: Scope
    /** Id of the API key, the member or the operator (`opr_…`), or `operator` for the token. */
    actor: string | undefined
    /** The API key of the request. Absent for sessions. */
    key: Credential | undefined
    /** The operator of a request under `/admin`. */
    operator: OperatorIdentity | undefined
    /** Bytes of the body. Set by the middleware that reads it. */
    body: Uint8Array | undefined
    /** A body that is hashed while the handler reads it, instead of `body`. */
    hashedBody: HashedBody | undefined
    /** Canonical text of the body: equal bodies have equal texts. Absent: the bytes are compared. */
    meaning: (() => string | undefined) | undefined
    /** Set if the request has an `Idempotency-Key`. */
    idempotency: IdempotencyRecord | undefined
    /** Set if the request stores nothing, so that its `Idempotency-Key` has no effect. */
    ignoresIdempotencyKey: boolean | undefined
    /** Checks of the request's rights, which are repeated if its body arrives slowly. */
    checks: readonly ((c: Context<Env>) => unknown)[] | undefined
    /** Time when the rights were checked, in milliseconds. */
    checkedMs: number | undefined
    /** Id of the console's session that authenticates the request. */
    sessionId: string | undefined
    /** Additional secret that a repeated request must send to get a stored response with a secret. */
    sealSecret: string | undefined
    /** Scopes of the key or the member's role. Default: `defaultScopes`. */
    grantedScopes: readonly string[] | undefined
    /** Ranges of addresses to which the key of the request is limited. */
    allowedIps: readonly string[] | undefined
    /** Whether the request may change keys and settings of live mode. */
    grantsLive: boolean | undefined
    /** The merchant's database; under `/admin` the directory. */
    database: Database
    /** Set where guests and quotes can see releases. */
    planned: PlannedCatalogues | undefined
    /** The response of `jsonResponse`, which has all headers of the service. */
    complete: Response | undefined
  }
}

/** The actor of a request. */
export const getActor = (c: Context<Env>): Actor => ({
  // `c.var` would copy all variables.
  database: c.get('database'),
  scope: c.get('scope'),
  actor: c.get('actor') ?? 'system',
  requestId: c.get('requestId'),
  idempotency: c.get('idempotency'),
})

/** The merchant in the path under which routes are mounted. */
export const getMerchantId = (c: Context<Env>) => c.req.param('merchantId') ?? ''
