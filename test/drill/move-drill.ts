import { setTimeout as wait } from 'node:timers/promises'
import type { Receiver } from '../support/receiver.ts'
import type { Service } from '../support/service.ts'
import { awaitDeliveries, eventTypes, readEvents } from './deliveries.ts'
import type { Figure } from './print-figures.ts'
import { halvesIn } from './storage.ts'
import { killAtMoment, type Moment, skipWaits } from './stored-moves.ts'
import { createTally, createWorker, type Fields, type SendRequest } from './worker.ts'

export interface MoveDrill {
  /** Number of moves. Each round moves all merchants. */
  moves: number
  merchants: number
  /** Products of each merchant at the start. */
  products: number
  /** Time between two requests of a client, in milliseconds. Each merchant has one. */
  pauseMs: number
  /** Moments of each round at which the service is killed. */
  killAt?: (round: number) => readonly Moment[]
}

/** When the service is killed in each round. Without a kill, isolates have the homes in their caches. */
const kills: readonly (readonly Moment[])[] = [
  [],
  ['waiting', 'copying', 'fenced', 'verifying', 'done'],
  ['waiting', 'fenced', 'verifying', 'done'],
]

/** Maximum time that a round waits for a moment, or for the end of its moves, in milliseconds. */
const maxWaitMs = 150_000

type Venue = Awaited<ReturnType<typeof createVenue>>

async function createVenue(service: Service, receiver: Receiver, index: number, products: number) {
  const { id, key } = await service.createAccount()
  const request: SendRequest = (method, path, json, headers = {}) =>
    service.call(method, `/merchants/${id}${path}`, key, json, headers)
  const path = `/${index}`
  await request('POST', '/webhooks', { title: 'Till', url: receiver.at(path), events: eventTypes })
  const operations = Array.from({ length: products }, (_, n) => ({
    op: 'create',
    resource: 'products',
    body: { title: `Stock ${n}`, price: n },
  }))
  for (let start = 0; start < products; start += 500)
    await request('POST', '/batch', { operations: operations.slice(start, start + 500) })
  return { id, request, path }
}

