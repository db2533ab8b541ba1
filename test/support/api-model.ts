import { deepStrictEqual as same } from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import type { ApiResponse } from './api.ts'
import { comparable, type Fields, holds, type Model, models, patched, withIds } from './reference-model.ts'

export type Mode = 'live' | 'test'
/** Makes a request relative to the merchant's path, with its key of a mode. */
export type SendRequest = (mode: Mode, method: string, path: string, json?: unknown) => Promise<ApiResponse>

const acts = ['create', 'create', 'create', 'update', 'update', 'delete', 'read', 'list', 'dangle'] as const

/** One step on a merchant's objects. `pick` chooses among the existing ones. */
export type Step = { act: (typeof acts)[number]; mode: Mode; collection: string; pick: number; patch: Fields }

const ofModel = (model: Model) =>
  fc.record({
    act: fc.constantFrom(...acts),
    mode: fc.constantFrom<Mode>('live', 'test'),
    collection: fc.constant(model.collection),
    pick: fc.nat(1_000),
    patch: model.patches,
  })

/** Any work on any of the seven resources. */
export const steps = (maxLength: number) =>
  fc.array(fc.oneof(...models.map(ofModel)), { minLength: Math.ceil(maxLength * 0.75), maxLength })

interface Entry {
  model: Model
  id: string
  /** The objects of the model. */
  shown: Fields
  /** The object, as it was returned last. */
  object: Fields
  version: number
}

/** Fields that only create and retrieve return. */
const hiddenIn = (object: Fields): Fields =>
  Object.fromEntries(Object.entries(object).filter(([key]) => key === 'bearerToken' || key === 'nfcUrl'))

const modeOf = ({ shown }: Entry): Mode => (shown['testMode'] ? 'test' : 'live')
/** Codes of coupons, of which all but one are the same. */
const codes = ['SPRING', 'spring', 'ＳＰＲＩＮＧ', 'autumn']
const folded = (code: unknown) => String(code).normalize('NFKC').toLowerCase()
const names = (value: unknown, id: string): boolean =>
  value === id || (typeof value === 'object' && value !== null && Object.values(value).some((part) => names(part, id)))
const without = (value: unknown, id: string): unknown => {
  if (Array.isArray(value)) return value.filter((part) => part !== id).map((part) => without(part, id))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, without(part, id)]))
}

