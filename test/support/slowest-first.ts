import { createHash } from 'node:crypto'
import { relative, resolve } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const project = resolve(import.meta.dirname, '../..')

/**
 * The slowest test files of each project in CI, slowest first. A clean clone has no durations of earlier runs: vitest would begin with the
 * largest files, and one core would be idle while the other runs a slow small file at the end.
 */
export const slowFiles = [
  'test/e2e/console/layout-sweep.test.ts',
  'test/e2e/recipes.test.ts',
  'test/e2e/docs.test.ts',
  'test/e2e/dev.test.ts',
  'test/e2e/platform-webhook.test.ts',
  'test/e2e/wrangler-dev.test.ts',
  'test/e2e/command-line/venue-file.test.ts',
  'test/e2e/page-examples.test.ts',
  'test/e2e/server/start.test.ts',
  'test/e2e/load.test.ts',
  'test/e2e/migration.test.ts',
  'test/e2e/delivery.test.ts',
  'test/e2e/command-line/commands.test.ts',
  'test/e2e/console/all-screens.test.ts',
  'test/e2e/console/menus.test.ts',
  'test/e2e/certify.test.ts',
  'test/e2e/move-drill.test.ts',
  'test/e2e/release-drill.test.ts',
  'test/e2e/console/products.test.ts',
  'test/e2e/console/modifiers.test.ts',
  'test/e2e/console/second-device.test.ts',
  'test/e2e/print.test.ts',
  'test/repository/steps/tables.test.ts',
  'test/repository/deployed-modules.test.ts',
  'test/bulk/release/publish-parts.test.ts',
  'test/bulk/release/one-state.test.ts',
  'test/webhooks/events/event-copy.test.ts',
  'test/checkout/quote/lines/deposit-prices.test.ts',
  'test/bulk/changes/undo-moved.test.ts',
  'test/bulk/changes/undo.test.ts',
  'test/checkout/quote/orders/whole-orders.test.ts',
  'test/bulk/release/publish-many.test.ts',
  'test/bulk/batch/random-batches.test.ts',
  'test/catalogue/resource/store.test.ts',
  'test/checkout/quote/price-order.test.ts',
]
const ranks = new Map(slowFiles.map((file, index) => [file, index]))
const rankOf = ({ moduleId }: TestSpecification) => ranks.get(relative(project, moduleId)) ?? ranks.size

/** `FILE_ORDER=7` mixes the files, in an order that belongs to this text: no test may depend on the files before it. */
const order = process.env['FILE_ORDER']
const placeOf = ({ moduleId }: TestSpecification) => createHash('sha256').update(`${order} ${moduleId}`).digest('hex')

/** Orders files as vitest does, with the slowest files of each project first. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    if (order !== undefined) return files.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
    const sorted = await super.sort(files)
    // The projects of a group run one after the other.
    const byProject = Map.groupBy(sorted, (file) => file.project.name)
    return [...byProject.values()].flatMap((own) => own.toSorted((a, b) => rankOf(a) - rankOf(b)))
  }
}
