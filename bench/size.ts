/**
 * `npm run size`: bundle size and start-up CPU time as a Markdown table. `--base=<folder>` compares with another built Worker; starts
 * of both alternate, so that conditions are equal.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Bundle, build, getStartBytes, readBundle } from './platform.ts'
import { startOnce } from './startup.ts'
import { median } from './table.ts'

const { values: options } = parseArgs({
  options: { base: { type: 'string' }, times: { type: 'string', default: '15' } },
})
const times = Number(options.times)
const folder = await mkdtemp(join(tmpdir(), 'size-'))

/** A path that the Worker rejects without storage access. */
const path = '/nothing'
const gzipKilobytes = (bundle: Bundle) => getStartBytes(bundle) / 1_000
const signed = (value: number, digits: number) => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(digits)}`

try {
  const head = await build('src/index.ts')
  const base = options.base === undefined ? undefined : await readBundle(options.base)
  const starts: { head: number[]; base: number[] } = { head: [], base: [] }
  for (let time = 0; time < times; time++) {
    starts.head.push(await startOnce(head, folder, path))
    if (base !== undefined) starts.base.push(await startOnce(base, folder, path))
  }
  const rows: [string, number, number | undefined, number][] = [
    [
      'Code that starts with an isolate, KB gzip',
      gzipKilobytes(head),
      base === undefined ? undefined : gzipKilobytes(base),
      1,
    ],
    [
      `Start to first response, CPU ms (median of ${times})`,
      median(starts.head),
      base === undefined ? undefined : median(starts.base),
      0,
    ],
  ]
  console.log('| | This change | Base | Difference |\n|---|---:|---:|---:|')
  for (const [name, now, before, digits] of rows) {
    const compared = before === undefined ? '| |' : `| ${before.toFixed(digits)} | ${signed(now - before, digits)} |`
    console.log(`| ${name} | ${now.toFixed(digits)} ${compared}`)
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
