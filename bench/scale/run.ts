/**
 * `npm run bench:scale`: counts what a day of one merchant uses, and computes what many merchants need on each home. docs/scale.md
 * explains the output.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from '../platform.ts'
import { table } from '../table.ts'
import { measureDay } from './measure-day.ts'
import { printMonths } from './project.ts'

const folder = await mkdtemp(join(tmpdir(), 'scale-'))
try {
  const day = await measureDay(await build('bench/counter.ts'), join(folder, 'data'))
  const { counts, requests, rowsPurged, catalogueBytes, historyBytes } = day
  console.log('a day of one merchant\n')
  table(
    ['', 'count'],
    [
      ['requests', requests],
      ['transactions', counts.trips],
      ['rows read', counts.rowsRead],
      ['rows written', counts.rowsWritten],
      ['rows purged', rowsPurged],
      ['KV reads', counts.kvReads],
      ['KV writes', counts.kvWrites],
      ['messages', counts.messages],
      ['data points', counts.points],
      ['catalogue, KB', Math.round(catalogueBytes / 1_000)],
      ...Object.entries(historyBytes)
        .filter(([, bytes]) => bytes > 0)
        .map(([name, bytes]): [string, number] => [`kept of ${name}, KB`, Math.round(bytes / 1_000)]),
    ].map((row) => row.map((cell) => (typeof cell === 'number' ? cell.toLocaleString('en') : cell))),
  )
  printMonths(day)
} finally {
  await rm(folder, { recursive: true, force: true })
}
