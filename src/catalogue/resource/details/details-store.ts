import type { Statement } from '../../../platform/db/database.ts'
import { ConstraintError, getConstraintSubject } from '../../../platform/db/database-errors.ts'
import { detailTable } from '../../../platform/db/schema/objects/details.ts'
import type { Write } from '../../../platform/db/transaction.ts'
import { type Issue, invalid, notFound, unknownReference } from '../../../platform/errors.ts'
import { isPreconditionMet, type Precondition, preconditionFailed, toShownState } from '../../../platform/http/etag.ts'
import { getTopField, type ParsedBody } from '../../../platform/http/validation.ts'
import { toJsonPointer } from '../../../platform/lib/encoding/json-pointer.ts'
import { getOwn, isObject } from '../../../platform/lib/schema-guard.ts'
import type { Caller } from '../caller.ts'
import { isSameJson, merge } from '../merge-patch.ts'
import { busy, maxWriteAttempts, pauseAfter, withObjectLock } from '../object-lock.ts'
import { createChangeValues, write } from '../store/store.ts'
import { listNamed, type NamedReference } from './detail-references.ts'
import {
  type DetailFields,
  type DetailsContext,
  type DetailsDefinition,
  listPartIds,
  maxDetailBytes,
  maxLanguages,
  normalizeDetails,
  readAllDetails,
  renameParts,
} from './details-definition.ts'
import { createDetailStatements, type DetailedResource } from './details-statements.ts'
import { readRelated } from './related-objects.ts'

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

/** Issues of names of parts and objects that do not exist. */
function* listReferenceIssues(
  { parts, references = [] }: DetailsDefinition,
  patch: DetailFields,
  { partIds, ...related }: DetailsContext,
): Iterable<Issue> {
  for (const { target, id, pointer } of listNamed(patch, references)) {
    if (!related[target].has(id)) yield { pointer, code: 'not_found', message: unknownReference }
  }
  if (!parts) return
  const { translations } = patch
  const texts = parts.areTranslated && isObject(translations) ? Object.entries(translations) : []
  const places = [
    ...parts.members.map((member) => ({ path: [member], named: patch[member] })),
    ...texts.map(([language, text]) => ({
      path: ['translations', language, parts.field],
      named: isObject(text) ? text[parts.field] : undefined,
    })),
  ]
  for (const { path, named } of places) {
    for (const [id, value] of isObject(named) ? Object.entries(named) : []) {
      if (partIds.has(id) || value === null) continue
      const message = `is not the id of ${parts.one} of this object`
      yield { pointer: toJsonPointer([...path, id]), code: 'not_found', message }
    }
  }
}

const countBytes = (value: unknown) => utf8.encode(JSON.stringify(value) ?? '').length

/** Issues of the size of details, at the member that grew most. */
function* listSizeIssues(after: DetailFields, before: DetailFields): Iterable<Issue> {
  const { translations } = after
  if (isObject(translations) && Object.keys(translations).length > maxLanguages) {
    yield { pointer: '/translations', code: 'too_many', message: `must have at most ${maxLanguages} languages` }
  }
  const text = JSON.stringify(after)
  if (text.length * 3 > maxDetailBytes && utf8.encode(text).length > maxDetailBytes) {
    const growth = Object.keys(after).map((field) => ({
      field,
      by: countBytes(after[field]) - countBytes(before[field]),
    }))
    const [most] = growth.toSorted((a, b) => b.by - a.by)
    const message = `must leave the details within ${maxDetailBytes} bytes of JSON`
    yield { pointer: toJsonPointer([most?.field ?? '']), code: 'too_long', message }
  }
}

/** Issues, except those of fields that are themselves invalid. */
function withoutInvalidFields(found: readonly Issue[], issues: readonly Issue[]): readonly Issue[] {
  const getField = (issue: Issue) => ('pointer' in issue ? getTopField(issue.pointer) : undefined)
  const invalidFields = new Set(issues.map(getField))
  return [...issues, ...found.filter((issue) => !invalidFields.has(getField(issue)))]
}

