import { and, sql } from 'drizzle-orm'
import type { Caller } from '../../../catalogue/resource/caller.ts'
import { lazy } from '../../../platform/db/database.ts'
import { db, listed, parseJson, typed } from '../../../platform/db/query.ts'
import { detailTable, isSideOf } from '../../../platform/db/schema/objects/details.ts'
import { modifierTable } from '../../../platform/db/schema/resources/modifiers.ts'
import { productTable } from '../../../platform/db/schema/resources/products.ts'
import { isInScope } from '../../../platform/db/scope.ts'
import { isObject } from '../../../platform/lib/schema-guard.ts'
import type { BatchOperation } from '../../batch/operation.ts'
import type { RowIssue } from './file-row.ts'
import type { RowObject } from './row-object.ts'

/** A row and its operation. `kept` is set if the object stays as it is. */
interface NamingRow {
  row: number
  object: RowObject
  operation: BatchOperation
  body: RowObject['body']
  kept?: string | undefined
}

/** The products `:keys` that state what they contain. */
const statedProducts = lazy(() =>
  typed({ id: productTable.id, name: productTable.title, data: sql<string>`${detailTable.data}` }, (select) =>
    db
      .select(select)
      .from(productTable)
      .innerJoin(detailTable, isSideOf(detailTable, productTable))
      .where(and(isInScope(productTable), sql`${productTable.id} in ${listed('keys')}`)),
  ),
)

/** The modifiers `:keys` with details, which may state what their options contain. */
const statedModifiers = lazy(() =>
  typed(
    { id: modifierTable.id, name: sql<string>`${modifierTable.options}`, data: sql<string>`${detailTable.data}` },
    (select) =>
      db
        .select(select)
        .from(modifierTable)
        .innerJoin(detailTable, isSideOf(detailTable, modifierTable))
        .where(and(isInScope(modifierTable), sql`${modifierTable.id} in ${listed('keys')}`)),
  ),
)

const stated = ['allergens', 'diets', 'additives'] as const
/** Whether details state what a dish contains. */
const statesContents = (details: unknown): details is Readonly<Record<string, unknown>> =>
  isObject(details) && stated.some((field) => details[field] !== undefined && details[field] !== null)
const memberOf = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined

const toNotice = (pointer: string, name: string): RowIssue => ({
  pointer,
  code: 'allergens_kept',
  message: `was ${JSON.stringify(name.slice(0, 100))}: its allergens, additives and diets stay as stated; check them`,
  severity: 'notice',
})

/** Options of a modifier with their ids and labels. */
const listOptions = (options: unknown) =>
  (Array.isArray(options) ? options : []).flatMap((option, index) => {
    const [id, label] = [memberOf(option, 'id'), memberOf(option, 'label')]
    return typeof id === 'string' ? [{ id, label: typeof label === 'string' ? label : '', index }] : []
  })

/** Notices of a row that gives options another label, and does not state what they contain. */
function listRenamedOptions({ body, object }: NamingRow, stored: string, data: unknown): RowIssue[] {
  const before = new Map(listOptions(parseJson(stored)).map(({ id, label }) => [id, label]))
  return listOptions(body['options']).flatMap(({ id, label, index }) => {
    const known = before.get(id)
    const isStated = statesContents(memberOf(memberOf(data, 'options'), id))
    const isGiven = statesContents(memberOf(memberOf(object.details, 'options'), id))
    if (known === undefined || known === label.trim() || !isStated || isGiven) return []
    return [toNotice(`/options/${index}/label`, known)]
  })
}

/**
 * Notices of rows that give an object, or an option, another name, while what it contains stays as it was stated for the earlier one. A guest with an
 * allergy relies on it.
 */
export async function listRenamed(
  { database, scope }: Caller,
  operations: readonly NamingRow[],
): Promise<readonly { row: number; issues: readonly RowIssue[] }[]> {
  const updates = operations.flatMap((prepared) => {
    const { operation, kept, body } = prepared
    const isNamed = body['title'] !== undefined || body['options'] !== undefined
    return operation.op === 'update' && operation.id !== undefined && kept === undefined && isNamed
      ? [{ id: operation.id, resource: operation.resource, prepared }]
      : []
  })
  const idsOf = (path: string) => updates.flatMap(({ id, resource }) => (resource === path ? [id] : []))
  const [products, modifiers] = [idsOf('products'), idsOf('modifiers')]
  if (products.length + modifiers.length === 0) return []
  const toValues = (ids: readonly string[]) => ({ ...scope, keys: JSON.stringify(ids) })
  const [[titles = []] = [], [options = []] = []] = await Promise.all([
    products.length > 0 ? database.run([statedProducts(), toValues(products)]) : [],
    modifiers.length > 0 ? database.run([statedModifiers(), toValues(modifiers)]) : [],
  ])
  const known = new Map([...titles, ...options].map(({ id, name, data }) => [id, { name, data: parseJson(data) }]))
  return updates.flatMap(({ id, resource, prepared }) => {
    const { name, data } = known.get(id) ?? {}
    if (name === undefined) return []
    const title = prepared.body['title']
    const isRenamed = typeof title === 'string' && title.trim() !== name
    const isStated = statesContents(data) && !statesContents(prepared.object.details)
    const issues =
      resource === 'modifiers'
        ? listRenamedOptions(prepared, name, data)
        : isRenamed && isStated
          ? [toNotice('/title', name)]
          : []
    return issues.length > 0 ? [{ row: prepared.row, issues }] : []
  })
}
