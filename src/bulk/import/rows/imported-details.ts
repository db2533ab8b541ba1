import type { Caller } from '../../../catalogue/resource/caller.ts'
import type { Draft, ResourceDefinition } from '../../../catalogue/resource/definition.ts'
import { normalizeDetails, type WritableDetails } from '../../../catalogue/resource/details/details-definition.ts'
import type { DetailedResource } from '../../../catalogue/resource/details/details-statements.ts'
import { createDetailsStore } from '../../../catalogue/resource/details/details-store.ts'
import { merge } from '../../../catalogue/resource/merge-patch.ts'
import { mapPartIds } from '../../../catalogue/resource/part-ids.ts'
import * as resources from '../../../catalogue/resources/registry.ts'
import { lazy } from '../../../platform/db/database.ts'
import type { Write } from '../../../platform/db/transaction.ts'
import type { Issue } from '../../../platform/errors.ts'
import { type ParsedBody, parseFields } from '../../../platform/http/validation.ts'
import type { ResourcePath } from '../../../platform/names.ts'

/** Functions of an import for the details of a resource's objects. */
export interface ImportedDetails {
  /** Field with a list of prices of products. */
  prices: string | undefined
  parse(details: Readonly<Record<string, unknown>>): ParsedBody
  /** Issues of the rules between fields in the details of a new object. */
  checkNew(body: ParsedBody): readonly Issue[]
  /**
   * Merges into the details of an object. The new details refer to parts by the ids in `sent`, the body in the file. `applied` is the object after
   * applying that body. `guard` precedes the change in its transaction.
   */
  update(
    caller: Caller,
    change: { id: string; body: ParsedBody; sent: Draft; applied: Draft; guard: Write },
  ): Promise<unknown>
}

function createImportedDetails<In extends object, View extends object>(
  resource: Omit<DetailedResource, 'details'> &
    Pick<ResourceDefinition, 'hooks'> & { details?: WritableDetails<In, View> | undefined },
): ImportedDetails {
  const { details, hooks } = resource
  if (!details) throw new Error(`${resource.path} have no details.`)
  const store = createDetailsStore<View>({ ...resource, details })
  return {
    prices: details.prices,
    parse: (given) => parseFields(details.body, given),
    checkNew: ({ patch }) => details.check(normalizeDetails(merge({}, patch)), {}),
    update: (caller, { sent, applied, ...change }) =>
      store.update(caller, {
        ...change,
        mapPartIds(stored) {
          const field = details.parts?.field ?? ''
          return mapPartIds(sent[field], hooks.keepPartIds(applied, { [field]: stored })[field], stored)
        },
        condition: undefined,
        respond: ({ details }) => Response.json(details),
      }),
  }
}

const detailed: Partial<Readonly<Record<ResourcePath, () => ImportedDetails>>> = {
  products: lazy(() => createImportedDetails(resources.products)),
  modifiers: lazy(() => createImportedDetails(resources.modifiers)),
  menus: lazy(() => createImportedDetails(resources.menus)),
}

/** The details of a resource's objects; undefined if they have none. */
export const getImportedDetails = (path: ResourcePath): ImportedDetails | undefined => detailed[path]?.()
