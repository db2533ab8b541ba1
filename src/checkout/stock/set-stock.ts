import { type Caller, createEventValues } from '../../catalogue/resource/caller.ts'
import type { Write } from '../../platform/db/transaction.ts'
import { createId } from '../../platform/lib/ids.ts'
import { fanOut } from '../../platform/outbox/fan-out.ts'
import { countStatements as statements } from './adjustment-statements.ts'

/** The counted stock of a product. */
export interface StockCount {
  /** Reference of the adjustment. */
  reference: string
  product: string
  set: number
}

/**
 * Statements that set the stock of products, each by a separate adjustment with the reason `count`. Leaves out products whose stock is not managed or
 * equals the count already. Each product may occur in one count only.
 */
export function setStock(caller: Caller, counts: readonly StockCount[]): Write {
  if (counts.length === 0) return []
  const changes = counts.map(({ reference, product, set }) => ({ reference, product, set, entry: createId('aud') }))
  const values = {
    ...createEventValues(caller),
    actor: caller.actor,
    requestId: caller.requestId,
    changes: JSON.stringify(changes),
    operation: 'stock.adjust',
  }
  return [
    statements.record(),
    statements.updateProducts(),
    statements.raiseChanged(),
    statements.raiseSoldOut(),
    statements.raiseBackInStock(),
    statements.deleteEndedMarks(),
    statements.recordAudit(),
    fanOut(),
  ].map((statement) => [statement, values] as const)
}
