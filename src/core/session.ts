import type { Context } from 'hono'
import type { Env } from '../env.ts'
import { presentationOf, situationOf } from './address.ts'
import { authorOf } from './commit.ts'
import { ring } from './doorbell.ts'
import type { Session } from './store.ts'

/** What a request for a merchant brings to a store. */
export function sessionOf(c: Context<Env>): Session {
  return {
    ...authorOf(c),
    situation: situationOf(c),
    presentation: presentationOf(c),
    announce: (rung) => c.executionCtx.waitUntil(ring(c.env, c.var.scope.merchantId, rung)),
  }
}
