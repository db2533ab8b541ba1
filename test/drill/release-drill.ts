import { setTimeout as wait } from 'node:timers/promises'
import { adminToken, type Service } from '../support/service.ts'
import type { Figure } from './print-figures.ts'
import type { Fields, Reply, SendRequest } from './worker.ts'

export interface ReleaseDrill {
  /** Rounds, each with one SIGKILL. They alternate between the homes, and between publishing, undo and restore. */
  rounds: number
  /** Objects of a release: above 500, their rows are staged before the transaction. */
  objects: number
}

const kinds = ['publish', 'undo', 'restore'] as const
type Kind = (typeof kinds)[number]

/** A change that is killed. */
interface Act {
  send(): Promise<Reply>
  /** Numbers of its events by type. */
  events: Readonly<Record<string, number>>
}

async function openVenue(service: Service, home: string, objects: number) {
  const { body: merchant } = await service.call('POST', '/admin/merchants', adminToken, { name: 'Drill', home })
  const keys = `/admin/merchants/${merchant.id}/keys`
  const { key } = (await service.call('POST', keys, adminToken, { mode: 'live' })).body
  const path = `/merchants/${merchant.id}`

  /** Sends a request. A service that has just started may ask to repeat it. */
  const request: SendRequest = async (method, relative, json, headers = {}) => {
    const reply = await service.call(method, `${path}${relative}`, key, json, headers)
    if (reply.status !== 503) return reply
    await wait(500)
    return request(method, relative, json, headers)
  }
  /** All pages of a list. */
  async function list(first: string): Promise<Fields[]> {
    const all: Fields[] = []
    for (let next: string | undefined = first; next !== undefined; ) {
      const { body, headers } = await request('GET', next)
      all.push(...body)
      const [, link] = new RegExp(`<[^>]*${path}(/[^>]*)>; rel="next"`).exec(headers.get('link') ?? '') ?? []
      next = link
    }
    return all
  }
  const ids: string[] = []
  for (let start = 0; start < objects; start += 500) {
    const operations = Array.from({ length: Math.min(500, objects - start) }, (_, n) => ({
      ...{ op: 'create', resource: 'products', body: { title: `Dish ${start + n}`, price: 4 } },
    }))
    const { body } = await request('POST', '/batch', { operations })
    ids.push(...body.results.map(({ id }: { id: string }) => id))
  }
  const items = ids.slice(-3)
  const menu = (await request('POST', '/menus', { title: 'Day', sections: [{ title: 'All', items }] })).body.id

  /** Prepares a release that changes all prices, adds a dish and deletes the last one, which a menu names. */
  async function prepare(price: number): Promise<string> {
    const operations = [
      ...ids.slice(0, -1).map((id) => ({ op: 'update', resource: 'products', id, body: { price } })),
      { op: 'create', resource: 'products', body: { title: 'New', price } },
      { op: 'delete', resource: 'products', id: ids.at(-1) },
    ]
    const { id } = (await request('POST', '/releases', { title: `${price}` })).body
    for (let start = 0; start < operations.length; start += 500) {
      await request('POST', `/releases/${id}/operations`, { operations: operations.slice(start, start + 500) })
    }
    return id
  }
  const publish = (id: string) => request('POST', `/releases/${id}/publish`, {})
  const undo = (set: string) => request('POST', `/changes/${set}/undo`, {})
  const changed = objects - 1
  const acts: Record<Kind, (price: number) => Promise<Act>> = {
    async publish(price) {
      const id = await prepare(price)
      const own = { 'product.updated': changed, 'product.created': 1, 'product.deleted': 1, 'menu.updated': 1 }
      return { send: () => publish(id), events: { ...own, 'release.published': 1 } }
    },
    async undo(price) {
      const { changeSet } = (await publish(await prepare(price))).body
      const own = { 'product.updated': changed, 'product.created': 1, 'product.deleted': 1, 'menu.updated': 1 }
      return { send: () => undo(changeSet), events: own }
    },
    async restore() {
      const id = ids.at(-1) ?? ''
      await request('DELETE', `/products/${id}`)
      return {
        send: () => request('POST', `/products/${id}/restore`),
        events: { 'product.created': 1, 'menu.updated': 1 },
      }
    },
  }
  return {
    acts,
    /** The products and menus as text. New objects count by their titles. */
    async read(): Promise<string> {
      const products = (await list('/products?limit=100')).map(({ id, title, price }) => [
        ids.includes(String(id)) ? id : '',
        title,
        price,
      ])
      const { sections } = (await request('GET', `/menus/${menu}`)).body
      return JSON.stringify([products.map((product) => product.join()).sort(), sections[0].items])
    },
    async countEvents(): Promise<Map<string, number>> {
      const counts = new Map<string, number>()
      for (const { type } of await list('/events?limit=100')) {
        counts.set(String(type), (counts.get(String(type)) ?? 0) + 1)
      }
      return counts
    },
  }
}

