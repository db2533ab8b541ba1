/**
 * Test files that run in CI, and when they are named: they kill processes, load a service, wait for sweeps of queues, or repeat what others check with
 * the programs of other people, for longer or in each step. `npm test` takes a third less time without them.
 */
export const leftToCi = [
  'test/admin/late/late-writes.test.ts',
  'test/app/due-reads.test.ts',
  'test/bulk/changes/undo-deleted.test.ts',
  'test/bulk/changes/undo-moved.test.ts',
  'test/bulk/changes/undo-stock.test.ts',
  'test/bulk/import/import-outages.test.ts',
  'test/bulk/release/one-state.test.ts',
  'test/bulk/release/past-catalogue.test.ts',
  'test/bulk/release/publish-many.test.ts',
  'test/bulk/release/publish-parts.test.ts',
  'test/catalogue/resource/details/many-options.test.ts',
  'test/e2e/bundle.test.ts',
  'test/e2e/certify.test.ts',
  'test/e2e/command-line/listen.test.ts',
  'test/e2e/console/all-screens.test.ts',
  'test/e2e/console/clock-changes.test.ts',
  'test/e2e/console/layout-sweep.test.ts',
  'test/e2e/console/overlaps.test.ts',
  'test/e2e/console/second-device.test.ts',
  'test/e2e/days/two-devices.test.ts',
  'test/e2e/delivery.test.ts',
  'test/e2e/foreign.test.ts',
  'test/e2e/guest-sweep.test.ts',
  'test/e2e/import-states.test.ts',
  'test/e2e/import.test.ts',
  'test/e2e/large-bodies.test.ts',
  'test/e2e/lint.test.ts',
  'test/e2e/load-dishes.test.ts',
  'test/e2e/load-update.test.ts',
  'test/e2e/load.test.ts',
  'test/e2e/move-drill.test.ts',
  'test/e2e/order-drill.test.ts',
  'test/e2e/platform-webhook.test.ts',
  'test/e2e/recipes.test.ts',
  'test/e2e/release-drill.test.ts',
  'test/e2e/samples.test.ts',
  'test/e2e/server/backup-under-load.test.ts',
  'test/e2e/server/backup.test.ts',
  'test/e2e/server/disk-full.test.ts',
  'test/e2e/server/moving-venue.test.ts',
  'test/e2e/server/start.test.ts',
  'test/e2e/spreadsheet.test.ts',
  'test/e2e/wrangler-dev.test.ts',
  'test/platform/db/compared-pages.test.ts',
  'test/platform/db/found-pages.test.ts',
  'test/platform/http/bodies/stalled-bodies.test.ts',
  'test/platform/http/routing/cached-router.test.ts',
  'test/tenancy/backup/restore-limits.test.ts',
  'test/tenancy/backup/restore-parts.test.ts',
  'test/tenancy/backup/restore-states.test.ts',
  'test/tenancy/move/clean-up.test.ts',
  'test/tenancy/move/run-move.test.ts',
  'test/tenancy/people/reapply-costs.test.ts',
]

/** Files that wait for sweeps of the server, which come each minute, or restart it several times: six minutes. Who names them runs them. */
export const leftToPeople = [
  'test/e2e/server/clock.test.ts',
  'test/e2e/server/lost-checks.test.ts',
  'test/e2e/server/lost-queues.test.ts',
]

/** The files of both lists that do not run with these arguments. */
export function listLeft(args: readonly string[] = process.argv, isInCi = Boolean(process.env['CI'])): string[] {
  const names = args.filter((argument) => argument.endsWith('.test.ts'))
  const left = isInCi ? leftToPeople : [...leftToCi, ...leftToPeople]
  return left.filter((file) => !names.some((name) => file.endsWith(name) || name.endsWith(file)))
}
