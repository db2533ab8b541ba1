/**
 * `npm run exercise`: adds a throw-away field and a throw-away resource to a copy of the last commit, and counts the files that this
 * touches by hand. Then it runs the generators, the type checks and all tests of the Worker on the copy. Fails if a step fails or a
 * limit is exceeded.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Edit, fieldEdits, resourceEdits } from './edits.ts'

/** Files of `src` to edit by hand, at most. Generated files and tests do not count. */
const maxFiles = { field: 4, resource: 5 } as const

const project = resolve(import.meta.dirname, '../..')
const projects = ['.', 'src/cli', 'test', 'packages/client']

function apply(folder: string, { file, before, insert }: Edit): void {
  const path = join(folder, file)
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const [start = '', end, ...more] = before === undefined ? [text, ''] : text.split(before)
  if (end === undefined || more.length > 0) throw new Error(`${file} must contain this text once: ${before}`)
  writeFileSync(path, start + insert + (before ?? '') + end)
}

async function run(name: keyof typeof maxFiles, edits: readonly Edit[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'exercise-'))
  const execute = (command: string, ...args: readonly string[]) =>
    execFileSync(command, args, {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 1024 ** 3,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  const node = (...args: readonly string[]) => execute(process.execPath, ...args)
  try {
    execFileSync('tar', ['-x', '-C', folder], {
      input: execFileSync('git', ['archive', 'HEAD'], { cwd: project, maxBuffer: 1024 ** 3 }),
    })
    symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'))
    execute('git', 'init', '-q')
    execute('git', 'add', '-A')
    for (const edit of edits) apply(folder, edit)
    const byHand = new Set(edits.map(({ file }) => file).filter((file) => file.startsWith('src/')))
    node('src/cli/migration/generate.ts', '--name=exercise')
    node('src/cli/models.ts')
    execute('git', 'add', '-AN')
    const touched = execute('git', 'diff', '--name-only').trim().split('\n')
    const generated = touched.filter((file) => !byHand.has(file) && !file.startsWith('test/'))
    console.log(
      `${name}: ${byHand.size} files by hand (at most ${maxFiles[name]})`,
      [...byHand],
      'generated',
      generated,
    )
    for (const path of projects) node('node_modules/typescript/bin/tsc', '--noEmit', '-p', path)
    const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config=test/vitest.config.ts', '--project=worker']
    console.log(
      node(...vitest)
        .trim()
        .split('\n')
        .at(-1),
    )
    if (byHand.size > maxFiles[name]) throw new Error(`${name} touches ${byHand.size} files by hand.`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

await run('field', fieldEdits)
await run('resource', resourceEdits)
