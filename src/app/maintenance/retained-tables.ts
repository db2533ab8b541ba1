import { invitationRetention, invitationSeconds } from '../../admin/account/members/invitation-statements.ts'
import { challengeSeconds } from '../../admin/account/passkeys/challenge.ts'
import { noticeRetention } from '../../admin/account/passkeys/notices.ts'
import { challengeRetention } from '../../admin/account/passkeys/passkey-statements.ts'
import { sessionRetention } from '../../admin/account/session-statements.ts'
import { changeRetentionDays, changeSetRetention } from '../../bulk/changes/change-retention.ts'
import { importRetentionDays, importRowRetentionDays } from '../../bulk/import/import-limits.ts'
import {
  chunkRetention,
  importIssueRetention,
  importRetention,
} from '../../bulk/import/statements/maintenance-statements.ts'
import { releaseLimits, releasePrefix } from '../../bulk/release/release-limits.ts'
import { releaseRetention, stagedRetention } from '../../bulk/release/release-retention.ts'
import { codeBatchRetention, codeRetention, goneCodeDays } from '../../checkout/codes/code-retention.ts'
import {
  adjustmentRetention,
  adjustmentRetentionDays,
  orderRetention,
} from '../../checkout/stock/adjustment-retention.ts'
import { sessionSeconds } from '../../platform/auth/console-session.ts'
import { failureRetention, failureSeconds } from '../../platform/auth/failures/failure-statements.ts'
import { operatorSessionRetention } from '../../platform/auth/operator/operator-sessions.ts'
import { auditRetention, auditRetentionDays } from '../../platform/db/audit-log.ts'
import type { Statement } from '../../platform/db/database.ts'
import { replaySeconds } from '../../platform/db/idempotency-keys.ts'
import { stagedPrefix, stagedSeconds } from '../../platform/db/schema/releases/staged-values.ts'
import { keyRetention } from '../../platform/http/idempotency.ts'
import { daySeconds } from '../../platform/lib/day.ts'
import {
  keptReceiptRetention,
  receiptRetention,
  receiptRetentionDays,
} from '../../storefront/tags/scans/scan-receipts.ts'
import { deliveryRetention, eventRetention, retentionDays } from '../../webhooks/event-retention.ts'

/** A table whose rows expire `seconds` after they were inserted. */
export interface Retained {
  name: string
  seconds: number
  /** Prefix of the ids, which contain the time. Without it a column contains the time, in seconds. */
  idPrefix?: string
  /**
   * A table is purged when its row of `purges` is due. With `next`, the rows of a merchant are purged when the merchant's row is due: `next`
   * returns the oldest id of each merchant. `any` returns a row if the table has one: it is given where `oldest` reads rows for each webhook or
   * import.
   */
  statements: {
    /** Runs before `purge`, in its transaction, with the same parameters. */
    prepare?: () => Statement
    purge: () => Statement
    oldest: () => Statement
    next?: () => Statement<{ name: string; id: string | null }>
    any?: () => Statement
  }
}

const sessionRows = { seconds: sessionSeconds.total, idPrefix: 'ses' } as const
const importRows = { seconds: importRowRetentionDays * daySeconds, idPrefix: 'imp' } as const

/** The tables whose rows expire. The purge deletes the rows of each table that are older than its retention. */
export const retainedTables: readonly Retained[] = [
  { name: 'deliveries', seconds: retentionDays * daySeconds, idPrefix: 'evt', statements: deliveryRetention },
  { name: 'events', seconds: retentionDays * daySeconds, idPrefix: 'evt', statements: eventRetention },
  { name: 'change_sets', seconds: changeRetentionDays * daySeconds, idPrefix: 'chs', statements: changeSetRetention },
  { name: 'scan_receipts', seconds: receiptRetentionDays * daySeconds, idPrefix: 'scan', statements: receiptRetention },
  // Removes the receipts from the counts. The counts stay.
  { name: 'scan_counts', seconds: receiptRetentionDays * daySeconds, statements: keptReceiptRetention },
  { name: 'idempotency_keys', seconds: replaySeconds, statements: keyRetention },
  { name: 'stock_adjustments', seconds: adjustmentRetentionDays * daySeconds, statements: adjustmentRetention },
  // Only those of deleted coupons, which can be restored until then.
  { name: 'coupon_codes', seconds: goneCodeDays * daySeconds, statements: codeRetention },
  { name: 'coupon_code_batches', seconds: goneCodeDays * daySeconds, statements: codeBatchRetention },
  { name: 'orders', seconds: adjustmentRetentionDays * daySeconds, statements: orderRetention },
  { name: 'imports', seconds: importRetentionDays * daySeconds, idPrefix: 'imp', statements: importRetention },
  { name: 'import_chunks', ...importRows, statements: chunkRetention },
  { name: 'import_issues', ...importRows, statements: importIssueRetention },
  // Their operations go with them.
  { name: 'releases', seconds: releaseLimits.days * daySeconds, idPrefix: releasePrefix, statements: releaseRetention },
  { name: 'staged_values', seconds: stagedSeconds, idPrefix: stagedPrefix, statements: stagedRetention },
  { name: 'sessions', ...sessionRows, statements: sessionRetention },
  { name: 'operator_sessions', ...sessionRows, statements: operatorSessionRetention },
  { name: 'invitations', seconds: invitationSeconds, idPrefix: 'inv', statements: invitationRetention },
  { name: 'used_challenges', seconds: challengeSeconds, idPrefix: 'chl', statements: challengeRetention },
  { name: 'notices', seconds: auditRetentionDays * daySeconds, idPrefix: 'ntc', statements: noticeRetention },
  // The column has the start of the day.
  { name: 'failed_requests', seconds: failureSeconds, statements: failureRetention },
  { name: 'audit', seconds: auditRetentionDays * daySeconds, idPrefix: 'aud', statements: auditRetention },
]
