import { capitalize, type OperationGroup } from '../../src/platform/http/openapi/operation.ts'
import { resourcePaths } from '../../src/platform/names.ts'

/** The groups in the order of the document. Those of resources come first. */
const order = [
  ...resourcePaths.map(capitalize),
  'Pictures',
  'Details',
  'Coupon codes',
  'Charges',
  'Checkout',
  'Redemptions',
  'Stock',
  'Pauses',
  'Events',
  'Pulse',
  'Deliveries',
  'Webhook filters',
  'Privacy',
  'Audit',
  'Failed requests',
  'Batch',
  'Changes',
  'Releases',
  'Export',
  'Import',
  'Test data',
  'Scans and prints',
  'Calls',
  'Guests',
  'Previews',
  'Account',
  'Members',
  'Console',
  'Operators',
  'Platform keys',
  'Platform webhooks',
  'Merchants',
  'Keys',
  'Older tags',
  'Maintenance',
  'Service',
]

/** A file beside the routes that it describes. Its default export is a group, or several; without one, other files use what it exports. */
interface OperationFile {
  default?: OperationGroup | readonly OperationGroup[]
}

/** Node reads the folders. Vite, which runs the tests, replaces its call by imports: workerd has no folders. */
async function readFiles(): Promise<readonly OperationFile[]> {
  if (import.meta.env !== undefined) {
    return Object.values(import.meta.glob<OperationFile>('../../src/**/*.operations.ts', { eager: true }))
  }
  const { globSync } = await import('node:fs')
  const files = globSync('../../src/**/*.operations.ts', { cwd: import.meta.dirname })
  return Promise.all(files.map((file) => import(/* @vite-ignore */ new URL(file, import.meta.url).href)))
}

function toPosition({ name }: OperationGroup): number {
  const position = order.indexOf(name)
  if (position < 0) throw new Error(`The group ${name} has no place in the order of tools/openapi/operation-groups.ts.`)
  return position
}

/** All groups of operations, in the order of the document. */
export const operationGroups: readonly OperationGroup[] = (await readFiles())
  .flatMap((file) => file.default ?? [])
  .toSorted((a, b) => toPosition(a) - toPosition(b))