/** Counts of events after an act. */
const add = (counts: ReadonlyMap<string, number>, more: Act['events']) => {
  const sum = new Map(counts)
  for (const [type, count] of Object.entries(more)) sum.set(type, (sum.get(type) ?? 0) + count)
  return sum
}
const show = (counts: ReadonlyMap<string, number>) => JSON.stringify([...counts].sort())

/**
 * Kills the service while it publishes, undoes and restores, at moments that are spread over the whole duration. Afterwards all objects and events are
 * those of before or those of after; the repeated request completes the change, and each event is there once.
 */
export async function drillReleases(
  service: Service,
  { rounds, objects }: ReleaseDrill,
): Promise<{ figures: Figure[]; findings: readonly string[]; isWell: boolean }> {
  const findings: string[] = []
  let [before, after, answered] = [0, 0, 0]
  for (let round = 0; round < rounds; round++) {
    const kind = kinds[round % kinds.length] ?? 'publish'
    const home = Math.floor(round / kinds.length) % 2 === 0 ? 'd1' : 'object'
    const venue = await openVenue(service, home, objects)
    const note = (finding: string) => void findings.push(`round ${round}, ${kind} in ${home}: ${finding}`)
    // The same change without a kill: how long it lasts, and what it leads to.
    const model = await openVenue(service, home, objects)
    const { send } = await model.acts[kind](5)
    const startMs = Date.now()
    const { status } = await send()
    if (status !== 200) note(`returned ${status} without a kill`)
    const lastsMs = Date.now() - startMs
    const act = await venue.acts[kind](5)
    const [old, counts] = [await venue.read(), await venue.countEvents()]
    const share = (Math.floor(round / (2 * kinds.length)) + Math.random()) / Math.ceil(rounds / (2 * kinds.length))
    const running = act.send().catch(() => undefined)
    await wait(share * lastsMs)
    await service.kill()
    if (await running) answered++
    await service.start()

    const [now, raised] = [await venue.read(), await venue.countEvents()]
    const isDone = now !== old
    if (isDone) after++
    else before++
    if (show(raised) !== show(isDone ? add(counts, act.events) : counts)) note(`left events ${show(raised)}`)
    const repeated = await act.send()
    if (repeated.status !== 200) note(`the repeated request returned ${JSON.stringify(repeated.body)}`)
    const end = await venue.read()
    if (isDone && end !== now) note('the repeated request changed objects')
    if (end === old) note('the repeated request changed nothing')
    const [own, expected] = [withoutIds(end), withoutIds(await model.read())]
    if (own !== expected) note(`led to ${own} instead of ${expected}`)
    if (show(await venue.countEvents()) !== show(add(counts, act.events))) note('events are missing or repeated')
    console.log(
      `round ${round}: ${kind} in ${home}, killed after ${Math.round(share * lastsMs)} of ${lastsMs} ms, ${isDone ? 'done' : 'not done'}`,
    )
  }
  for (const finding of findings) console.log(`FOUND: ${finding}`)
  const figures: Figure[] = [
    ['rounds, each ended by SIGKILL', rounds],
    ['objects of a release', objects],
    ['killed before the commit, without any effect', before],
    ['killed after the commit, complete', after],
    ['of these, answered before the kill', answered],
    ['partly written, lost or repeated', findings.length],
  ]
  return { figures, findings, isWell: findings.length === 0 }
}

const withoutIds = (text: string) => text.replaceAll(/(?:prod|men|menu)_[0-9a-z]{26}/g, '')
