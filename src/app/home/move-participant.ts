import { directoryDatabase } from '../../platform/db/home/d1-connection.ts'
import { homeStatements, toHome } from '../../platform/db/home/home.ts'
import { movedMessage } from '../../platform/db/home/object-connection.ts'
import type { Bindings, MovePart, MovePartChange, ObjectIdentity } from '../../platform/env.ts'

/**
 * Number of webhook numbers that a fence skips. Before the move failed, the target may have used the next numbers, and two webhooks must never share
 * one.
 */
const skippedNumbers = 2 ** 20

/** Time until an object asks the directory again whether its fence is still up, in milliseconds. */
const fencePauseMs = 1_000

/** The role of an object in a move or a restore. The directory decides, in its own transactions, which home a merchant has. */
export class MoveParticipant {
  readonly #storage: DurableObjectStorage
  readonly #env: Bindings
  #part: MovePart
  #untilMs: number

  constructor(storage: DurableObjectStorage, env: Bindings) {
    this.#storage = storage
    this.#env = env
    this.#part = storage.kv.get<MovePart>('movePart') ?? 'open'
    this.#untilMs = storage.kv.get<number>('moveUntilMs') ?? 0
  }

  #set(part: MovePart, untilMs = 0): void {
    this.#part = part
    this.#untilMs = untilMs
    this.#storage.kv.put('movePart', part)
    this.#storage.kv.put('moveUntilMs', untilMs)
  }

  /** Rejects an invocation that a later one has superseded. */
  #require(name: 'moveToken' | 'restoreToken', token: number | undefined): void {
    if (token === undefined) return
    const last = this.#storage.kv.get<number>(name) ?? 0
    if (token < last) throw new Error('another invocation has taken over')
    if (token > last) this.#storage.kv.put(name, token)
  }

  /** Sets the role that a move or a restore gives the object. */
  change({ token, restore, part, untilMs }: MovePartChange): void {
    this.#require('moveToken', token)
    this.#require('restoreToken', restore)
    if (part === undefined) return
    if (part === 'fenced' && this.#part !== 'fenced')
      this.#storage.sql.exec(`update sqlite_sequence set seq = seq + ? where name = 'webhooks'`, skippedNumbers)
    this.#set(part, untilMs)
  }

  /** Precedes statements of a caller that believes this object to be the home. Throws if it is not. */
  async serve(identity: ObjectIdentity): Promise<void> {
    // Callers get the number of an object only after it has become the home.
    if (this.#part === 'target') this.#set('open')
    if (this.#isExpired()) await this.#ask(identity)
    if (this.#part === 'left') throw new Error(movedMessage)
  }

  /** Throws if the object must not write now. Undoes the transaction. */
  allow(written: number): void {
    if (written > 0 && this.#part !== 'open') throw new Error(movedMessage)
  }

  /** Whether the object may sweep its data now. */
  async mayMaintain(identity: ObjectIdentity | undefined): Promise<boolean> {
    if (identity && (this.#part === 'target' || this.#isExpired())) await this.#ask(identity)
    return this.#part === 'open'
  }

  /** Whether the object is an expired target of a move, or an expired rehearsal. Call `mayMaintain` first. */
  get isOver(): boolean {
    return this.#part === 'target' && this.#untilMs > 0 && this.#untilMs <= Date.now()
  }

  /** Whether the object is the home, or may still become the home. */
  get isExpecting(): boolean {
    return this.#part !== 'left'
  }

  /** Throws if the object is a home. A source with an expired fence may not know that the merchant has moved away. */
  async requireUnused(identity: ObjectIdentity): Promise<void> {
    if (this.#isExpired()) await this.#ask(identity)
    if (this.#part !== 'left' && this.#part !== 'target') throw new Error(`an object that is ${this.#part} has data`)
  }

  #isExpired = () => this.#part === 'fenced' && this.#untilMs <= Date.now()

  /** Checks whether this object is the home. A move with an expired fence can no longer switch. */
  async #ask({ merchantId, object }: ObjectIdentity): Promise<void> {
    const directory = directoryDatabase(this.#env)
    directory.usePrimary()
    const [part, untilMs] = [this.#part, this.#untilMs]
    if (part === 'fenced') {
      const { moveStatements } = await import('../../tenancy/move/move-statements.ts')
      await directory.run(
        [moveStatements.abandonFence(), { merchantId }],
        [moveStatements.liftAbandonedFence(), { merchantId }],
      )
    }
    const [[row]] = await directory.run([homeStatements.locate(), { merchantId }])
    // During the check, a move has given the object another role.
    if (this.#part !== part || this.#untilMs !== untilMs) return
    const home = row ? toHome(row) : 'd1'
    // A restore keeps the fence of the directory until it is done.
    if (home !== 'd1' && home.object === object) this.#set(row?.fenced ? part : 'open', Date.now() + fencePauseMs)
    else if (part === 'fenced') this.#set('left')
  }
}
