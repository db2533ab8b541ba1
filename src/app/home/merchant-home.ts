import { DurableObject } from 'cloudflare:workers'
import { type BoundStatement, type Connection, Database } from '../../platform/db/database.ts'
import { D1Connection } from '../../platform/db/home/d1-connection.ts'
import type { Row } from '../../platform/db/row.ts'
import type {
  Bindings,
  HomeObject,
  MovePartChange,
  ObjectIdentity,
  ObjectResult,
  ObjectStatement,
} from '../../platform/env.ts'
import { log } from '../../platform/lib/log.ts'
import { applyMigrations, numberWebhooks } from './apply-migrations.ts'
import { changesReleases, scheduleRelease } from './due-release.ts'
import { MoveParticipant } from './move-participant.ts'
import { hasWrite, runStatements, toObjectResult } from './run-statements.ts'
import { WriteTurns } from './write-turns.ts'

/** Maximum time between a write and the sweep that follows it, and minimum time between two sweeps, in milliseconds. */
export const sweepMs = 60_000

/** The data of one merchant, in a separate SQLite database with the schema of the shared one. */
export class MerchantHome extends DurableObject<Bindings> implements HomeObject {
  readonly #storage: DurableObjectStorage
  readonly #participant: MoveParticipant
  /** The merchant that owns the data. Absent until the first call. */
  #identity: ObjectIdentity | undefined
  /** `updatedAt` of the copy of the merchant; 0 without a copy. */
  #settingsVersion = 0
  /** All data, tables included, was deleted since the object was loaded. */
  #isEmpty = false
  /** Time of the next sweep. Absent if none is scheduled. */
  #alarmMs: number | undefined
  readonly #turns = new WriteTurns()

