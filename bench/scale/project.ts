import { prices } from '../costs.ts'
import type { Day } from './day.ts'
import { markdownTable, rounded } from './markdown.ts'
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

const source = {
  d1: '[D1 limits](https://developers.cloudflare.com/d1/platform/limits/)',
  queues: '[Queues limits](https://developers.cloudflare.com/queues/platform/limits/)',
  objects: '[Durable Objects limits](https://developers.cloudflare.com/durable-objects/platform/limits/)',
} as const

/** The documented limits of a home, with the number of merchants at which each is met, the lowest first. */
function listLimits(day: Day, home: Home) {
  const one = projectMonth(day, 1, home)
  const ofQueues = {
    short: 'messages',
    limit: `${rounded(limits.queueMessages)} messages a second of one queue: deliveries`,
    source: source.queues,
    merchants: limits.queueMessages / one.messages,
  }
  if (home === 'object') return [ofQueues]
  const ofDatabase = [
    {
      short: 'size of a database',
      limit: '10 GB of the shared database',
      source: source.d1,
      merchants: limits.bytes / (one.storageGb * 1e9),
    },
    {
      short: 'transactions',
      limit: `one transaction at a time in the shared database, about ${rounded(limits.transactions)} a second`,
      source: source.d1,
      merchants: limits.transactions / one.transactions,
    },
  ]
  return [...ofDatabase, ofQueues].sort((a, b) => a.merchants - b.merchants)
}

const merchantsOf = (value: number) => rounded(Math.floor(value))

/** The table of docs/scale.md with months of a home. */
export const createMonths = (day: Day, home: Home): string =>
  markdownTable(
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
        listLimits(day, home)
          .filter((each) => each.merchants < merchants)
          .map(({ short }) => short)
          .join(', ') || 'none',
      ]
    }),
    (column) => column > 0 && column < 8,
  )

/** The table of docs/scale.md with the limits of both homes. */
export const createLimits = (day: Day): string =>
  markdownTable(
    ['Limit', 'Source', 'Merchants of this kind'],
    [
      ...listLimits(day, 'd1').map(({ limit, source, merchants }) => [limit, source, merchantsOf(merchants)]),
      [
        `10 GB, ${rounded(limits.objectRequests)} requests a second of an object`,
        source.objects,
        'never: each merchant has its own',
      ],
    ],
    (column) => column === 2,
  )