/** A merchant as the contract says it must be, beside the one that the service keeps. Whatever differs throws. */
export function createApiModel(request: SendRequest) {
  const entries = new Map<string, Entry>()
  const raised: Record<Mode, string[]> = { live: [], test: [] }

  const isSeen = (mode: Mode, entry: Entry) =>
    modeOf(entry) === mode || (entry.model.collection === 'tags' && mode === 'live')
  const seen = (mode: Mode, collection: string) =>
    [...entries.values()].filter((entry) => entry.model.collection === collection && isSeen(mode, entry))
  const raise = (entry: Entry, verb: string) =>
    raised[modeOf(entry)].push(`${entry.model.collection.replace(/s$/, '')}.${verb} ${entry.id} ${entry.version}`)
  const isTaken = (mode: Mode, code: unknown, but?: string) =>
    seen(mode, 'coupons').some(({ id, shown }) => id !== but && folded(shown['code']) === folded(code))

  const refused = (response: ApiResponse, status: number, where: string) =>
    same([where, response.status], [where, status])

  /** The status that a request must have before the object is searched. Undefined: none. */
  function refusal({ collection, mode }: Step, body: Fields, next: Fields, but?: string): number | undefined {
    if (collection === 'tags' && mode === 'test' && body['testMode'] === false) return 403
    if (!holds(next)) return 422
    return collection === 'coupons' && isTaken(mode, next['code'], but) ? 409 : undefined
  }

  /** Applies what an update returned, or a deletion caused. */
  function changed(entry: Entry, object: Fields, shown: Fields) {
    same(comparable(entry.model.collection, object), shown)
    const whole = { ...hiddenIn(entry.object), ...object }
    const { updatedAt, ...rest } = whole
    const { updatedAt: before, ...old } = entry.object
    same([object['id'], object['createdAt']], [entry.id, entry.object['createdAt']])
    const isChanged = !isDeepStrictEqual(rest, old)
    same([entry.id, Number(updatedAt) > Number(before)], [entry.id, isChanged])
    Object.assign(entry, { shown, object: whole, version: entry.version + Number(isChanged) })
    if (isChanged) raise(entry, 'updated')
  }

  async function create(step: Step, model: Model, patch: Fields) {
    const { collection, mode, pick } = step
    const code = collection === 'coupons' && pick % 2 === 0 ? { code: codes[pick % codes.length] } : {}
    const body = { ...model.base(), ...code, ...patch }
    const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
    const shown = patched(model, {}, given)
    const response = await request(mode, 'POST', `/${collection}`, body)
    const status = refusal(step, body, shown)
    if (status !== undefined) return refused(response, status, `create ${JSON.stringify(body)}`)
    refused(response, 201, `create ${JSON.stringify(body)}`)
    const { secret: _secret, ...object } = response.body
    const { id } = object
    const entry = { model, id, shown: { testMode: mode === 'test', ...shown }, object, version: 1 }
    same(comparable(collection, response.body), entry.shown)
    same(response.body.createdAt, response.body.updatedAt)
    entries.set(id, entry)
    raise(entry, 'created')
  }

  async function update(step: Step, entry: Entry, patch: Fields) {
    const { mode } = step
    const { model } = entry
    const body = Object.fromEntries(Object.entries(patch))
    const response = await request(mode, 'POST', `/${model.collection}/${entry.id}`, body)
    if (!isSeen(mode, entry)) {
      const isForbidden = model.collection === 'tags' && mode === 'test' && body['testMode'] === false
      return refused(response, isForbidden ? 403 : 404, `update of another mode ${JSON.stringify(body)}`)
    }
    const next = patched(model, entry.shown, body)
    const status = refusal(step, body, next, entry.id)
    if (status !== undefined) return refused(response, status, `update ${JSON.stringify(body)}`)
    refused(response, 200, `update ${JSON.stringify(body)}`)
    changed(entry, response.body, next)
  }

  async function remove({ mode, collection }: Step, entry: Entry) {
    const response = await request(mode, 'DELETE', `/${collection}/${entry.id}`)
    if (!isSeen(mode, entry)) return refused(response, 404, 'delete of another mode')
    refused(response, 200, 'delete')
    same([response.body.id, response.body.deleted], [entry.id, true])
    same(comparable(collection, response.body.object), entry.shown)
    entries.delete(entry.id)
    entry.version++
    raise(entry, 'deleted')
    for (const owner of entries.values()) {
      if (!names(owner.shown, entry.id)) continue
      const { body } = await request(modeOf(owner), 'GET', `/${owner.model.collection}/${owner.id}`)
      changed(owner, body, Object.assign({}, without(owner.shown, entry.id)))
    }
  }

  async function list(mode: Mode, collection: string) {
    const expected = seen(mode, collection)
      .map(({ id, object, model }) => [id, comparable(model.collection, object), object['updatedAt']])
      .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))
    const found: Fields[] = []
    for (let path: string | undefined = `/${collection}?limit=7&order=asc`; path !== undefined; ) {
      const { status, body, headers }: ApiResponse = await request(mode, 'GET', path)
      same(status, 200)
      found.push(...body)
      const [, next] = /<[^>]*(\/\w+\?[^>]*)>/.exec(headers.get('link') ?? '') ?? []
      path = next
    }
    same(
      found.map((object) => [object['id'], comparable(collection, object), object['updatedAt']]),
      expected,
    )
    const since = Math.max(0, ...expected.map(([, , updatedAt]) => Number(updatedAt)))
    const { body: recent } = await request(mode, 'GET', `/${collection}?limit=100&order=asc&updatedSince=${since}`)
    const ids = expected.filter(([, , updatedAt]) => updatedAt === since).map(([id]) => id)
    if (ids.length <= 100) same([since, recent.map(({ id }: Fields) => id)], [since, ids])
  }

  return {
    entries,
    async step(step: Step) {
      const { act, collection, mode, pick } = step
      const model = models.find((each) => each.collection === collection)
      if (!model) throw new Error(`no model of ${collection}`)
      const ids = model.names === undefined ? [] : seen(mode, model.names).map(({ id }) => id)
      const patch: Fields = Object.assign({}, withIds(step.patch, ids))
      const all = [...entries.values()].filter((entry) => entry.model === model)
      const entry = all[pick % Math.max(1, all.length)]
      if (act === 'create') await create(step, model, patch)
      else if (act === 'list') await list(mode, collection)
      else if (!entry) return
      else if (act === 'update') await update(step, entry, isSeen(mode, entry) ? patch : {})
      else if (act === 'delete') await remove(step, entry)
      else if (act === 'dangle') {
        if (model.names === undefined) return
        // Objects of another mode, and ids that never existed, cannot be named.
        const foreign = [...entries.values()].find(
          (each) => each.model.collection === model.names && !isSeen(mode, each),
        )
        const id = foreign?.id ?? 'prod_none'
        const [naming, pointer] = {
          products: [{ modifiers: [id] }, '/modifiers/0'],
          coupons: [{ products: [id] }, '/products/0'],
        }[collection] ?? [{ sections: [{ items: [id] }] }, '/sections/0/items/0']
        const response = await request(mode, 'POST', `/${collection}`, { ...model.base(), ...Object(naming) })
        refused(response, 422, 'dangling')
        same(
          response.body.errors.map(({ pointer, code }: Fields) => [pointer, code]),
          [[pointer, 'not_found']],
        )
      } else {
        const response = await request(mode, 'GET', `/${collection}/${entry.id}`)
        if (!isSeen(mode, entry)) return refused(response, 404, 'read of another mode')
        refused(response, 200, 'read')
        same(response.body, entry.object)
      }
    },
    /** Compares everything: each list, in each mode, and what was raised. */
    async check() {
      for (const mode of ['live', 'test'] as const) {
        for (const { collection } of models) await list(mode, collection)
        const recorded: string[] = []
        for (let after = ''; ; ) {
          const { body } = await request(mode, 'GET', `/events?limit=100${after}`)
          for (const { type, data, version } of body) {
            // The model has no stock.
            if (!/\.(?:sold_out|back_in_stock)$/.test(type)) recorded.push(`${type} ${data.id} ${version}`)
          }
          if (body.length < 100) break
          after = `&after=${body.at(-1).id}`
        }
        same([mode, recorded.toSorted()], [mode, raised[mode].toSorted()])
      }
    },
  }
}
