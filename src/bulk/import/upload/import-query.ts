import * as z from 'zod/mini'
import { type ImportFormat, importMatches } from '../../../platform/db/schema/imports/imports.ts'
import { ApiError, type Issue, invalid } from '../../../platform/errors.ts'
import { booleanFilter, wholeNumber } from '../../../platform/http/fields/query-parameters.ts'
import { resourcePaths } from '../../../platform/names.ts'
import { csvResources } from '../../csv/columns.ts'

/** Media types of files, and the format of each. */
export const importTypes: Readonly<Record<string, ImportFormat>> = {
  'text/csv': 'csv',
  'application/jsonl': 'jsonl',
}

/** Mappings of files. */
const fileMappings = ['strict', 'auto'] as const

export const importQuery = z.strictObject({
  mapping: z
    .optional(z.enum(fileMappings, { error: `must be one of ${fileMappings.join(', ')}` }))
    .check(
      z.describe(
        '`strict`, the default: columns have the names of fields. `auto`: the service finds out what the file contains, whatever its content type, headings, encoding and number format, and asks where something can be read in two ways. See [files](/docs/guides/files).',
      ),
    ),
  sheet: z
    .optional(z.string().check(z.minLength(1), z.maxLength(100)))
    .check(z.describe('With `mapping=auto`: name of the sheet of a spreadsheet. Default: the first visible one.')),
  menu: z
    .optional(z.string().check(z.minLength(1), z.maxLength(255)))
    .check(
      z.describe(
        'With `mapping=auto`: title of the menu to which the categories of the file are added as sections. An unknown title creates a menu. `none`: no menu. Default: the title in the file, or "Menu". Without the scope `menus:write`: none.',
      ),
    ),
  resource: z
    .optional(z.enum(resourcePaths, { error: `must be one of ${resourcePaths.join(', ')}` }))
    .check(
      z.describe(
        `Resource of the objects. Required for CSV, which supports ${csvResources.join(', ')}. Lines of JSON can name their resource.`,
      ),
    ),
  match: z
    .optional(z.enum([...importMatches, 'auto'], { error: `must be one of ${importMatches.join(', ')}, auto` }))
    .check(
      z.describe(
        'Field that selects the object that a row updates. Without such an object, the row creates one. `externalId`, the default: the external id, or the id in rows without one. `sku`: products only. `title`: the external id, or else the title. For coupons that is the code, for customers name, phone and email, for tags the metadata, for webhooks title and address. The n-th row with a title selects the n-th object with it, oldest first, unless both have an external id. An update gives an object without an external id that of its row. `auto`, the default and only with `mapping=auto`: the first of external id, id, SKU, barcode and title that selects an object.',
      ),
    ),
  existing: z
    .optional(z.enum(['keep'], { error: 'must be keep' }))
    .check(
      z.describe(
        '`keep` leaves objects that rows select as they are, and only creates the others. The check counts objects that differ from the file.',
      ),
    ),
  delete: z
    .optional(z.enum(['missing'], { error: 'must be missing' }))
    .check(
      z.describe(
        '`missing` deletes the objects with an external id that the file does not name. Objects without one are never deleted.',
      ),
    ),
  confirmDeletes: z
    .optional(z.pipe(wholeNumber, z.number().check(z.meta({ type: 'integer', minimum: 0 }))))
    .check(
      z.describe(
        'With `delete=missing`: maximum number of objects to delete. An import that would delete more waits to be applied with a higher number. Default: none, but with `mapping=auto` 20 objects and 20 % of those with an external id.',
      ),
    ),
  counters: z
    .optional(z.enum(['set'], { error: 'must be set' }))
    .check(
      z.describe(
        '`set` sets the counters of the service, `stockQuantity` and `timesRedeemed`, to the values in the file. By default, an import leaves them unchanged in existing objects. Stock is set by adjustments with the reason `count`, which require the scope `stock:write`.',
      ),
    ),
  apply: z.optional(booleanFilter).check(z.describe('Whether the import is applied if no row has an issue.')),
})
export type ImportQuery = z.output<typeof importQuery>

/** The format of a file by the request's headers. Throws `unsupported_media_type`. */
export function getFormat({ headers }: Request): ImportFormat {
  const [, type = '', charset = 'utf-8'] =
    /^([^;\s]+)\s*(?:;.*?charset\s*=\s*"?([^";\s]+)"?.*)?/i.exec(headers.get('content-type') ?? '') ?? []
  const format = importTypes[type.toLowerCase()]
  const isPlain = (headers.get('content-encoding') ?? 'identity') === 'identity'
  if (format && isPlain && charset.toLowerCase() === 'utf-8') return format
  const types = Object.keys(importTypes).join(' or ')
  throw new ApiError('unsupported_media_type', `The file must be sent as ${types}, in UTF-8, unencoded.`)
}

/** Throws if the parameters contradict each other or the format. */
export function requireConsistentQuery(format: ImportFormat | undefined, query: ImportQuery): void {
  const { resource, match } = query
  const isAuto = query.mapping === 'auto'
  const issues: Issue[] = []
  const report = (parameter: string, code: Issue['code'], message: string) => issues.push({ parameter, code, message })
  if (match === 'auto' && !isAuto) report('match', 'conflict', 'can be auto only with mapping=auto')
  if (query.sheet !== undefined && !isAuto) report('sheet', 'conflict', 'requires mapping=auto')
  if (query.menu !== undefined && !isAuto) report('menu', 'conflict', 'requires mapping=auto')
  if (query.confirmDeletes !== undefined && !query.delete) {
    report('confirmDeletes', 'conflict', 'requires delete=missing')
  }
  if (format === 'csv' && resource === undefined) report('resource', 'required', 'is required for CSV')
  else if (format === 'csv' && resource && !csvResources.includes(resource)) {
    report('resource', 'invalid_value', `must be one of ${csvResources.join(', ')} for CSV`)
  }
  if (match === 'sku' && resource !== 'products') report('match', 'conflict', 'can be sku for products only')
  if ((match === 'sku' || match === 'title') && query.delete) {
    report('delete', 'conflict', 'requires match by externalId or id')
  }
  if (query.existing && query.counters) report('counters', 'conflict', 'cannot be set in objects that are kept')
  if (issues.length > 0) throw invalid(issues)
}
