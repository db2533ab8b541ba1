import { ApiError } from './client-errors.ts'
import type { ObjectVersion } from './models.ts'
import { pathTo, type Query, type RequestOptions, type Transport } from './transport.ts'

/** One page of a list. */
export interface Page<Item> {
  items: Item[]
  /** Position of the next page: `cursor` of a list, `after` of events. Undefined on the last page. */
  cursor: string | undefined
}

/** A list. `for await` yields all items, page by page; `page` reads one page. */
export interface List<Item> extends AsyncIterable<Item> {
  page(): Promise<Page<Item>>
}

/** The response to a deletion, with the deleted object. */
export interface Deleted<Item> {
  id: string
  object: Item
  message: string
  deleted: true
}

/**
 * A body without read-only fields. The service rejects `update(id, { ...product })` with `read_only_field`, so it must not compile. The compiler by
 * itself checks excess fields only of literals, not of spreads.
 */
export type Writable<Body extends object, Shown> = Body & {
  [Field in Exclude<keyof Shown, keyof Body | IncludedField>]?: never
}

/** Fields that are present only in lists and retrievals with `include`. */
type IncludedField = 'externalId' | 'version' | 'details'

/** A time of the past, in seconds since 1970-01-01 UTC. */
export interface Past {
  at?: number | undefined
}

/** A deleted object that can be restored. */
export interface Restorable<Item> {
  id: string
  /** In seconds since 1970-01-01 UTC. */
  deletedAt: number
  /** Id of the API key or the member that deleted it. */
  by?: string | undefined
  title: string
  object: Item
}

/** Parts that returned with a restored object, and parts that did not. */
export interface RestoreResult {
  omitted: { field: string; id: string }[]
  placed: { resource: string; id: string }[]
}

/** The operations of a resource. */
export interface Collection<Create extends object, Update extends object, Filter, View, Full = View, Created = Full> {
  create(fields: Writable<Create, Created>, options?: RequestOptions): Promise<Created>
  /** `at`: the object as it was at the end of this second, at most 30 days ago. */
  retrieve(id: string, options?: RequestOptions & Past): Promise<Full>
  /** Lists the versions of an object of the last 30 days, newest first. */
  versions(id: string, filter?: { limit?: number }, options?: RequestOptions): List<ObjectVersion>
  /** Updates the given fields; `null` clears a field. */
  update(id: string, fields: Writable<Update, Full>, options?: RequestOptions): Promise<View>
  delete(id: string, options?: RequestOptions): Promise<Deleted<View>>
  list(filter?: Omit<Filter, 'deleted'>, options?: RequestOptions): List<View>
  /** Lists the objects that were deleted in the last 30 days, the last one first. */
  deleted(filter?: { q?: string; limit?: number }, options?: RequestOptions): List<Restorable<View>>
  /** Brings back a deleted object with its id, its details and its places. An existing object stays as it is. */
  restore(id: string, options?: RequestOptions): Promise<Full & { restored: RestoreResult }>
  /**
   * Updates an object based on its current state: stores the result of `change` if the object is unchanged, otherwise calls `change`
   * again with the new state.
   */
  edit(
    id: string,
    change: (current: Full) => Writable<Update, Full> | Promise<Writable<Update, Full>>,
    options?: RequestOptions,
  ): Promise<View>
}

/** Maximum number of attempts of `edit`. */
const maxEditAttempts = 20

/**
 * The query of a `Link: <…>; rel="next"` header (RFC 8288), which can be relative. Its host and path are ignored, so that the key is
 * never sent elsewhere.
 */
function nextQuery({ headers }: Response): URLSearchParams | undefined {
  const [, target] = /<([^>]*)>[^<]*;\s*rel="?next\b/i.exec(headers.get('link') ?? '') ?? []
  return target === undefined ? undefined : new URL(target, 'http://any').searchParams
}

/** Creates the list at a path. */
export function listAt<Item>(transport: Transport, path: string, filter: Query, options?: RequestOptions): List<Item> {
  async function read(query: Query | URLSearchParams) {
    const { response, body: items } = await transport.receive<Item[]>({ method: 'GET', path, query, ...options })
    return { items, next: nextQuery(response) }
  }
  return {
    async page() {
      const { items, next } = await read(filter)
      return { items, cursor: next?.get('cursor') ?? next?.get('after') ?? undefined }
    },
    async *[Symbol.asyncIterator]() {
      for (let query: Query | URLSearchParams | undefined = filter; query; ) {
        const page: { items: Item[]; next: URLSearchParams | undefined } = await read(query)
        yield* page.items
        query = page.next
      }
    },
  }
}

/** The service splits external ids at commas and then decodes each one. */
const withEncodedIds = ({ externalIds, ...query }: Query): Query =>
  typeof externalIds === 'object' ? { ...query, externalIds: externalIds.map(encodeURIComponent) } : query

/** Creates the operations of the resource at a path. */
export function collectionAt<
  Create extends object,
  Update extends object,
  Filter extends object,
  View,
  Full = View,
  Created = Full,
>(transport: Transport, path: string): Collection<Create, Update, Filter, View, Full, Created> {
  const at = (id: string) => `${path}${pathTo(id)}`
  const update = (id: string, body: Update, options?: RequestOptions) => transport.post<View>(at(id), body, options)
  return {
    create: (body, options) => transport.post(path, body, options),
    retrieve: (id, { at: time, ...options } = {}) => transport.get(at(id), { at: time }, options),
    versions: (id, filter, options) => listAt(transport, `${at(id)}/versions`, { ...filter }, options),
    update,
    delete: (id, options) => transport.delete(at(id), options),
    list: (filter, options) => listAt(transport, path, withEncodedIds({ ...filter }), options),
    deleted: (filter, options) => listAt(transport, path, { ...filter, deleted: true }, options),
    restore: (id, options) => transport.post(`${at(id)}/restore`, undefined, options),
    async edit(id, change, options) {
      for (let attempt = 1; ; attempt++) {
        const { response, body } = await transport.receive<Full>({ method: 'GET', path: at(id), ...options })
        const ifMatch = response.headers.get('etag') ?? undefined
        try {
          return await update(id, await change(body), { ...options, ifMatch })
        } catch (error) {
          if (!(error instanceof ApiError && error.status === 412) || attempt === maxEditAttempts) throw error
        }
      }
    },
  }
}

/** The operations on the details of a resource's objects. */
export interface DetailOperations<Update extends object, Details> {
  details(id: string, options?: RequestOptions & Past): Promise<Details>
  /** Updates the given fields; `null` clears a field. */
  updateDetails(id: string, fields: Update, options?: RequestOptions): Promise<Details>
}

/** Creates the operations on the details of the resource at a path. */
export function detailsAt<Update extends object, Details>(
  transport: Transport,
  path: string,
): DetailOperations<Update, Details> {
  const at = (id: string) => `${path}${pathTo(id)}/details`
  return {
    details: (id, { at: time, ...options } = {}) => transport.get(at(id), { at: time }, options),
    updateDetails: (id, body, options) => transport.post(at(id), body, options),
  }
}