/** The translations that a change writes and removes. */
function compareTranslations(before: DetailFields, after: DetailFields) {
  const [was, is] = [before, after].map(({ translations }) => (isObject(translations) ? translations : {}))
  const changed = Object.entries(is ?? {}).filter(([language, texts]) => !isSameJson(getOwn(was, language), texts))
  const removed = Object.keys(was ?? {}).filter((language) => !Object.hasOwn(is ?? {}, language))
  return { changed, removed }
}

/** Reads and changes the details of a resource's objects. */
export function createDetailsStore<View extends object>(resource: DetailedResource<DetailsDefinition<View>>) {
  const { details: definition, name, path } = resource
  const statements = createDetailStatements(resource)

  async function read({ database, scope }: Caller, id: string, named: readonly NamedReference[]) {
    const toIds = (target: NamedReference['target'], ...more: readonly string[]) =>
      JSON.stringify([...more, ...named.flatMap((each) => (each.target === target ? [each.id] : []))])
    const values = { ...scope, id, products: toIds('products'), modifiers: toIds('modifiers', id) }
    const [[found]] = await database.run([statements.find(), values])
    if (!found) return undefined
    const parts: unknown = JSON.parse(found.parts ?? '[]')
    const partIds = listPartIds(parts)
    const source = { id, merchantId: scope.merchantId }
    const { related, ...all } = readAllDetails(definition, found.details, partIds, source)
    const { products, modifiers } = readRelated(JSON.parse(found.products), JSON.parse(found.modifiers))
    const context: DetailsContext = {
      id,
      partIds,
      products: new Map([...related.products, ...products]),
      modifiers: new Map([...related.modifiers, ...modifiers]),
    }
    return { ...all, version: found.version, parts, context }
  }

  /** Runs the transaction of a change. Returns false if the object was deleted, or its details changed since they were read. */
  async function writeChange(
    caller: Caller,
    { id, guard = [], respond }: DetailsChange<View>,
    before: { stored: DetailFields; version: number },
    after: StoredDetails<View> & { stored: DetailFields },
  ): Promise<boolean> {
    const { details } = after
    const { translations: _, ...data } = after.stored
    const { changed, removed } = compareTranslations(before.stored, after.stored)
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
      const named = listNamed(body.patch, definition.references ?? [])
      return withObjectLock(JSON.stringify(['details', name, scope, id]), async (hasWaited) => {
        for (let attempt = 0; attempt < maxWriteAttempts; attempt++) {
          // A replica may be stale, so it can justify a write but not a rejection or a skipped write.
          const isLatest = hasWaited || attempt > 0
          if (isLatest) database.usePrimary()
          const before = await read(caller, id, named)
          if (!before && isLatest) throw notFound()
          if (!before) continue
          const { context, stored: was, kept } = before
          const { parts, complete = (patch) => patch, keep = (all) => all } = definition
          const patch = complete(renameParts(body.patch, parts, mapPartIds(before.parts)), kept)
          // Values that no longer fit are removed only from the members in the request.
          const base = { ...was, ...Object.fromEntries(Object.keys(patch).map((field) => [field, kept[field]])) }
          const stored = normalizeDetails(merge(base, patch))
          const found = [
            ...listReferenceIssues(definition, patch, context),
            ...definition.check({ before: kept, after: stored, patch }, context),
            ...listSizeIssues(stored, was),
          ]
          const issues = withoutInvalidFields(found, body.issues)
          const isStale =
            condition !== undefined && !isPreconditionMet(condition, toShownState(before.version, before.details))
          const isCertain = isLatest || (body.issues.length > 0 && !found.some(({ code }) => code === 'not_found'))
          if (issues.length > 0 && isCertain) throw invalid(issues)
          if (isStale && isLatest) throw preconditionFailed()
          if (issues.length === 0 && !isStale) {
            const shown = definition.view.parse(normalizeDetails(keep(stored, context)))
            const after = { details: shown, stored, version: before.version + 1 }
            const isSame = isSameJson(stored, was)
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
