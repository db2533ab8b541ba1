import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import * as z from 'zod'
import { CliError, runCommand } from './cli-error.ts'
import { projectFolder } from './project-folder.ts'

const usage = `Tags the current commit as a release. The workflow of the tag tests, deploys and publishes.

  npm run release -- [--dry-run]

--dry-run shows what would happen, and changes nothing.`

/** Packages that the workflow publishes, and all that have the version of the release. */
const published = ['packages/client', 'packages/cli', 'packages/server'] as const
const versioned = ['.', ...published, 'packages/mcp'] as const

const manifest = z.object({ name: z.string(), version: z.string() })
const packReport = z.tuple([z.object({ size: z.number(), files: z.array(z.object({ path: z.string() })) })])

const read = (...path: readonly string[]) => readFile(resolve(projectFolder, ...path), 'utf8')
const run = (folder: string, program: string, ...args: readonly string[]) =>
  execFileSync(program, args, { cwd: resolve(projectFolder, folder), encoding: 'utf8' })

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
  if (run('.', 'git', 'status', '--porcelain') !== '') problems.push('The working tree has uncommitted changes.')
  if (run('.', 'git', 'tag', '--list', `v${version}`) !== '') problems.push(`The tag v${version} already exists.`)
  return problems
}

await runCommand(async () => {
  const [flag, ...more] = process.argv.slice(2)
  if (flag === '--help' || flag === '-h') {
    console.log(usage)
    return 0
  }
  const isDryRun = flag === '--dry-run'
  if (more.length > 0 || (flag !== undefined && !isDryRun)) throw new CliError(usage)
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
