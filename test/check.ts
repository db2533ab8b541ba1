/**
 * `npm run check`: type checks, formatting and lint. As many run at once as there are cores, each on one of them: several checkers in
 * one compiler repeat each other's work, which takes twice the processor time. Prints the output of those that fail.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'

const project = resolve(import.meta.dirname, '..')
const programs = resolve(project, 'node_modules/.bin')
/** Folders with a `tsconfig.json`, the largest programs first. That of `test` includes `tools` and `bench`. */
const typed = ['test', '.', 'console', 'packages/client', 'packages/cli', 'packages/mcp', 'packages/server', 'examples']
const commands = [...typed.map((folder) => ['tsc', '--noEmit', '--checkers', '1', '-p', folder]), ['biome', 'check']]

/** Collect garbage less often: a compiler keeps nearly all that it allocates. That saves a sixth of its processor time. */
const env = { GOGC: '400', ...process.env }

/** Runs a command. Returns whether it succeeded. */
async function run([program = '', ...args]: readonly string[]): Promise<boolean> {
  const child = spawn(resolve(programs, program), args, { cwd: project, env, shell: process.platform === 'win32' })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  }
  const [code] = await once(child, 'close')
  if (code !== 0) console.error(`${[program, ...args].join(' ')}\n${output}`)
  return code === 0
}

const waiting = commands.values()
const results: boolean[] = []
async function runWaiting(): Promise<void> {
  for (const command of waiting) results.push(await run(command))
}
await Promise.all(Array.from({ length: availableParallelism() }, runWaiting))
process.exitCode = results.includes(false) ? 1 : 0
