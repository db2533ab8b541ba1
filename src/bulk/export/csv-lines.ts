import type { Caller } from '../../catalogue/resource/caller.ts'
import type { Lease } from '../../platform/http/bodies/byte-budget.ts'
import { toCsvLine } from '../csv/cells.ts'
import { listColumns, toCells } from '../csv/columns.ts'
import type { ExportPages } from './export-pages.ts'
import type { ExportedResource } from './exported-resource.ts'

/** The lines of a CSV export: the header row, and a row for each object. */
export async function* toCsvLines(
  caller: Caller,
  resource: ExportedResource,
  pages: ExportPages,
  metadataKeys: readonly string[],
  lease: Lease,
): AsyncGenerator<string, void, undefined> {
  const columns = listColumns(resource, metadataKeys)
  yield toCsvLine(columns)
  const render = (object: object, externalId: string | undefined) =>
    toCsvLine(toCells(columns, { ...object, externalId }))
  for await (const { text } of pages.readPages(caller, render, lease)) if (text !== '') yield text
}
