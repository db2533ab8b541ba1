import { spawn } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import * as z from 'zod'
import { resourcePaths } from '../../names.ts'
import { CliError, getReason, runCommand } from '../cli-error.ts'
import { projectFolder } from '../demo.ts'
import { deferForeignKeys, rebuildTable } from './table-rebuild.ts'

const usage = `Generates a migration in migrations/ from the changes to the table declarations.

  npm run migration -- [--name NAME] [--rebuild TABLE]…

  --name     Name of the migration. Default: a random name.
  --rebuild  Allow the migration to replace a table. Keeps its rows, links, triggers and sequences.

Migrations only add tables, columns and indexes, so that the previous release still works. A change that requires SQLite
to replace a table is rejected unless --rebuild names the table. docs/operations.md, "Rebuilding a table", has details.`

const migrations = resolve(projectFolder, 'migrations')
const drizzleKit = resolve(projectFolder, 'node_modules/drizzle-kit/bin.cjs')
const schema = 'src/db/schema/**/*.ts'
const separator = '--> statement-breakpoint'

const column = z.object({
  name: z.string(),
  type: z.string(),
  primaryKey: z.boolean(),
  notNull: z.boolean(),
  default: z.union([z.string(), z.number(), z.boolean()]).optional(),
})
const table = z.looseObject({
  columns: z.record(z.string(), column.loose()),
  indexes: z.record(z.string(), z.unknown()),
  checkConstraints: z.record(z.string(), z.object({ name: z.string(), value: z.string() })),
})
const snapshot = z.object({ tables: z.record(z.string(), table) })
const journal = z.object({ entries: z.array(z.object({ idx: z.number(), tag: z.string() })) })
type Column = z.output<typeof column>
type Table = z.output<typeof table>
type Tables = z.output<typeof snapshot>['tables']

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** Whether every value of `before` is in `after`, unchanged. */
const includes = (after: Readonly<Record<string, unknown>>, before: Readonly<Record<string, unknown>>) =>
  Object.entries(before).every(([key, value]) => isSame(value, after[key]))

const readJson = async <Shape extends z.ZodType>(shape: Shape, folder: string, name: string) =>
  shape.parse(JSON.parse(await readFile(join(folder, 'meta', name), 'utf8')))

const lastEntry = async (folder: string) => (await readJson(journal, folder, '_journal.json')).entries.at(-1)

const tablesAt = async (folder: string, index: number): Promise<Tables> =>
  (await readJson(snapshot, folder, `${String(index).padStart(4, '0')}_snapshot.json`)).tables

const statementsIn = (sql: string) =>
  sql
    .split(separator)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')

/** What drizzle-kit prints where the declarations are those of the last snapshot. It exits with 0 after most errors, too. */
const noChange = 'No schema changes'

