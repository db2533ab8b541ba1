import { maxOperators } from '../../src/admin/account/operators/operator-statements.ts'
import { maxSessionsPerKey } from '../../src/admin/account/session-statements.ts'
import { similarLimits } from '../../src/catalogue/resource/store/similar-words.ts'
import { codeLimits } from '../../src/checkout/codes/code-request.ts'
import { maxOperatorSessions } from '../../src/platform/auth/operator/operator-sessions.ts'
import { supportSeconds } from '../../src/platform/auth/operator/support-sessions.ts'
import { limits } from '../../src/platform/http/fields.ts'
import { maxInnerLetters } from '../../src/platform/lib/search-terms.ts'
import { callLimits } from '../../src/storefront/tags/calls/call-limits.ts'
import { seatHours } from '../../src/storefront/tags/calls/seat.ts'
import { maxFormBytes } from '../../src/storefront/tags/calls/take-call.ts'
import { directCounts } from '../../src/storefront/tags/scans/record-scan.ts'
import { receiptRetentionDays } from '../../src/storefront/tags/scans/scan-receipts.ts'
import { platformRecoverBounds } from '../../src/webhooks/platform/platform-delivery-routes.ts'
import { platformWebhookLimits } from '../../src/webhooks/platform/platform-webhook-fields.ts'

const { ofTag, ofTagSeconds, openOfVenue, seconds } = callLimits

/** Numbers of the rows of the page of limits that are about calls of guests. */
export const callRows: Readonly<Record<string, readonly number[]>> = {
  'Calls of guests: of a table, open in a venue, lifetime': [ofTag, ofTagSeconds / 60, openOfVenue, seconds / 60],
  'Seat of a guest: lifetime': [seatHours, seatHours + 1],
  'Form of a call': [maxFormBytes],
}

const { count, perCoupon, batches, length, prefix } = codeLimits

/** Numbers of the rows about single-use codes of coupons. */
export const codeRows: Readonly<Record<string, readonly number[]>> = {
  'Single-use codes of a request, of a coupon': [1, count, perCoupon],
  'Batches of codes of a coupon': [batches],
  'Random characters of a code, its prefix': [length.min, length.max, prefix],
}

/** Numbers of the rows about searches. */
export const searchRows: Readonly<Record<string, readonly number[]>> = {
  'Objects that a search compares with a word that has a typing error': [similarLimits.candidates, similarLimits.words],
  'Letters of a word of a title or name that a search finds from within': [maxInnerLetters],
}

/** Numbers of the rows about sessions. Operators and keys have as many. */
export const sessionRows: Readonly<Record<string, readonly number[]>> = {
  "Sessions of one key, member or operator, and of the operator's token": [
    ...new Set([maxSessionsPerKey, maxOperatorSessions]),
  ],
  'Operators, platform keys': [maxOperators],
  'Hour of [support](operations.md#support), its reason': [supportSeconds / 60, 1, limits.label],
}

/** Numbers of the rows about platform webhooks. */
export const platformRows: Readonly<Record<string, readonly number[]>> = {
  '[Platform webhooks](operations.md#platform-webhooks)': [
    platformWebhookLimits.webhooks,
    platformWebhookLimits.merchants,
  ],
  'Deliveries to a platform webhook resent by one `recover`': [
    platformRecoverBounds.deliveries,
    platformRecoverBounds.merchants,
    0,
  ],
}

/** Numbers of the rows about scans. */
export const scanRows: Readonly<Record<string, readonly number[]>> = {
  'Counts of scans without the queue': [
    1,
    ...[directCounts.maxMs, directCounts.slowMs, directCounts.pauseMs].map((ms) => ms / 1000),
  ],
  'Receipts of counted scans, which make a repeated message count once': [receiptRetentionDays, receiptRetentionDays],
}
