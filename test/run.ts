/**
 * `npm test`: runs the projects of `vitest.config.ts` and prints one closing line for all of them. Arguments go to vitest.
 *
 * The two groups of projects run at once. The tests in workerd get the processor time that the end-to-end tests leave: with the same share for both,
 * all tests take a fifth more processor time on two cores. The output of the second group is printed when the first one has ended.
 *
 * Rarely, after hundreds of files, the runner inside workerd does not report that a file is finished, and vitest waits forever. A run that prints
 * nothing for `silenceMs` is stopped and repeated.
 *
 * The failed tests are named again at the very end: what a server keeps of the output of a run is often only its end.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { getPriority, setPriority } from 'node:os'
import { resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { useCompileCache } from './support/compile-cache.ts'

interface ProjectGroup {
  names: readonly string[]
  /** Priority as that of `nice`: 0 is normal, and higher numbers wait for lower ones. */
  niceness: number
}
const projectGroups: readonly ProjectGroup[] = [
  { names: ['worker', 'objects', 'repository'], niceness: 19 },
  { names: ['e2e'], niceness: 0 },
]
/** Maximum time without output, in milliseconds. The slowest test prints after half of it. */
const silenceMs = 300_000
const attempts = 3

const project = resolve(import.meta.dirname, '..')
const program = resolve(project, 'node_modules/vitest/vitest.mjs')
useCompileCache()
// Once for all projects, which otherwise write the same files at the same time.
execFileSync(process.execPath, ['tools/cli/build/prepare-worker.ts', '--if-changed'], { cwd: project })
process.env['WORKER_IS_PREPARED'] = '1'
preferLongTurns()

/**
 * Gives the processes of the tests longer time slices in Linux: they compute, and nobody waits for one of them. Needs no rights. Other
 * systems and those without `chrt` keep their normal turns.
 */
function preferLongTurns(): void {
  spawnSync('chrt', ['--all-tasks', '--batch', '--pid', '0', String(process.pid)], { stdio: 'ignore' })
}

const totals = { passed: 0, failed: 0, skipped: 0 }
/** Failed tests with the first line of their errors, as vitest prints them. */
const failures = new Set<string>()
const running = new Set<ChildProcess>()
/** Kills all processes of a project. */
const kill = ({ pid }: ChildProcess) => {
  if (pid !== undefined) process.kill(-pid, 'SIGKILL')
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    for (const child of running) kill(child)
    process.exit(130)
  })
}

/** Runs the projects of a group. Returns the exit code; undefined if the run was stopped because it printed nothing. */
async function runProjects(group: ProjectGroup, print: (text: string) => void): Promise<number | undefined> {
  const { names, niceness } = group
  const projects = names.flatMap((name) => ['--project', name])
  const args = [program, 'run', '--config', 'test/vitest.config.ts', ...projects, ...process.argv.slice(2)]
  // A group of its own, so that all its processes are stopped together.
  const child = spawn(process.execPath, args, { cwd: project, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  if (child.pid !== undefined) setPriority(child.pid, Math.max(niceness, getPriority()))
  running.add(child)
  let isSilent = false
  let output = ''
  const timer = setTimeout(() => {
    isSilent = true
    kill(child)
  }, silenceMs)
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      timer.refresh()
      print(chunk.toString())
      output += chunk.toString()
    })
  }
  const [code] = await once(child, 'close')
  clearTimeout(timer)
  running.delete(child)
  if (isSilent) {
    print(`\n${names.join(', ')}: nothing was printed for ${silenceMs / 1000} s. The run was stopped.\n`)
    return undefined
  }
  const [, passed = 0, failed = 0, skipped = 0] =
    /(\d+) passed, (\d+) failed, (\d+) skipped\s*$/.exec(output.slice(-2_000)) ?? []
  totals.passed += Number(passed)
  totals.failed += Number(failed)
  totals.skipped += Number(skipped)
  for (const [line] of stripVTControlCharacters(output).matchAll(/^ FAIL .*(?:\n\w*Error: .*)?/gm))
    failures.add(line.trim())
  return code ?? 1
}

/** Runs the projects of a group, again if nothing is printed. Returns the exit code. */
async function runGroup(group: ProjectGroup, print: (text: string) => void): Promise<number> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const code = await runProjects(group, print)
    if (code !== undefined) return code
  }
  return 1
}

/** Output of the groups that wait for the first one. */
const held: string[] = []
let isFirstOver = false
const printLater = (text: string) => (isFirstOver ? process.stdout.write(text) : held.push(text))
const codes = await Promise.all(
  projectGroups.map(async (group, index) => {
    if (index > 0) return runGroup(group, printLater)
    const code = await runGroup(group, (text) => process.stdout.write(text))
    isFirstOver = true
    process.stdout.write(held.join(''))
    return code
  }),
)
for (const line of failures) console.log(line)
console.log(`\n${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`)
process.exitCode = codes.find((code) => code !== 0) ?? 0
