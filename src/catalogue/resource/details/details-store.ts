import type { Statement } from '../../../platform/db/database.ts'
import { ConstraintError, getConstraintSubject } from '../../../platform/db/database-errors.ts'
import { detailTable } from '../../../platform/db/schema/objects/details.ts'
import type { Write } from '../../../platform/db/transaction.ts'
import { type Issue, invalid, notFound, unknownReference } from '../../../platform/errors.ts'
import { isPreconditionMet, type Precondition, preconditionFailed, toShownState } from '../../../platform/http/etag.ts'
import { getTopField, type ParsedBody } from '../../../platform/http/validation.ts'
import { toJsonPointer } from '../../../platform/lib/encoding/json-pointer.ts'
import { isObject } from '../../../platform/lib/schema-guard.ts'
import type { Caller } from '../caller.ts'
import type { Draft } from '../definition.ts'
import { isSameJson, merge } from '../merge-patch.ts'
import { busy, maxWriteAttempts, pauseAfter, withObjectLock } from '../object-lock.ts'
import { createChangeValues, write } from '../store/store-context.ts'
import {
  type DetailsDefinition,
  listPartIds,
  maxDetailBytes,
  maxLanguages,
  normalizeDetails,
  readDetails,
  renameParts,
} from './details-definition.ts'
import { createDetailStatements, type DetailedResource } from './details-statements.ts'

/** Details of an object and their version: 0 without details. */
export interface StoredDetails<View> {
  details: View
  version: number
}

/** A change of the details of the object `id`. */
interface DetailsChange<View> {
  id: string
  body: ParsedBody
  condition: Precondition | undefined
  /** Ids of the stored parts of the object, by the ids by which the body names them. Absent: their own ids. */
  mapPartIds?: ((parts: unknown) => ReadonlyMap<string, string>) | undefined
  /** Statements that precede the change in its transaction. They undo it if it is not allowed. */
  guard?: Write | undefined
  /** Creates the response, which an `Idempotency-Key` stores. */
  respond: (stored: StoredDetails<View>) => Response
}

const utf8 = new TextEncoder()
const toDraft = (details: object): Draft => ({ ...details })

/** Products that prices name, with their pointers. */
const listProducts = (prices: unknown, field: string) =>
  (Array.isArray(prices) ? prices : []).map((price: unknown, index) => ({
    product: isObject(price) ? String(price['product']) : '',
    pointer: `/${field}/${index}/product`,
  }))

/** Issues of references to parts and products that do not exist. */
function* listReferenceIssues(
  { parts, prices }: DetailsDefinition,
  { translations, ...patch }: Draft,
  partIds: ReadonlySet<string>,
  products: ReadonlySet<string>,
): Iterable<Issue> {
  if (prices !== undefined) {
    for (const { product, pointer } of listProducts(patch[prices], prices)) {
      if (!products.has(product)) {
        yield { pointer, code: 'not_found', message: unknownReference }
      }
    }
  }
  if (!parts || !isObject(translations)) return
  for (const [language, texts] of Object.entries(translations)) {
    const named = isObject(texts) ? texts[parts.field] : undefined
    for (const id of isObject(named) ? Object.keys(named) : []) {
      if (partIds.has(id) || (isObject(named) && named[id] === null)) continue
      const pointer = toJsonPointer(['translations', language, parts.field, id])
      yield { pointer, code: 'not_found', message: `is not the id of ${parts.one} of this object` }
    }
  }
}

function* listSizeIssues({ translations }: Draft, text: string): Iterable<Issue> {
  const pointer = '/translations'
  if (isObject(translations) && Object.keys(translations).length > maxLanguages) {
    yield { pointer, code: 'too_many', message: `must have at most ${maxLanguages} languages` }
  }
  if (text.length * 3 > maxDetailBytes && utf8.encode(text).length > maxDetailBytes) {
    yield { pointer, code: 'too_long', message: `must leave the details within ${maxDetailBytes} bytes of JSON` }
  }
}

/** Issues, except those of fields that are themselves invalid. */
function withoutInvalidFields(found: readonly Issue[], issues: readonly Issue[]): readonly Issue[] {
  const getField = (issue: Issue) => ('pointer' in issue ? getTopField(issue.pointer) : undefined)
  const invalidFields = new Set(issues.map(getField))
  return [...issues, ...found.filter((issue) => !invalidFields.has(getField(issue)))]
}

/** The translations that a change writes and removes. */
function compareTranslations(before: Draft, after: Draft) {
  const [was, is] = [before, after].map(({ translations }) => (isObject(translations) ? translations : {}))
  const changed = Object.entries(is ?? {}).filter(([language, texts]) => !isSameJson(was?.[language], texts))
  const removed = Object.keys(was ?? {}).filter((language) => !Object.hasOwn(is ?? {}, language))
  return { changed, removed }
}

