import type { Placeholder, SQL } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import * as z from 'zod/mini'
import { getColumn, type Statement } from '../db/database.ts'
import type { ObjectSchema } from '../db/row-reader.ts'
import type { LinkTable, ResourceTable } from '../db/schema/resource-columns.ts'
import type { Issue } from '../errors.ts'
import { type ListQuery, listFields } from '../http/pagination.ts'
import type { BodyRules } from '../http/validation.ts'
import { type ResourceName, type ResourcePath, resourceIdentities } from '../names.ts'

/** Fields that every resource has. The service sets them, except `testMode` of tags, which clients can set. */
export const baseFields = {
  id: z.string().check(z.describe('Unique identifier. Ids that the service generates sort by time of creation.')),
  testMode: z.boolean().check(z.describe('Whether the object belongs to test mode.')),
  createdAt: z.int().check(z.describe('Time of creation, in seconds since 1970-01-01 UTC.')),
  updatedAt: z
    .int()
    .check(z.describe('Time of the last change, in seconds since 1970-01-01 UTC. Increases with every change.')),
}

/** An object on its way to the database: its fields, as far as they are known. */
export type Draft = Readonly<Record<string, unknown>>

/** What a rule between fields may look at besides the draft. */
export interface ValidationContext {
  /** The object before an update. */
  previous?: Draft | undefined
  /** Webhooks may go to `http` on loopback. */
  allowInsecureWebhooks: boolean
  /** Hosts, with ports, that are this service itself. */
  ownHosts: readonly string[]
}

/** What presenting an object needs besides the object. */
export interface RenderContext {
  /** Origin of the addresses that guests use; undefined where none is configured. */
  baseUrl: string | undefined
  /** Signs with the service's own secret: what only the service can have written. Absent where nothing secret is shown. */
  sign?: ((text: string) => Promise<string>) | undefined
}

/** The first step is a column. */
export type ReferencePath = readonly [string, ...string[]]

/** The field by which one resource names objects of another. */
export interface Reference {
  target: ResourceTable
  links: LinkTable
  /** Steps to the list of ids, `*` for each element: `['sections', '*', 'items']`. */
  path: ReferencePath
  /** The column that holds the ids: the first step of `path`. */
  field: string
  /** Every id with the place it stands at. */
  listIds(draft: Draft): readonly { pointer: string; id: string }[]
  /** SQL for the field's value without one id. */
  without(id: Placeholder): SQL
}

/** A resource as stores see it: how it is kept, whoever asks and however it is shown. */
export interface ResourceDefinition<Item extends object = object> {
  name: ResourceName
  path: ResourcePath
  idPrefix: string
  table: ResourceTable
  item: ObjectSchema<Item>
  /** A live key reaches the objects of both modes. */
  spansModes: boolean
  /** The column each filter of the query compares. */
  filters: Readonly<Record<string, SQLiteColumn>>
  references: readonly Reference[]
  /** Columns that hold a value only once in a merchant's mode, and the field each is made from. */
  uniqueFields: Readonly<Record<string, string>>
  /** Objects that a merchant may have in a mode; absent: any number. */
  maxPerMode?: number | undefined
  /** Columns that nobody is told: what happened is recorded without them. */
  hidden: readonly string[]
  /** Fields that are stored and that no answer shows. */
  internal: readonly string[]
  hooks: Hooks
  examples: Examples
}

/** Bodies that the documentation shows. An id in them has the form of an id, and names nothing. */
export interface Examples<Create = Draft, Update = Draft> {
  create: Create
  update: Update
  /** Fixed values for what the service generates at random. */
  generated?: Draft
}

/** What may be shown of an object that is damaged: its id, and the fields that can be read. */
export const readableParts = (
  { hidden, internal }: Pick<ResourceDefinition, 'hidden' | 'internal'>,
  id: string,
  readable: Draft,
) => ({
  ...Object.fromEntries(Object.entries(readable).filter(([key]) => !hidden.includes(key) && !internal.includes(key))),
  id,
})

/**
 * A resource as generic code sees it: an `Item` is stored, a `View` is what lists and events show, a `Full` what create and
 * retrieve show. Only `defineResource` makes one, and `withViews` changes how it is shown.
 */
export interface Resource<
  Item extends object,
  View extends object,
  Full extends object,
  CreateIn,
  UpdateIn,
  QueryIn,
  CreatedOnly extends object = object,
> extends ResourceDefinition<Item> {
  create: BodyRules<CreateIn>
  update: BodyRules<UpdateIn>
  query: z.ZodMiniType<ListQuery, QueryIn>
  view: z.ZodMiniType<View>
  full: z.ZodMiniType<Full>
  toView(item: Item, renderContext: RenderContext): View
  toFullView(item: Item, renderContext: RenderContext): Full | Promise<Full>
  /** Fields that only the response to create shows, once, besides those of `Full`. */
  createdOnly: z.ZodMiniType<CreatedOnly>
  toCreatedOnly(item: Item): CreatedOnly
}

