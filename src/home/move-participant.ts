import { directoryDatabase } from '../db/home/connect.ts'
import { homeStatements } from '../db/home/home.ts'
import { movedMessage } from '../db/home/object-connection.ts'
import type { Bindings, MovePart, MovePartChange, ObjectIdentity } from '../env.ts'

/**
 * Numbers of webhooks that a fence skips. The target may have continued the numbers for other merchants before the move failed, and no two
 * webhooks may share one.
 */
const skippedNumbers = 2 ** 20

/** The part of an object in a move. The directory decides, in its own transactions, which home a merchant has. */
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

  /** Takes the part that a move gives the object. */
  change({ token, part, untilMs }: MovePartChange): void {
    if (token < (this.#storage.kv.get<number>('moveToken') ?? 0)) throw new Error('another invocation has taken over')
    this.#storage.kv.put('moveToken', token)
    if (part === undefined) return
    if (part === 'fenced' && this.#part !== 'fenced')
      this.#storage.sql.exec(`update sqlite_sequence set seq = seq + ? where name = 'webhooks'`, skippedNumbers)
    this.#set(part, untilMs)
  }

  /** Precedes statements of a caller that believes this object to be the home. Throws if it is not. */
  async serve(identity: ObjectIdentity): Promise<void> {
    // Callers learn the number of an object only when it has become the home.
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

  /** Whether the object is the home, or may still become it. */
  get isExpecting(): boolean {
    return this.#part !== 'left'
  }

  /** Throws if the object is a home. */
  requireUnused(): void {
    if (this.#part !== 'left' && this.#part !== 'target') throw new Error(`an object that is ${this.#part} has data`)
  }

  #isExpired = () => this.#part === 'fenced' && this.#untilMs <= Date.now()

  /** Finds out whether this object is the home. A move whose fence has expired can no longer switch. */
  async #ask({ merchantId, object }: ObjectIdentity): Promise<void> {
    const directory = directoryDatabase(this.#env)
    directory.usePrimary()
    const [part, untilMs] = [this.#part, this.#untilMs]
    if (part === 'fenced') {
      const { moveStatements } = await import('../move/move-statements.ts')
      await directory.run([moveStatements.abandonFence(), { merchantId }])
    }
    const [[home = 'd1']] = await directory.run([homeStatements.find(), { merchantId }])
    // A move has given the object another part meanwhile.
    if (this.#part !== part || this.#untilMs !== untilMs) return
    if (home !== 'd1' && home.object === object) this.#set('open')
    else if (part === 'fenced') this.#set('left')
  }
}
