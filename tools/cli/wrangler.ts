import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { diskFullMessage, isDiskFull } from './cli-error.ts'
import { projectFolder } from './project-folder.ts'

const program = resolve(projectFolder, 'node_modules/wrangler/bin/wrangler.js')

/** Documented settings. Without them wrangler requests versions and locations from the network, and warns if it is offline. */
const environment = {
  // Disables wrangler's setup, because the commands of this folder set up the local database.
  SKIP_LOCAL_SETUP: '1',
  WRANGLER_HIDE_BANNER: 'true',
  WRANGLER_SEND_METRICS: 'false',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  // The Workers of this project find each other, but not those of other projects.
  WRANGLER_REGISTRY_PATH: resolve(projectFolder, '.wrangler/registry'),
  ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}),
  ...process.env,
}

/** Maximum time that wrangler takes to stop, in milliseconds. */
const stopTimeoutMs = 5_000
/** Maximum wait for the last output after wrangler has ended, in milliseconds. */
const flushMs = 500

/** Runs wrangler without showing its output. Returns its error output; undefined on success. */
export function runWrangler(args: readonly string[], signal: AbortSignal): Promise<string | undefined> {
  const options = { cwd: projectFolder, env: environment, signal }
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], options, (error, _output, errorOutput) =>
      resolve(error ? errorOutput || error.message : undefined),
    )
  })
}

/** A wrangler process that runs until it is stopped. */
export class Wrangler {
  readonly #child: ChildProcess
  /** Output so far; undefined after output is shown directly. */
  #held: Buffer[] | undefined = []
  #isFull = false
  #isStarted = false
  /** The exit code. */
  readonly ended: Promise<number>

  constructor(args: readonly string[]) {
    // Standard error is piped too, because wrangler does not stop while it writes to a closed terminal.
    this.#child = spawn(process.execPath, [program, ...args], {
      cwd: projectFolder,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      if (!this.#reportsFull(chunk)) process.stderr.write(chunk)
    })
    this.#child.stdout?.on('data', (chunk: Buffer) => {
      if (this.#reportsFull(chunk)) return
      if (this.#held) this.#held.push(chunk)
      else process.stdout.write(chunk)
    })
    this.ended = new Promise((resolve) => {
      this.#child.once('error', (error) => {
        console.error(error.message)
        resolve(1)
      })
      // `close` follows the last output, but a child process that wrangler left running delays it forever.
      this.#child.once('exit', (code) => setTimeout(() => resolve(code ?? 1), flushMs).unref())
      this.#child.once('close', (code) => resolve(code ?? 1))
    })
    process.once('exit', () => this.#child.kill())
  }

  /** Reports once that the disk is full, instead of printing the stacks of all following errors. A start on a full disk ends. */
  #reportsFull(chunk: Buffer): boolean {
    const isCause = isDiskFull(chunk.toString())
    if (isCause && !this.#isFull) {
      this.#isFull = true
      console.error(diskFullMessage)
      if (!this.#isStarted) this.#child.kill('SIGTERM')
    }
    return isCause || (this.#isFull && !this.#isStarted)
  }

  /** Whether the disk was full. */
  get isDiskFull(): boolean {
    return this.#isFull
  }

  /** Shows the output from now on; with `fromStart`, also the output so far. */
  show({ fromStart = false } = {}) {
    this.#isStarted = true
    for (const chunk of fromStart && !this.#isFull ? (this.#held ?? []) : []) process.stdout.write(chunk)
    this.#held = undefined
  }

  /** Stops wrangler and the server that it runs. */
  async stop(): Promise<void> {
    this.#child.kill('SIGTERM')
    const timer = setTimeout(() => killTree(this.#child.pid), stopTimeoutMs)
    await this.ended
    clearTimeout(timer)
  }
}

/** Kills a process and all its descendants. */
function killTree(root: number | undefined) {
  if (root === undefined) return
  const tree = new Set([root])
  try {
    const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    const processes = table.split('\n').map((line) => line.trim().split(/\s+/).map(Number))
    // Iteration over a set includes elements that are added during it.
    for (const parent of tree) {
      for (const [pid, parentPid] of processes) if (pid && parentPid === parent) tree.add(pid)
    }
  } catch {
    // Without `ps`, only the root process is known.
  }
  for (const pid of tree) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // The process has ended already.
    }
  }
}
