import type {
  BackupMessage,
  DeliveryMessage,
  ImportMessage,
  MoveMessage,
  PruningMessage,
  ScanMessage,
  UndoMessage,
} from './messages.ts'

/** A statement for a merchant's object, and the values of its parameters. */
export interface ObjectStatement {
  sql: string
  /** Whether it may change rows. Default: true, because Workers of earlier releases do not send it. */
  isWrite?: boolean
  values: readonly unknown[]
}

/** Data that a caller sends to the object: the merchant's id, the number of the object, and `updatedAt` of the merchant. */
export interface ObjectIdentity {
  merchantId: string
  object: number
  settingsVersion: number
}

/** Result of a transaction in an object. It does not throw, because an error would count as a crash. */
export interface ObjectResult {
  /** The rows of each statement. */
  rows: Record<string, SqlStorageValue>[][]
  /** Message of the error that undid the transaction. */
  error?: string
}

/**
 * The role of an object in a move. `open`: it serves requests. `target`: it receives the data. `fenced`: writes wait. `left`: the data is elsewhere.
 */
export type MovePart = 'open' | 'target' | 'fenced' | 'left'

/** A change of an object's role in a move or a restore. Absent fields stay as they are. */
export interface MovePartChange {
  /** Increases with each invocation that works on a move of the merchant. */
  token?: number
  /** Increases with each request that works on a restore of the merchant. */
  restore?: number
  part?: MovePart
  /**
   * End of the role in milliseconds since 1970-01-01 UTC. At the end of a fence the object asks the directory whether it is still the home. A target
   * that is not a home at that time deletes its data.
   */
  untilMs?: number
}

/** A Durable Object with the data of one merchant. */
export interface HomeObject extends Rpc.DurableObjectBranded {
  /** Runs statements in one transaction. */
  run(identity: ObjectIdentity, statements: readonly ObjectStatement[]): Promise<ObjectResult>
  /**
   * Runs statements of a move or a restore in one transaction, in any role of the object, and sets its role. Rejects calls with a lower `token` or
   * `restore`: another invocation has superseded the caller.
   */
  takePart(
    identity: ObjectIdentity,
    change: MovePartChange,
    statements: readonly ObjectStatement[],
  ): Promise<ObjectResult>
  /** Deletes all data of an object that is not a home, but no files. Can be repeated. */
  discard(): Promise<void>
  /** Refreshes the copies of the merchant's rows in the directory. */
  renew(identity: ObjectIdentity): Promise<void>
  /** Deletes all data of the object. */
  erase(): Promise<void>
  /** Marks the current data, before `recover` replaces it. Returns false if the platform cannot restore the data of that time. */
  prepareRecovery(atMs: number, mark: string): Promise<boolean>
  /** Ends the object: the next call starts it with the data of an earlier time. The promise always rejects, because the call ends with the object. */
  recover(atMs: number): Promise<void>
  /** Whether the object still has the marked data: it was not recovered. */
  hasMark(mark: string): Promise<boolean>
}

/** Bindings, variables and secrets of the Worker. */
export interface Bindings {
  /** Static files: the documentation that the build generates. */
  ASSETS: Fetcher
  DB: D1Database
  /** Objects with the data of one merchant each, for merchants whose data is not in `DB`. */
  HOMES: DurableObjectNamespace<HomeObject>
  /** Home of merchants that are created without one: `d1`, the default, or `object`. */
  DEFAULT_HOME?: string
  /** Queue of deliveries. Messages only name a delivery; D1 is the source of truth. */
  DELIVERIES: Queue<DeliveryMessage>
  /** Queue of deliveries to webhooks that are failing. */
  DELIVERIES_SLOW: Queue<DeliveryMessage>
  /** Queue of imports that have a next step. Messages only name an import; D1 is the source of truth. */
  IMPORTS: Queue<ImportMessage | PruningMessage | UndoMessage>
  /** Copies of tags and merchants close to guests; D1 is the source of truth. See `storefront/tags/resolve.ts`. */
  TAGS: KVNamespace
  /** Bucket of the files of pictures. D1 lists them; see `storefront/media/picture-statements.ts`. */
  MEDIA: R2Bucket
  /** Makes smaller files of pictures on demand. Without it, smaller files are not made. See `storefront/media/resize-picture.ts`. */
  IMAGES?: ImagesBinding
  /** Bucket of the backups of merchants. D1 lists them; see `tenancy/backup/store-backup.ts`. */
  BACKUPS: R2Bucket
  /** Queue of merchants to back up if they have changed. */
  BACKUP_CHECKS: Queue<BackupMessage>
  /** Queue of moves of merchants that have a next step. Messages only name the merchant; D1 is the source of truth. */
  MOVES: Queue<MoveMessage>
  /** Queue of scans to count and of tags to copy to `TAGS`. */
  SCANS: Queue<ScanMessage>
  /** One data point for each scan. */
  SCAN_POINTS?: AnalyticsEngineDataset
  /** One data point for each read that found damaged rows; see `platform/db/damaged-rows.ts`. */
  DAMAGE_POINTS?: AnalyticsEngineDataset
  /** Rate limits: requests of a key, and failed requests of an address. See `platform/http/rate-limit.ts`. */
  REQUESTS?: RateLimit
  MISSES?: RateLimit
  /** `on` applies rate limits in local development too. */
  RATE_LIMITS?: string
  /** Id of the current request. It is passed with the bindings so that every log line can contain it. */
  REQUEST_ID?: string
  /** Operator token for `/admin`; without it, `/admin` does not exist. */
  ADMIN_TOKEN?: string
  /** Second token for `/admin`, accepted besides `ADMIN_TOKEN` while it replaces it. */
  ADMIN_TOKEN_NEXT?: string
  /** Domain of a Cloudflare Access team, and the audience tag of the application that protects `/admin` and `/console`. */
  ACCESS_TEAM_DOMAIN?: string
  ACCESS_AUDIENCE?: string
  /** Origin of the service in QR codes and links, without a path. */
  PUBLIC_BASE_URL?: string
  /** Origin of the console, to which passkeys are bound. Default: `PUBLIC_BASE_URL`. */
  CONSOLE_ORIGIN?: string
  /** Any value allows webhooks to `http` on loopback. For local development only. */
  ALLOW_INSECURE_WEBHOOKS?: string
  /** Ranges of private addresses that webhooks may reach, separated by commas. Only for a server that judges addresses when it connects. */
  ALLOW_PRIVATE_WEBHOOKS?: string
  /** Port of this server, if webhooks may reach loopback addresses. */
  OWN_PORT?: string
}

/** Accepts work that continues after the response to a request, or after the end of a message. */
export type Waiting = Pick<ExecutionContext, 'waitUntil'>
