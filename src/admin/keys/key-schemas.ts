import * as z from 'zod/mini'
import { formatRange, parseRange } from '../../platform/auth/allowed-addresses.ts'
import { scopes } from '../../platform/auth/api-keys.ts'
import { matches } from '../../platform/http/fields/types.ts'
import * as field from '../../platform/http/fields.ts'
import { daySeconds } from '../../platform/lib/day.ts'
import { nowInSeconds } from '../../platform/lib/time.ts'

const { limits } = field

/** How long a rolled key stays valid in addition to its successor, in seconds. */
export const rollOverlap = { default: daySeconds, max: 7 * daySeconds } as const

/** A time in the future, in seconds. */
export const future = field.count.check(
  field.rules((seconds) =>
    seconds > nowInSeconds() ? undefined : { code: 'too_small', message: 'must be in the future' },
  ),
)
const scopeList = field
  .set(z.enum(scopes), scopes.length)
  .check(
    field.rules((list) =>
      list.length > 0
        ? undefined
        : { code: 'invalid_value', message: 'must contain at least one scope; omit the field for the default scopes' },
    ),
  )

/** Maximum length of a range: an IPv6 address with an IPv4 address at its end, and `/128`. */
const maxRangeLength = 49

/** Ranges of addresses in CIDR notation, stored with the first address of each. */
export const allowedAddresses = field
  .list(
    z.pipe(
      field.exactText({
        min: 1,
        max: maxRangeLength,
        form: matches((text) => parseRange(text) !== undefined, 'must be an address or a range in CIDR notation'),
      }),
      z.transform((text: string) => {
        const range = parseRange(text)
        return range ? formatRange(range) : text
      }),
    ),
    limits.allowedIps,
  )
  .check(
    field.rules((list) =>
      list.length > 0
        ? undefined
        : { code: 'too_short', message: 'must have an address; omit the field for all addresses' },
    ),
  )

const fields = z.strictObject({
  mode: z.enum(['live', 'test']),
  scopes: z
    .nullish(scopeList)
    .check(
      z.describe(
        'Operations that the key allows. Default: all scopes except those of `merchant`, `keys` and `members`.',
      ),
    ),
  title: z.nullish(field.title),
  allowedIps: z
    .nullish(allowedAddresses)
    .check(
      z.describe(
        'Addresses from which the key and its sessions are accepted, at most 20: IPv4 and IPv6 ranges in CIDR notation, or single addresses. Other addresses get `address_not_allowed`. Stored with the first address of the range. Must be within those of the key that creates it. Default: those, otherwise all addresses.',
      ),
    ),
  expiresAt: z
    .nullish(future)
    .check(
      z.describe(
        'Time of expiry, in seconds since 1970-01-01 UTC. Must be in the future, and no later than the expiry of the key that creates it. Default: that expiry, otherwise never.',
      ),
    ),
})
export const rollFields = z.strictObject({
  overlap: z
    .nullish(field.integer(0, rollOverlap.max))
    .check(
      z.describe(`How long the old key stays valid, in seconds. Default: ${rollOverlap.default.toLocaleString('en')}.`),
    ),
})

const readOnly = new Set(['id', 'key', 'prefix', 'last4', 'createdAt', 'lastUsedAt'])
/** Rules for the body of a create. */
export const createRules = { schema: fields, partial: z.partial(fields), readOnly }
/** Rules for the body of a roll. */
export const rollRules = { schema: rollFields, partial: rollFields, readOnly }

/** A key in responses, without the key itself. */
export const view = z.object({
  id: z.string(),
  title: z.optional(z.string()),
  scopes: z.array(z.string()),
  allowedIps: z.optional(z.array(z.string())),
  last4: z.string(),
  createdAt: z.int(),
  expiresAt: z.optional(z.int()),
  lastUsedAt: z.optional(z.int()),
  mode: z.enum(['live', 'test']),
  prefix: z.string(),
})
/** The response to a created key. */
export const fullView = z.extend(view, { key: z.string().check(z.describe('The key itself. Returned only once.')) })

/** Bodies and responses of keys. */
export const keySchemas = { create: fields, roll: rollFields, view, full: fullView }
