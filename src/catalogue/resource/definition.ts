import type { Placeholder, SQL } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type * as z from 'zod/mini'
import type { Statement } from '../../platform/db/database.ts'
import type { ObjectSchema } from '../../platform/db/query.ts'
import type { LinkTable, ResourceTable } from '../../platform/db/schema/resource-columns.ts'
import type { Scope } from '../../platform/db/scope.ts'
import type { Issue } from '../../platform/errors.ts'
import type { ListQuery } from '../../platform/http/pagination.ts'
import type { BodyRules } from '../../platform/http/validation.ts'
import type { EndpointSettings } from '../../platform/lib/endpoint-url.ts'
import type { SearchTexts } from '../../platform/lib/search-terms.ts'
import type { ResourceName, ResourcePath } from '../../platform/names.ts'
import type { WritableDetails } from './details/details-definition.ts'
import type { LazyDetails } from './details/load-details.ts'

/** A table whose rows have values that are unique among them and the values of a column of objects. */
export interface ValueHolder extends Record<keyof Scope, SQLiteColumn> {
  value: SQLiteColumn
  /** Identifies the row. It is no id of an object. */
  id: SQLiteColumn
  /** Id of the object that has the row. Rows of deleted objects do not count. */
  owner: SQLiteColumn
}

/** The known fields of an object, which may be incomplete. */
export type Draft = Readonly<Record<string, unknown>>

/** Data that rules between fields require besides the object. */
export interface ValidationContext {
  /** The object before an update. */
  previous?: Draft | undefined
  /** Parts of the object that were removed may return with their ids. */
  returnsParts?: boolean | undefined
  /** Webhooks may go to `http` on loopback. */
  allowInsecureWebhooks: boolean
  /** Settings of private addresses that webhooks may reach. */
  endpoints?: EndpointSettings | undefined
  /** Hosts, with ports, of this service. */
  ownHosts: readonly string[]
  /** Scopes of the key or the member's role. Default: `defaultScopes`. */
  grantedScopes?: readonly string[] | undefined
}

/** Data that rendering requires besides the object. */
export interface RenderContext {
  /** Public base URL. Undefined if none is configured. */
  baseUrl: string | undefined
  /** Signs with the secret of the service. Absent if no response shows a signature. */
  sign?: ((text: string) => Promise<string>) | undefined
}

/** Steps to a list of ids. The first step is a column. */
export type ReferencePath = readonly [string, ...string[]]

/** A field with ids of another resource's objects. */
export interface Reference {
  target: ResourceTable
  links: LinkTable
  /** Steps to the list of ids, `*` for each element: `['sections', '*', 'items']`. */
  path: ReferencePath
  /** Name of the filter for objects that refer to a target: the name of the target's resource. */
  filter: string
  /** The column that holds the ids: the first step of `path`. */
  field: string
  /** Every id with its JSON pointer. */
  listIds(draft: Draft): readonly { pointer: string; id: string }[]
  /** SQL for the field's value without the ids of a JSON list. */
  without(ids: Placeholder): SQL
}

/** A filter that another table answers: an index of it begins with merchant, mode, the value and the number of the object. */
export interface IndexedFilter {
  filter: string
  table: SQLiteTable & Readonly<Record<'merchantId' | 'testMode', SQLiteColumn>>
  value: SQLiteColumn
  /** `seq` of the object. */
  owner: SQLiteColumn
}

/** A filter for objects that an object of another resource names. */
export interface ReferrerFilter {
  filter: string
  /** The other resource, and its links to the objects. */
  table: ResourceTable
  links: LinkTable
}

/** A table whose rows belong to objects. A deletion keeps them for a restore. */
export interface KeptTable {
  table: SQLiteTable
  /** The column that names the object. */
  owner: SQLiteColumn
  /** The column of the object that it has. */
  by: 'seq' | 'id'
}

/** The part of a resource that a store needs: validation and storage of objects, without rendering. */
export interface ResourceDefinition<Item extends object = object> {
  name: ResourceName
  path: ResourcePath
  idPrefix: string
  table: ResourceTable
  item: ObjectSchema<Item>
  /** A live key can access objects of both modes. */
  spansModes: boolean
  /** KV has copies of the objects. They are checked if the response to a change is lost. */
  isCopied: boolean
  /** Columns that the filters of the query compare. */
  filters: Readonly<Record<string, SQLiteColumn>>
  /** Filters whose value is a JSON list: they select what equals one of its elements. */
  listFilters: readonly string[]
  /** A filter that another table answers. */
  indexed: IndexedFilter | undefined
  references: readonly Reference[]
  referrers: readonly ReferrerFilter[]
  /**
   * Fields whose values together are the title by which imports find objects without an external id: what people know an object by.
   * Default: `title`.
   */
  titleFields: readonly string[]
  /** Columns whose values are unique in a merchant's mode, each with the field that it is computed from. */
  uniqueFields: Readonly<Record<string, string>>
  /** Rows of other tables that have values of unique columns, by the key of the column. A trigger rejects such a value. */
  otherHolders: Readonly<Record<string, ValueHolder>>
  /** Maximum number of objects of a merchant in a mode. Default: unlimited. */
  maxPerMode?: number | undefined
  /** Stored fields that lists and events show. Events contain no other fields. */
  published: readonly string[]
  /** Stored fields whose values events do not record. */
  hidden: readonly string[]
  /** Counters that the service maintains. An import leaves them unchanged. */
  counters: Counters
  /** Stored fields that no response shows. */
  internal: readonly string[]
  /** Whether deleted objects can be restored. */
  isRestorable: boolean
  /** Tables with rows that return with a restored object, besides its details, its external id and its links. */
  kept: readonly KeptTable[]
  /** Fields in a separate side resource. Absent: no details. */
  details?: LazyDetails<WritableDetails<object, object>> | undefined
  hooks: Hooks
  examples: Examples
}