/** Reads and changes the details of a resource's objects. */
export function createDetailsStore<View extends object>(resource: DetailedResource<DetailsDefinition<View>>) {
  const { details: definition, name, path } = resource
  const statements = createDetailStatements(resource)

  async function read({ database, scope }: Caller, id: string, products: readonly string[]) {
    const values = { ...scope, id, products: JSON.stringify(products) }
    const [[found]] = await database.run([statements.find(), values])
    if (!found) return undefined
    const parts: unknown = JSON.parse(found.parts ?? '[]')
    const partIds = listPartIds(parts)
    const details = readDetails(definition, found.details, partIds, { id, merchantId: scope.merchantId })
    const known: unknown = JSON.parse(found.products)
    return { details, version: found.version, parts, partIds, products: new Set(Array.isArray(known) ? known : []) }
  }

  /** Runs the transaction of a change. Returns false if the object was deleted, or its details changed since they were read. */
  async function writeChange(
    caller: Caller,
    { id, guard = [], respond }: DetailsChange<View>,
    before: StoredDetails<View>,
    after: StoredDetails<View>,
  ): Promise<boolean> {
    const { details } = after
    const { translations: _, ...data } = toDraft(details)
    const { changed, removed } = compareTranslations(toDraft(before.details), toDraft(details))
    const values = {
      ...createChangeValues(caller, { id }, Date.now()),
      expected: before.version,
      data: JSON.stringify(data),
      translations: JSON.stringify(Object.fromEntries(changed)),
      removed: JSON.stringify(removed),
      row: JSON.stringify({ id, details }),
    }
    const operation = {
      operation: `${path}.details.update`,
      object: id,
      response: caller.idempotency && respond(after),
    }
    const change: Statement[] = [
      statements.write(),
      ...(removed.length > 0 ? [statements.removeLanguages()] : []),
      ...(changed.length > 0 ? [statements.translate()] : []),
      statements.insertEvent(),
    ]
    try {
      const results = await write(resource, caller, operation, values, [
        ...guard,
        ...change.map((statement) => [statement, values] as const),
      ])
      return (results[guard.length + change.length - 1] ?? []).length > 0
    } catch (error) {
      const isLost = error instanceof ConstraintError && error.subject === getConstraintSubject(detailTable.version)
      if (!isLost) throw error
      return false
    }
  }

  return {
    async find(caller: Caller, id: string): Promise<StoredDetails<View>> {
      const found = await caller.database.findNamed(() => read(caller, id, []))
      if (!found) throw notFound()
      return found
    },

    /** Merges a body into the details. Reads, plans and writes until no other writer interferes. */
    update(caller: Caller, change: DetailsChange<View>): Promise<StoredDetails<View>> {
      const { id, body, condition, mapPartIds = () => new Map<string, string>() } = change
      const { database, scope } = caller
      const named = definition.prices === undefined ? [] : listProducts(body.patch[definition.prices], '')
      return withObjectLock(JSON.stringify(['details', name, scope, id]), async (hasWaited) => {
        for (let attempt = 0; attempt < maxWriteAttempts; attempt++) {
          // A replica may be stale, so it can justify a write but not a rejection or a skipped write.
          const isLatest = hasWaited || attempt > 0
          if (isLatest) database.usePrimary()
          const before = await read(
            caller,
            id,
            named.map(({ product }) => product),
          )
          if (!before && isLatest) throw notFound()
          if (!before) continue
          const patch = renameParts(body.patch, definition.parts, mapPartIds(before.parts))
          const merged = normalizeDetails(merge(toDraft(before.details), patch))
          const found = [
            ...listReferenceIssues(definition, patch, before.partIds, before.products),
            ...definition.check(merged, toDraft(before.details)),
            ...listSizeIssues(merged, JSON.stringify(merged)),
          ]
          const issues = withoutInvalidFields(found, body.issues)
          const isStale =
            condition !== undefined && !isPreconditionMet(condition, toShownState(before.version, before.details))
          const isCertain = isLatest || (body.issues.length > 0 && !found.some(({ code }) => code === 'not_found'))
          if (issues.length > 0 && isCertain) throw invalid(issues)
          if (isStale && isLatest) throw preconditionFailed()
          if (issues.length === 0 && !isStale) {
            const after = { details: definition.view.parse(merged), version: before.version + 1 }
            const isSame = isSameJson(after.details, before.details)
            if (isSame && isLatest) return before
            if (!isSame && (await writeChange(caller, change, before, after))) return after
            if (!isSame) await pauseAfter(attempt)
          }
        }
        throw busy()
      })
    },
  }
}
