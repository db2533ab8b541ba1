import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'

/**
 * A transaction can start many seconds after its request read the clock. A condition that compares a time takes the time of the database
 * (`databaseNow`): otherwise it accepts what has ended. Files that compare with a parameter, each with the reason why it may be a little old.
 */
const reasons: Readonly<Record<string, string>> = {
  'admin/delete-closed.ts': 'deletes later',
  'admin/operator/metrics-routes.ts': 'is only shown',
  'bulk/changes/change-retention.ts': 'deletes later',
  'bulk/changes/undo/overdue-undos.ts': 'enqueues later',
  'bulk/import/statements/import-statements.ts': 'counts failures less often',
  'bulk/import/statements/maintenance-statements.ts': 'deletes and enqueues later',
  'bulk/release/release-retention.ts': 'deletes later',
  'catalogue/resource/history/history-statements.ts': 'is the time that the request asks for',
  'catalogue/resource/pruning/continue-pruning.ts': 'enqueues later, and only writes the time of progress',
  'checkout/codes/code-retention.ts': 'deletes later',
  'checkout/redemptions/redemption-list.ts': 'is only shown',
  'checkout/service/resume-service.ts': 'raises the event and ends the pause at the same time, later',
  'checkout/stock/return-options.ts': 'raises the event and deletes the mark at the same time, later',
  'checkout/stock/return-to-stock.ts': 'raises the event and deletes the mark at the same time, later',
  'platform/auth/api-keys.ts': 'writes the last use less often',
  'platform/auth/failures/failure-statements.ts': 'deletes later',
  'platform/auth/operator/operator-sessions.ts': 'writes the last use less often',
  'platform/auth/operator/platform-keys.ts': 'writes the last use less often',
  'platform/auth/sessions.ts': 'writes the last use less often',
  'platform/db/audit-log.ts': 'deletes later',
  'platform/db/counters.ts': 'is only shown',
  'platform/db/idempotency-keys.ts': 'deletes and reads with the same time',
  'platform/db/purge-times.ts': 'deletes later',
  'platform/outbox/fan-out.ts': 'a delivery is due a little early',
  'platform/purge-statements.ts': 'deletes later',
  'storefront/media/picture-statements.ts': 'deletes later',
  'storefront/tags/calls/old-calls.ts': 'deletes later',
  'storefront/tags/reserved-names.ts': 'releases a name later',
  'storefront/tags/scans/scan-receipts.ts': 'deletes later',
  'tenancy/backup/backup-statements.ts': 'deletes and checks later',
  'tenancy/backup/restore/restore-statements.ts': 'takes a lease over later',
  'tenancy/move/move-statements.ts': 'takes a lease over and cleans up later',
  'tenancy/people/erasures.ts': 'moves a clean-up forward that has ended',
  'tenancy/people/import-person-statements.ts':
    'uploads since the search, with a margin of a minute for clocks that differ',
  'webhooks/attempts/claim-attempt.ts': 'claims a little later; leases have a margin of 30 seconds',
  'webhooks/attempts/record-attempt.ts': 'closes the circuit a little later',
  'webhooks/backlog.ts': 'enqueues later',
  'webhooks/deliveries/delivery-request.ts': 'sends a probe again',
  'webhooks/deliveries/resend-routes.ts': 'takes a lease over later',
  'webhooks/event-retention.ts': 'deletes later',
  'webhooks/platform/endpoints.ts': 'closes the circuit a little later',
  'webhooks/platform/platform-attempt.ts': 'claims a little later; leases have a margin of 30 seconds',
  'webhooks/rows/conditions.ts': 'takes a lease over later',
  'webhooks/rows/scrub-secrets.ts': 'removes retired secrets later',
}

/** Parameters that hold a time of this request. */
const time = String.raw`param\('(?:now|nowMs|atMs|before|since|retryBefore|today|time|startedAfter|usedAfter)'\)`
const comparison = new RegExp(
  [
    String.raw`\b(?:gte?|lte?|between)\([^\n]*${time}`,
    String.raw`[<>]=?\s*\$\{${time}\}`,
    String.raw`\$\{${time}\}\s*[<>]`,
    String.raw`(?:max|min)\(\$\{${time}\}, coalesce`,
    String.raw`^const \w+ = ${time}`,
    String.raw`hookRow\(sql.\$\{${time}\}`,
  ].join('|'),
  'm',
)

test('a condition on time takes the time of the database, or a reason why it may be old', () => {
  const source = resolve(import.meta.dirname, '../../src')
  const found = globSync('**/*.ts', { cwd: source }).filter((file) =>
    comparison.test(readFileSync(resolve(source, file), 'utf8')),
  )
  expect(found.toSorted()).toEqual(Object.keys(reasons))
})

test.each([
  "gt(table.expiresAt, param('now'))",
  "and(isOwn, lte(table.at, param('before')))",
  "sql`#{table.endsAt} <= #{param('now')}`",
  "sql`#{param('now')} < #{table.endsAt}`",
])('%s compares a time of the request', (text) => expect(text.replaceAll('#', '$')).toMatch(comparison))
