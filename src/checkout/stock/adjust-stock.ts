import * as z from 'zod/mini'
import { commit } from '../../db/transaction.ts'
import { ApiError, type Issue, invalid, unknownReference } from '../../errors.ts'
import type { ParsedBody } from '../../http/validation.ts'
import { hashKey } from '../../lib/encoding/sha256.ts'
import { createId } from '../../lib/ids.ts'
import { fanOut, toPendingDeliveries } from '../../outbox/fan-out.ts'
import type { Caller } from '../../resource/caller.ts'
import { createAdjustmentStatement, isApplicable, adjustmentStatements as statements } from './adjustment-statements.ts'
import { type StockRequest, type StockResult, stockRequest, stockResult } from './stock-request.ts'

const record = createAdjustmentStatement(isApplicable)

/** The values of the statements of one adjustment. `besides`: further values that a repeated request must have too. */
async function createStockValues({ reference, reason, oversell, changes }: StockRequest, besides?: unknown) {
  const request = { reference, reason, oversell: oversell === true, changes: JSON.stringify(changes) }
  return { ...request, requestHash: await hashKey(JSON.stringify([request, besides])) }
}

interface Fault {
  place: number
  fault: string | null
  available: number | null
}

const faultMessages = {
  not_found: unknownReference,
  stock_not_managed: 'names a product whose stock is not managed',
  insufficient_stock: 'takes more than is in stock',
} as const

const isFaultCode = (code: string | null): code is keyof typeof faultMessages =>
  code !== null && Object.hasOwn(faultMessages, code)

/** The issues of changes that are prevented. `pointer` leads to the body of the adjustment. */
export function toStockIssues(faults: readonly Fault[], pointer = ''): Issue[] {
  return faults.flatMap(({ place, fault, available }): Issue[] => {
    if (!isFaultCode(fault)) return []
    const isShort = fault === 'insufficient_stock'
    const at = `${pointer}/changes/${place}${isShort ? '' : '/product'}`
    return [{ pointer: at, code: fault, message: faultMessages[fault], ...(isShort && { available: available ?? 0 }) }]
  })
}

export const isShortage = ({ code }: Issue) => code === 'insufficient_stock'

/** The error of an adjustment that has issues. Invalid values come before a shortage. */
const createStockError = (issues: readonly Issue[]) =>
  issues.every(isShortage)
    ? new ApiError('insufficient_stock', 'The stock is less than the request takes.', issues)
    : invalid(issues.filter((issue) => !isShortage(issue)))

const recorded = z.object({ changes: stockResult.shape.changes })

/** The response to an adjustment, from its record. */
export const toStockResult = (reference: string, changes: unknown): StockResult => ({
  reference,
  ...recorded.parse({ changes }),
})

const createReferenceConflict = (reference: string, pointer = '/reference') =>
  new ApiError('conflict', `The reference ${reference} was used for another adjustment.`, [
    { pointer, code: 'conflict', message: 'was used with another body' },
  ])

/** Applies an adjustment once, in one transaction. A repeated request returns the recorded result. */
export async function adjustStock(caller: Caller, { patch, issues }: ParsedBody): Promise<StockResult> {
  if (issues.length > 0) throw invalid(issues)
  const request = stockRequest.parse(patch)
  const { reference } = request
  const nowMs = Date.now()
  const values = {
    ...caller.scope,
    ...(await createStockValues(request)),
    event: createId('evt'),
    orderEvent: undefined,
    atMs: nowMs,
    now: Math.floor(nowMs / 1000),
    baseUrl: caller.renderContext.baseUrl,
  }
  const computed = {
    store: [statements.store(), values],
    render: (changes: unknown) => Response.json(toStockResult(reference, changes)),
  } as const
  const [[known], faults, [made], , , , , pending] = await commit(
    caller,
    { operation: 'stock.adjust', object: reference, computed },
    [
      [statements.findKnown(), values],
      [statements.findFaults(), values],
      [record(), values],
    ],
    [
      [statements.updateProducts(), values],
      [statements.raiseChanged(), values],
      [statements.raiseSoldOut(), values],
      [statements.raiseBackInStock(), values],
      [fanOut(), values],
    ],
  )
  if (made) {
    const deliveries = toPendingDeliveries(pending)
    if (deliveries.length > 0) caller.enqueue(deliveries)
    return toStockResult(reference, made.changes)
  }
  if (!known) throw createStockError(toStockIssues(faults))
  if (known.requestHash !== values.requestHash) throw createReferenceConflict(reference)
  return toStockResult(reference, known.changes)
}
