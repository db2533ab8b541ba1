import { lazy, type Values } from '../db/database.ts'
import { columnShare, readPageWithin, shareParameter, showPage } from '../db/page-budget.ts'
import type { Row } from '../db/row.ts'
import { createRowReader } from '../db/row-reader.ts'
import { detailsColumn } from '../db/schema/objects/details.ts'
import type { Caller } from '../resource/caller.ts'
import { getLargeColumns } from '../resource/details/details-columns.ts'
import { getDetails } from '../resource/responses.ts'
import { createExportStatements, externalIdColumn } from './export-statements.ts'
import type { ExportedResource } from './exported-resource.ts'

/** Maximum number of objects that an export reads at once. A page of large objects has fewer: see `db/page-budget.ts`. */
export const maxExportPageRows = 500

/** Renders one object as text. */
export type Render = (object: object, externalId: string | undefined, details: object | undefined) => string

/** Reads all objects of a resource, oldest first, in pages of at most `pageBytes`. Damaged rows are left out and reported. */
export function createExportPages(resource: ExportedResource) {
  const { table, item, toView } = resource
  const statements = createExportStatements(resource)
  const readItem = createRowReader(table, item)
  const largeColumns = lazy(() => getLargeColumns(resource, resource.details !== undefined))

  return {
    /** The keys of all metadata entries, sorted, at most `limit`. */
    async listMetadataKeys({ database, scope }: Caller, limit: number): Promise<string[]> {
      const [rows] = await database.run([statements.metadataKeys(scope), { ...scope, limit }])
      return rows.map(({ key }) => String(key))
    },

    /** The texts of the objects, page by page. */
    async *readPages({ database, scope, renderContext }: Caller, render: Render): AsyncGenerator<string[], void> {
      const show = (row: Row) => {
        const item = readItem(row)
        const [externalId, stored] = [row[externalIdColumn], row[detailsColumn]]
        const source = { id: String(row['id']), merchantId: scope.merchantId }
        return render(
          toView(item, renderContext),
          externalId === null ? undefined : String(externalId),
          typeof stored === 'string' ? getDetails(resource, stored, item, source) : undefined,
        )
      }
      const readWhole = async (ids: readonly string[]) =>
        (await database.run([statements.findAll(scope), { ...scope, ids: JSON.stringify(ids) }])).flat()
      const large = largeColumns()
      const share = columnShare(maxExportPageRows + 1, large)
      for (let after: string | undefined = ''; after !== undefined; ) {
        const values: Values = { ...scope, after, rows: maxExportPageRows + 1, [shareParameter]: share }
        const [found]: Row[][] = await database.run([statements.page(scope), values])
        const page = await readPageWithin(found, maxExportPageRows, 'id', large, readWhole)
        const { shown, end } = showPage(database, page, 'id', show, (text) => text)
        yield shown
        after = end
      }
    },
  }
}

export type ExportPages = ReturnType<typeof createExportPages>
