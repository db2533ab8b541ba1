import { type Context, Hono } from 'hono'
import type * as z from 'zod/mini'
import { createCaller } from '../../../catalogue/resource/caller.ts'
import { requireScopes } from '../../../platform/auth/authenticate.ts'
import { commit } from '../../../platform/db/transaction.ts'
import { ApiError, type Issue, invalid } from '../../../platform/errors.ts'
import { largeWork } from '../../../platform/http/bodies/byte-budget.ts'
import type { Env } from '../../../platform/http/context.ts'
import { idempotent } from '../../../platform/http/idempotency.ts'
import { jsonBody } from '../../../platform/http/request-body.ts'
import { toJsonPointer } from '../../../platform/lib/encoding/json-pointer.ts'
import { nowInSeconds } from '../../../platform/lib/time.ts'
import type { ResourcePath } from '../../../platform/names.ts'
import { planTable } from '../../files/table/plan.ts'
import { isNamedTarget, listColumnTargets } from '../../files/table/targets.ts'
import { decodeHeadings } from '../auto/decode-headings.ts'
import { mapFile } from '../auto/map-file.ts'
import { mappingFields } from '../auto/mapping-fields.ts'
import { rememberChoices } from '../auto/remembered-mapping.ts'
import { describeMapping } from '../auto/store-auto-upload.ts'
import { readRawRows, storeMappedRows } from '../auto/store-file.ts'
import { readStoredReading, type StoredChoices } from '../auto/stored-reading.ts'
import { readMappedVenue } from '../auto/venue-parts.ts'
import { enqueueImport } from '../enqueue-import.ts'
import { chunksPerReading, uploadMemory } from '../import-limits.ts'
import { isAbandoned, type StoredImport, toImportView } from '../import-view.ts'
import { isResourcePath } from '../rows/imported-resource.ts'
import { readHeaderCells } from '../rows/stored-rows.ts'
import { autoStatements } from '../statements/auto-statements.ts'
import { mappingStatements } from '../statements/mapping-statements.ts'
import { findImport, listWriteScopes, mappingChanged, stateConflict } from './find-import.ts'

const rules = { schema: mappingFields, partial: mappingFields, readOnly: new Set<string>(), hasOpenParts: true }

/** Notices about a file that do not depend on its mapping. */
const noticesOfFile: ReadonlySet<string> = new Set(['rows_above', 'no_headings', 'sheets_left_out', 'hidden_rows'])

/** Throws unless the import can be mapped. */
function requireMappable(found: StoredImport, revision: number | undefined): void {
  if (found.mapping !== 'auto') throw new ApiError('conflict', 'Only imports with mapping=auto can be mapped.')
  if (isAbandoned(found)) throw stateConflict({ state: 'cancelled' }, 'mapped')
  if (!['asking', 'checking', 'ready', 'failed'].includes(found.state) || found.applied > 0) {
    throw stateConflict(found, 'mapped')
  }
  if (revision !== undefined && revision !== found.revision) throw mappingChanged()
}

/** Throws if columns are chosen that the file does not have, or fields that a column cannot become. */
function requireKnownColumns(
  header: readonly string[],
  wanted: ResourcePath | undefined,
  columns: StoredChoices['columns'] = {},
): void {
  const names = new Set(header.map((name) => name.trim()))
  const targets = listColumnTargets(planTable(header, wanted, {}).resource)
  const issues = Object.entries(columns).flatMap(([name, to]): Issue[] => {
    const pointer = toJsonPointer(['columns', name])
    if (!names.has(name)) return [{ pointer, code: 'not_found', message: 'is not a heading of the file' }]
    if (to === null || targets.includes(to) || isNamedTarget(to)) return []
    return [
      {
        pointer,
        code: 'invalid_value',
        message: `must be one of ${targets.join(', ')}, metadata.NAME, sizes.NAME or translations.LANGUAGE.title`,
      },
    ]
  })
  if (issues.length > 0) throw invalid(issues)
}

