import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { CliError, runCommand } from '../../src/cli/cli-error.ts'
import { createReceiver } from '../support/receiver.ts'
import { adminToken, closeAtEnd, createService } from '../support/service.ts'
import { halvesIn } from './storage.ts'
import { type Ask, createWorker, type Fields, type Tally } from './worker.ts'

const usage = `Kills the service under load, at moments nobody has chosen, and counts what is lost by it.

  npm run drill -- [--rounds 20]

It ends with 1 where anything that was acknowledged is lost, half written, duplicated or not delivered.`

const atOnce = 10
/** How long a round works before the service is killed, in milliseconds: anything between. */
const life = { least: 1_000, most: 6_000 } as const
const patienceMs = 240_000
const types = ['product', 'coupon', 'menu'].flatMap((name) =>
  ['created', 'updated', 'deleted'].map((verb) => `${name}.${verb}`),
)

await runCommand(async () => {
  const { values } = parseArgs({ options: { rounds: { type: 'string', default: '20' }, help: { type: 'boolean' } } })
  if (values.help) {
    console.log(usage)
    return 0
  }
  const rounds = Number(values.rounds)
  if (!Number.isInteger(rounds) || rounds < 1)
    throw new CliError(`${values.rounds} is no number of rounds.\n\n${usage}`)

  const receiver = await createReceiver()
  const service = await createService()
  closeAtEnd(service)
  try {
    return await drill(rounds, service, receiver)
  } finally {
    await service.close()
    receiver.close()
  }
})

async function drill(
  rounds: number,
  service: Awaited<ReturnType<typeof createService>>,
  receiver: Awaited<ReturnType<typeof createReceiver>>,
): Promise<number> {
  const tally: Tally = {
    acknowledged: 0,
    unanswered: 0,
    done: 0,
    undone: 0,
    retried: 0,
    duplicated: 0,
    slowestMs: 0,
    faults: [],
  }
  const { body: merchant } = await service.call('POST', '/admin/merchants', adminToken, { name: 'Drill' })
  const keys = `/admin/merchants/${merchant.id}/keys`
  const { key } = (await service.call('POST', keys, adminToken, { mode: 'live' })).body
  const ask: Ask = (method, path, json, headers = {}) =>
    service.call(method, `/merchants/${merchant.id}${path}`, key, json, headers)

  const paths = ['/one', '/two']
  for (const path of paths) await ask('POST', '/webhooks', { title: 'Till', url: receiver.at(path), events: types })
  const isRetrying = await replays(ask)
  const workers = []
  let longestStartMs = 0

  for (let round = 1; round <= rounds; round++) {
    const team = Array.from({ length: atOnce }, (_, index) => createWorker(`r${round}w${index}`, ask, tally))
    const before = tally.acknowledged
    const work = Promise.all(team.map((worker) => worker.work()))
    await wait(life.least + Math.random() * (life.most - life.least))
    await service.kill()
    await work
    for (const half of await halvesIn(service.state)) tally.faults.push(`round ${round}: ${half}`)
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

  const events = await readEvents(ask)
  const startMs = Date.now()
  const arrived = () => paths.map((path) => new Set(receiver.received.filter((call) => call.path === path).map(idOf)))
  const missing = () => arrived().reduce((sum, ids) => sum + events.filter(({ id }) => !ids.has(String(id))).length, 0)
  const left = missing()
  while (missing() > 0 && Date.now() - startMs < patienceMs) {
    await service.runScheduled()
    await wait(1_000)
  }
  const undelivered = missing()
  const bodies = new Map<string, string>()
  let different = 0
  for (const call of receiver.received) {
    if ((bodies.get(idOf(call)) ?? call.text) !== call.text) different++
    bodies.set(idOf(call), call.text)
  }
  const known = new Set(events.map(({ id }) => String(id)))
  const strangers = [...bodies.keys()].filter((id) => !known.has(id)).length
  const repeated = receiver.received.length - arrived().reduce((sum, ids) => sum + ids.size, 0)

  for (const fault of tally.faults) console.log(`FOUND: ${fault}`)
  const rows = [
    ['rounds, each ended by SIGKILL under load', rounds],
    ['writes acknowledged', tally.acknowledged],
    ['acknowledged writes lost', lost],
    ['writes under way at a SIGKILL', tally.unanswered],
    ['of them done as a whole, though not answered', tally.done],
    ['of them not done at all', tally.undone],
    ['of them half done', tally.faults.length],
    ['creates sent again with their Idempotency-Key', isRetrying ? tally.retried : 'keys are not kept'],
    ['objects made twice by that', tally.duplicated],
    ['events of committed writes, to two webhooks', events.length * paths.length],
    ['of them not yet there when the last round was over', left],
    ['of them never delivered', undelivered],
    ['deliveries of events that do not exist', strangers],
    ['deliveries made again under the same id', repeated],
    ['events delivered with two different bodies', different],
    ['slowest acknowledged write, ms', Math.round(tally.slowestMs)],
    ['slowest start, ms', longestStartMs],
  ]
  console.log(
    `\n| Figure | Measured |\n| --- | --- |\n${rows.map(([what, value]) => `| ${what} | ${value} |`).join('\n')}`,
  )
  const isWell = tally.faults.length + lost + tally.duplicated + undelivered + strangers + different === 0
  return isWell && tally.acknowledged > 0 ? 0 : 1
}

function idOf({ headers }: { headers: Record<string, string | string[] | undefined> }) {
  return String(headers['webhook-id'])
}

/** Whether a write that is sent again with its key is not done again. */
async function replays(ask: Ask): Promise<boolean> {
  const create = () => ask('POST', '/customers', { firstName: 'A', lastName: 'B' }, { 'idempotency-key': 'probe' })
  const [first, second] = [await create(), await create()]
  return first.body.id === second.body.id
}

/** Every event that a webhook is to hear of. */
async function readEvents(ask: Ask): Promise<Fields[]> {
  const events: Fields[] = []
  for (let after = ''; ; ) {
    const { body } = await ask('GET', `/events?limit=100${after}`)
    events.push(...body.filter(({ type }: Fields) => types.includes(String(type))))
    if (body.length < 100) return events
    after = `&after=${body.at(-1).id}`
  }
}
