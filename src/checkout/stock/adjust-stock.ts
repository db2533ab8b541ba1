import { type Caller, createEventValues } from '../../catalogue/resource/caller.ts'
import { commitNamed } from '../../platform/db/transaction.ts'
import { ApiError, type Issue, invalid, unknownReference } from '../../platform/errors.ts'
import type { ParsedBody } from '../../platform/http/validation.ts'
import { hashKey } from '../../platform/lib/encoding/sha256.ts'
import { fanOut, toPendingDeliveries } from '../../platform/outbox/fan-out.ts'
import { createAdjustmentStatement, isApplicable, adjustmentStatements as statements } from './adjustment-statements.ts'
import { shortenHash, toStockResult } from './recorded-changes.ts'
import { type StockRequest, type StockResult, sortChanges, stockRequest } from './stock-request.ts'

const record = createAdjustmentStatement(isApplicable)

/** Parameters of the statements of an adjustment, with a hash that a repeated request must match. */
async function createStockValues({ reference, reason, oversell, changes }: StockRequest) {
  const create = (listed: StockRequest['changes']) => {
    const request = { reference, reason, oversell: oversell === true, changes: JSON.stringify(listed) }
    // Stored hashes include the null.
    return { request, hash: hashKey(JSON.stringify([request, null])) }
  }
  const given = create(changes)
  const hash = await create(sortChanges(changes)).hash
  // Earlier releases stored the hash of the changes in the order of the request.
  return { ...given.request, requestHash: shortenHash(hash), earlierHashes: [hash, await given.hash] }
}

/** A rejected change: its index in the list, the code of the issue, and the units in stock. */
interface PreventedChange {
  place: number
  code: string | null
  available: number | null
}

const issueMessages = {
  not_found: unknownReference,
  stock_not_managed: 'names a product whose stock is not managed',
  insufficient_stock: 'takes more units than are in stock',
} as const

const isIssueCode = (code: string | null): code is keyof typeof issueMessages =>
  code !== null && Object.hasOwn(issueMessages, code)

/** The issues of rejected changes. `pointer` is the position of the adjustment in the body. */
export function toStockIssues(prevented: readonly PreventedChange[], pointer = ''): Issue[] {
  return prevented.flatMap(({ place, code, available }): Issue[] => {
    if (!isIssueCode(code)) return []
    const isShort = code === 'insufficient_stock'
    const at = `${pointer}/changes/${place}${isShort ? '' : '/product'}`
    return [{ pointer: at, code, message: issueMessages[code], ...(isShort && { available: available ?? 0 }) }]
  })
}

/** Whether an issue is that of a stock that is too low. */
export const isShortage = ({ code }: Issue) => code === 'insufficient_stock'

/** The error of an adjustment that has issues. Invalid values come before a shortage. */
const createStockError = (issues: readonly Issue[]) =>
  issues.every(isShortage)
    ? new ApiError('insufficient_stock', 'The stock is too low for the request.', issues)
    : invalid(issues.filter((issue) => !isShortage(issue)))

const createReferenceConflict = (reference: string, pointer = '/reference') =>
  new ApiError('conflict', `The reference ${reference} was used for another adjustment.`, [
    { pointer, code: 'conflict', message: 'was used with another body' },
  ])

/** Applies an adjustment once, in one transaction. A repeated request returns the recorded result. */
export async function adjustStock(caller: Caller, { patch, issues }: ParsedBody): Promise<StockResult> {
  if (issues.length > 0) throw invalid(issues)
  const request = stockRequest.parse(patch)
  const { reference } = request
  const { earlierHashes, ...stockValues } = await createStockValues(request)
  const values = {
    ...createEventValues(caller),
    ...stockValues,
    orderEvent: undefined,
    orderReference: undefined,
    orderKey: undefined,
  }
  const computed = {
    store: [statements.store(), values],
    render: (changes: unknown) => Response.json(toStockResult(reference, changes)),
  } as const
  const { earlier, prevented, recorded, deliveries } = await commitNamed(
    caller,
    { operation: 'stock.adjust', object: reference, computed },
    values,
    {
      earlier: statements.findEarlier(),
      prevented: statements.findIssues(),
      recorded: record(),
    },
    {
      products: statements.updateProducts(),
      changed: statements.raiseChanged(),
      soldOut: statements.raiseSoldOut(),
      backInStock: statements.raiseBackInStock(),
      endedMarks: statements.deleteEndedMarks(),
      deliveries: fanOut(),
    },
  )
  if (recorded[0]) {
    caller.enqueue(toPendingDeliveries(deliveries))
    return toStockResult(reference, recorded[0].changes)
  }
  const [adjustment] = earlier
  if (!adjustment) throw createStockError(toStockIssues(prevented))
  if (![values.requestHash, ...earlierHashes].includes(adjustment.requestHash)) throw createReferenceConflict(reference)
  return toStockResult(reference, adjustment.changes)
}
