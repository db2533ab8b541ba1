/**
 * `npm test`: runs the projects of `vitest.config.ts` one after the other and prints one closing line for all of them. Arguments go to
 * vitest.
 *
 * Rarely, after hundreds of files, the runner inside workerd does not report that a file is finished, and vitest waits for ever. A run
 * that prints nothing for `silenceMs` is stopped and repeated once.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'

const projects = ['worker', 'objects', 'repository', 'e2e']
/** Longest time without output, in milliseconds. The slowest test prints after half of it. */
const silenceMs = 300_000
const attempts = 2

const project = resolve(import.meta.dirname, '..')
const program = resolve(project, 'node_modules/vitest/vitest.mjs')
const totals = { passed: 0, failed: 0, skipped: 0 }

/** Runs one project. Returns its exit code; undefined if it was stopped because it printed nothing. */
async function runProject(name: string): Promise<number | undefined> {
  const args = [program, 'run', '--config', 'test/vitest.config.ts', '--project', name, ...process.argv.slice(2)]
  // A group of its own, so that all its processes are stopped together.
  const child = spawn(process.execPath, args, { cwd: project, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const kill = () => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  }
  const stop = () => {
    kill()
    process.exit(130)
  }
  process.once('SIGINT', stop).once('SIGTERM', stop)
  let isSilent = false
  let tail = ''
  const timer = setTimeout(() => {
    isSilent = true
    kill()
  }, silenceMs)
  const show = (stream: NodeJS.WriteStream) => (chunk: Buffer) => {
    timer.refresh()
    stream.write(chunk)
    tail = (tail + chunk.toString()).slice(-2_000)
  }
  child.stdout.on('data', show(process.stdout))
  child.stderr.on('data', show(process.stderr))
  const [code] = await once(child, 'close')
  clearTimeout(timer)
  process.off('SIGINT', stop).off('SIGTERM', stop)
  if (isSilent) return undefined
  const [, passed = 0, failed = 0, skipped = 0] = /(\d+) passed, (\d+) failed, (\d+) skipped\s*$/.exec(tail) ?? []
  totals.passed += Number(passed)
  totals.failed += Number(failed)
  totals.skipped += Number(skipped)
  return code ?? 1
}

let worst = 0
for (const name of projects) {
  let code: number | undefined
  for (let attempt = 1; attempt <= attempts && code === undefined; attempt++) {
    code = await runProject(name)
    if (code === undefined)
      console.error(`\n${name}: nothing was printed for ${silenceMs / 1000} s. The run was stopped.`)
  }
  worst ||= code ?? 1
}
console.log(`\n${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`)
process.exitCode = worst
