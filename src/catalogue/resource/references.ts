import { getTableName } from 'drizzle-orm'
import type { Statement, Values } from '../../platform/db/database.ts'
import { type Issue, unknownReference } from '../../platform/errors.ts'
import { isObject } from '../../platform/lib/schema-guard.ts'
import { resourceIdentities, resourceNames } from '../../platform/names.ts'
import type { Caller } from './caller.ts'
import type { Draft, Reference, ResourceDefinition } from './definition.ts'
import type { Statements } from './statements/statements.ts'

type NamedId = ReturnType<Reference['listIds']>[number]

/** Every id at a path of a value, with its JSON pointer. */
function* listIdsAt(value: unknown, [step, ...rest]: readonly string[], pointer: string): Iterable<NamedId> {
  if (step !== undefined && step !== '*') {
    if (isObject(value)) yield* listIdsAt(value[step], rest, `${pointer}/${step}`)
    return
  }
  if (!Array.isArray(value)) return
  for (const [index, element] of value.entries()) {
    if (step === '*') yield* listIdsAt(element, rest, `${pointer}/${index}`)
    else if (typeof element === 'string') yield { pointer: `${pointer}/${index}`, id: element }
  }
}

/** A reference through the list of ids at `path`. */
export const createReference = (reference: Omit<Reference, 'filter' | 'field' | 'listIds'>): Reference => ({
  ...reference,
  filter: resourceNames.find((name) => resourceIdentities[name].path === getTableName(reference.target)) ?? '',
  field: reference.path[0],
  listIds: (draft) => [...listIdsAt(draft, reference.path, '')],
})

const toIds = (named: readonly { id: string }[]) => named.map(({ id }) => id)

/** The references of a resource's objects. */
export function createReferences({ references }: ResourceDefinition, statements: Statements) {
  return {
    /** An issue, with its pointer, for each id that does not exist in the scope. Reads from the primary database, because a replica may be stale. */
    async dangling({ database, scope }: Caller, draft: Draft): Promise<(Issue & { pointer: string })[]> {
      const wanted = references.map((reference, index) => ({
        named: reference.listIds(draft),
        missing: statements.missing()[index],
      }))
      const checked = wanted.flatMap(({ named, missing }) => (missing && named.length > 0 ? [{ named, missing }] : []))
      if (checked.length === 0) return []
      database.usePrimary()
      const found = await database.run(
        ...checked.map(({ named, missing }): [Statement, Values] => [
          missing,
          { ...scope, ids: JSON.stringify(toIds(named)) },
        ]),
      )
      const missing = new Set(found.flat().map(({ id }) => id))
      return checked
        .flatMap(({ named }) => named.filter(({ id }) => missing.has(id)))
        .map(({ pointer }) => ({ pointer, code: 'not_found', message: unknownReference }))
    },
  }
}
