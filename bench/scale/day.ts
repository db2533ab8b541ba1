import { markdownTable, rounded } from './markdown.ts'

/** Uses of resources by requests. */
export interface Counts {
  /** Round trips to D1, and rows that they read and wrote. */
  trips: number
  rowsRead: number
  rowsWritten: number
  kvReads: number
  kvWrites: number
  messages: number
  points: number
}

/** Resources that one merchant uses on one day. */
export interface Day {
  /** Requests to the Worker, without those of queues. */
  requests: number
  counts: Counts
  /** Rows that the purges delete on a day on which as much expires as is written. D1 bills them as written. */
  rowsPurged: number
  /** Bytes of the catalogue. */
  catalogueBytes: number
  /** Bytes that each table keeps of all days. */
  historyBytes: Readonly<Record<string, number>>
}

const labels = {
  requests: 'requests',
  trips: 'transactions of the database',
  rowsRead: 'rows read',
  rowsWritten: 'rows written',
  rowsPurged: 'rows deleted by the purges',
  kvReads: 'reads of KV',
  kvWrites: 'writes of KV',
  messages: 'queue messages',
  points: 'data points',
  catalogue: 'catalogue, MB',
} as const
const kept = /^kept of `(.+)`, MB$/

/** The table of docs/scale.md with a day. Bytes are rounded. */
export function createDayTable({ requests, counts, rowsPurged, catalogueBytes, historyBytes }: Day): string {
  const megabytes = (bytes: number) => rounded(bytes / 1e6, 1)
  const rows = [
    [labels.requests, rounded(requests)],
    [labels.trips, rounded(counts.trips)],
    [labels.rowsRead, rounded(counts.rowsRead)],
    [labels.rowsWritten, rounded(counts.rowsWritten)],
    [labels.rowsPurged, rounded(rowsPurged)],
    [labels.kvReads, rounded(counts.kvReads)],
    [labels.kvWrites, rounded(counts.kvWrites)],
    [labels.messages, rounded(counts.messages)],
    [labels.points, rounded(counts.points)],
    [labels.catalogue, megabytes(catalogueBytes)],
    ...Object.entries(historyBytes)
      .filter(([, bytes]) => bytes >= 50_000)
      .map(([name, bytes]) => [`kept of \`${name}\`, MB`, megabytes(bytes)]),
  ]
  return markdownTable(['a day', 'count'], rows, (column) => column === 1)
}

/** Reads the table of a day from a page. */
export function readDay(page: string): Day {
  const values = new Map(
    Array.from(page.matchAll(/^\| ([^|]+) \| ([\d,.]+) \|$/gm), ([, label = '', value = '']) => [
      label,
      Number(value.replaceAll(',', '')),
    ]),
  )
  const get = (label: string) => {
    const value = values.get(label)
    if (value === undefined) throw new Error(`The page has no row "${label}".`)
    return value
  }
  const bytes = (megabytes: number) => Math.round(megabytes * 1e6)
  return {
    requests: get(labels.requests),
    counts: {
      trips: get(labels.trips),
      rowsRead: get(labels.rowsRead),
      rowsWritten: get(labels.rowsWritten),
      kvReads: get(labels.kvReads),
      kvWrites: get(labels.kvWrites),
      messages: get(labels.messages),
      points: get(labels.points),
    },
    rowsPurged: get(labels.rowsPurged),
    catalogueBytes: bytes(get(labels.catalogue)),
    historyBytes: Object.fromEntries(
      Array.from(values).flatMap(([label, value]) => {
        const name = kept.exec(label)?.[1]
        return name === undefined ? [] : [[name, bytes(value)]]
      }),
    ),
  }
}

/** Counts of a day that depend neither on the machine nor on its load, with their names. */
const toExactCounts = ({ requests, counts, rowsPurged }: Day): readonly (readonly [string, number])[] => [
  [labels.requests, requests],
  [labels.rowsWritten, counts.rowsWritten],
  [labels.rowsPurged, rowsPurged],
  [labels.messages, counts.messages],
  [labels.points, counts.points],
]

/** Part by which a count may differ from the page: a message that is delivered again writes a row. */
const tolerance = 0.02

/** Counts of a page that differ from those of a measured day, with both. */
export function listDifferences(stated: Day, measured: Day): string[] {
  const counts = new Map(toExactCounts(measured))
  return toExactCounts(stated).flatMap(([label, value]) => {
    const count = counts.get(label) ?? 0
    return Math.abs(count - value) <= tolerance * value
      ? []
      : [`${label}: ${rounded(value)}, measured ${rounded(count)}`]
  })
}
