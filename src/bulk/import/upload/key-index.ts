import type { ImportFormat } from '../../../platform/db/schema/imports/imports.ts'
import { estimateBytes } from '../../../platform/lib/byte-cache.ts'
import type { RowIssue } from '../rows/file-row.ts'
import { readSku } from '../rows/row-keys.ts'
import type { RowObject } from '../rows/row-object.ts'

/** Finds rows whose key an earlier row of the file has. */
export function createKeyIndex(format: ImportFormat, hasSkuKeys: boolean) {
  const seen = new Set<string>()
  let bytes = 0
  const listKeys = (object: RowObject): [name: string, value: string | undefined][] => [
    ['id', object.id],
    ['externalId', object.externalId],
    ['sku', hasSkuKeys ? readSku(object) : undefined],
  ]
  return {
    /** Memory of the keys. */
    get bytes(): number {
      return bytes
    },

    /** Remembers the keys of a row. Returns an issue if an earlier row has one of them. */
    add(object: RowObject): RowIssue | undefined {
      let issue: RowIssue | undefined
      for (const [name, value] of listKeys(object)) {
        if (value === undefined) continue
        const key = JSON.stringify([object.resource, name, value])
        if (seen.has(key)) {
          const place = format === 'csv' ? { column: name } : { pointer: `/${name}` }
          issue ??= { ...place, code: 'duplicate', message: 'is the key of an earlier row', value }
        }
        seen.add(key)
        bytes += estimateBytes(key)
      }
      return issue
    },
  }
}
