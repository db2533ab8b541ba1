import type { Caller } from '../../catalogue/resource/caller.ts'
import type { Lease } from '../../platform/http/bodies/byte-budget.ts'
import type { ExportPages, Render } from './export-pages.ts'

/** A resource to export, and its pages. */
interface ExportPart {
  path: string
  pages: ExportPages
}

/** The first line of a JSON Lines export. */
interface ExportHeader {
  merchantId: string
  testMode: boolean
  /** Seconds since 1970-01-01 UTC. */
  takenAt: number
  /** Id of the newest event when the export began. Undefined if there is none. */
  lastEvent: string | undefined
}

/** The lines of an export: the header, a line for each object, and the number of objects of each resource. */
export async function* toJsonLines(
  caller: Caller,
  header: ExportHeader,
  parts: readonly ExportPart[],
  lease: Lease,
): AsyncGenerator<string, void, undefined> {
  yield `${JSON.stringify({ export: header })}\n`
  const counts: Record<string, number> = {}
  for (const { path, pages } of parts) {
    let exported = 0
    const render: Render = (object, externalId, details) =>
      `${JSON.stringify({ resource: path, externalId, object, details })}\n`
    for await (const { text, count } of pages.readPages(caller, render, lease)) {
      exported += count
      if (count > 0) yield text
    }
    counts[path] = exported
  }
  yield `${JSON.stringify({ end: { counts } })}\n`
}
