import type { Caller } from '../../../catalogue/resource/caller.ts'
import type { Draft, ResourceDefinition } from '../../../catalogue/resource/definition.ts'
import type { DetailReference } from '../../../catalogue/resource/details/detail-references.ts'
import {
  type DetailsContext,
  normalizeDetails,
  type WritableDetails,
} from '../../../catalogue/resource/details/details-definition.ts'
import type { DetailedResource } from '../../../catalogue/resource/details/details-statements.ts'
import { createDetailsStore } from '../../../catalogue/resource/details/details-store.ts'
import type { LazyDetails } from '../../../catalogue/resource/details/load-details.ts'
import { merge } from '../../../catalogue/resource/merge-patch.ts'
import { mapPartIds } from '../../../catalogue/resource/part-ids.ts'
import { resources } from '../../../catalogue/resources/registry.ts'
import { getLimitIssues, limitView } from '../../../checkout/coupon-limit-fields.ts'
import { changeLimits, limitRules } from '../../../checkout/coupon-limits.ts'
import type { Write } from '../../../platform/db/transaction.ts'
import type { Issue } from '../../../platform/errors.ts'
import { type ParsedBody, parseFields } from '../../../platform/http/validation.ts'
import type { ResourcePath } from '../../../platform/names.ts'

/** Functions of an import for the details of a resource's objects, or for the limits of coupons. */
export interface ImportedDetails {
  /** Places that name objects of other resources. */
  references: readonly DetailReference[]
  /** Places that name options of modifiers. */
  optionPaths: readonly (readonly string[])[]
  /** Whether the details are written after those of all other rows. */
  isLast(details: Readonly<Record<string, unknown>>): boolean
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

/** While rows are checked, nothing is known about the objects that details name: rules about them are checked when they are written. */
const unknownContext: DetailsContext = { id: '', partIds: new Set(), products: new Map(), modifiers: new Map() }

async function createImportedDetails<In extends object, View extends object>(
  resource: Omit<DetailedResource, 'details'> &
    Pick<ResourceDefinition, 'hooks'> & { details?: LazyDetails<WritableDetails<In, View>> | undefined },
): Promise<ImportedDetails> {
  const { hooks } = resource
  const details = await resource.details?.load()
  if (!details) throw new Error(`${resource.path} have no details.`)
  const store = createDetailsStore<View>({ ...resource, details })
  return {
    references: details.references ?? [],
    optionPaths: details.optionPaths ?? [],
    isLast: (given) => details.isLast?.(given) ?? false,
    parse: (given) => parseFields(details.body, given),
    checkNew: ({ patch }) =>
      details.check({ before: {}, after: normalizeDetails(merge({}, patch)), patch }, unknownContext),
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

const importedLimits: ImportedDetails = {
  references: [],
  optionPaths: [],
  isLast: () => false,
  parse: (given) => parseFields(limitRules, given),
  checkNew: ({ patch, issues }) => getLimitIssues(limitView.parse(merge({}, patch)), issues),
  update: (caller, { id, body, guard }) =>
    changeLimits(caller, { id, body, guard, respond: (limits) => Response.json(limits) }),
}

const detailed: Partial<Readonly<Record<ResourcePath, () => Promise<ImportedDetails>>>> = {
  products: () => createImportedDetails(resources.products),
  modifiers: () => createImportedDetails(resources.modifiers),
  menus: () => createImportedDetails(resources.menus),
  tags: () => createImportedDetails(resources.tags),
  coupons: () => Promise.resolve(importedLimits),
}
const loaded = new Map<ResourcePath, ImportedDetails>()

/** The details of a resource's objects; undefined if they have none. */
export async function loadImportedDetails(path: ResourcePath): Promise<ImportedDetails | undefined> {
  const details = loaded.get(path) ?? (await detailed[path]?.())
  if (details) loaded.set(path, details)
  return details
}