/** Where a resource differs from the others; every hook has a neutral default. */
export interface Hooks {
  /** Turns fields that are accepted but not stored into ones that are. */
  translate(patch: Draft): Draft
  /** Fields that go back to their default because of what a body gives. */
  resetFields(patch: Draft): readonly string[]
  /** Values of the fields that were never set, given those that were. */
  defaults(draft: Draft): Draft
  /** Rules between fields, checked on the object as it would be; parts of the draft may be missing. */
  check(draft: Draft, validationContext: ValidationContext, patch: Draft): readonly Issue[]
  /** Adds what the service makes inside the object, ids of its parts for instance. */
  complete(draft: Draft): Draft
  /** What the service makes once, on create. */
  generate(): Draft
  /** Columns computed from the object for the database's own use. */
  derive(item: Draft): Draft
  /** Statements for other tables that belong to a change; they take `:merchantId :testMode :id`. A deletion has neither side. */
  extraStatements(before: Draft | undefined, after: Draft | undefined): readonly Statement[]
  /** The texts that `?q=` looks in. */
  searchTexts(item: Draft): readonly (string | undefined)[]
}

const defaultHooks: Hooks = {
  translate: (patch) => patch,
  resetFields: () => [],
  defaults: () => ({}),
  check: () => [],
  complete: (draft) => draft,
  generate: () => ({}),
  derive: () => ({}),
  extraStatements: () => [],
  searchTexts: () => [],
}

/** No constraint when the table can hold the item; otherwise a type nothing matches, which names the reason. */
type ColumnsFit<Item, Table extends ResourceTable> =
  Exclude<keyof Item, keyof Table['$inferInsert']> extends never
    ? Item extends Pick<Table['$inferInsert'], keyof Item & keyof Table['$inferInsert']>
      ? unknown
      : { problem: 'a column does not accept its field' }
    : { problem: 'a field has no column'; field: Exclude<keyof Item, keyof Table['$inferInsert']> }

export function defineResource<
  Writable extends z.core.$ZodShape,
  Stored extends z.core.$ZodShape,
  Filters extends z.core.$ZodShape,
  Table extends ResourceTable,
  CreateOnly extends z.core.$ZodShape = Record<never, never>,
>(declaration: {
  name: ResourceName
  /** What clients may write; optional fields are `nullish`. No zod defaults: an update would apply them. */
  fields: z.ZodMiniObject<Writable>
  /** Fields that only create takes. */
  createOnly: CreateOnly
  /** What is stored, without the limits: rows were checked when they came in. */
  item: z.ZodMiniObject<Stored>
  table: Table & ColumnsFit<z.output<z.ZodMiniObject<Stored>>, Table>
  /** Query parameters that select by equality, each named as its column or as `filterColumns` says. */
  filters: Filters
  /** Columns of filters that are not named as theirs. */
  filterColumns?: Readonly<Record<string, string>>
  spansModes?: boolean
  references?: readonly Reference[]
  uniqueFields?: Readonly<Record<string, string>>
  maxPerMode?: number
  hidden?: readonly string[]
  hooks: Partial<Hooks> & Pick<Hooks, 'searchTexts'>
  examples: NoInfer<
    Examples<
      z.core.$InferObjectInput<Writable & CreateOnly, Record<never, never>>,
      Partial<z.core.$InferObjectInput<Writable, Record<never, never>>>
    >
  >
  /** Fields that are stored and that no answer shows. */
  internal?: readonly string[]
  /** Fields that answers show and that are not stored. */
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
    spansModes = false,
    references = [],
    uniqueFields = {},
    maxPerMode,
    hidden = [],
    hooks,
    examples,
    shown = [],
    internal = [],
  } = declaration
  const readOnly = new Set(
    [...Object.keys(item.shape), ...shown].filter((key) => !(key in fields.shape) && !internal.includes(key)),
  )
  const create = z.strictObject({ ...fields.shape, ...createOnly })
  const update = z.partial(fields)
  return {
    name,
    ...resourceIdentities[name],
    table,
    create: { schema: create, partial: z.partial(create), readOnly },
    update: { schema: update, partial: update, readOnly },
    item,
    view: item,
    full: item,
    query: z.strictObject({ ...listFields, ...filters }),
    spansModes,
    filters: Object.fromEntries(Object.keys(filters).map((key) => [key, getColumn(table, filterColumns[key] ?? key)])),
    references,
    uniqueFields,
    maxPerMode,
    hidden,
    internal,
    hooks: { ...defaultHooks, ...hooks },
    examples,
    toView: (stored: z.output<z.ZodMiniObject<Stored>>) => stored,
    toFullView: (stored: z.output<z.ZodMiniObject<Stored>>) => stored,
    createdOnly: nothingMore,
    toCreatedOnly: () => ({}),
  }
}

const nothingMore = z.object({})

/** The same resource, whose create response shows some fields that no other response does. */
export const withCreatedOnly = <
  Item extends object,
  View extends object,
  Full extends object,
  CreateIn,
  UpdateIn,
  QueryIn,
  CreatedOnly extends object,
>(
  resource: Resource<Item, View, Full, CreateIn, UpdateIn, QueryIn>,
  createdOnly: z.ZodMiniType<CreatedOnly>,
  toCreatedOnly: (item: Item) => CreatedOnly,
): Resource<Item, View, Full, CreateIn, UpdateIn, QueryIn, CreatedOnly> => ({
  ...resource,
  createdOnly,
  toCreatedOnly,
})

/** The same resource, shown differently from how it is stored. */
export function withViews<Item extends object, View extends object, Full extends object, CreateIn, UpdateIn, QueryIn>(
  resource: Resource<Item, object, object, CreateIn, UpdateIn, QueryIn>,
  view: z.ZodMiniType<View>,
  full: z.ZodMiniType<Full>,
  toView: (item: Item, renderContext: RenderContext) => View,
  toFullView: (item: Item, renderContext: RenderContext) => Full | Promise<Full>,
): Resource<Item, View, Full, CreateIn, UpdateIn, QueryIn> {
  return { ...resource, view, full, toView, toFullView }
}
