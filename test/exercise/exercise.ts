/**
 * `npm run exercise`: adds a throw-away field and a throw-away resource to copies of the last commit, and counts the files that this
 * touches by hand. Then it runs the generators, the type checks and `suites` on the copies. At last it leaves out each of the files in
 * turn: a generator, the compiler or a test of `nearest` must fail. Fails if a step fails or a limit is exceeded. Arguments choose other
 * tests for the complete copies, `-- test` all tests of the Worker.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Edit, fieldEdits, resourceEdits } from './edits.ts'

/** Files of `src` to edit by hand, at most. Generated files and tests do not count. */
const maxFiles = { field: 4, resource: 5 } as const
/** Tests of the complete copies: those that read the declarations, the tables or the samples of all resources. */
const suites = [
  ...['bench', 'db', 'openapi', 'resource/contract', 'resources', 'batch/contract', 'http/documentation', 'http/paths'],
  ...[
    'webhooks/event-routes',
    'backup/store-backup',
    'move/copy-rows',
    'admin/delete-closed',
    'admin/operator/usage-routes',
  ],
].map((name) => `test/${name}`)
/** Tests that notice an omission which compiles. */
const nearest = [
  'test/platform/db/schema.test.ts',
  'test/catalogue/resource/contract.test.ts',
  'test/catalogue/resources/columns.test.ts',
  'test/catalogue/resources/merchant-tables.test.ts',
  'test/catalogue/resources/registry.test.ts',
]

const project = resolve(import.meta.dirname, '../..')
const typeChecked = ['.', 'tools/cli', 'test', 'packages/client', 'console', 'bench']

function apply(folder: string, { file, before, insert }: Edit): void {
  const path = join(folder, file)
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const [start = '', end, ...more] = before === undefined ? [text, ''] : text.split(before)
  if (end === undefined || more.length > 0) throw new Error(`${file} must contain this text once: ${before}`)
  writeFileSync(path, start + insert + (before ?? '') + end)
}

/** Applies edits to a copy of the last commit, and passes `work` functions that run programs in the copy. */
async function inCopy(
  edits: readonly Edit[],
  work: (git: (...args: string[]) => string, node: (...args: string[]) => string) => void,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'exercise-'))
  const execute =
    (command: string) =>
    (...args: readonly string[]) =>
      execFileSync(command, args, {
        cwd: folder,
        encoding: 'utf8',
        env: { ...process.env, NO_COLOR: '1' },
        maxBuffer: 1024 ** 3,
        stdio: 'pipe',
      })
  try {
    const archive = execFileSync('git', ['archive', 'HEAD'], { cwd: project, maxBuffer: 1024 ** 3 })
    execFileSync('tar', ['-x', '-C', folder], { input: archive })
    symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'))
    const git = execute('git')
    git('init', '-q')
    git('add', '-A')
    for (const edit of edits) apply(folder, edit)
    work(git, execute(process.execPath))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

type Node = (...args: string[]) => string
function generate(node: Node): void {
  node('tools/cli/migration/generate.ts', '--name=exercise')
  node('tools/cli/models.ts')
}
function check(node: Node, tests: readonly string[]): string {
  for (const path of typeChecked) node('node_modules/typescript/bin/tsc', '--noEmit', '-p', path)
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config=test/vitest.config.ts', '--project=worker']
  return node(...vitest, ...tests)
    .trim()
    .split('\n')
    .slice(-1)
    .join()
}

/** Returns the lines that say what is wrong. */
function toReasons(error: unknown): string[] {
  const { stdout, stderr } = Object(error)
  const lines = `${stdout}\n${stderr}`.split('\n').filter((line) => /^ *(?:FAIL|\w*Error:)|error TS\d/.test(line))
  return (lines.length > 0 ? lines : [String(error)]).map((line) => line.slice(0, 160))
}

async function run(name: keyof typeof maxFiles, edits: readonly Edit[]): Promise<void> {
  const byHand = [...new Set(edits.map(({ file }) => file).filter((file) => file.startsWith('src/')))]
  console.log(`${name}: ${byHand.length} files by hand (at most ${maxFiles[name]})`, byHand)
  if (byHand.length > maxFiles[name]) throw new Error(`${name} touches ${byHand.length} files by hand.`)
  await inCopy(edits, (git, node) => {
    generate(node)
    git('add', '-AN')
    const touched = git('diff', '--name-only').trim().split('\n')
    const generated = touched.filter((file) => edits.every((edit) => edit.file !== file))
    console.log('generated', generated)
    const chosen = process.argv.slice(2)
    try {
      console.log(check(node, chosen.length > 0 ? chosen : suites))
    } catch (error) {
      throw new Error(`${name}: the complete copy fails:\n${toReasons(error).slice(0, 40).join('\n')}`)
    }
  })
  for (const left of byHand) {
    let reason: string | undefined
    const rest = edits.filter(({ file }) => file !== left)
    await inCopy(rest, (_, node) => {
      try {
        generate(node)
        check(node, nearest)
      } catch (error) {
        ;[reason] = toReasons(error)
      }
    })
    if (reason === undefined) throw new Error(`${name}: nothing fails without ${left}`)
    console.log(`without ${left}: ${reason}`)
  }
}

await run('field', fieldEdits)
await run('resource', resourceEdits)
console.log('All steps succeeded.')
