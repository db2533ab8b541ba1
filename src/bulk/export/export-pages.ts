import type { Caller } from '../../catalogue/resource/caller.ts'
import { getLargeColumns } from '../../catalogue/resource/details/details-columns.ts'
import { getDetails } from '../../catalogue/resource/included-fields.ts'
import { readSelectedLimits } from '../../checkout/coupon-limit-rows.ts'
import { lazy, type Values } from '../../platform/db/database.ts'
import { columnShare, pageBytes, readPageWithin, shareParameter, showPage } from '../../platform/db/page-budget.ts'
import { createRowReader } from '../../platform/db/query.ts'
import type { Row } from '../../platform/db/row.ts'
import { detailsColumn } from '../../platform/db/schema/objects/details.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Lease } from '../../platform/http/bodies/byte-budget.ts'
import { createExportStatements, externalIdColumn, limitsColumn } from './export-statements.ts'
import type { ExportedResource } from './exported-resource.ts'

/** Maximum number of objects that an export reads at once. A page of large objects has fewer: see `platform/db/page-budget.ts`. */
export const maxExportPageRows = 500

/**
 * Memory of one export in bytes: a base from start to end, a page of full size, and a small page if there is less room. `perUnit` covers the text and
 * its bytes, for each UTF-16 unit of a text that waits for its reader.
 */
export const exportMemory = { held: 512 * 1024, whole: 4 * pageBytes, smallPageBytes: 128 * 1024, perUnit: 2 } as const

/** Maximum wait of an export for the memory of a full page, in milliseconds. */
const wholePageMs = 500

/** A part of an export: the lines of some objects. */
interface Page {
  text: string
  count: number
}

/** Holds memory for a page. Returns the maximum size of the page: small if there is no room for a full page. */
async function holdPage(lease: Lease): Promise<number> {
  try {
    await lease.hold(exportMemory.whole, wholePageMs)
    return pageBytes
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    await lease.hold(exportMemory.held)
    return exportMemory.smallPageBytes
  }
}

/** Members of a line beside its object. */
interface Sides {
  externalId: string | undefined
  details: object | undefined
  /** Limits of a coupon that has some. */
  limits: object | undefined
}
/** Renders one object as text. */
export type Render = (object: object, sides: Sides) => string

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

    /**
     * The texts of the objects, page by page, and their number. A page is read after its reader has taken the previous text. While a text waits, the
     * rest of its page is not in memory.
     */
    async *readPages(
      { database, scope, renderContext }: Caller,
      render: Render,
      lease: Lease,
    ): AsyncGenerator<Page, void> {
      const show = (row: Row) => {
        const item = readItem(row)
        const [externalId, stored, limits] = [row[externalIdColumn], row[detailsColumn], row[limitsColumn]]
        const source = { id: String(row['id']), merchantId: scope.merchantId }
        const read = typeof limits === 'string' ? readSelectedLimits(limits, source) : {}
        return render(toView(item, renderContext), {
          externalId: externalId === null ? undefined : String(externalId),
          details: typeof stored === 'string' ? getDetails(resource, stored, item, source) : undefined,
          limits: Object.values(read).some((value) => value !== undefined) ? read : undefined,
        })
      }
      const readWhole = async (ids: readonly string[]) =>
        (await database.run([statements.findAll(scope), { ...scope, ids: JSON.stringify(ids) }])).flat()
      const large = largeColumns()
      async function readPage(after: string, budget: number) {
        const share = columnShare(maxExportPageRows + 1, large, budget)
        const values: Values = { ...scope, after, rows: maxExportPageRows + 1, [shareParameter]: share }
        const [found]: Row[][] = await database.run([statements.page(scope), values])
        const page = await readPageWithin(found, maxExportPageRows, 'id', large, readWhole, budget)
        const { shown, end } = showPage(database, page, 'id', show, (text) => text)
        return { text: shown.join(''), count: shown.length, end }
      }
      for (let after: string | undefined = ''; after !== undefined; ) {
        const budget = await holdPage(lease)
        const { text, count, end }: Page & { end: string | undefined } = await readPage(after, budget)
        await lease.hold(Math.max(exportMemory.held, text.length * exportMemory.perUnit))
        yield { text, count }
        after = end
      }
    },
  }
}

export type ExportPages = ReturnType<typeof createExportPages>
