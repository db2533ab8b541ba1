/**
 * `npm run bench:scale`: counts what a day of one merchant uses, and computes what many merchants need on each home. Prints the tables of
 * docs/scale.md. With `--check`, fails if a count of the page is wrong.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from '../platform.ts'
import { createDayTable, listDifferences, readDay } from './day.ts'
import { measureDay } from './measure-day.ts'
import { createLimits, createMonths } from './project.ts'

const { check } = parseArgs({ options: { check: { type: 'boolean', default: false } } }).values
const folder = await mkdtemp(join(tmpdir(), 'scale-'))
try {
  const measured = await measureDay(await build('bench/counter.ts'), join(folder, 'data'))
  const table = createDayTable(measured)
  // The page has rounded values. Its other tables follow from these.
  const day = readDay(table)
  console.log([table, createMonths(day, 'd1'), createMonths(day, 'object'), createLimits(day)].join('\n\n'))
  if (check) {
    const page = await readFile(join(import.meta.dirname, '../../docs/scale.md'), 'utf8')
    const differences = listDifferences(readDay(page), measured)
    for (const difference of differences) console.error(`docs/scale.md is out of date. ${difference}`)
    if (differences.length > 0) process.exitCode = 1
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
