import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'

export type Fields = Record<string, unknown>

export interface Reply {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: any response of the service
  body: any
}
/** Sends a request relative to the merchant's path. Throws if the connection breaks. */
export type SendRequest = (
  method: string,
  path: string,
  json?: unknown,
  headers?: Record<string, string>,
) => Promise<Reply>

/** A request that was sent and has no response yet. */
interface Pending {
  method: 'POST' | 'DELETE'
  collection: string
  /** Absent if the request was to create an object. */
  id?: string
  json?: Fields
  headers: Record<string, string>
}

interface Expected {
  collection: string
  object: Fields
  /** An object that it refers to was deleted, in a change without a response. */
  isPruned: boolean
}

export interface Tally {
  acknowledged: number
  unanswered: number
  /** Requests without a response: committed, or without any effect. */
  done: number
  undone: number
  retried: number
  duplicated: number
  slowestMs: number
  /** Responses that ask to repeat the request, because the data of the merchant is moved. */
  postponed: number
  findings: string[]
}
export const createTally = (): Tally => ({
  acknowledged: 0,
  unanswered: 0,
  done: 0,
  undone: 0,
  retried: 0,
  duplicated: 0,
  slowestMs: 0,
  postponed: 0,
  findings: [],
})

/** How a worker works: milliseconds between two requests, and when it stops although the service runs. */
export interface Pace {
  pauseMs?: number
  isOver?: () => boolean
}

const without = (value: unknown, id: string): unknown => {
  if (Array.isArray(value)) return value.filter((part) => part !== id).map((part) => without(part, id))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, without(part, id)]))
}
const names = (value: unknown, id: string): boolean =>
  value === id || (typeof value === 'object' && value !== null && Object.values(value).some((part) => names(part, id)))
const shown = ({ updatedAt: _updatedAt, ...rest }: Fields) => rest

