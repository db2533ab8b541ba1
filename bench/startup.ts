import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { type Running, start } from './platform.ts'
import { median, table } from './table.ts'

const made = z.object({ schemas: z.number(), statements: z.number() })

/** What the modules of the service make when they are loaded, as `counter.ts` counts it. */
export async function madeAtStart({ port }: Running) {
  const { headers } = await fetch(`http://127.0.0.1:${port}/nothing`)
  return made.parse(JSON.parse(headers.get('bench-start') ?? '{}'))
}

/** Processor time, in milliseconds, from nothing to a first answer for which no storage is asked. */
export async function startOnce(code: string, folder: string, path: string): Promise<number> {
  const running = await start(code, await mkdtemp(join(folder, 'start-')))
  await (await fetch(`http://127.0.0.1:${running.port}${path}`, { redirect: 'manual' })).text()
  const seconds = await running.cpuSeconds()
  await running.stop()
  return seconds * 1e3
}

/** Starts the service and the control some times in turn. */
export async function compareStarts(codes: { service: string; control: string }, folder: string, times: number) {
  const taken: { service: number[]; control: number[] } = { service: [], control: [] }
  for (let time = 0; time < times; time++) {
    taken.service.push(await startOnce(codes.service, folder, '/nothing'))
    taken.control.push(await startOnce(codes.control, folder, '/302'))
  }
  return { service: median(taken.service), control: median(taken.control) }
}

export function printStart(
  counts: Awaited<ReturnType<typeof madeAtStart>>,
  times: Awaited<ReturnType<typeof compareStarts>>,
): void {
  console.log('\nwhat an isolate does before its first answer, the start of workerd included\n')
  table(
    ['schemas and rules made', 'statements made', 'CPU ms', 'control'],
    [[counts.schemas, counts.statements, times.service.toFixed(0), times.control.toFixed(0)].map(String)],
  )
}
