import { prices } from '../costs.ts'
import { table } from '../table.ts'
import type { Day } from './measure-day.ts'
import { busiestHour, daysPerMonth, merchantCounts } from './workload.ts'

/** Where the data of merchants is: all in one D1 database, or each in an object of its own. */
type Home = 'd1' | 'object'

/** Prices of the paid plan in dollars; docs/scale.md names their sources. Included amounts are per month. */
const plan = {
  base: 5,
  included: {
    requests: 10e6,
    cpuMs: 30e6,
    rowsRead: 25e9,
    rowsWritten: 50e6,
    kvReads: 10e6,
    kvWrites: 1e6,
    queueOperations: 1e6,
    points: 10e6,
    storageGb: 5,
    objectRequests: 1e6,
    objectGbSeconds: 400e3,
  },
  /** Per million milliseconds. */
  cpu: 0.02,
  /** Per GB and month. */
  storage: { d1: 0.75, object: 0.2 },
  objectRequests: 0.15,
  objectGbSeconds: 12.5,
} as const

/** Assumptions about what this machine cannot measure. */
export const assumptions = {
  /** CPU time of a request, in milliseconds. */
  cpuMs: 2,
  /** Time of a transaction of D1, in milliseconds. A database runs one at a time. */
  transactionMs: 5,
  /** Time that an object is active for a transaction, in milliseconds. */
  activeMs: 10,
  /** Memory that an active object is billed for, in GB. */
  objectGb: 0.128,
} as const

/** Documented limits of the platform. */
const limits = {
  /** Bytes of a D1 database or of an object. */
  bytes: 10e9,
  /** Messages a second of one queue. */
  queueMessages: 5_000,
  /** Requests a second of one object. */
  objectRequests: 1_000,
  transactions: 1_000 / assumptions.transactionMs,
} as const

const beyond = (used: number, included: number, perMillion: number) => (Math.max(0, used - included) / 1e6) * perMillion

/** Resources that a number of merchants uses in a month, and their price. */
function projectMonth(day: Day, merchants: number, home: Home) {
  const { counts } = day
  const perMonth = (count: number) => count * merchants * daysPerMonth
  const peak = (count: number) => (count * merchants * busiestHour) / 3_600
  const rowsWritten = perMonth(counts.rowsWritten + day.rowsPurged)
  const history = Object.values(day.historyBytes).reduce((sum, bytes) => sum + bytes, 0)
  const storageGb = ((day.catalogueBytes + history) * merchants) / 1e9
  const { included } = plan
  const dollars =
    plan.base +
    beyond(perMonth(day.requests), included.requests, prices.request) +
    beyond(perMonth(day.requests) * assumptions.cpuMs, included.cpuMs, plan.cpu) +
    beyond(perMonth(counts.rowsRead), included.rowsRead, prices.rowsRead) +
    beyond(rowsWritten, included.rowsWritten, prices.rowsWritten) +
    beyond(perMonth(counts.kvReads), included.kvReads, prices.kvReads) +
    beyond(perMonth(counts.kvWrites), included.kvWrites, prices.kvWrites) +
    beyond(perMonth(counts.messages) * 3, included.queueOperations, prices.messages / 3) +
    beyond(perMonth(counts.points), included.points, prices.points) +
    Math.max(0, storageGb - included.storageGb) * plan.storage[home] +
    (home === 'd1'
      ? 0
      : beyond(perMonth(counts.trips), included.objectRequests, plan.objectRequests) +
        beyond(
          perMonth(counts.trips) * (assumptions.activeMs / 1_000) * assumptions.objectGb,
          included.objectGbSeconds,
          plan.objectGbSeconds,
        ))
  return {
    requests: peak(day.requests),
    transactions: peak(counts.trips),
    messages: peak(counts.messages),
    rowsWritten,
    storageGb,
    dollars,
  }
}

/** The number of merchants at which each documented limit is met, the lowest first. */
function listLimits(day: Day, home: Home) {
  const one = projectMonth(day, 1, home)
  const inHome = [
    { limit: '10 GB', merchants: limits.bytes / (one.storageGb * 1e9) },
    home === 'd1'
      ? { limit: `${limits.transactions} transactions/s`, merchants: limits.transactions / one.transactions }
      : { limit: `${limits.objectRequests} requests/s`, merchants: limits.objectRequests / one.transactions },
  ]
  const shared = [
    { limit: `${limits.queueMessages} messages/s in one queue`, merchants: limits.queueMessages / one.messages },
  ]
  return (home === 'd1' ? [...inHome, ...shared] : shared).sort((a, b) => a.merchants - b.merchants)
}

const rounded = (value: number, digits = 0) =>
  value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })

/** Prints the tables of docs/scale.md. */
export function printMonths(day: Day): void {
  for (const home of ['d1', 'object'] as const) {
    console.log(`\nhome ${home}, busiest hour and month\n`)
    const met = listLimits(day, home)
    table(
      [
        'merchants',
        'requests/s',
        'transactions/s',
        'messages/s',
        'M rows written',
        'GB',
        '$ a month',
        '$ a merchant',
        'limits met',
      ],
      merchantCounts.map((merchants) => {
        const month = projectMonth(day, merchants, home)
        return [
          rounded(merchants),
          rounded(month.requests),
          rounded(month.transactions),
          rounded(month.messages),
          rounded(month.rowsWritten / 1e6),
          rounded(month.storageGb, 1),
          rounded(month.dollars),
          rounded(month.dollars / merchants, 2),
          met
            .filter((each) => each.merchants < merchants)
            .map(({ limit }) => limit)
            .join('; ') || 'none',
        ]
      }),
    )
    for (const { limit, merchants } of met) console.log(`${limit}: at ${rounded(merchants)} merchants`)
  }
}
