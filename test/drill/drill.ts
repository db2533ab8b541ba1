import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { CliError, runCommand } from '../../tools/cli/cli-error.ts'
import { buildServer, createOwnServer } from '../support/own-server.ts'
import { createReceiver } from '../support/receiver.ts'
import { closeAtEnd, createService, type Service } from '../support/service.ts'
import { awaitDeliveries, eventTypes, readEvents } from './deliveries.ts'
import { drillMoves } from './move-drill.ts'
import { drillOrders } from './order-drill.ts'
import { type Figure, printFigures } from './print-figures.ts'
import { drillReleases } from './release-drill.ts'
import { halvesIn } from './storage.ts'
import { createTally, createWorker, type SendRequest } from './worker.ts'

const usage = `Kills the service under load, at random moments, and counts the losses.

  npm run drill -- [--rounds 20]
  npm run drill -- --moves 50
  npm run drill -- --orders 20
  npm run drill -- --releases 60
  npm run drill -- --server [--rounds 25]

--orders lets 50 tills sell, change and cancel the same orders in so many rounds. --moves moves merchants to and fro under load, and kills the service in each state of a move. --releases publishes, undoes and restores 600 objects and kills the service during it. It ends with 1 where anything that was acknowledged is lost, half written, duplicated or not delivered, or where stock and coupons differ from arithmetic. --server runs the server for a machine of one's own, and kills all of it, its supervisor alone and workerd alone in turn.`

const atOnce = 10
/** How long a round works before the service is killed, in milliseconds: anything between. */
const life = { least: 1_000, most: 6_000 } as const

await runCommand(async () => {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '20' },
      moves: { type: 'string' },
      orders: { type: 'string' },
      releases: { type: 'string' },
      server: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) {
    console.log(usage)
    return 0
  }
  const toCount = (text: string) => {
    const count = Number(text)
    if (!Number.isInteger(count) || count < 1)
      throw new CliError(`${text} is not a number of rounds, moves, orders or releases.\n\n${usage}`)
    return count
  }
  const rounds = toCount(values.rounds)
  const moves = values.moves === undefined ? undefined : toCount(values.moves)

  const orders = values.orders === undefined ? undefined : toCount(values.orders)
  const releases = values.releases === undefined ? undefined : toCount(values.releases)

  const receiver = await createReceiver()
  const service = values.server ? await startServer() : await createService()
  closeAtEnd(service)
  try {
    if (releases !== undefined) {
      const { figures, isWell } = await drillReleases(service, { rounds: releases, objects: 600 })
      printFigures(figures)
      return isWell ? 0 : 1
    }
    if (orders !== undefined) {
      const { figures, isWell } = await drillOrders(service, {
        rounds: orders,
        tills: 50,
        orders: 8,
        life: { least: 500, most: 4_000 },
      })
      printFigures(figures)
      return isWell ? 0 : 1
    }
    if (moves === undefined) return await drill(rounds, service, receiver)
    const { figures, isWell } = await drillMoves(service, receiver, {
      moves,
      merchants: 17,
      products: 400,
      pauseMs: 1_500,
    })
    printFigures(figures)
    return isWell ? 0 : 1
  } finally {
    await service.close()
    receiver.close()
  }
})

/** The server for a machine of one's own. Its webhooks reach the receiver. */
async function startServer(): Promise<Service> {
  const settings = { ALLOW_PRIVATE_WEBHOOKS: '127.0.0.1', RATE_LIMITS: 'off' }
  const server = await createOwnServer(await buildServer(), settings)
  await server.start()
  return server
}

async function drill(
  rounds: number,
  service: Service,
  receiver: Awaited<ReturnType<typeof createReceiver>>,
): Promise<number> {
  const tally = createTally()
  const { body: merchant } = await service.call('POST', '/admin/merchants', service.adminToken, { name: 'Drill' })
  const keys = `/admin/merchants/${merchant.id}/keys`
  const { key } = (await service.call('POST', keys, service.adminToken, { mode: 'live' })).body
  const request: SendRequest = async (method, path, json, headers = {}) => {
    const reply = await service.call(method, `/merchants/${merchant.id}${path}`, key, json, headers)
    // A supervisor responds in place of a workerd that was killed: the write may have been made.
    if (method !== 'GET' && reply.status === 503 && reply.body?.code === 'unavailable') throw new Error('no response')
    return reply
  }

  const paths = ['/one', '/two']
  for (const path of paths)
    await request('POST', '/webhooks', { title: 'Till', url: receiver.at(path), events: eventTypes })
  const isRetrying = await replays(request)
  const workers = []
  let longestStartMs = 0

  for (let round = 1; round <= rounds; round++) {
    const team = Array.from({ length: atOnce }, (_, index) => createWorker(`r${round}w${index}`, request, tally))
    const before = tally.acknowledged
    let isOver = false
    const work = Promise.all(team.map((worker) => worker.work({ isOver: () => isOver })))
    await wait(life.least + Math.random() * (life.most - life.least))
    const crash = service.crashes?.[round % service.crashes.length]
    await crash?.()
    isOver = crash !== undefined
    if (!crash) await service.kill()
    await work
    await service.kill()
    for (const half of await halvesIn(service.state)) tally.findings.push(`round ${round}: ${half}`)
    const startMs = Date.now()
    await service.start()
    longestStartMs = Math.max(longestStartMs, Date.now() - startMs)
    await service.runScheduled()
    for (const worker of team) await worker.clear(isRetrying)
    workers.push(...team)
    let lost = 0
    for (const worker of team) lost += await worker.check()
    console.log(`round ${round}: ${tally.acknowledged - before} writes acknowledged, ${lost} lost`)
  }

  let lost = 0
  for (const worker of workers) lost += await worker.check()

  const events = await readEvents(request)
  const deliveries = await awaitDeliveries(service, receiver, new Map(paths.map((path) => [path, events])))

  for (const finding of tally.findings) console.log(`FOUND: ${finding}`)
  const rows: Figure[] = [
    ['rounds, each ended by SIGKILL under load', rounds],
    ['writes acknowledged', tally.acknowledged],
    ['acknowledged writes lost', lost],
    ['writes under way at a SIGKILL', tally.unanswered],
    ['of them committed without a response', tally.done],
    ['of them not done at all', tally.undone],
    ['of them half done', tally.findings.length],
    ['creates sent again with their Idempotency-Key', isRetrying ? tally.retried : 'keys are not kept'],
    ['objects made twice by that', tally.duplicated],
    ...deliveries.figures,
    ['slowest acknowledged write, ms', Math.round(tally.slowestMs)],
    ['slowest start, ms', longestStartMs],
  ]
  printFigures(rows)
  const isWell = tally.findings.length + lost + tally.duplicated + deliveries.findings === 0
  return isWell && tally.acknowledged > 0 ? 0 : 1
}

/** Whether a write that is sent again with its key is not done again. */
async function replays(request: SendRequest): Promise<boolean> {
  const create = () => request('POST', '/customers', { firstName: 'A', lastName: 'B' }, { 'idempotency-key': 'probe' })
  const [first, second] = [await create(), await create()]
  return first.body.id === second.body.id
}
