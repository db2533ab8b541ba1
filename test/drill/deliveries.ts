import { setTimeout as wait } from 'node:timers/promises'
import type { Receiver } from '../support/receiver.ts'
import type { Service } from '../support/service.ts'
import type { Figure } from './print-figures.ts'
import type { Fields, SendRequest } from './worker.ts'

/** Maximum time that deliveries may take after the load, in milliseconds. */
const maxWaitMs = 240_000

/** Types of events that the webhooks of a drill receive. */
export const eventTypes = ['product', 'coupon', 'menu'].flatMap((name) =>
  ['created', 'updated', 'deleted'].map((verb) => `${name}.${verb}`),
)

const getId = ({ headers }: { headers: Record<string, string | string[] | undefined> }) => String(headers['webhook-id'])

/** Returns all events that a webhook receives. */
export async function readEvents(request: SendRequest): Promise<Fields[]> {
  const events: Fields[] = []
  for (let after = ''; ; ) {
    const { body } = await request('GET', `/events?limit=100${after}`)
    events.push(...body.filter(({ type }: Fields) => eventTypes.includes(String(type))))
    if (body.length < 100) return events
    after = `&after=${body.at(-1).id}`
  }
}

/** Runs the cron until each path of the receiver has its events. Returns what was delivered, and the number of findings. */
export async function awaitDeliveries(
  service: Service,
  receiver: Receiver,
  expected: ReadonlyMap<string, readonly Fields[]>,
): Promise<{ figures: Figure[]; findings: number }> {
  const startMs = Date.now()
  const getArrived = (path: string) => new Set(receiver.received.filter((call) => call.path === path).map(getId))
  const count = (counted: (path: string, events: readonly Fields[]) => number) =>
    [...expected].reduce((sum, [path, events]) => sum + counted(path, events), 0)
  const countMissing = () =>
    count((path, events) => {
      const arrived = getArrived(path)
      return events.filter(({ id }) => !arrived.has(String(id))).length
    })
  const left = countMissing()
  while (countMissing() > 0 && Date.now() - startMs < maxWaitMs) {
    await service.runScheduled()
    await wait(1_000)
  }
  const undelivered = countMissing()
  const strangers = count((path, events) => {
    const known = new Set(events.map(({ id }) => String(id)))
    return [...getArrived(path)].filter((id) => !known.has(id)).length
  })
  const repeated = receiver.received.length - count((path) => getArrived(path).size)
  const bodies = new Map<string, string>()
  let different = 0
  for (const call of receiver.received) {
    const id = getId(call)
    if ((bodies.get(id) ?? call.text) !== call.text) different++
    bodies.set(id, call.text)
  }
  return {
    figures: [
      ['events of committed writes that webhooks receive', count((_, events) => events.length)],
      ['of them not yet delivered when the load was over', left],
      ['of them never delivered', undelivered],
      ['deliveries of events that do not exist', strangers],
      ['deliveries made again under the same id', repeated],
      ['events delivered with two different bodies', different],
    ],
    findings: undelivered + strangers + different,
  }
}
