import * as z from 'zod/mini'
import { rules } from '../../platform/http/fields.ts'
import { invalidParameter } from '../../platform/http/pagination.ts'
import { type ResourcePath, resourcePaths } from '../../platform/names.ts'
import { csvResources } from '../csv/columns.ts'

/** Content type of a spreadsheet. */
export const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Formats of an export, and the content type of each. */
export const contentTypes = {
  jsonl: 'application/jsonl; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
  xlsx: xlsxType,
} as const

const isPath = (text: string) => resourcePaths.some((path) => path === text)

export const exportQuery = z.strictObject({
  resources: z
    .optional(
      z.pipe(
        z.pipe(
          z.string({ error: 'must be given once' }),
          z.pipe(
            z.transform((text: string) => text.split(',')),
            z.array(z.string()).check(
              rules((names) => {
                const message = `must be different names of ${resourcePaths.join(', ')}`
                if (!names.every(isPath)) return { code: 'invalid_value', message }
                return new Set(names).size < names.length ? { code: 'duplicate', message } : undefined
              }),
            ),
          ),
        ),
        z.pipe(
          z.transform((names: string[]) => resourcePaths.filter((path) => names.includes(path))),
          z.array(z.enum(resourcePaths)),
        ),
      ),
    )
    .check(z.describe('Resources to export, separated by commas. Default: all.')),
  format: z
    .optional(z.enum(['jsonl', 'csv', 'xlsx']))
    .check(
      z.describe(
        `\`jsonl\`, the default: JSON Lines. \`csv\`: comma-separated values of exactly one resource: ${csvResources.join(', ')}. \`xlsx\`: a spreadsheet with a sheet for each of these resources; default: all of them.`,
      ),
    ),
})
type ExportQuery = z.output<typeof exportQuery>

/** Throws unless the resources fit into the sheets of a spreadsheet. */
export function requireSheets(resources: readonly ResourcePath[]): void {
  if (resources.every((path) => csvResources.includes(path))) return
  const message = `must be among ${csvResources.join(', ')} if the format is xlsx`
  throw invalidParameter('resources', 'invalid_value', message)
}

/** Throws unless the resources fit into a CSV file. */
export function requireCsvResource({ resources = resourcePaths }: ExportQuery): void {
  if (resources.length !== 1) {
    throw invalidParameter('resources', 'invalid_value', 'must name exactly one resource if the format is csv')
  }
  if (resources.some((path) => !csvResources.includes(path))) {
    throw invalidParameter(
      'resources',
      'invalid_value',
      `must be one of ${csvResources.join(', ')} if the format is csv`,
    )
  }
}
