import type { Bindings } from '../../env.ts'
import type { BoundStatement } from '../database.ts'
import type { Row } from '../row.ts'
import { D1Connection } from './d1-connection.ts'

/** The shared database, for an invocation that works alone on a merchant: `guard` undoes the transaction if another one has taken over. */
export class GuardedConnection extends D1Connection {
  readonly #guard: BoundStatement

  constructor(env: Pick<Bindings, 'DB'>, guard: BoundStatement) {
    super(env.DB)
    this.usePrimary()
    this.#guard = guard
  }

  override async run(statements: readonly BoundStatement[]): Promise<Row[][]> {
    return (await super.run([this.#guard, ...statements])).slice(1)
  }
}
