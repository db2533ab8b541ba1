import { spawn } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { CliError, getReason, runCommand } from '../cli-error.ts'
import { projectFolder } from '../project-folder.ts'
import { rewrite } from './additive-statements.ts'
import { listSchemaStatements } from './current-schema.ts'
import { listMissingTriggers } from './delete-triggers.ts'
import { lastEntry, tablesAt } from './snapshots.ts'

const usage = `Generates a migration in migrations/ from the changes to the table declarations.

  npm run migration -- [--name NAME] [--custom | --rebuild TABLE…]

  --name     Name of the migration. Default: a random name.
  --custom   Write an empty migration, for triggers and other statements that you write by hand.
  --rebuild  Allow the migration to replace a table. Keeps its rows, links, triggers and sequences.

Migrations only add tables, columns and indexes, so that the previous release still works. A change that requires SQLite
to replace a table is rejected unless --rebuild names the table. docs/operations.md, "Rebuilding a table", has details.`

const migrations = resolve(projectFolder, 'migrations')
const drizzleKit = resolve(projectFolder, 'node_modules/drizzle-kit/bin.cjs')
const schema = 'src/platform/db/schema/**/*.ts'
const separator = '--> statement-breakpoint'

const statementsIn = (sql: string) =>
  sql
    .split(separator)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')

/** Output of drizzle-kit if the declarations equal the last snapshot. It exits with 0 even after most errors. */
const noChange = 'No schema changes'

/** Runs drizzle-kit, which writes its migration into a folder and may ask about renamed columns. Returns its output. */
async function generate(folder: string, name: string | undefined, isCustom: boolean): Promise<string> {
  const args = ['generate', '--dialect=sqlite', `--schema=${schema}`, `--out=${folder}`, '--casing=snake_case']
  if (name !== undefined) args.push(`--name=${name}`)
  if (isCustom) args.push('--custom')
  const child = spawn(process.execPath, [drizzleKit, ...args], {
    cwd: projectFolder,
    stdio: ['inherit', 'pipe', 'inherit'],
  })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  const output = await text(child.stdout)
  if ((await exited) === 0) return output
  throw new CliError(`drizzle-kit could not compare the declarations with the latest migration.\n${output}`, 1)
}

/** A database with all migrations of a folder applied. */
async function apply(folder: string): Promise<DatabaseSync> {
  const database = new DatabaseSync(':memory:')
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
  for (const file of files) {
    database.exec('begin')
    for (const statement of statementsIn(await readFile(join(folder, file), 'utf8'))) database.exec(statement)
    database.exec('commit')
  }
  return database
}

/** Lists and counts the migrations for the Worker, which applies them to objects, and writes the schema that new objects start with. */
async function writeTexts(): Promise<void> {
  const files = (await readdir(migrations)).filter((file) => file.endsWith('.sql')).sort()
  const names = files.map((file) => `m${file.slice(0, 4)}`)
  const imports = files.map((file, index) => `import ${names[index]} from '../../../migrations/${file}'\n`)
  const list = names.map((name) => `  ${name},\n`)
  const text = `/// <reference path="./sql-modules.d.ts" />
${imports.join('')}import currentSchema from './schema.sql'

/** The schema that the migrations create in an empty database. \`npm run migration\` writes it. */
export { currentSchema }
/** The migrations of this release, in order. \`npm run migration\` writes this file. */
export const migrations: readonly string[] = [\n${list.join('')}]\n`
  const home = resolve(projectFolder, 'src/app/home')
  await writeFile(join(home, 'migration-texts.ts'), text)
  await writeFile(join(home, 'schema.sql'), `${listSchemaStatements(await apply(migrations)).join(';\n')};\n`)
  const count = `/** The number of migrations of this release. \`npm run migration\` writes this file. */
export const migrationCount = ${files.length}\n`
  await writeFile(join(home, 'migration-count.ts'), count)
}

const toFile = (statements: readonly string[]) => `${statements.join(`\n${separator}\n`)}\n`

/** Writes the statements of the last migration of a folder, and copies the folder to the migrations if SQLite accepts them. */
async function publish(folder: string, statements: readonly string[]): Promise<void> {
  const made = await lastEntry(folder)
  const file = `${made?.tag}.sql`
  await writeFile(join(folder, file), toFile(statements))
  const migrated = await apply(folder)
  const broken = migrated.prepare('pragma foreign_key_check').all()
  if (broken.length > 0) throw new Error(`the migration breaks references: ${JSON.stringify(broken)}`)
  await cp(folder, migrations, { recursive: true })
  await writeTexts()
  console.log(`Wrote migrations/${file}. Review it before you commit it.`)
}

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        name: { type: 'string' },
        rebuild: { type: 'string', multiple: true },
        custom: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h' },
      },
    })
    return { rebuild: [], ...values }
  } catch (error) {
    throw new CliError(`${getReason(error)}\n\n${usage}`)
  }
}

await runCommand(async () => {
  const { name, rebuild, custom, help } = readArguments()
  if (help) {
    console.log(usage)
    return 0
  }
  if (custom && rebuild.length > 0) throw new CliError(`--custom and --rebuild exclude each other.\n\n${usage}`)
  const last = await lastEntry(migrations)
  if (!last) throw new CliError('migrations/meta/_journal.json has no entry.')
  // Inside the project, because drizzle-kit accepts only relative folders.
  const folder = await mkdtemp(join(projectFolder, '.migration-'))
  try {
    await cp(migrations, folder, { recursive: true })
    const database = await apply(folder)
    const output = await generate(folder.slice(projectFolder.length + 1), name, custom)
    const made = await lastEntry(folder)
    if (!made || made.tag === last.tag) {
      if (!output.includes(noChange)) {
        throw new CliError(`drizzle-kit could not compare the declarations with the latest migration.\n${output}`, 1)
      }
      if (rebuild.length > 0) throw new CliError(`No change requires a rebuild of ${rebuild.join(' or ')}.`)
      const missing = listMissingTriggers(database, await tablesAt(folder, last.idx))
      if (missing.length === 0) {
        // The statements of the last migration may have been written by hand.
        await writeTexts()
        console.log('The migrations match the declarations. No migration was written.')
        return 0
      }
      await generate(folder.slice(projectFolder.length + 1), name, true)
      await publish(folder, missing)
      return 0
    }
    const file = `${made.tag}.sql`
    if (custom) {
      await cp(folder, migrations, { recursive: true })
      await writeTexts()
      console.log(
        `Wrote migrations/${file}, which is empty. Add its statements and run npm run migration again before you commit it.`,
      )
      return 0
    }
    const statements = rewrite(statementsIn(await readFile(join(folder, file), 'utf8')), {
      before: await tablesAt(folder, last.idx),
      after: await tablesAt(folder, made.idx),
      database,
      allowed: rebuild,
    })
    await writeFile(join(folder, file), toFile(statements))
    const missing = listMissingTriggers(await apply(folder), await tablesAt(folder, made.idx))
    await publish(folder, [...statements, ...missing])
    return 0
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
