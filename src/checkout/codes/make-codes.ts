import type { Caller } from '../../catalogue/resource/caller.ts'
import { recordTitled } from '../../catalogue/resource/deleted/title.ts'
import { busy, maxWriteAttempts } from '../../catalogue/resource/object-lock.ts'
import { coupons } from '../../catalogue/resources/coupons.ts'
import { ConstraintError } from '../../platform/db/database-errors.ts'
import { commit } from '../../platform/db/transaction.ts'
import { ApiError, invalid, notFound } from '../../platform/errors.ts'
import type { ParsedBody } from '../../platform/http/validation.ts'
import { createId } from '../../platform/lib/ids.ts'
import { foldCode } from '../../platform/lib/languages/code-keys.ts'
import { nowInSeconds } from '../../platform/lib/time.ts'
import { codeLimits, codesRequest } from './code-request.ts'
import { codeStatements } from './code-statements.ts'
import { createRandomCodes } from './random-codes.ts'

/** A batch of codes that was made. */
interface MadeCodes {
  batch: string
  count: number
}

/** Makes codes of a coupon in one transaction. `respond` creates the response, which does not contain them. */
export async function makeCodes(
  caller: Caller,
  coupon: string,
  { patch, issues }: ParsedBody,
  respond: (made: MadeCodes) => Response,
): Promise<Response> {
  if (!caller.idempotency) {
    const message = 'is required: a repeated request must not make the codes again'
    throw invalid([...issues, { parameter: 'Idempotency-Key', code: 'required', message }])
  }
  if (issues.length > 0) throw invalid(issues)
  const { count, prefix, length } = codesRequest.parse(patch)
  for (let attempt = 0; attempt < maxWriteAttempts; attempt++) {
    const batch = createId('ccb')
    const response = respond({ batch, count })
    const values = {
      ...caller.scope,
      coupon,
      batch,
      count,
      prefix: prefix || undefined,
      prefixKey: foldCode(prefix ?? ''),
      codes: JSON.stringify(createRandomCodes(count, length ?? codeLimits.length.min)),
      now: nowInSeconds(),
    }
    try {
      const [made, , [totals]] = await commit(
        caller,
        { operation: 'coupons.codes.create', object: coupon, record: recordTitled(coupons), response },
        [
          [codeStatements.insertBatch(), values],
          [codeStatements.insertCodes(), values],
        ],
        [[codeStatements.totals(), values]],
      )
      if (made.length > 0) return response
      if (!totals) throw notFound()
      throw new ApiError(
        'too_many',
        `A coupon can have ${codeLimits.perCoupon} codes in ${codeLimits.batches} batches. It has ${totals.codes} in ${totals.batches}.`,
      )
    } catch (error) {
      // A random code is that of another coupon or code.
      if (!(error instanceof ConstraintError)) throw error
    }
  }
  throw busy()
}
