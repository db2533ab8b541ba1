import type { Caller } from '../../../catalogue/resource/caller.ts'
import type { Write } from '../../../platform/db/transaction.ts'
import { unknownReference } from '../../../platform/errors.ts'
import type { ParsedBody } from '../../../platform/http/validation.ts'
import { isObject } from '../../../platform/lib/schema-guard.ts'
import type { ResourcePath } from '../../../platform/names.ts'
import { detailsPerStep } from '../import-limits.ts'
import type { RowIssue } from '../rows/file-row.ts'
import { getImportedDetails, type ImportedDetails } from '../rows/imported-details.ts'
import { isResourcePath } from '../rows/imported-resource.ts'
import type { RowObject } from '../rows/row-object.ts'
import { createStoredRowReader } from '../rows/stored-rows.ts'
import { importStatements } from '../statements/import-statements.ts'
import { findKnown, type Known, readReference, resolveReference } from './map-references.ts'
import {
  createStepValues,
  getNextPosition,
  getNextRows,
  keepFailures,
  type RowResult,
  recordIssues,
  type StepContext,
  type StoredChunk,
  toRowError,
} from './step.ts'
import { toBody } from './to-body.ts'

type Details = NonNullable<RowObject['details']>

/** Key of a row's object among the file's own ids: the control character makes it different from all of them. */
export const toRowKey = (row: number) => `\u001f${row}`

const listPrices = ({ prices }: ImportedDetails, details: Details): readonly unknown[] => {
  const list = prices === undefined ? [] : details[prices]
  return Array.isArray(list) ? list : []
}
const getProduct = (price: unknown) => (isObject(price) ? price['product'] : undefined)

/** The products that the prices of some details name. Undefined if they name none. */
async function findProducts(
  caller: Caller,
  importId: string,
  definition: ImportedDetails,
  all: readonly Details[],
): Promise<Known | undefined> {
  const references = all.flatMap((details) => listPrices(definition, details).map(getProduct))
  const keys = new Set(references.flatMap((reference) => Object.values(readReference(reference))))
  return keys.size > 0 ? findKnown(caller, importId, 'products', keys) : undefined
}

/** Parses details, with references to products replaced by ids. During the check, leaves out prices of products that are rows of the file. */
function parse(definition: ImportedDetails, details: Details, known: Known | undefined, isCheck: boolean): ParsedBody {
  const { prices } = definition
  if (!known || prices === undefined || !Array.isArray(details[prices])) return definition.parse(details)
  const resolved = listPrices(definition, details).flatMap((price) => {
    if (!isObject(price)) return [price]
    const product = resolveReference(known, price['product'], isCheck)
    return product === undefined ? [] : [{ ...price, product }]
  })
  return definition.parse({ ...details, [prices]: resolved })
}

const toRowIssue = ({
  pointer = '',
  code,
  message,
}: {
  pointer?: string
  code: string
  message: string
}): RowIssue => ({
  pointer: `/details${pointer}`,
  code,
  message,
})

/** Issues of prices whose product neither exists nor is in the file. */
const listUnknownProducts = (definition: ImportedDetails, details: Details, known: Known | undefined): RowIssue[] =>
  listPrices(definition, details).flatMap((price, index) => {
    const { id = '', externalId = '' } = readReference(getProduct(price))
    const isKnown =
      known &&
      (known.ofFile.has(id) || known.ids.has(id) || known.externalIds.has(externalId) || known.pending.has(externalId))
    const pointer = `/${definition.prices}/${index}/product`
    return isKnown ? [] : [toRowIssue({ pointer, code: 'not_found', message: unknownReference })]
  })

/** Checks the details of rows. Rows in `newRows` contain all fields to be stored. For other rows, the rules between fields are checked later. */
export async function checkDetails(
  { caller, stored }: StepContext,
  resource: ResourcePath,
  rows: readonly { row: number; object: RowObject }[],
  newRows: ReadonlySet<number>,
): Promise<RowResult[]> {
  const definition = getImportedDetails(resource)
  const found = rows.flatMap(({ row, object: { details } }) => (details ? [{ row, details }] : []))
  if (!definition || found.length === 0) return []
  const all = found.map(({ details }) => details)
  const known = await findProducts(caller, stored.id, definition, all)
  return found.flatMap(({ row, details }) => {
    const body = parse(definition, details, known, true)
    const isNew = newRows.has(row) && body.issues.length === 0
    const issues = [
      ...(isNew ? definition.checkNew(body) : body.issues).map(toRowIssue),
      ...listUnknownProducts(definition, details, known),
    ]
    return issues.length > 0 ? [{ row, issues }] : []
  })
}

/**
 * Writes the details of the next rows. A repeated step makes no further changes. A step that another message made, or whose import was cancelled,
 * changes nothing.
 */
export async function writeDetails(context: StepContext, chunk: StoredChunk): Promise<void> {
  const { caller, stored } = context
  const definition = isResourcePath(chunk.resource) ? getImportedDetails(chunk.resource) : undefined
  const rows = getNextRows(stored, chunk)
  const read = createStoredRowReader(stored)
  const ids: Readonly<Record<string, unknown>> = isObject(chunk.objectIds) ? chunk.objectIds : {}
  const found = (definition ? rows : []).flatMap(({ row, raw }, index) => {
    const id = ids[toRowKey(row)]
    const line = typeof id === 'string' ? read(raw) : undefined
    return typeof id === 'string' && line?.kind === 'object' && line.object.details
      ? [{ index, row, id, object: line.object, details: line.object.details }]
      : []
  })
  const next = found.slice(0, detailsPerStep)
  const faulty: RowResult[] = []
  const guard: Write = [[importStatements.requireStep(), createStepValues(context)]]
  let failures = 0
  if (definition) {
    const all = next.map(({ details }) => details)
    const known = await findProducts(caller, stored.id, definition, all)
    for (const { row, id, object, details } of next) {
      const body = parse(definition, details, known, false)
      try {
        const sent = object.body
        await definition.update(caller, { id, body, sent, applied: toBody(object, sent), guard })
      } catch (error) {
        const rowError = toRowError(stored, error)
        if (!rowError) throw error
        failures = keepFailures(stored, error, failures)
        const { code, message, issues: found } = rowError
        const issues = found.length > 0 ? found : [{ code, message }]
        faulty.push({ row, issues: issues.map(toRowIssue) })
      }
    }
  }
  const values = createStepValues(context, failures)
  const count = found[next.length]?.index ?? rows.length
  await caller.database.run(
    [importStatements.advanceDetails(), { ...values, ...getNextPosition(stored, chunk, count) }],
    ...recordIssues(values, chunk.position, faulty),
  )
}
