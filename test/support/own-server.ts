import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from './receiver.ts'
import { createCalls, dataFolder } from './service.ts'

const folder = resolve(import.meta.dirname, '../..')
export const ownToken = 'f3Kd09sLqPz71mXw2Vb8Yt6HnRc4GjUe'

/** Builds the package of the server. Returns its program. */
export async function buildServer(): Promise<string> {
  const build = ['-r', './tools/cli/preflight.cjs', 'tools/cli/build/server.ts', '--if-changed']
  await promisify(execFile)(process.execPath, build, { cwd: folder })
  return join(folder, 'packages/server/bin/merchant-ordering-server.js')
}

export type Variables = Readonly<Record<string, string>>

/** Starts the program with flags and variables, none of them of this process. Returns the process and its output so far. */
export function spawnServer(program: string, flags: readonly string[], variables: Variables) {
  const { PATH = '', TMPDIR = '' } = process.env
  // A process group of its own, so that all of it can be killed at once.
  const child = spawn(process.execPath, [program, ...flags], {
    env: { PATH, TMPDIR, ...variables },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const started = { child, output: '' }
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      started.output += chunk
    })
  }
  return started
}

/** Runs the program to its end. */
export async function runServer(program: string, flags: readonly string[], variables: Variables = {}) {
  const started = spawnServer(program, flags, variables)
  const [code] = await once(started.child, 'close')
  return { code, output: started.output }
}

/** The server for a machine of one's own, with data of its own. */
export async function createOwnServer(program: string, variables: Variables = {}, state?: string) {
  const data = state ?? (await mkdtemp(join(dataFolder, 'server-')))
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const settings = {
    ADMIN_TOKEN: ownToken,
    PUBLIC_BASE_URL: origin,
    CONSOLE_ORIGIN: `http://localhost:${port}`,
    ...variables,
  }
  let started: ReturnType<typeof spawnServer> | undefined
  const isRunning = ({ exitCode, signalCode }: ChildProcess) => exitCode === null && signalCode === null

  /** Starts it. The port is open before this returns, and the Worker may not be. */
  const launch = () =>
    (started = spawnServer(program, ['--data', data, '--port', String(port), '--host', '127.0.0.1'], settings))

  async function start(): Promise<void> {
    const { child } = launch()
    const ended = once(child, 'close')
    while (!started?.output.includes('Ready on')) {
      await Promise.race([once(child.stdout, 'data'), ended])
      if (!isRunning(child)) throw new Error(`the server did not start:\n${started?.output}`)
    }
  }

  /** Ends it with a signal, and waits for its end: the process alone, or the group with workerd. */
  async function end(signal: NodeJS.Signals, { group }: { group: boolean }): Promise<number | null> {
    const { child } = started ?? {}
    if (child?.pid === undefined) return null
    const ended = isRunning(child) ? once(child, 'exit') : undefined
    try {
      // workerd is in the group, also when the process has ended.
      if (group || ended) process.kill(group ? -child.pid : child.pid, signal)
    } catch {
      // All of them have ended.
    }
    const [code = null] = (await ended) ?? []
    return code
  }

  return {
    ...createCalls(origin, ownToken),
    /** Folder of its data. */
    state: data,
    port,
    settings,
    launch,
    start,
    /** Asks it to end. Returns its exit code. */
    stop: () => end('SIGTERM', { group: false }),
    /** Ctrl-C in a terminal, which reaches workerd too. Returns the exit code. */
    interrupt: () => end('SIGINT', { group: true }),
    /** Ends the process alone: workerd stays. */
    killAlone: () => end('SIGKILL', { group: false }),
    /** Ends every process of it, as a power cut would. */
    kill: async () => void (await end('SIGKILL', { group: true })),
    /** Crashes of all of it, of the supervisor alone, and of workerd alone, which then starts again. */
    crashes: [
      () => end('SIGKILL', { group: true }),
      () => end('SIGKILL', { group: false }),
      async () => process.kill(Number(await readFile(join(data, 'workerd.pid'), 'utf8')), 'SIGKILL'),
    ],
    pid: () => started?.child.pid,
    output: () => started?.output ?? '',
    /** It rings its own cron trigger each minute. */
    runScheduled: () => Promise.resolve(),
    async close() {
      await end('SIGKILL', { group: true })
      await rm(data, { recursive: true, force: true })
    },
  }
}
export type OwnServer = Awaited<ReturnType<typeof createOwnServer>>
