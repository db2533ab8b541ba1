/**
 * `npm run test:changed`: runs the tests that are nearest to the files changed since a commit (`--since=main`, by
 * default the last one). Every integration test loads the whole Worker, so vitest's own `--changed` would select nearly
 * all of them. Here a test is near to a file that it imports, directly or through few others, or that it is named after.
 * It is for the minute between two edits: `npm test` runs everything.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { leftToCi, leftToPeople } from './support/left-to-ci.ts'

/** More files take longer than the 20 seconds that a run may last on two cores. */
export const maxFiles = 8
/** Maximum total time of the tests of a run, as recorded by earlier runs, in milliseconds. Two run at once, and a run starts for 6 seconds. */
export const maxMs = 15_000
/** Projects of `vitest.config.ts` that run. */
const projects = ['worker', 'repository', 'e2e']
/** A test without a record counts as long as the longest ones. */
const usualMs = 1_500
/** Tests whose inputs no import shows, by the pattern of the changed files: all resources share the Worker, and guides name files. */
const always: readonly (readonly [changed: RegExp, tests: readonly string[]])[] = [
  [/^(?:src|tools)\//, ['contract.test.ts']],
  // Found by a glob, which is not an import.
  [/\.operations\.ts$/, ['openapi/document.test.ts', 'openapi/descriptions.test.ts']],
  [/^console\//, ['console/texts.test.ts', 'repository/imports.test.ts', 'repository/sources.test.ts']],
  [/\.md$/, ['repository/guides.test.ts', 'repository/sources.test.ts']],
  [/^\.github\//, ['repository/workflows.test.ts']],
]
/** Every test reaches everything through these. Imports are not followed past them. */
const roots = new Set(['src/app/app.ts', 'src/index.ts'])

/** The files that a file imports, as paths in the project. */
export function importsOf(file: string, source: string): string[] {
  const statements = source.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']*)'/g)
  return [...statements].map(([, path = '']) => join(dirname(file), path))
}

/** How many imports lead from each file to the nearest changed one; 0 for a changed file. Files without a way are left out. */
export function distancesTo(changed: readonly string[], imports: ReadonlyMap<string, readonly string[]>) {
  const importers = new Map<string, string[]>()
  for (const [file, imported] of imports) {
    for (const each of imported) importers.set(each, [...(importers.get(each) ?? []), file])
  }
  const distances = new Map(changed.map((file) => [file, 0]))
  const queue = [...changed]
  for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
    if (roots.has(file)) continue
    for (const importer of importers.get(file) ?? []) {
      if (distances.has(importer)) continue
      distances.set(importer, (distances.get(file) ?? 0) + 1)
      queue.push(importer)
    }
  }
  return distances
}

const stemOf = (file: string) => /([^/]+?)s?(?:\.test)?\.tsx?$/.exec(file)?.[1]

/** A declaration of a resource, and the table of one. Both have the name of the resource. */
const declarations = /^src\/(?:catalogue|platform\/db\/schema)\/resources\/([\w-]+)\.ts$/
/** Rank of other tests of a folder whose files read the objects: behind those that import the declaration itself. */
const readerRank = 1.5
/** A file that imports the tables of more resources treats all resources alike. */
const maxTables = 3

/**
 * Folders of tests of the files that read the objects of a changed declaration, with the smallest number of resources that one of these files reads.
 * The files import the table, and get the objects themselves through the registry.
 */
function findReaders(changed: readonly string[], imports: ReadonlyMap<string, readonly string[]>) {
  const names = new Set(changed.flatMap((file) => declarations.exec(file)?.[1] ?? []))
  const tablesOf = (imported: readonly string[]) =>
    new Set(imported.flatMap((each) => declarations.exec(each)?.[1] ?? []))
  const folders = new Map<string, number>()
  for (const [file, imported] of imports) {
    const tables = tablesOf(imported)
    const isReader =
      file.startsWith('src/') && !declarations.test(file) && [...tables].some((table) => names.has(table))
    if (!isReader || tables.size > maxTables) continue
    const folder = dirname(file).replace(/^src/, 'test')
    folders.set(folder, Math.min(tables.size, folders.get(folder) ?? maxTables))
  }
  return folders
}

/** The tests to run, nearest first: changed ones, ones named after a changed file, readers of a changed resource, importers, and what always runs. */
export function selectTests(
  changed: readonly string[],
  tests: readonly string[],
  imports: ReadonlyMap<string, readonly string[]>,
): string[] {
  const distances = distancesTo(changed, imports)
  const stems = new Set(changed.map(stemOf))
  const readers = findReaders(changed, imports)
  const fixed = always.flatMap(([form, names]) => (changed.some((file) => form.test(file)) ? names : []))
  const rank = (test: string) => {
    const distance = distances.get(test) ?? Number.POSITIVE_INFINITY
    if (distance === 0) return 0
    if (stems.has(stemOf(test))) return 0.5
    const read = readers.get(dirname(test))
    if (read !== undefined && [...stems].some((stem) => stem && test.includes(stem))) return 0.6
    if (fixed.some((name) => test.endsWith(`/${name}`))) return 0.75
    return read === undefined ? distance : Math.min(distance, readerRank + read / 10)
  }
  return tests.filter((test) => Number.isFinite(rank(test))).toSorted((a, b) => rank(a) - rank(b))
}

/** The nearest tests that a run has time for. Changed tests run however long they take. */
export function takeQuick(
  near: readonly string[],
  changed: readonly string[],
  recorded: ReadonlyMap<string, number>,
): string[] {
  let left = maxMs
  const isTaken = (test: string) => {
    const ms = recorded.get(test) ?? usualMs
    if (ms > left && !changed.includes(test)) return false
    left -= ms
    return true
  }
  return near.filter(isTaken).slice(0, maxFiles)
}

/** Tests that `npm test` leaves to CI and that concern a change: they are named after a changed file, or import one. The nearest first. */
export function selectLeft(
  changed: readonly string[],
  left: readonly string[],
  imports: ReadonlyMap<string, readonly string[]>,
): string[] {
  const stems = new Set(changed.map(stemOf))
  const imported = (test: string) => (imports.get(test) ?? []).filter((file) => changed.includes(file)).length
  const nearness = (test: string) => (stems.has(stemOf(test)) ? Number.POSITIVE_INFINITY : imported(test))
  return left.filter((test) => nearness(test) > 0).toSorted((a, b) => (nearness(a) < nearness(b) ? 1 : -1))
}

/** Reads how long each test file took the last time, in milliseconds, from vitest's cache. */
function readDurations(cwd: string): Map<string, number> {
  const [file] = globSync('node_modules/.vite/vitest/*/results.json', { cwd })
  if (file === undefined) return new Map()
  const { projects: results = {} }: { projects?: Record<string, { files: Record<string, { duration: number }> }> } =
    JSON.parse(readFileSync(join(cwd, file), 'utf8'))
  return new Map(
    projects.flatMap((name) =>
      Object.entries(results[name]?.files ?? {}).map(([test, { duration }]): [string, number] => [test, duration]),
    ),
  )
}

function main() {
  const { values, positionals } = parseArgs({
    options: { since: { type: 'string', default: 'HEAD' } },
    allowPositionals: true,
  })
  const cwd = resolve(import.meta.dirname, '..')
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, { cwd, encoding: 'utf8' }).split('\n').filter(Boolean)
  const changed = [
    ...git('diff', '--name-only', '--diff-filter=d', values.since),
    ...git('ls-files', '--others', '--exclude-standard'),
  ]
  const files = globSync(['{src,tools,test,console}/**/*.{ts,tsx}'], { cwd, exclude: ['test/foreign/node_modules/**'] })
  const imports = new Map(files.map((file) => [file, importsOf(file, readFileSync(join(cwd, file), 'utf8'))]))
  const isTest = (file: string) => file.endsWith('.test.ts')
  // The texts of the console need neither a service nor a browser.
  const isEndToEnd = (file: string) => file.startsWith('test/e2e/') && file !== 'test/e2e/console/texts.test.ts'
  const near = selectTests(
    changed,
    files.filter((file) => isTest(file) && !isEndToEnd(file)),
    imports,
  )
  const left = [...leftToCi, ...leftToPeople]
  const quick = takeQuick(
    near.filter((file) => !left.includes(file)),
    changed,
    readDurations(cwd),
  )
  const [first, ...more] = selectLeft(changed, leftToCi, imports)
  const named = changed.filter((file) => left.includes(file) || (isTest(file) && isEndToEnd(file)))
  const selected = [...new Set([...quick, ...named, ...(first === undefined ? [] : [first])])]
  for (const file of more) console.log(`${file} also concerns the change. It runs in CI, or when you name it.`)
  if (selected.length === 0) {
    console.log('No test is near to what has changed.')
    return
  }
  if (near.length > quick.length)
    console.log(`The nearest ${quick.length} quick ones of ${near.length} test files that a change can reach.`)
  const vitest = join(cwd, 'node_modules/vitest/vitest.mjs')
  // Not on objects: their first file takes as long as all others together.
  const inProjects = projects.flatMap((name) => ['--project', name])
  const args = ['run', '--config', 'test/vitest.config.ts', ...inProjects, ...positionals, ...selected]
  process.exitCode = spawnSync(process.execPath, [vitest, ...args], { cwd, stdio: 'inherit' }).status ?? 1
}

if (import.meta.main) main()
