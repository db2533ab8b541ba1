import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import * as z from 'zod'
import { CliError, runCommand } from '../cli-error.ts'
import { projectFolder } from '../project-folder.ts'
import { countChanges, findBreakingDate, nameChanges, unreleasedHeading } from './release-changes.ts'

const usage = `Prepares a release, and tags it. The workflow of the tag tests, deploys and publishes.

  npm run release -- VERSION [--dry-run]   writes the version into the packages and the change logs
  npm run release -- [--dry-run]           tags the current commit with the version of the packages

--dry-run shows what would happen, and changes nothing.`

/** Packages that the workflow publishes, and all that have the version of the release. */
const published = ['packages/client', 'packages/cli', 'packages/server'] as const
const versioned = ['.', ...published, 'packages/mcp'] as const

/** Maximum size of what a command prints: a bill of materials has about 1 MB. */
const maxOutput = 64 * 1_048_576

const manifest = z.object({ name: z.string(), version: z.string() })
const packReport = z.tuple([z.object({ size: z.number(), files: z.array(z.object({ path: z.string() })) })])

const billOfMaterials = z.object({ components: z.array(z.unknown()) })

/** Reads the arguments. */
function parse() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { 'dry-run': { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    })
  } catch {
    throw new CliError(usage)
  }
}

const read = (...path: readonly string[]) => readFile(resolve(projectFolder, ...path), 'utf8')
const run = (folder: string, program: string, ...args: readonly string[]) =>
  execFileSync(program, args, { cwd: resolve(projectFolder, folder), encoding: 'utf8', maxBuffer: maxOutput })

/** The file with the date of the contract, and that date. */
const headersFile = 'src/platform/http/headers.ts'
const contractDate = /(?<=^export const apiVersion = ')[\d-]+(?='$)/m

/** Whether a change log has a section of a version, with text. */
const hasSection = (changes: string, version: string) =>
  new RegExp(`^## ${version.replaceAll('.', '\\.')}\\b.*\\n+(?!## )\\S`, 'm').test(changes)

/** Reasons that prevent a release. */
async function listProblems(version: string): Promise<string[]> {
  const problems: string[] = []
  for (const folder of versioned) {
    const found = manifest.parse(JSON.parse(await read(folder, 'package.json')))
    if (found.version !== version)
      problems.push(`${folder}/package.json has the version ${found.version}, not ${version}.`)
  }
  for (const folder of ['.', ...published]) {
    if (!hasSection(await read(folder, 'CHANGELOG.md'), version)) {
      problems.push(`${folder}/CHANGELOG.md has no section "## ${version}".`)
    }
  }
  const date = findBreakingDate(await read('CHANGELOG.md'))
  const [stated] = contractDate.exec(await read(headersFile)) ?? []
  if (stated !== date) problems.push(`API-Version is ${stated}: the last version that breaks something is of ${date}.`)
  if (run('.', 'git', 'status', '--porcelain') !== '') problems.push('The working tree has uncommitted changes.')
  if (run('.', 'git', 'tag', '--list', `v${version}`) !== '') problems.push(`The tag v${version} already exists.`)
  return problems
}

/** Writes a version into the packages and the change logs, or shows what that changes. */
async function prepare(version: string, isDryRun: boolean): Promise<void> {
  if (!(await read('CHANGELOG.md')).includes(unreleasedHeading))
    throw new CliError(
      `CHANGELOG.md has no section "${unreleasedHeading}": it names no change since the last release.`,
      1,
    )
  const title = `${version} (${new Date().toISOString().slice(0, 10)})`
  const logs = await Promise.all(
    ['.', ...published].map(async (folder) => {
      const changes = await read(folder, 'CHANGELOG.md')
      return { folder, named: nameChanges(changes, title, { isGrouped: folder === '.' }) }
    }),
  )
  console.log(`Release ${version}`)
  for (const { heading, entries } of countChanges(logs[0]?.named ?? '', title)) console.log(`  ${heading}: ${entries}`)
  const bill = billOfMaterials.parse(JSON.parse(run('.', 'npm', 'sbom', '--sbom-format', 'cyclonedx')))
  console.log(`  bill of materials: ${bill.components.length} components`)
  const date = findBreakingDate(logs[0]?.named ?? '')
  console.log(`  API-Version: ${date}`)
  if (isDryRun) return console.log('Nothing was changed.')
  if (run('.', 'git', 'status', '--porcelain') !== '')
    throw new CliError('The working tree has uncommitted changes.', 1)
  for (const { folder, named } of logs) await writeFile(resolve(projectFolder, folder, 'CHANGELOG.md'), named)
  if (date !== undefined)
    await writeFile(resolve(projectFolder, headersFile), (await read(headersFile)).replace(contractDate, date))
  run('.', 'npm', 'version', version, '--no-git-tag-version', '--workspaces', '--include-workspace-root', '--silent')
  console.log(`Wrote ${version} into ${versioned.length} packages and ${logs.length} change logs. Next:
  1. Read "What breaks" in CHANGELOG.md: each entry must say what integrators change.
  2. Commit, and merge.
  3. npm run release -- --dry-run shows what is missing, npm run release tags the commit.`)
}

await runCommand(async () => {
  const { values, positionals } = parse()
  if (values.help) {
    console.log(usage)
    return 0
  }
  const isDryRun = values['dry-run'] ?? false
  const [next, ...more] = positionals
  if (more.length > 0 || (next !== undefined && !/^\d+\.\d+\.\d+$/.test(next))) throw new CliError(usage)
  if (next !== undefined) {
    await prepare(next, isDryRun)
    return 0
  }
  const { version } = manifest.parse(JSON.parse(await read('package.json')))
  console.log(`Release ${version}`)
  for (const folder of published) {
    const { name } = manifest.parse(JSON.parse(await read(folder, 'package.json')))
    const [{ size, files }] = packReport.parse(
      JSON.parse(run(folder, 'npm', 'pack', '--dry-run', '--json', '--silent')),
    )
    console.log(`  npm package ${name}: ${files.length} files, ${size} bytes`)
  }
  console.log(`  git tag v${version}; its workflow runs CI, deploys the Workers and publishes the packages`)
  const problems = await listProblems(version)
  for (const problem of problems) console.log(`  missing: ${problem}`)
  if (isDryRun) {
    console.log('Nothing was changed.')
    return 0
  }
  if (problems.length > 0) throw new CliError('The release is not complete.', 1)
  run('.', 'git', 'tag', '--annotate', `v${version}`, '--message', `Release ${version}`)
  console.log(`Tagged. Start the workflow with: git push origin v${version}`)
  return 0
})
