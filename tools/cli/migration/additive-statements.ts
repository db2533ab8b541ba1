import type { DatabaseSync } from 'node:sqlite'
import { isDeepStrictEqual } from 'node:util'
import { resourcePaths } from '../../../src/platform/names.ts'
import { CliError } from '../cli-error.ts'
import type { Column, Table, Tables } from './snapshots.ts'
import { deferForeignKeys, rebuildTable } from './table-rebuild.ts'

/** Whether two parts of snapshots are equal, in any order of their members. */
const isSame = (a: unknown, b: unknown) => isDeepStrictEqual(a, b)

/** Whether every value of `before` is in `after`, unchanged. */
const includes = (after: Readonly<Record<string, unknown>>, before: Readonly<Record<string, unknown>>) =>
  Object.entries(before).every(([key, value]) => isSame(value, after[key]))

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

/** The full-text index of a resource, which drizzle-kit cannot declare. Its terms come from src/platform/lib/search-terms.ts. */
const createSearchIndex = (name: string) => [
  `CREATE VIRTUAL TABLE \`${name}_search\` USING fts5(terms, content='', contentless_delete=1, detail=none, tokenize="unicode61 remove_diacritics 0 categories 'L* M* N* P* S* C*'");`,
  `CREATE TRIGGER \`${name}_search_delete\` AFTER DELETE ON \`${name}\` BEGIN
	DELETE FROM \`${name}_search\` WHERE rowid = old.seq;
END;`,
]

/** Makes drizzle-kit's statements safe: they only add, or rebuild the allowed tables. */
export function rewrite(
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
Migrations only add, so that the previous release still works. Keep its declaration as long as a release uses it.`,
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
  const added = resourcePaths.filter((path) => path in after && !(path in before))
  return [...(allowed.length > 0 ? [deferForeignKeys] : []), ...rebuilt, ...others, ...added.flatMap(createSearchIndex)]
}
