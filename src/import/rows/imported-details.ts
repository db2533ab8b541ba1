import { lazy } from '../../db/database.ts'
import type { Write } from '../../db/transaction.ts'
import { type ParsedBody, parseFields } from '../../http/validation.ts'
import type { ResourcePath } from '../../names.ts'
import type { Caller } from '../../resource/caller.ts'
import type { WritableDetails } from '../../resource/details/details-definition.ts'
import type { DetailedResource } from '../../resource/details/details-statements.ts'
import { createDetailsStore } from '../../resource/details/details-store.ts'
import * as resources from '../../resources/registry.ts'

/** The details of a resource's objects, as an import needs them. */
export interface ImportedDetails {
  /** Field of the object that lists the parts which translations name. */
  parts: string | undefined
  /** Field with a list of prices of products. */
  prices: string | undefined
  parse(details: Readonly<Record<string, unknown>>): ParsedBody
  /** Merges into the details of an object. `partIds` are the ids of its parts in the file. `guard` precedes the change in its transaction. */
  update(
    caller: Caller,
    change: { id: string; body: ParsedBody; partIds: readonly string[]; guard: Write },
  ): Promise<unknown>
}

function createImportedDetails<In extends object, View extends object>(
  resource: Omit<DetailedResource, 'details'> & { details?: WritableDetails<In, View> | undefined },
): ImportedDetails {
  const { details } = resource
  if (!details) throw new Error(`${resource.path} have no details.`)
  const store = createDetailsStore<View>({ ...resource, details })
  return {
    parts: details.parts?.field,
    prices: details.prices,
    parse: (given) => parseFields(details.body, given),
    update: (caller, change) =>
      store.update(caller, { ...change, condition: undefined, respond: ({ details }) => Response.json(details) }),
  }
}

const detailed: Partial<Readonly<Record<ResourcePath, () => ImportedDetails>>> = {
  products: lazy(() => createImportedDetails(resources.products)),
  modifiers: lazy(() => createImportedDetails(resources.modifiers)),
  menus: lazy(() => createImportedDetails(resources.menus)),
}

/** The details of a resource's objects; undefined if they have none. */
export const getImportedDetails = (path: ResourcePath): ImportedDetails | undefined => detailed[path]?.()
