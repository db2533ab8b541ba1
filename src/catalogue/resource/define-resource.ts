import { getTableName } from 'drizzle-orm'
import * as z from 'zod/mini'
import { getColumn } from '../../platform/db/database.ts'
import type { ResourceTable } from '../../platform/db/schema/resource-columns.ts'
import { deletedFilter } from '../../platform/http/fields/query-parameters.ts'
import { includableFields, includeWithDetails, listFields } from '../../platform/http/pagination.ts'
import type { ParsedBody } from '../../platform/http/validation.ts'
import { isObject } from '../../platform/lib/schema-guard.ts'
import { type ResourceName, resourceIdentities, resourceNames } from '../../platform/names.ts'
import type {
  Counters,
  Examples,
  Hooks,
  IndexedFilter,
  KeptTable,
  Reference,
  ReferrerFilter,
  ValueHolder,
} from './definition.ts'
import type { LazyDetails } from './details/load-details.ts'
import { withoutNulls } from './merge-patch.ts'

/** Fields that every resource has. The service sets them, except `testMode` of tags, which clients can set. */
export const baseFields = {
  id: z.string().check(z.describe('Unique identifier. Ids that the service generates sort by time of creation.')),
  testMode: z.boolean().check(z.describe('Whether the object belongs to test mode.')),
  createdAt: z.int().check(z.describe('Time of creation, in seconds since 1970-01-01 UTC.')),
  updatedAt: z
    .int()
    .check(z.describe('Time of the last change, in seconds since 1970-01-01 UTC. Increases with every change.')),
}

const defaultHooks: Hooks = {
  translate: (patch) => patch,
  keepPartIds: (patch) => patch,
  resetFields: () => [],
  defaults: () => ({}),
  check: () => [],
  requiredScopes: () => [],
  complete: (draft) => draft,
  generate: () => ({}),
  derive: () => ({}),
  extraStatements: () => [],
  hideStatements: () => [],
  restoreStatements: () => [],
  uniqueNames: () => [],
  searchTexts: () => ({ names: [] }),
}

/** `unknown` if the table can store the item. Otherwise a type that names the reason and that no value has. */
type ColumnsFit<Item, Table extends ResourceTable> =
  Exclude<keyof Item, keyof Table['$inferInsert']> extends never
    ? Item extends Pick<Table['$inferInsert'], keyof Item & keyof Table['$inferInsert']>
      ? unknown
      : { problem: 'a column does not accept its field' }
    : { problem: 'a field has no column'; field: Exclude<keyof Item, keyof Table['$inferInsert']> }

/** Creates a resource from its declaration. `ResourceDefinition` and `Hooks` describe the fields that have no description here. */
export function defineResource<
  Writable extends z.core.$ZodShape,
  Stored extends z.core.$ZodShape,
  Filters extends z.core.$ZodShape,
  Table extends ResourceTable,
  CreateOnly extends z.core.$ZodShape = Record<never, never>,
  Details extends LazyDetails | undefined = undefined,
>(declaration: {
  name: ResourceName
  /** Fields that clients can write; optional ones are `nullish`. No zod defaults: an update would apply them. */
  fields: z.ZodMiniObject<Writable>
  /** Fields that only create accepts. */
  createOnly: CreateOnly
  /** The stored object, without limits. Limits are checked on input, and may have changed since then. */
  item: z.ZodMiniObject<Stored>
  table: Table & ColumnsFit<z.output<z.ZodMiniObject<Stored>>, Table>
  /** Query parameters that select by equality, named like their columns unless `filterColumns` names another column, or by a reference. */
  filters: Filters
  /** Columns of filters whose names differ from the columns. */
  filterColumns?: Readonly<Record<string, string>>
  listFilters?: readonly string[]
  spansModes?: boolean
  isCopied?: boolean
  indexed?: IndexedFilter
  references?: readonly Reference[]
  referrers?: readonly ReferrerFilter[]
  titleFields?: readonly string[]
  uniqueFields?: Readonly<Record<string, string>>
  otherHolders?: Readonly<Record<string, ValueHolder>>
  maxPerMode?: number
  hidden?: readonly string[]
  counters?: Counters
  isRestorable?: boolean
  kept?: readonly KeptTable[]
  details?: Details
  hooks: Partial<Hooks> & Pick<Hooks, 'searchTexts'>
  examples: NoInfer<
    Examples<
      z.core.$InferObjectInput<Writable & CreateOnly, Record<never, never>>,
      Partial<z.core.$InferObjectInput<Writable, Record<never, never>>>
    >
  >
  /** Stored fields that no response shows. */
  internal?: readonly string[]
  /** Fields that responses show and that are not stored. */
  shown?: readonly string[]
}) {
  const {
    name,
    fields,
    createOnly,
    item,
    table,
    filters,
    filterColumns = {},
    listFilters = [],
    spansModes = false,
    isCopied = false,
    indexed,
    references = [],
    referrers = [],
    titleFields = ['title'],
    uniqueFields = {},
    otherHolders = {},
    maxPerMode,
    hidden = [],
    counters = {},
    isRestorable = true,
    kept = [],
    hooks,
    examples,
    shown = [],
    internal = [],
    details,
  } = declaration
  const readOnly = new Set(
    [...Object.keys(item.shape), ...shown, ...includableFields, ...(details ? ['details'] : [])].filter(
      (key) => !(key in fields.shape) && !internal.includes(key),
    ),
  )
  const create = z.strictObject({ ...fields.shape, ...createOnly })
  const update = z.partial(fields)
  return {
    name,
    ...resourceIdentities[name],
    table,
    // In a create, null means absent.
    create: {
      schema: create,
      partial: z.partial(create),
      readOnly,
      toMeaning: ({ patch }: ParsedBody) => withoutNulls(patch),
    },
    update: { schema: update, partial: update, readOnly },
    item,
    view: item,
    full: item,
    query: z.strictObject({
      ...listFields,
      include: details ? includeWithDetails : listFields.include,
      deleted: deletedFilter,
      ...filters,
    }),
    spansModes,
    isCopied,
    filters: Object.fromEntries(
      Object.keys(filters)
        .filter((key) => key !== indexed?.filter && [...references, ...referrers].every(({ filter }) => filter !== key))
        .map((key) => [key, getColumn(table, filterColumns[key] ?? key)]),
    ),
    listFilters,
    indexed,
    references,
    referrers,
    titleFields,
    uniqueFields,
    otherHolders,
    maxPerMode,
    published: Object.keys(item.shape),
    hidden,
    counters,
    internal,
    isRestorable,
    kept,
    details,
    hooks: { ...defaultHooks, ...hooks },
    examples,
    toView: (stored: z.output<z.ZodMiniObject<Stored>>) => stored,
    toFullView: (stored: z.output<z.ZodMiniObject<Stored>>) => stored,
    createdOnly: z.object({}),
    toCreatedOnly: () => ({}),
  }
}

/** Every id at a path of a value, with its JSON pointer. */
function* listIdsAt(
  value: unknown,
  [step, ...rest]: readonly string[],
  pointer: string,
): Iterable<ReturnType<Reference['listIds']>[number]> {
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
