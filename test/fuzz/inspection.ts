import { isDeepStrictEqual } from 'node:util'
import { erasedEventName } from '../../src/catalogue/events/event-types.ts'
import type { ApiResponse } from '../support/api.ts'
import type { Mode, SendRequest } from '../support/api-model.ts'
import { type Fields, holds, models } from '../support/reference-model.ts'

const modes = ['live', 'test'] as const
const hidden = new Set(['bearerToken', 'nfcUrl'])
const shown = (object: Fields) => Object.fromEntries(Object.entries(object).filter(([key]) => !hidden.has(key)))
const fold = (code: unknown) => String(code).normalize('NFKC').toLowerCase()

/** The references of an object: collections and ids. */
const namedBy = (object: Fields): [string, string[]][] => {
  const sections = Array.isArray(object['sections']) ? object['sections'] : []
  const ids = (value: unknown) => (Array.isArray(value) ? value.map(String) : [])
  return [
    ['modifiers', ids(object['modifiers'])],
    ['products', [...ids(object['products']), ...sections.flatMap(({ items }) => ids(items))]],
  ]
}

/** Inspects the objects and events of a merchant. Returns every deviation from the contract. */
export async function inspect(
  request: SendRequest,
  deviations: (method: string, path: string, response: ApiResponse) => string[],
) {
  const findings: string[] = []
  let objects = 0
  async function read(mode: Mode, path: string): Promise<ApiResponse> {
    const response = await request(mode, 'GET', path)
    if (response.status !== 200) findings.push(`GET ${path} returns ${response.status}`)
    for (const finding of deviations('GET', path, response)) findings.push(`GET ${path}: ${finding}`)
    return response
  }
  async function readAll(mode: Mode, path: string, pick: (body: Fields[]) => Fields[] = (body) => body) {
    const found: Fields[] = []
    for (let next: string | undefined = path; next !== undefined; ) {
      const { body, headers }: ApiResponse = await read(mode, next)
      found.push(...pick(Array.isArray(body) ? body : []))
      const [, rest] = /<[^>]*?\/merchants\/[^/]+(\/[^>]*)>/.exec(headers.get('link') ?? '') ?? []
      next = rest
    }
    return found
  }

  for (const mode of modes) {
    const all = new Map<string, Map<string, Fields>>()
    for (const { collection } of models) {
      const list = await readAll(mode, `/${collection}?limit=100&order=asc`)
      all.set(collection, new Map(list.map((object) => [String(object['id']), object])))
      const reverse = await readAll(mode, `/${collection}?limit=37`)
      if (!isDeepStrictEqual(reverse.toReversed(), list)) findings.push(`${collection}: the two orders differ`)
      if (new Set(list.map(({ id }) => id)).size !== list.length)
        findings.push(`${collection}: an object is listed twice`)
    }
    const codes = [...(all.get('coupons')?.values() ?? [])].map(({ code }) => fold(code))
    if (new Set(codes).size !== codes.length) findings.push(`coupons: a code exists twice: ${codes}`)

    const events = await readAll(mode, '/events?limit=100')
    const latest = new Map<string, Fields>()
    for (const { type, version, data } of events) {
      const { id, changes, coupon } = Object(data)
      // Stock and redemptions change the version of an object without an event of the object itself.
      const moved = type === 'stock.changed' ? changes : String(type).startsWith('coupon.') && coupon ? [coupon] : []
      for (const { product = coupon?.id, version: at = version } of moved) {
        latest.set(product, { version: at, type, data: undefined })
      }
      if (moved.length > 0) continue
      if (type === erasedEventName) {
        latest.set(id, { version, type: 'customer.deleted', data })
        continue
      }
      // Tags change their mode, and with it the list that their events are in.
      if (typeof id !== 'string' || !/\.(?:created|updated|deleted)$/.test(String(type)) || id.startsWith('tag_'))
        continue
      const before = Number(latest.get(id)?.['version'] ?? 0)
      if (version !== before + 1) findings.push(`${id}: version ${version} behind ${before}`)
      if ((before === 0) !== String(type).endsWith('.created')) findings.push(`${id}: ${type} behind version ${before}`)
      latest.set(id, { version, type, data })
    }

    for (const [collection, list] of all) {
      for (const [id, object] of list) {
        objects++
        const { body } = await read(mode, `/${collection}/${id}`)
        if (!isDeepStrictEqual(shown(body), object)) findings.push(`${id}: list and retrieve differ`)
        if (!holds(object)) findings.push(`${id}: breaks a rule between its fields: ${JSON.stringify(object)}`)
        if (Number(object['updatedAt']) < Number(object['createdAt'] ?? 0))
          findings.push(`${id}: updatedAt is before createdAt`)
        for (const [target, ids] of namedBy(object)) {
          for (const named of ids)
            if (!all.get(target)?.has(named)) findings.push(`${id}: names ${named}, which does not exist`)
        }
        const event = latest.get(id)
        if (collection === 'tags') continue
        if (!event) findings.push(`${id}: has no event`)
        else if (event['data'] !== undefined && !isDeepStrictEqual(event['data'], object))
          findings.push(`${id}: differs from its last event`)
      }
    }
    for (const [id, { type }] of latest) {
      const isThere = [...all.values()].some((list) => list.has(id))
      if (isThere === String(type).endsWith('.deleted'))
        findings.push(`${id}: ${type}, and it ${isThere ? 'exists' : 'does not exist'}`)
    }
  }
  return { findings, objects }
}
