import {
  ApiError,
  type BaseClient,
  type BatchOperation,
  type Collection,
  type Page,
  type ReleaseChange,
} from '../../../packages/client/src/client.ts'
import type { DetailOperations } from '../../../packages/client/src/collection.ts'
import {
  add,
  checked,
  findChange,
  type Prepared,
  type PreparedChange,
  readValues,
  remove,
  requireRelease,
} from './draft.ts'

interface Item {
  id: string
  title: string
}

const toRecord = (fields: object): Record<string, unknown> => Object.fromEntries(Object.entries(fields))
const isSet = ([, value]: [string, unknown]) => value !== null
/** The type follows from the field that has the value: values of a release are those of its objects. */
const toFields = <Fields>(values: Record<string, unknown>): Fields => JSON.parse(JSON.stringify(values))

/** An object, or its details, with the values of a change. */
function overlay<Fields extends object>(fields: Fields, change: PreparedChange, part: 'body' | 'details'): Fields {
  const values = readValues(change, part)
  const kept = Object.entries(fields).filter(([name]) => values[name] !== null)
  return toFields({ ...Object.fromEntries(kept), ...Object.fromEntries(Object.entries(values).filter(isSet)) })
}

/** A new object of the release, as the service would return it. */
const toCreated = <View>(change: PreparedChange): View =>
  toFields({
    ...Object.fromEntries(Object.entries(readValues(change, 'body')).filter(isSet)),
    details: Object.fromEntries(Object.entries(readValues(change, 'details')).filter(isSet)),
    ...{ id: change.id, createdAt: 0, updatedAt: 0, version: 0 },
  })

const notFound = () => new ApiError(404, undefined, undefined)

/** An error of an operation as one of the single request: fields are named by their pointers in its body. */
function throwOwn(error: unknown): never {
  if (!(error instanceof ApiError) || error.errors.length === 0) throw error
  const errors = error.errors.map((issue) =>
    'pointer' in issue
      ? { ...issue, pointer: issue.pointer.replace(/^\/operations\/\d+(?:\/(?:body|details))?/, '') }
      : issue,
  )
  const { status, message, requestId = '' } = error
  const code = error.code === 'unknown' ? 'invalid_request' : error.code
  throw new ApiError(
    status,
    { type: 'about:blank', title: '', status, code, detail: message, requestId, errors },
    requestId,
  )
}

const put = (operation: ReleaseChange) => add([operation]).catch(throwOwn)

/** The operations of a resource whose changes go into the release, and which show objects as they will be. */
function draftResource<
  Create extends object,
  Update extends object,
  Filter extends { q?: string | undefined; cursor?: string | undefined },
  View extends Item & { details?: Details },
  DetailsUpdate extends object,
  Details extends object,
>(
  resource: Prepared,
  live: Collection<Create, Update, Filter, View> & DetailOperations<DetailsUpdate, Details>,
): Collection<Create, Update, Filter, View> & DetailOperations<DetailsUpdate, Details> {
  const show = (item: View): View => {
    const change = findChange(resource, item.id)
    if (!change) return item
    const own = overlay(item, change, 'body')
    return item.details === undefined ? own : { ...own, details: overlay(item.details, change, 'details') }
  }
  const isKept = ({ id }: Item) => findChange(resource, id)?.op !== 'delete'
  /** The new objects of the release that a list shows first. */
  const listCreated = ({ q = '', cursor }: Filter): View[] =>
    cursor !== undefined
      ? []
      : (checked.value?.changes ?? [])
          .filter((change) => change.resource === resource && change.op === 'create')
          .filter(({ title }) => title.toLocaleLowerCase().includes(q.toLocaleLowerCase()))
          .map((change) => toCreated<View>(change))
  const retrieve: typeof live.retrieve = async (id, options) => {
    const change = findChange(resource, id)
    if (change?.op === 'delete') throw notFound()
    return change?.op === 'create' ? toCreated(change) : show(await live.retrieve(id, options))
  }
  const details: typeof live.details = async (id, options) => {
    const change = findChange(resource, id)
    if (change?.op === 'create') return toFields(readValues(change, 'details'))
    const stored = await live.details(id, options)
    return change ? overlay(stored, change, 'details') : stored
  }
  const showPage = (page: Page<View>, filter: Filter): Page<View> => ({
    items: [...listCreated(filter), ...page.items.filter(isKept).map(show)],
    cursor: page.cursor,
  })
  return {
    ...live,
    retrieve,
    details,
    list(filter, options) {
      const found = live.list(filter, options)
      const query = toFields<Filter>({ ...filter })
      const ids: unknown = Reflect.get(query, 'ids')
      const isWanted = ({ id }: Item) => !Array.isArray(ids) || ids.includes(id)
      return {
        async page() {
          const page = showPage(await found.page(), query)
          return { ...page, items: page.items.filter(isWanted) }
        },
        async *[Symbol.asyncIterator]() {
          yield* listCreated(query).filter(isWanted)
          for await (const item of found) if (isKept(item)) yield show(item)
        },
      }
    },
    async create(fields) {
      const [id = ''] = await put({ op: 'create', resource, body: toRecord(fields) })
      return retrieve(id)
    },
    async update(id, fields, { onResponse } = {}) {
      await put({ op: 'update', resource, id, body: toRecord(fields) })
      return retrieve(id, { onResponse })
    },
    async edit(id, change) {
      await put({ op: 'update', resource, id, body: toRecord(await change(await retrieve(id))) })
      return retrieve(id)
    },
    async updateDetails(id, fields, { onResponse } = {}) {
      await put({ op: 'update', resource, id, details: toRecord(fields) })
      return details(id, { onResponse })
    },
    async delete(id) {
      const object = await retrieve(id)
      await put({ op: 'delete', resource, id })
      return { id, object, message: '', deleted: true }
    },
    async restore(id, options) {
      if (findChange(resource, id)?.op !== 'delete') return live.restore(id, options)
      await remove(id)
      return { ...(await retrieve(id)), restored: { omitted: [], placed: [] } }
    },
  }
}

/** An operation of a batch as one of the release. */
const toOperation = (operation: BatchOperation): ReleaseChange => toFields({ ...operation, ifMatch: undefined })

/** The client whose changes of products, modifiers and menus go into the release. Marks as sold out and pictures are stored at once. */
export const createDraftedClient = (live: BaseClient): BaseClient => ({
  ...live,
  /** The menus after the release, and after what is typed. */
  preview: (query, options) => live.preview({ ...query, release: requireRelease().id }, options),
  products: { ...live.products, ...draftResource('products', live.products) },
  modifiers: { ...live.modifiers, ...draftResource('modifiers', live.modifiers) },
  menus: { ...live.menus, ...draftResource('menus', live.menus) },
  async batch(operations, { mode = 'atomic' } = {}) {
    const ids = await add(operations.map(toOperation))
    return { mode, results: ids.map((id, index) => ({ index, status: 200, id })) }
  },
})
