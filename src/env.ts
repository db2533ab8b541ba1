import type { DeliveryMessage, ScanMessage } from './messages.ts'

/** What `wrangler.toml`, `.dev.vars` and the secrets bind. */
export interface Bindings {
  /** The documentation, as files that the build makes. */
  ASSETS: Fetcher
  DB: D1Database
  /** Doorbell of deliveries; what is to be delivered stands in D1. */
  DELIVERIES: Queue<DeliveryMessage>
  /** The same for webhooks that are failing. */
  DELIVERIES_SLOW: Queue<DeliveryMessage>
  /** Where tags lead, near every guest; D1 is the truth. See `tags/resolve.ts`. */
  TAGS: KVNamespace
  /** Scans on their way to being counted, and tags whose copy in `TAGS` has to be looked after. */
  SCANS: Queue<ScanMessage>
  /** A point for each scan. */
  SCAN_POINTS?: AnalyticsEngineDataset
  /** A point for each read that met rows which do not fit their schema; see `db/damaged-rows.ts`. */
  DAMAGE_POINTS?: AnalyticsEngineDataset
  /** Limit how often a key may be used, and how often an address may fail; see `http/rate-limit.ts`. */
  REQUESTS?: RateLimit
  MISSES?: RateLimit
  /** `on`: limits hold in local development too. */
  RATE_LIMITS?: string
  /** The request that is answered: no binding, but like one it is known wherever a line of the log may be written. */
  REQUEST_ID?: string
  /** Guards `/admin`; without it there is no `/admin`. */
  ADMIN_TOKEN?: string
  /** Where guests reach the service, as printed in QR codes: an origin, no path. */
  PUBLIC_BASE_URL?: string
  /** Set to anything: webhooks may go to `http` on loopback. For local development only. */
  ALLOW_INSECURE_WEBHOOKS?: string
}
