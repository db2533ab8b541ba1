import type { Database } from '../../platform/db/database.ts'
import type { Bindings } from '../../platform/env.ts'
import type { Copying } from './copy-rows.ts'
import { openSide } from './move-side.ts'
import type { Move } from './move-statements.ts'
import { toNumberBase } from './moved-tables.ts'

/** A move that this invocation has taken over. */
export interface Work extends Copying {
  env: Bindings
  directory: Database
  move: Move
  /** Parameters that name the move, the lease and the merchant. */
  values: { move: number; lease: number; merchantId: string }
}

/** Opens both homes of a move. */
export function startWork(env: Bindings, directory: Database, move: Move): Work {
  const { number, lease, merchantId, source, target } = move
  return {
    env,
    directory,
    move,
    values: { move: number, lease, merchantId },
    merchantId,
    source: openSide(env, move, source),
    target: openSide(env, move, target),
    base: source !== 'd1' && target === 'd1' ? toNumberBase(source.object) : 0,
  }
}