/** Counters that the service maintains while they have a value and the field `flag`, if one is named, is true. */
export type Counters = Readonly<Record<string, { flag?: string; isStock?: boolean }>>

/** Example bodies for the documentation, with fictional ids. */
export interface Examples<Create = Draft, Update = Draft> {
  create: Create
  update: Update
  /** Fixed example values for fields that the service generates. */
  generated?: Draft
}

/** The visible part of a damaged object: its id and the readable fields. */
export const readableParts = ({ published }: Pick<ResourceDefinition, 'published'>, id: string, readable: Draft) => ({
  ...pickPublished(published, readable),
  id,
})

/** The published fields among those of a draft. */
export const pickPublished = (published: readonly string[], draft: Draft): Draft =>
  Object.fromEntries(Object.entries(draft).filter(([key]) => published.includes(key)))

/**
 * A resource with its rendering. An `Item` is stored. Lists, updates and events show a `View`; create and retrieve show a `Full`.
 * `defineResource` creates it, `withViews` changes its rendering.
 */
export interface Resource<
  Item extends object,
  View extends object,
  Full extends object,
  CreateIn,
  UpdateIn,
  QueryIn,
  CreatedOnly extends object = object,
  Details extends object = object,
> extends ResourceDefinition<Item> {
  create: BodyRules<CreateIn>
  update: BodyRules<UpdateIn>
  query: z.ZodMiniType<ListQuery, QueryIn>
  view: z.ZodMiniType<View>
  full: z.ZodMiniType<Full>
  toView(item: Item, renderContext: RenderContext): View
  toFullView(item: Item, renderContext: RenderContext): Full | Promise<Full>
  /** Fields that only the response to create shows, besides those of `Full`. */
  createdOnly: z.ZodMiniType<CreatedOnly>
  toCreatedOnly(item: Item): CreatedOnly
  details?: LazyDetails<WritableDetails<object, Details>> | undefined
}

/** Special behaviour of a resource. Every hook has a neutral default. */
export interface Hooks {
  /** Converts accepted fields that are not stored to stored fields. */
  translate(patch: Draft): Draft
  /** If a part of the object has no id in the body, gives it the id of the previous part with the same name. */
  keepPartIds(patch: Draft, previous: Draft): Draft
  /** Fields that a body resets to their defaults. */
  resetFields(patch: Draft): readonly string[]
  /** Default values of absent fields. They can depend on the fields that are set. */
  defaults(draft: Draft): Draft
  /** Checks the rules between fields on the object after the change. Parts of the draft can be missing. */
  check(draft: Draft, validationContext: ValidationContext, patch: Draft): readonly Issue[]
  /** Scopes that a change requires besides that of its resource. `before` is undefined on create. */
  requiredScopes(before: Draft | undefined, after: Draft): readonly string[]
  /** Adds values that the service generates inside the object, such as ids of its parts. */
  complete(draft: Draft): Draft
  /** Values that the service generates on create. */
  generate(): Draft
  /** Columns computed from the object, which no response shows. */
  derive(item: Draft): Draft
  /**
   * Statements for other tables that belong to a change, and events that it causes. They run after the event of the change, and before a deletion of
   * the row. On deletion, both sides are undefined. Every call returns the same statements, which take `:merchantId`, `:testMode` and a JSON list
   * `:ids`, so that one run serves all objects with the same change.
   */
  extraStatements(before: Draft | undefined, after: Draft | undefined): readonly Statement[]
  /** Statements that delete what readers would see of deleted objects, `:ids` in a JSON list, while their rows exist: see `hide-statements.ts`. */
  hideStatements(): readonly Statement[]
  /** Statements for other tables that belong to the return of deleted objects, `:ids` in a JSON list. They run after their events. */
  restoreStatements(): readonly Statement[]
  /** Names of a new object that must be unique among all merchants. The directory reserves them before the object is inserted. */
  uniqueNames(row: Draft): readonly string[]
  /** The texts that `?q=` searches. */
  searchTexts(item: Draft): SearchTexts
}
