import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { dataPaths, readId } from '../data-folder.ts'

const checkMs = 20
/** Flags of V8 that keep the heaps of workerd small. A request takes as much CPU time as without them. */
const smallHeap = '--optimize-for-size --max-semi-space-size=1'

/**
 * Lets Miniflare start workerd through a script that records the process id and becomes workerd. Miniflare starts the program in
 * MINIFLARE_WORKERD_PATH in place of its own. workerd ignores signals that a terminal sends to all processes: the supervisor ends it after the
 * requests in progress.
 */
export function recordRuntimeId(data: string, workerd: string): void {
  const { runtime, runtimeId } = dataPaths(data)
  const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
  writeFileSync(
    runtime,
    `#!/bin/sh\ntrap '' INT HUP TERM\necho $$ > ${quote(runtimeId)}\nexec ${quote(workerd)} "$@"\n`,
    { mode: 0o700 },
  )
  process.env['MINIFLARE_WORKERD_PATH'] = runtime
  process.env['MINIFLARE_WORKERD_V8_FLAGS'] ??= smallHeap
}

/** The command line of a process; empty if it does not run. */
function readCommand(id: number): string {
  if (process.platform !== 'linux')
    return spawnSync('ps', ['-o', 'command=', '-p', String(id)], { encoding: 'utf8' }).stdout
  try {
    return readFileSync(`/proc/${id}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

/** Ends workerd of a server that was killed: it would go on to write the data. */
export async function endForgottenRuntime(data: string): Promise<void> {
  const id = readId(dataPaths(data).runtimeId)
  if (id === undefined || !readCommand(id).includes('workerd')) return
  process.kill(id, 'SIGKILL')
  while (readCommand(id) !== '') await wait(checkMs)
}

/** Removes the record of workerd, which has ended. */
export const forgetRuntime = (data: string) => rmSync(dataPaths(data).runtimeId, { force: true })
