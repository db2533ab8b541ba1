import type { Statement } from '../../../platform/db/database.ts'
import { ConstraintError, getConstraintSubject } from '../../../platform/db/database-errors.ts'
import { detailTable } from '../../../platform/db/schema/objects/details.ts'
import type { Write } from '../../../platform/db/transaction.ts'
import { invalid, notFound } from '../../../platform/errors.ts'
import { isPreconditionMet, type Precondition, preconditionFailed, toShownState } from '../../../platform/http/etag.ts'
import type { ParsedBody } from '../../../platform/http/validation.ts'
import type { Caller } from '../caller.ts'
import { recordTitled } from '../deleted/title.ts'
import { busy, maxWriteAttempts, pauseAfter, withObjectLock } from '../object-lock.ts'
import { spansBothModes } from '../plan.ts'
import { createChangeValues, write } from '../store/store.ts'
import { listNamed, type NamedReference } from './detail-references.ts'
import {
  type DetailFields,
  type DetailsContext,
  type DetailsDefinition,
  listPartIds,
  readAllDetails,
} from './details-definition.ts'
import { createDetailStatements, type DetailedResource } from './details-statements.ts'
import { compareTranslations, planDetails } from './plan-details.ts'
import { readRelated } from './related-objects.ts'
import { readHosts } from './venue-hosts.ts'

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

/** Reads and changes the details of a resource's objects. */
export function createDetailsStore<View extends object>(resource: DetailedResource<DetailsDefinition<View>>) {
  const { details: definition, name, path } = resource
  const statementsFor = createDetailStatements(resource)
  const statementsOf = ({ scope }: Caller) => statementsFor(spansBothModes(resource, scope))

  async function read(caller: Caller, id: string, named: readonly NamedReference[]) {
    const { database, scope } = caller
    const toIds = (target: NamedReference['target'], ...more: readonly string[]) =>
      JSON.stringify([...more, ...named.flatMap((each) => (each.target === target ? [each.id] : []))])
    const values = { ...scope, id, products: toIds('products'), modifiers: toIds('modifiers', id) }
    const [[found]] = await database.run([statementsOf(caller).find(), values])
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
      hosts: definition.namesHosts ? readHosts(found.addresses) : undefined,
    }
    return { ...all, version: found.version, parts, context }
  }

  /** Runs the transaction of a change. Returns false if the object was deleted, or its details changed since they were read. */
  async function writeChange(
    caller: Caller,
    { id, guard = [], respond }: DetailsChange<View>,
    before: { stored: DetailFields; version: number },
    after: StoredDetails<View> & { stored: DetailFields; previous: DetailFields | undefined },
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
      previous: JSON.stringify(after.previous),
    }
    const operation = {
      operation: `${path}.details.update`,
      object: id,
      record: recordTitled(resource),
      response: caller.idempotency && respond(after),
    }
    const statements = statementsOf(caller)
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
          const plan = planDetails(definition, before, body, mapPartIds(before.parts))
          const { found, issues, isSame } = plan
          const isStale =
            condition !== undefined && !isPreconditionMet(condition, toShownState(before.version, before.details))
          const isCertain = isLatest || (body.issues.length > 0 && !found.some(({ code }) => code === 'not_found'))
          if (issues.length > 0 && isCertain) throw invalid(issues)
          if (isStale && isLatest) throw preconditionFailed()
          if (issues.length === 0 && !isStale) {
            const { stored } = plan
            const after = { details: plan.show(), previous: plan.showPrevious(), stored, version: before.version + 1 }
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
