import type { Context } from 'hono'
import { type Actor, getActor } from '../db/transaction.ts'
import type { Env } from '../env.ts'
import { ring } from '../outbox/enqueue-deliveries.ts'
import type { Rung } from '../outbox/outbox.ts'
import { presentationOf, situationOf } from './address.ts'
import type { Presentation, Situation } from './resource.ts'

/** What a store is asked with. */
export interface Session extends Actor {
  situation: Situation
  presentation: Presentation
  /** Rings for the deliveries that a change gave rise to, when it is committed; they will be made even if it does not. */
  announce(rung: readonly Rung[]): void
}

/** What a request for a merchant asks a store with. */
export function sessionOf(c: Context<Env>): Session {
  const author = getActor(c)
  return {
    ...author,
    // Only changes look at it.
    get situation() {
      return situationOf(c)
    },
    presentation: presentationOf(c),
    announce: (rung) => c.executionCtx.waitUntil(ring(c.env, author.scope.merchantId, rung)),
  }
}
