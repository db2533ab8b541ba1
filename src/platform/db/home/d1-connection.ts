import { eq } from 'drizzle-orm'
import type { Bindings } from '../../env.ts'
import { ApiError } from '../../errors.ts'
import {
  type BoundStatement,
  bindStatement,
  type Connection,
  compile,
  Database,
  lazy,
  noWebhooks,
} from '../database.ts'
import { db } from '../query.ts'
import type { Row } from '../row.ts'
import { settingTable } from '../schema/settings.ts'

const bookmarkForm = /^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/

/** Throws a problem for a `D1-Bookmark` header that is not a bookmark. */
function checkBookmark(bookmark: string | undefined): void {
  if (bookmark === undefined || bookmarkForm.test(bookmark)) return
  throw new ApiError('malformed_bookmark', 'The D1-Bookmark header is not a bookmark of this service.')
}

/**
 * Maximum age of the list of platform webhooks. Each look-up of a key reads the list too, and a key is cached for 30 seconds: only a write without a
 * key needs a round trip for it.
 */
export const listMaxMs = 35_000
/** Reads the active platform webhooks, as a JSON list. No row: there never was one. */
export const findPlatformList = lazy(() =>
  compile(
    db.select({ value: settingTable.value }).from(settingTable).where(eq(settingTable.name, 'platform_webhooks')),
  ),
)
/** The list that this isolate has read. Without a time, the next write reads it, so that a change takes effect here immediately. */
export const platformList = { json: noWebhooks, readAtMs: 0 }

/** Caches the list that `findPlatformList` has read. */
export function cachePlatformList([row]: readonly Row[]): void {
  platformList.json = `${row?.['value'] ?? noWebhooks}`
  platformList.readAtMs = Date.now()
}

/**
 * Runs statements in a D1 database, through the Sessions API. A replica may serve the reads if it includes the request's bookmark and the
 * writes of this session.
 */
export class D1Connection implements Connection {
  readonly #d1: D1Database
  #session: D1DatabaseSession

  constructor(d1: D1Database, bookmark?: string) {
    checkBookmark(bookmark)
    this.#d1 = d1
    this.#session = d1.withSession(bookmark ?? 'first-unconstrained')
  }

  usePrimary() {
    this.#session = this.#d1.withSession('first-primary')
  }

  get bookmark() {
    return this.#session.getBookmark()
  }

  async run(statements: readonly BoundStatement[]): Promise<Row[][]> {
    const bound = statements.map(({ sql, values }) => this.#session.prepare(sql).bind(...values))
    const [only] = bound
    const results = only && bound.length === 1 ? [await only.all<Row>()] : await this.#session.batch<Row>(bound)
    return results.map((result) => result.results)
  }

  async listPlatformWebhooks() {
    if (Date.now() - platformList.readAtMs > listMaxMs) {
      const [rows = []] = await new D1Connection(this.#d1).run([bindStatement(findPlatformList(), {})])
      cachePlatformList(rows)
    }
    return platformList.json
  }

  /** The directory is this database, so the transaction itself finds names that are in use. */
  async reserveNames() {}
}

/** The directory: merchants, their homes and keys, and the names of all tags. */
export const directoryDatabase = (env: Bindings, bookmark?: string) =>
  new Database(env, new D1Connection(env.DB, bookmark))

/** The data of all merchants that have no object of their own. */
export const sharedDatabase = (env: Bindings) => new Database(env, new D1Connection(env.DB))
