import type { importChunkTable } from '../../../platform/db/schema/imports/imports.ts'
import type { Write } from '../../../platform/db/transaction.ts'
import type { ResourcePath } from '../../../platform/names.ts'
import { exportOrder } from '../../export/exported-resource.ts'
import { chunkLimits } from '../import-limits.ts'
import { type FileRow, serializeRow } from '../rows/file-row.ts'
import type { RowObject } from '../rows/row-object.ts'
import { chunkStatements } from '../statements/chunk-statements.ts'

interface OpenChunk {
  rows: FileRow[]
  units: number
  /** Row of each key. Keys are any text, `constructor` and `__proto__` too. */
  fileIds: Map<string, number>
  externalIds: Map<string, number>
}

/** Records the first row with a key. */
function recordKey(rows: Map<string, number>, key: string | undefined, row: number): void {
  if (key !== undefined && !rows.has(key)) rows.set(key, row)
}

/** Exceeds the number of chunks of one resource in a file. */
const positionsPerResource = 10_000

/** Resource of lines that do not name one. */
const noResource = ''

/** Position of the first chunk of a resource, after those of the resources that its objects refer to. */
function getFirstPosition(resource: ResourcePath | undefined): number {
  const index = exportOrder.findIndex(({ path }) => path === resource)
  return (index === -1 ? exportOrder.length : index) * positionsPerResource
}

/** Collects rows in chunks of one resource each, and returns the statements that insert chunks as they fill up. */
export function createChunkWriter(importId: string, merchantId: string, base = 0) {
  const open = new Map<ResourcePath | undefined, OpenChunk>()
  const counts = new Map<ResourcePath | undefined, number>()

  const createEmpty = (): OpenChunk => ({ rows: [], units: 0, fileIds: new Map(), externalIds: new Map() })
  function insert(resource: ResourcePath | undefined, { rows, fileIds, externalIds }: OpenChunk): Write[number] {
    const count = counts.get(resource) ?? 0
    counts.set(resource, count + 1)
    const chunk: typeof importChunkTable.$inferInsert = {
      importId,
      merchantId,
      position: base + getFirstPosition(resource) + count,
      resource: resource ?? noResource,
      rows,
      fileIds: Object.fromEntries(fileIds),
      externalIds: Object.fromEntries(externalIds),
      objectIds: {},
      matches: {},
      faulty: false,
    }
    return [chunkStatements.insert(), chunk]
  }

  return {
    /** Adds a row. If the current chunk is full, returns the statement that inserts it. */
    add(row: FileRow, { resource, id, externalId }: RowObject): Write {
      const units = serializeRow(row).length
      const current = open.get(resource) ?? createEmpty()
      const isFull = current.rows.length >= chunkLimits.rows || current.units + units > chunkLimits.units
      const next = isFull && current.rows.length > 0 ? createEmpty() : current
      open.set(resource, next)
      next.rows.push(row)
      next.units += units
      recordKey(next.fileIds, id, row.row)
      recordKey(next.externalIds, externalId, row.row)
      return next === current ? [] : [insert(resource, current)]
    },

    /** Statements that insert all remaining chunks. */
    finish: (): Write => Array.from(open, ([resource, chunk]) => insert(resource, chunk)),
  }
}