/** Runs drizzle-kit, which writes its migration into a folder and may ask about renamed columns. Returns its output. */
async function generate(folder: string, name: string | undefined): Promise<string> {
  const args = ['generate', '--dialect=sqlite', `--schema=${schema}`, `--out=${folder}`, '--casing=snake_case']
  const child = spawn(process.execPath, [drizzleKit, ...args, ...(name === undefined ? [] : [`--name=${name}`])], {
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

/** `ALTER TABLE … ADD` statements for new columns and checks; undefined if anything else changed. */
function createAdditions(name: string, before: Table, after: Table): string[] | undefined {
  const { columns, checkConstraints, indexes: _indexes, ...rest } = after
  const { columns: _columns, checkConstraints: _checks, indexes: _before, ...previous } = before
  if (!isSame(rest, previous) || !includes(columns, before.columns)) return undefined
  if (!includes(checkConstraints, before.checkConstraints)) return undefined
  const added = Object.values(columns).filter((column) => !(column.name in before.columns))
  if (added.some(({ primaryKey, notNull, default: value }) => primaryKey || (notNull && value === undefined))) {
    return undefined
  }
  const checks = Object.values(checkConstraints).filter((check) => !(check.name in before.checkConstraints))
  /** The new column whose statement includes a check: the last one that the check mentions. */
  const getColumnOfCheck = ({ value }: { value: string }) => added.findLast(({ name }) => value.includes(`"${name}"`))
  if (checks.some((check) => getColumnOfCheck(check) === undefined)) return undefined
  return added.map((column) => {
    const own = checks.filter((check) => getColumnOfCheck(check) === column)
    return `ALTER TABLE \`${name}\` ADD ${[definition(column), ...own.map(checkClause)].join(' ')};`
  })
}

const definition = ({ name, type, notNull, default: value }: Column) =>
  `\`${name}\` ${type}${value === undefined ? '' : ` DEFAULT ${value}`}${notNull ? ' NOT NULL' : ''}`
const checkClause = ({ name, value }: { name: string; value: string }) => `CONSTRAINT "${name}" CHECK(${value})`

const replacement = /^CREATE TABLE `__new_([^`]+)`/
const loss =
  /^(?:DROP TABLE `(?<dropped>[^`]+)`|ALTER TABLE `(?<altered>[^`]+)` (?:DROP|RENAME) |ALTER TABLE `(?<renamed>[^`]+)` RENAME TO )/
/** Whether a statement belongs to drizzle-kit's replacement of a table. */
const isPartOf = (statement: string, name: string) =>
  statement.startsWith(`CREATE TABLE \`__new_${name}\``) ||
  statement.startsWith(`INSERT INTO \`__new_${name}\``) ||
  statement.startsWith(`DROP TABLE \`${name}\``) ||
  statement.startsWith(`ALTER TABLE \`__new_${name}\` RENAME`) ||
  new RegExp(`^CREATE (?:UNIQUE )?INDEX \`[^\`]+\` ON \`${name}\``).test(statement)

const toRejection = (
  names: readonly string[],
) => `The change requires SQLite to replace ${names.length === 1 ? 'a table' : 'tables'}: ${names.join(', ')}. No migration was written, because
DROP TABLE deletes rows of other tables that refer to it. Declare limits in validation instead of a CHECK, and add an
optional column instead of changing one. If the table must be replaced, read "Rebuilding a table" in docs/operations.md,
then run: npm run migration -- ${names.map((name) => `--rebuild ${name}`).join(' ')}`

/** The full-text index of a resource, which drizzle-kit cannot declare. Its terms come from src/lib/search-terms.ts. */
const createSearchIndex = (name: string) => [
  `CREATE VIRTUAL TABLE \`${name}_search\` USING fts5(terms, content='', contentless_delete=1, detail=none, tokenize="unicode61 remove_diacritics 0 categories 'L* M* N* P* S* C*'");`,
  `CREATE TRIGGER \`${name}_search_delete\` AFTER DELETE ON \`${name}\` BEGIN
	DELETE FROM \`${name}_search\` WHERE rowid = old.seq;
END;`,
]

/** Makes drizzle-kit's statements safe: they only add, or rebuild the allowed tables. */
function rewrite(
  statements: readonly string[],
  { before, after, database, allowed }: { before: Tables; after: Tables; database: DatabaseSync; allowed: string[] },
): string[] {
  const replaced = statements.flatMap((statement) => replacement.exec(statement)?.[1] ?? [])
  const isReplacing = (statement: string) =>
    /^PRAGMA foreign_keys/i.test(statement) || replaced.some((name) => isPartOf(statement, name))
  const others = statements.filter((statement) => !isReplacing(statement))
  for (const statement of others) {
    const { dropped, altered, renamed } = loss.exec(statement)?.groups ?? {}
    const name = dropped ?? altered ?? renamed
    if (name !== undefined) {
      throw new CliError(
        `The declarations lack something that the table ${name} still has (${statement.split('\n')[0]}).
Migrations only add, so that the previous release still works. Declare the table or column until no release uses it.`,
      )
    }
  }
  const rejected: string[] = []
  const rebuilt = replaced.flatMap((name) => {
    const [old, next] = [before[name], after[name]]
    if (!old || !next) throw new Error(`there is no snapshot of ${name}, which drizzle-kit replaces`)
    const indexes = statements.filter((statement) => /^CREATE (?:UNIQUE )?INDEX /.test(statement))
    const own = indexes.filter((statement) => isPartOf(statement, name))
    if (!allowed.includes(name)) {
      const added = createAdditions(name, old, next)
      if (added === undefined) rejected.push(name)
      const isNew = (statement: string) => !((/INDEX `([^`]+)`/.exec(statement)?.[1] ?? '') in old.indexes)
      return [...(added ?? []), ...own.filter(isNew)]
    }
    const create = statements.find((statement) => statement.startsWith(`CREATE TABLE \`__new_${name}\``)) ?? ''
    return rebuildTable(database, {
      table: name,
      create: create.replaceAll(`__new_${name}`, name),
      columns: Object.keys(next.columns),
      indexes: own,
    })
  })
  if (rejected.length > 0) throw new CliError(toRejection(rejected))
  const unneeded = allowed.filter((name) => !replaced.includes(name))
  if (unneeded.length > 0) throw new CliError(`No change requires a rebuild of ${unneeded.join(' or ')}.`)
  const searchable = resourcePaths.filter((path) => path in after && !(path in before))
  return [
    ...(allowed.length > 0 ? [deferForeignKeys] : []),
    ...rebuilt,
    ...others,
    ...searchable.flatMap(createSearchIndex),
  ]
}

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        name: { type: 'string' },
        rebuild: { type: 'string', multiple: true },
        help: { type: 'boolean', short: 'h' },
      },
    })
    return { rebuild: [], ...values }
  } catch (error) {
    throw new CliError(`${getReason(error)}\n\n${usage}`)
  }
}

await runCommand(async () => {
  const { name, rebuild, help } = readArguments()
  if (help) {
    console.log(usage)
    return 0
  }
  const last = await lastEntry(migrations)
  if (!last) throw new CliError('migrations/meta/_journal.json has no entry.')
  // Inside the project: drizzle-kit accepts only relative folders.
  const folder = await mkdtemp(join(projectFolder, '.migration-'))
  try {
    await cp(migrations, folder, { recursive: true })
    const database = await apply(folder)
    const output = await generate(folder.slice(projectFolder.length + 1), name)
    const made = await lastEntry(folder)
    if (!made || made.tag === last.tag) {
      if (!output.includes(noChange)) {
        throw new CliError(`drizzle-kit could not compare the declarations with the latest migration.\n${output}`, 1)
      }
      if (rebuild.length > 0) throw new CliError(`No change requires a rebuild of ${rebuild.join(' or ')}.`)
      console.log('The migrations match the declarations: nothing to write.')
      return 0
    }
    const file = `${made.tag}.sql`
    const statements = rewrite(statementsIn(await readFile(join(folder, file), 'utf8')), {
      before: await tablesAt(folder, last.idx),
      after: await tablesAt(folder, made.idx),
      database,
      allowed: rebuild,
    })
    await writeFile(join(folder, file), `${statements.join(`\n${separator}\n`)}\n`)
    // Fails before anything is written if SQLite rejects the migration or it breaks a reference.
    const migrated = await apply(folder)
    const broken = migrated.prepare('pragma foreign_key_check').all()
    if (broken.length > 0) throw new Error(`the migration breaks references: ${JSON.stringify(broken)}`)
    await cp(folder, migrations, { recursive: true })
    console.log(`Wrote migrations/${file}. Review it before you commit it.`)
    return 0
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
