/**
 * `npm run exercise`: adds a throw-away field, resource, side resource and event to copies of the last commit, and counts the files that this touches by
 * hand. Then it runs the generators, the type checks and tests on the copies. At last it leaves out each of the files in turn: a generator,
 * the compiler or a test must fail. Fails if a step fails or a limit is exceeded. Arguments name exercises, or other tests for the
 * complete copies: `-- event`, `-- test` for all tests of the Worker.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Edit, eventEdits, fieldEdits, resourceEdits, sideEdits } from './edits.ts'

interface Exercise {
  edits: readonly Edit[]
  /** Files of `src` to edit by hand, at most. Generated files and tests do not count. */
  maxFiles: number
  /** Tests of the complete copy. */
  suites: readonly string[]
  /** Tests that notice an omission which compiles. */
  nearest: readonly string[]
}

/** Tests that read the declarations, the tables or the samples of all resources. */
const ofDeclarations = [
  ...['bench', 'platform/db', 'tools/openapi', 'catalogue/resource/contract', 'catalogue/resources'],
  ...['bulk/batch/contract', 'platform/http/documentation', 'platform/http/paths'],
  ...['webhooks/event-routes', 'tenancy/backup/store-backup', 'tenancy/move/copy-rows', 'admin/delete-closed'],
  'admin/operator/usage-routes',
].map((name) => `test/${name}`)
const nearDeclarations = [
  'test/platform/db/schema.test.ts',
  'test/catalogue/resource/contract.test.ts',
  'test/catalogue/resources/columns.test.ts',
  'test/catalogue/resources/merchant-tables.test.ts',
  'test/catalogue/resources/registry.test.ts',
]
const nearSides = ['test/catalogue/resources/side-resources.test.ts', 'test/tools/openapi/document.test.ts']
const ofSides = [
  ...['catalogue/resources/side-resources', 'catalogue/resources/delete-triggers', 'catalogue/resource/contract'],
  ...['tools/openapi', 'webhooks/event-catalogue', 'platform/http/paths', 'platform/db/schema'],
].map((name) => `test/${name}`)
const ofEvents = [
  ...['event-catalogue', 'events/event-order', 'events/event-copy', 'subscription-scopes', 'payload'].map(
    (name) => `test/webhooks/${name}.test.ts`,
  ),
  ...['test/client/client.test.ts', 'test/tools/openapi', 'test/tenancy/people/erase-customer'],
]

const exercises: Readonly<Record<string, Exercise>> = {
  field: { edits: fieldEdits, maxFiles: 2, suites: ofDeclarations, nearest: nearDeclarations },
  resource: { edits: resourceEdits, maxFiles: 5, suites: ofDeclarations, nearest: nearDeclarations },
  'side resource': { edits: sideEdits, maxFiles: 3, suites: ofSides, nearest: nearSides },
  event: { edits: eventEdits, maxFiles: 2, suites: ofEvents, nearest: ofEvents.slice(0, 1) },
}

/** Names of exercises, and tests for the complete copies instead of theirs. */
const [named = [], chosen = []] = [true, false].map((isName) =>
  process.argv.slice(2).filter((argument) => Object.hasOwn(exercises, argument) === isName),
)

const project = resolve(import.meta.dirname, '../..')
const typeChecked = ['.', 'test', 'packages/client', 'console', 'bench']

function apply(folder: string, { file, before, replaced, insert }: Edit): void {
  const path = join(folder, file)
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const found = replaced ?? before
  const [start = '', end, ...more] = found === undefined ? [text, ''] : text.split(found)
  if (end === undefined || more.length > 0) throw new Error(`${file} must contain this text once: ${found}`)
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

async function run(name: string, { edits, maxFiles, suites, nearest }: Exercise): Promise<void> {
  const byHand = [...new Set(edits.map(({ file }) => file).filter((file) => file.startsWith('src/')))]
  console.log(`${name}: ${byHand.length} files by hand (at most ${maxFiles})`, byHand)
  if (byHand.length > maxFiles) throw new Error(`${name} touches ${byHand.length} files by hand.`)
  await inCopy(edits, (git, node) => {
    generate(node)
    git('add', '-AN')
    const touched = git('diff', '--name-only').trim().split('\n')
    const generated = touched.filter((file) => edits.every((edit) => edit.file !== file))
    console.log('generated', generated)
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

for (const [name, exercise] of Object.entries(exercises))
  if (named.length === 0 || named.includes(name)) await run(name, exercise)
console.log('All steps succeeded.')
