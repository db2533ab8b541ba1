import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { findStartModules } from '../tools/cli/build/worker.ts'
import { type Bundle, type Running, start } from './platform.ts'
import { median, table } from './table.ts'

const created = z.object({ schemas: z.number(), statements: z.number() })

/** Counts schemas and statements that the service creates when it loads; see `counter.ts`. */
export async function countCreatedAtStart({ port }: Running) {
  const { headers } = await fetch(`http://127.0.0.1:${port}/nothing`)
  return created.parse(JSON.parse(headers.get('bench-start') ?? '{}'))
}

/** CPU time from the start to the first response without storage access, in milliseconds. */
export async function startOnce(bundle: Bundle, folder: string, path: string): Promise<number> {
  const running = await start(bundle, await mkdtemp(join(folder, 'start-')))
  await (await fetch(`http://127.0.0.1:${running.port}${path}`, { redirect: 'manual' })).text()
  const seconds = await running.cpuSeconds()
  await running.stop()
  return seconds * 1e3
}

/**
 * Starts the service, the control, and the control beside the modules that the service loads later, alternately, and returns the median times. workerd
 * compiles all modules of a Worker when it starts.
 */
export async function compareStarts(
  { service, control }: Record<'service' | 'control', Bundle>,
  folder: string,
  times: number,
) {
  const start = new Set(findStartModules(service))
  const beside = [...control, ...service.filter((module) => !start.has(module))]
  const timesMs: Record<'service' | 'control' | 'beside', number[]> = { service: [], control: [], beside: [] }
  for (let time = 0; time < times; time++) {
    timesMs.service.push(await startOnce(service, folder, '/nothing'))
    timesMs.control.push(await startOnce(control, folder, '/302'))
    timesMs.beside.push(await startOnce(beside, folder, '/302'))
  }
  return { service: median(timesMs.service), control: median(timesMs.control), beside: median(timesMs.beside) }
}

export function printStart(
  counts: Awaited<ReturnType<typeof countCreatedAtStart>>,
  times: Awaited<ReturnType<typeof compareStarts>>,
): void {
  console.log('\nwork of an isolate before its first response, with the start of workerd\n')
  table(
    ['schemas created', 'statements created', 'CPU ms', 'control', 'control beside the modules that are loaded later'],
    [
      [
        counts.schemas,
        counts.statements,
        ...[times.service, times.control, times.beside].map((ms) => ms.toFixed(0)),
      ].map(String),
    ],
  )
}