async function map(c: Context<Env>, found: StoredImport, body: z.output<typeof mappingFields>): Promise<Response> {
  const caller = createCaller(c)
  const { database, scope } = caller
  const before = readStoredReading(found.reading)
  if (!before) throw new ApiError('conflict', 'The file of this import was not kept.')
  const { match, counters, revision: _revision, columns, ...given } = body
  const choices: StoredChoices = { ...before.choices, ...given, columns: { ...before.choices.columns, ...columns } }
  if (found.deleteMissing && (match === 'sku' || match === 'title')) {
    const message = 'must be auto, externalId or id, because the import deletes what the file does not name'
    throw invalid([{ pointer: '/match', code: 'conflict', message }])
  }
  const setCounters = counters === undefined ? found.setCounters : counters === 'set'
  const venue = await readMappedVenue(caller, c.var.grantedScopes)
  const rows = await readRawRows(database, scope, found.id)
  const header = before.columns.length > 0 ? readHeaderCells(found) : undefined
  const file = {
    kind: before.kind,
    encoding: before.decodedAs ?? before.encoding,
    delimiter: before.delimiter,
    header,
    rows,
    menuTitle: before.menuTitle,
    sheets: before.sheets,
    notices: before.notices.filter(({ code }) => before.isOwnLines || noticesOfFile.has(code)),
  }
  const wanted = isResourcePath(before.wanted) ? before.wanted : undefined
  if (header) requireKnownColumns(decodeHeadings(header, file.encoding, choices.encoding), wanted, columns)
  const mapped = await mapFile(file, wanted, choices, venue)
  const described = describeMapping(mapped.reading, mapped.rows)
  const next: StoredImport = {
    ...found,
    ...described,
    ...{ match: match ?? found.match, setCounters, revision: found.revision + 1 },
    ...{
      nextChunk: (found.revision + 1) * chunksPerReading,
      nextRow: 0,
      checked: 0,
      failed: 0,
      differing: {},
      planned: {},
    },
    updatedAt: nowInSeconds(),
  }
  requireScopes(c.var.grantedScopes, listWriteScopes(described.resources, next))
  const values = { ...scope, import: found.id, now: next.updatedAt }
  const [claimed] = await database.run([mappingStatements.startMapping(), { ...values, revision: found.revision }])
  if (claimed.length === 0) throw mappingChanged()
  await storeMappedRows({ importId: found.id, merchantId: found.merchantId }, next.revision, mapped.rows, (writes) =>
    database.run(...writes),
  )
  const response = c.json(
    toImportView(
      next,
      rows.map(({ raw }) => raw),
    ),
    200,
  )
  const { numberFormat, dateFormat, discountType, taxRates, soldBy, encoding } = given
  const isShape = [columns, numberFormat, dateFormat, discountType, taxRates, soldBy, encoding].some(
    (choice) => choice !== undefined,
  )
  const memory = header && isShape ? await rememberChoices(scope, header, wanted, choices) : []
  const [finished] = await commit(caller, { operation: 'imports.map', object: found.id, response }, [
    [mappingStatements.finishMapping(), { ...next, ...values }],
    [autoStatements.removeIssues(), values],
    [autoStatements.removeMapped(), { ...values, base: next.nextChunk }],
    ...memory,
  ])
  if (finished.length === 0) throw mappingChanged()
  const message = { merchant: scope.merchantId, testMode: scope.testMode, import: found.id }
  if (next.state === 'checking') c.executionCtx.waitUntil(enqueueImport(c.env, message))
  return response
}

/** Maps columns of a file and answers its questions. */
export const mappingRoutes = new Hono<Env>().post('/:id/mapping', jsonBody(rules), idempotent, async (c) => {
  const found = await findImport(c, c.req.param('id'), 'write')
  const { patch, issues } = c.req.valid('json')
  if (issues.length > 0) throw invalid(issues)
  const body = mappingFields.parse(patch)
  requireMappable(found, body.revision)
  const lease = largeWork.open(c.var.scope.merchantId)
  try {
    await lease.hold(uploadMemory.base * 2)
    return await map(c, found, body)
  } finally {
    lease.close()
  }
})
