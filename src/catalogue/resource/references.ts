import { getTableName } from 'drizzle-orm'
import type { Statement, Values } from '../../platform/db/database.ts'
import type { Scope } from '../../platform/db/scope.ts'
import { type Issue, unknownReference } from '../../platform/errors.ts'
import { isObject } from '../../platform/lib/schema-guard.ts'
import { resourceIdentities, resourceNames } from '../../platform/names.ts'
import type { Caller } from './caller.ts'
import type { Draft, Reference, ResourceDefinition } from './definition.ts'
import { isSameJson } from './merge-patch.ts'
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
        link: statements.links()[index],
      }))
      const checked = wanted.flatMap(({ named, link }) => (link && named.length > 0 ? [{ named, link }] : []))
      if (checked.length === 0) return []
      database.usePrimary()
      const found = await database.run(
        ...checked.map(({ named, link }): [Statement, Values] => [
          link.missing,
          { ...scope, ids: JSON.stringify(toIds(named)) },
        ]),
      )
      const missing = new Set(found.flat().map(({ id }) => id))
      return checked
        .flatMap(({ named }) => named.filter(({ id }) => missing.has(id)))
        .map(({ pointer }) => ({ pointer, code: 'not_found', message: unknownReference }))
    },

    /** Statements that delete all links of an object. */
    unlinkAll: (scope: Scope, id: string): [Statement, Values][] =>
      statements.links().map(({ unlinkAll }) => [unlinkAll, { ...scope, id }]),

    /** Statements that update the links of an object to match its fields. */
    relink(scope: Scope, id: string, before: Draft, after: Draft): [Statement, Values][] {
      return references.flatMap((reference, index) => {
        const link = statements.links()[index]
        if (!link || isSameJson(before[reference.field], after[reference.field])) return []
        const [was, is] = [new Set(toIds(reference.listIds(before))), new Set(toIds(reference.listIds(after)))]
        const change = (statement: Statement, ids: ReadonlySet<string>): [Statement, Values][] =>
          ids.size > 0 ? [[statement, { ...scope, id, ids: JSON.stringify([...ids]) }]] : []
        return [...change(link.unlink, was.difference(is)), ...change(link.link, is.difference(was))]
      })
    },
  }
}
