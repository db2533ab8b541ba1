import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { projectFolder } from './demo.ts'

const program = resolve(projectFolder, 'node_modules/wrangler/bin/wrangler.js')

/** Settings that wrangler documents. Without them it asks the network about versions and places, and complains where there is none. */
const environment = {
  // Whoever runs wrangler from here sets up the local database first, and knows where it is.
  SKIP_LOCAL_SETUP: '1',
  WRANGLER_HIDE_BANNER: 'true',
  WRANGLER_SEND_METRICS: 'false',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}),
  ...process.env,
}

/** How long wrangler may take to end, in milliseconds. */
const stopTimeoutMs = 5_000
/** How long its last output may take to arrive once it has ended. */
const flushMs = 500

/** Runs wrangler to its end without a word; answers what it complained of, where it failed. */
export function runWrangler(args: readonly string[], signal: AbortSignal): Promise<string | undefined> {
  const options = { cwd: projectFolder, env: environment, signal }
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], options, (error, _output, complaint) =>
      resolve(error ? complaint || error.message : undefined),
    )
  })
}

/** A wrangler that runs until it is stopped. */
export class Wrangler {
  readonly #child: ChildProcess
  /** Its output so far; undefined once it goes to the screen as it comes. */
  #held: Buffer[] | undefined = []
  /** The code it ended with. */
  readonly ended: Promise<number>

  constructor(args: readonly string[]) {
    // Its complaints pass through here too: a wrangler that writes where nobody reads any more does not end when it is told to.
    this.#child = spawn(process.execPath, [program, ...args], {
      cwd: projectFolder,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child.stderr?.on('data', (chunk: Buffer) => process.stderr.write(chunk))
    this.#child.stdout?.on('data', (chunk: Buffer) => {
      if (this.#held) this.#held.push(chunk)
      else process.stdout.write(chunk)
    })
    this.ended = new Promise((resolve) => {
      this.#child.once('error', (error) => {
        console.error(error.message)
        resolve(1)
      })
      // What it printed last comes before `close`, which a child that it left behind would put off for ever.
      this.#child.once('exit', (code) => setTimeout(() => resolve(code ?? 1), flushMs).unref())
      this.#child.once('close', (code) => resolve(code ?? 1))
    })
    process.once('exit', () => this.#child.kill())
  }

  /** From here on its output is shown; first, where asked for, what it has printed so far. */
  show({ fromStart = false } = {}) {
    for (const chunk of fromStart ? (this.#held ?? []) : []) process.stdout.write(chunk)
    this.#held = undefined
  }

  /** Ends it, and with it the server that it runs. */
  async stop(): Promise<void> {
    this.#child.kill('SIGTERM')
    const timer = setTimeout(() => killTree(this.#child.pid), stopTimeoutMs)
    await this.ended
    clearTimeout(timer)
  }
}

/** Ends a process and whatever it has started, none of them asked. */
function killTree(root: number | undefined) {
  if (root === undefined) return
  const doomed = new Set([root])
  try {
    const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    const processes = table.split('\n').map((line) => line.trim().split(/\s+/).map(Number))
    // A set goes on to what is added to it on the way.
    for (const parent of doomed) {
      for (const [pid, parentPid] of processes) if (pid && parentPid === parent) doomed.add(pid)
    }
  } catch {
    // Without `ps` there is only the one that is known.
  }
  for (const pid of doomed) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended by itself.
    }
  }
}