/** A client that makes, changes and deletes objects of its own one after the other, and remembers what was acknowledged. */
export function createWorker(name: string, sendRequest: SendRequest, tally: Tally) {
  const expectedObjects = new Map<string, Expected>()
  const gone = new Set<string>()
  let pending: Pending | undefined
  let count = 0

  const random = (below: number) => Math.floor(Math.random() * below)
  const own = (collection: string) =>
    [...expectedObjects].filter(([, each]) => each.collection === collection).map(([id]) => id)
  const pick = (ids: readonly string[], most: number) => [
    ...new Set(Array.from({ length: Math.min(most, ids.length) }, () => ids[random(ids.length)] ?? '')),
  ]

  function plan(): Pending {
    const title = `${name}n${++count}`
    const headers = { 'idempotency-key': title }
    const products = own('products')
    const chance = Math.random()
    if (chance < 0.4 || products.length < 3) {
      return { method: 'POST', collection: 'products', json: { title, price: count }, headers }
    }
    if (chance < 0.5) {
      const json = { title, code: title, type: 'FIXED', value: 1, products: pick(products, 3) }
      return { method: 'POST', collection: 'coupons', json, headers }
    }
    if (chance < 0.6) {
      const json = { title, sections: [{ title: 'A', items: pick(products, 3) }, { items: pick(products, 3) }] }
      return { method: 'POST', collection: 'menus', json, headers }
    }
    const [id = '', { collection } = { collection: 'products' }] =
      [...expectedObjects][random(expectedObjects.size)] ?? []
    if (chance < 0.75) return { method: 'DELETE', collection, id, headers: {} }
    const changes: Record<string, Fields> = {
      products: { description: title },
      coupons: { value: count + 1, products: pick(products, 2) },
      menus: { description: title, sections: [{ items: pick(products, 4) }] },
    }
    return { method: 'POST', collection, id, json: changes[collection] ?? {}, headers }
  }

  /** Records the acknowledged response. */
  function settle({ method, collection, id }: Pending, body: Fields) {
    if (method === 'POST') {
      expectedObjects.set(String(body['id']), { collection, object: body, isPruned: false })
      return
    }
    if (id === undefined) return
    expectedObjects.delete(id)
    gone.add(id)
    for (const [owner, each] of expectedObjects) {
      if (!names(each.object, id)) continue
      expectedObjects.set(owner, { ...each, object: Object.assign({}, without(each.object, id)), isPruned: true })
    }
  }

  async function send(request: Pending): Promise<Reply> {
    const { method, collection, id, json, headers } = request
    const reply = await sendRequest(method, id === undefined ? `/${collection}` : `/${collection}/${id}`, json, headers)
    if (reply.status !== 503 || reply.body?.code !== 'busy') return reply
    // Nothing was written.
    tally.postponed++
    await wait(1_000 * Number(reply.headers.get('retry-after')))
    return send(request)
  }

  /** Reads objects. A service that has just started may ask to repeat the request. */
  async function read(path: string, attempts = 10): Promise<Fields[]> {
    const { status, headers, body } = await sendRequest('GET', path)
    if (status === 200) return body
    if (status !== 503 || attempts === 1) throw new Error(`GET ${path} returned ${status}: ${JSON.stringify(body)}`)
    await wait(1_000 * Number(headers.get('retry-after') ?? 1))
    return read(path, attempts - 1)
  }

  return {
    /** Works until the connection breaks. */
    async work({ pauseMs = 0, isOver = () => false }: Pace = {}) {
      for (; !isOver(); await wait(pauseMs)) {
        const request = plan()
        pending = request
        const startMs = performance.now()
        const reply = await send(request).catch(() => undefined)
        if (!reply) {
          tally.unanswered++
          return
        }
        tally.slowestMs = Math.max(tally.slowestMs, performance.now() - startMs)
        pending = undefined
        if (reply.status >= 300)
          tally.findings.push(
            `${request.method} ${request.collection} returned ${reply.status}: ${JSON.stringify(reply.body)}`,
          )
        else {
          tally.acknowledged++
          settle(request, reply.body)
        }
      }
    },

    /** Reads, after the crash, whether the request without a response was committed. Sends it again if it has an idempotency key. */
    async clear(isRetrying: boolean) {
      const request = pending
      pending = undefined
      if (!request) return
      const { method, collection, id, json = {} } = request
      // A search without a match returns objects with similar titles.
      const path = id === undefined ? `/${collection}?q=${json['title']}` : `/${collection}?ids=${id}`
      const find = async () => (await read(path)).filter(({ title }) => id !== undefined || title === json['title'])
      const [found] = await find()
      if (id === undefined) {
        if (found) tally.done++
        else tally.undone++
        for (const [key, value] of Object.entries(json)) {
          if (found && key !== 'sections' && !isDeepStrictEqual(found[key], value))
            tally.findings.push(`${found['id']}: half made`)
        }
      } else if (method === 'DELETE') {
        if (found) tally.undone++
        else tally.done++
        if (!found) settle(request, {})
      } else {
        const before = expectedObjects.get(id)
        const isChanged = Number(found?.['updatedAt']) > Number(before?.object['updatedAt'])
        const isOld = before !== undefined && isDeepStrictEqual(shown(found ?? {}), shown(before.object))
        const holds = Object.entries(json).every(
          ([key, value]) => key === 'sections' || isDeepStrictEqual(found?.[key], value),
        )
        if (!isOld && !(isChanged && holds)) tally.findings.push(`${id}: neither as before nor as it was to be`)
        if (isOld) tally.undone++
        else tally.done++
      }
      if (found && method === 'POST') settle(request, found)
      if (!isRetrying || id !== undefined) return
      const reply = await send(request)
      tally.retried++
      if (reply.status !== 201) tally.findings.push(`the retry of ${json['title']} returned ${reply.status}`)
      const copies = await find()
      if (copies.length !== 1 || (found && found['id'] !== reply.body.id)) tally.duplicated++
      settle(request, copies[0] ?? {})
    },

    /** Ids of the objects in a collection that the client knows. */
    own,

    /** Acknowledged objects that are missing, deleted objects that exist, and objects that differ. */
    async check(): Promise<number> {
      let lost = 0
      for (const collection of ['products', 'coupons', 'menus']) {
        const mine = [...expectedObjects].filter(([, each]) => each.collection === collection)
        for (let start = 0; start < mine.length; start += 100) {
          const part = mine.slice(start, start + 100)
          const objects = await read(`/${collection}?ids=${part.map(([id]) => id).join()}`)
          const found = new Map<unknown, Fields>(objects.map((object) => [object['id'], object]))
          for (const [id, { object, isPruned }] of part) {
            const now = found.get(id)
            if (now && isDeepStrictEqual(isPruned ? shown(now) : now, isPruned ? shown(object) : object)) continue
            lost++
            tally.findings.push(
              `${id}: ${now ? `is ${JSON.stringify(now)}, not ${JSON.stringify(object)}` : 'is lost'}`,
            )
          }
        }
      }
      for (const id of gone) {
        const collection = { prod: 'products', coup: 'coupons', menu: 'menus' }[id.slice(0, 4)]
        if ((await sendRequest('GET', `/${collection}/${id}`)).status === 404) continue
        lost++
        tally.findings.push(`${id}: was deleted, and is there`)
      }
      return lost
    },
  }
}