  constructor(context: DurableObjectState, env: Bindings) {
    super(context, env)
    this.#storage = context.storage
    this.#participant = new MoveParticipant(context.storage, env)
    context.blockConcurrencyWhile(async () => {
      const isUpdated = await applyMigrations(this.#storage)
      this.#identity = this.#storage.kv.get<ObjectIdentity>('identity')
      this.#settingsVersion = this.#storage.kv.get<number>('settingsVersion') ?? 0
      this.#alarmMs = (await this.#storage.getAlarm()) ?? undefined
      // A release may have to sweep data that the previous one stored.
      if (isUpdated) this.#scheduleSweep(Date.now() + sweepMs)
    })
  }

  /** Runs statements in one transaction. */
  async run(identity: ObjectIdentity, statements: readonly ObjectStatement[]): Promise<ObjectResult> {
    return toObjectResult(async () => {
      if (hasWrite(statements)) await this.#turns.gather()
      await this.#participant.serve(identity)
      if (this.#isEmpty && identity.settingsVersion > 0) await this.#begin()
      await this.#prepare(identity)
      return this.#execute(statements, (written) => this.#participant.allow(written))
    })
  }

  async takePart(
    identity: ObjectIdentity,
    change: MovePartChange,
    statements: readonly ObjectStatement[],
  ): Promise<ObjectResult> {
    return toObjectResult(async () => {
      await this.#prepare(identity)
      this.#participant.change(change)
      return this.#execute(statements)
    })
  }

  async discard(): Promise<void> {
    // Without an identity, the object has no data: an earlier call has discarded it.
    if (this.#identity !== undefined) await this.#participant.requireUnused(this.#identity)
    await this.#deleteAll()
  }

  /** Refreshes the copies of the merchant's rows in the directory. */
  async renew(identity: ObjectIdentity): Promise<void> {
    await this.#prepare({ ...identity, settingsVersion: Number.POSITIVE_INFINITY })
  }

  /** Deletes all data of the object, and the files of its pictures. */
  async erase(): Promise<void> {
    const { merchantId } = this.#identity ?? {}
    const { pictureStatements } = await import('../../storefront/media/picture-statements.ts')
    await this.#database().run([pictureStatements.expire(), { merchantId }])
    const { sweepPictures } = await import('../../storefront/media/sweep-pictures.ts')
    while ((await sweepPictures(this.env, this.#database(), Date.now())) > 0);
    await this.#deleteAll()
  }

  async #deleteAll(): Promise<void> {
    await this.#storage.deleteAlarm()
    await this.#storage.deleteAll()
    this.#alarmMs = undefined
    this.#isEmpty = true
  }

  /** Creates the tables again if the object has deleted them but is still the merchant's home: a deletion may repeat its last step. */
  async #begin(): Promise<void> {
    await applyMigrations(this.#storage)
    this.#identity = undefined
    this.#settingsVersion = 0
    this.#isEmpty = false
  }

  /** Marks the current data, before `recover` replaces it. Returns false if the platform cannot restore the data of that time. */
  async prepareRecovery(atMs: number, mark: string): Promise<boolean> {
    try {
      await this.#storage.getBookmarkForTime(atMs)
    } catch (error) {
      if (/not implement|not support/i.test(String(error))) return false
      throw error
    }
    this.#storage.kv.put('recovery', mark)
    await this.#storage.sync()
    return true
  }

  /** Ends the object: the next call starts it with the data of an earlier time. The promise always rejects, because the call ends with the object. */
  async recover(atMs: number): Promise<void> {
    await this.#storage.onNextSessionRestoreBookmark(await this.#storage.getBookmarkForTime(atMs))
    this.ctx.abort('The object starts again to restore earlier data.')
  }

  /** Whether the object still has the marked data: it was not recovered. */
  async hasMark(mark: string): Promise<boolean> {
    return this.#storage.kv.get('recovery') === mark
  }

  override async alarm(): Promise<void> {
    this.#alarmMs = undefined
    let next: number | undefined = Date.now()
    try {
      if (!(await this.#participant.mayMaintain(this.#identity))) {
        if (this.#participant.isOver) await this.#deleteAll()
        else if (this.#participant.isExpecting) this.#scheduleSweep(Date.now() + sweepMs)
        return
      }
      // Its own writes schedule nothing: the next sweep follows from what they leave.
      const database = this.#database(
        (written) => this.#participant.allow(written),
        () => undefined,
      )
      await this.#reportBacklog(database)
      const [{ maintain }, { findNextDue }] = await Promise.all([
        import('../maintenance/maintenance.ts'),
        import('./next-due.ts'),
      ])
      await maintain(this.env, database)
      next = await findNextDue(database, Date.now())
    } catch (error) {
      // An alarm that fails repeatedly would not be called again.
      log(this.env, 'object not swept', { merchant: this.#identity?.merchantId, error: String(error) })
    }
    // The object was erased during the sweep.
    if (this.#isEmpty) return
    if (next !== undefined) this.#scheduleSweep(Math.max(next, Date.now() + sweepMs))
    scheduleRelease(this.#storage.sql, (atMs) => this.#scheduleSweep(atMs))
  }

  /** A backlog causes one write per minute in the directory. */
  async #reportBacklog(database: Database): Promise<void> {
    if (!this.#identity) return
    const { reportBacklog } = await import('./report-backlog.ts')
    const hasReported = this.#storage.kv.get<boolean>('hasReported') ?? false
    const reports = await reportBacklog(this.env, database, this.#identity.merchantId, hasReported).catch(
      () => hasReported,
    )
    if (reports !== hasReported) this.#storage.kv.put('hasReported', reports)
  }

  /** Stores the identity of a new object, and refreshes a copy of the merchant that the caller reports as outdated. */
  async #prepare(identity: ObjectIdentity): Promise<void> {
    if (!this.#identity) {
      this.#identity = identity
      this.#storage.kv.put('identity', identity)
      numberWebhooks(this.#storage, identity.object)
    }
    if (identity.settingsVersion <= this.#settingsVersion) return
    const { merchantId } = this.#identity
    try {
      const lastEntry = this.#storage.kv.get<string>('lastEntry') ?? ''
      const { renewCopies } = await import('./renew-copies.ts')
      const copies = await renewCopies(this.env, this.#database(), merchantId, lastEntry)
      // A call that is later than the deletion of the merchant: nothing would delete the object again. Without a copy, it never had data.
      if (!copies && this.#settingsVersion === 0) await this.#deleteAll()
      if (!copies) throw new Error(`merchant ${merchantId} does not exist`)
      this.#settingsVersion = copies.settingsVersion
      this.#storage.kv.put('settingsVersion', copies.settingsVersion)
      this.#storage.kv.put('lastEntry', copies.lastEntry)
    } catch (error) {
      // If the directory does not respond, the outdated copy is used.
      if (this.#settingsVersion === 0) throw error
      log(this.env, 'copy of merchant not renewed', { merchant: merchantId, error: String(error) })
    }
  }

  /** `check` gets the number of written rows, and can throw to undo the transaction. `onWritten` runs if it has written; default: a sweep follows. */
  #execute(
    statements: readonly ObjectStatement[],
    check: (written: number) => void = () => undefined,
    onWritten = () => this.#scheduleSweep(Date.now() + sweepMs),
  ): Record<string, SqlStorageValue>[][] {
    const { results, written } = runStatements(this.#storage, statements, check)
    if (written > 0) onWritten()
    if (written > 0 && statements.some(changesReleases))
      scheduleRelease(this.#storage.sql, (atMs) => this.#scheduleSweep(atMs))
    return results
  }

  /** Schedules a sweep, unless an earlier one is scheduled. No await precedes it, so it belongs to the transaction of the last write. */
  #scheduleSweep(atMs: number): void {
    if (this.#alarmMs !== undefined && this.#alarmMs <= atMs) return
    this.#alarmMs = atMs
    this.ctx.waitUntil(this.#storage.setAlarm(atMs))
  }

  /** The data of the object. `check` and `onWritten` are those of `#execute`. */
  #database(check?: (written: number) => void, onWritten?: () => void): Database {
    const connection: Connection = {
      run: async (statements: readonly BoundStatement[]): Promise<Row[][]> =>
        this.#execute(statements, check, onWritten),
      listPlatformWebhooks: () => new D1Connection(this.env.DB).listPlatformWebhooks(),
      usePrimary() {},
      bookmark: null,
      async reserveNames() {},
    }
    return new Database(this.env, connection)
  }
}