/** Ids of all objects of a merchant in a collection. */
async function listIds(request: SendRequest, collection: string): Promise<string[]> {
  const ids: string[] = []
  for (let query: string | undefined = '?limit=100'; query !== undefined; ) {
    const { body, headers } = await request('GET', `/${collection}${query}`)
    ids.push(...body.map(({ id }: Fields) => String(id)))
    query = /<[^>?]*(\?[^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
  }
  return ids
}

/** Moves merchants to and fro while they trade, and kills the service in each state of a move. Counts what is lost or doubled. */
export async function drillMoves(
  service: Service,
  receiver: Receiver,
  { moves, merchants, products, pauseMs, killAt = (round) => kills[round % kills.length] ?? [] }: MoveDrill,
): Promise<{ figures: Figure[]; isWell: boolean; findings: readonly string[] }> {
  const tally = createTally()
  const venues: Venue[] = []
  for (let index = 0; index < merchants; index++) venues.push(await createVenue(service, receiver, index, products))
  const initial = new Map<string, Set<string>>()
  for (const { id, request } of venues) initial.set(id, new Set(await listIds(request, 'products')))
  const workers = venues.map(({ request }, index) => createWorker(`m${index}`, request, tally))
  const killed: Record<string, number> = {}
  const missed: string[] = []
  let [ended, killings, maxFencedMs] = [0, 0, 0]

  async function getMove(id: string) {
    return (await service.call('GET', `/admin/merchants/${id}/move`, service.adminToken)).body
  }
  /** Kills the service, looks for what is half written, and lets the workers find out what became of their requests. */
  async function restart(moment: Moment, work: Promise<unknown>) {
    await service.kill()
    await work
    const halves = await halvesIn(service.state)
    const left = { ...(await skipWaits(service.state)), ...(moment === 'done' && { done: 1 }) }
    tally.findings.push(...halves.map((half) => `killed ${moment}: ${half}`))
    for (const [state, count] of Object.entries(left)) killed[state] = (killed[state] ?? 0) + count
    killings++
    await service.start()
    for (const worker of workers) await worker.clear(true)
    console.log(`killed while ${moment}; moves: ${JSON.stringify(left)}`)
  }
  const start = (isOver: () => boolean) => Promise.all(workers.map((worker) => worker.work({ pauseMs, isOver })))

  for (let round = 0; ended < moves; round++) {
    let isOver = false
    const wanted = venues.slice(0, moves - ended)
    const startMs = Date.now()
    let work = start(() => isOver)
    for (const { id } of wanted) {
      const home = round % 2 === 0 ? 'object' : 'd1'
      const { status, body } = await service.call('POST', `/admin/merchants/${id}/move`, service.adminToken, { home })
      if (status !== 202) tally.findings.push(`the move of ${id} returned ${status}: ${JSON.stringify(body)}`)
    }
    for (const moment of killAt(round)) {
      const killed = killAtMoment(service, moment, maxWaitMs)
      await service.runScheduled().catch(() => undefined)
      if (!(await killed)) {
        missed.push(`round ${round}: ${moment}`)
        break
      }
      await restart(moment, work)
      work = start(() => isOver)
    }
    await service.runScheduled()
    let states: string[] = []
    for (const endMs = Date.now() + maxWaitMs; Date.now() < endMs; await wait(500)) {
      const all = await Promise.all(wanted.map(({ id }) => getMove(id)))
      states = all.map(({ state }) => state)
      if (states.every((state) => state === 'done' || state === 'failed')) {
        maxFencedMs = Math.max(maxFencedMs, ...all.map(({ fencedMs = 0 }) => fencedMs))
        break
      }
    }
    isOver = true
    await work
    tally.findings.push(
      ...states.filter((state) => state !== 'done').map((state) => `round ${round}: a move is ${state}`),
    )
    ended += wanted.length
    let lost = 0
    for (const worker of workers) lost += await worker.check()
    console.log(
      `round ${round}: ${wanted.length} moves in ${Date.now() - startMs} ms, ${tally.acknowledged} writes, ${lost} lost`,
    )
  }

  const found = tally.findings.length
  let [lost, doubled] = [0, 0]
  for (const worker of workers) lost += await worker.check()
  const events = new Map<string, Fields[]>()
  for (const [index, { id, request, path }] of venues.entries()) {
    for (const collection of ['products', 'coupons', 'menus']) {
      const ids = await listIds(request, collection)
      const own = new Set(workers[index]?.own(collection))
      const first = collection === 'products' ? initial.get(id) : undefined
      doubled += ids.filter((each) => !own.has(each) && !first?.has(each)).length + ids.length - new Set(ids).size
      lost += [...(first ?? [])].filter((each) => !ids.includes(each)).length
    }
    events.set(path, await readEvents(request))
  }
  const deliveries = await awaitDeliveries(service, receiver, events)
  await service.kill()
  const halves = await halvesIn(service.state)
  for (const moment of missed) console.log(`not killed in ${moment}`)
  for (const finding of [...tally.findings, ...halves]) console.log(`FOUND: ${finding}`)
  const figures: Figure[] = [
    ['moves, to objects and back', ended],
    ['SIGKILLs under load', killings],
    ...['waiting', 'copying', 'fenced', 'verifying', 'done'].map(
      (state): Figure => [`moves that a SIGKILL met ${state}`, killed[state] ?? 0],
    ),
    ['writes acknowledged', tally.acknowledged],
    ['acknowledged writes lost', lost],
    ['writes under way at a SIGKILL', tally.unanswered],
    ['of them half done', found - lost > 0 ? found - lost : 0],
    ['objects made twice', doubled + tally.duplicated],
    ['homes with half-written rows, or gaps in the numbers of events, at the end', halves.length],
    ...deliveries.figures,
    ['responses 503 with Retry-After', tally.postponed],
    ['longest fence, ms', maxFencedMs],
    ['slowest acknowledged write, ms', Math.round(tally.slowestMs)],
  ]
  const findings = [...tally.findings, ...halves]
  const isWell =
    findings.length + lost + doubled + tally.duplicated + deliveries.findings === 0 && tally.acknowledged > 0
  return { figures, isWell, findings }
}
