import type { Context } from 'hono'
import * as z from 'zod/mini'
import { merchantTable } from '../platform/db/schema/merchants.ts'
import { invalid } from '../platform/errors.ts'
import type { Env } from '../platform/http/context.ts'
import type { ParsedBody } from '../platform/http/validation.ts'

const supportAccess = z.enum(merchantTable.supportAccess.enumValues)
/** The field with which a venue decides about support. */
export const supportAccessField = z
  .nullish(supportAccess)
  .check(
    z.describe(
      'Rights of an operator of the service who opens the venue for an hour, with a reason. `off`: none. `read`: read without customers, secrets and exports. `write`: also change products, menus and availability. Only the venue sets it, not the operator. Default: `read`.',
    ),
  )
export const supportAccessView = z.optional(supportAccess)

/** The patch of a valid body. Rejects a change of `supportAccess` by an operator, who must not widen their own rights. */
export function readMerchantPatch({ var: { scope } }: Context<Env>, { patch, issues }: ParsedBody) {
  if (issues.length > 0) throw invalid(issues)
  if (!scope && 'supportAccess' in patch)
    throw invalid([{ pointer: '/supportAccess', code: 'read_only_field', message: 'is set by the venue only' }])
  return patch
}
