import { createHash, createHmac } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { dataPaths } from './data-folder.ts'
import { getReason, ServerError } from './server-error.ts'

const namespace = 'miniflare-D1DatabaseObject'

/**
 * Returns the file of the directory, the shared database. It is named after the id of the object that runs the database in Miniflare, which
 * workerd derives from the namespace and the name of the object.
 */
export function directoryFile(data: string, databaseId: string): string {
  const key = createHash('sha256').update(namespace).digest()
  const sign = (value: string | Buffer) => createHmac('sha256', key).update(value).digest().subarray(0, 16)
  const name = sign(databaseId)
  const id = Buffer.concat([name, sign(name)]).toString('hex')
  return join(dataPaths(data).storage, 'd1', namespace, `${id}.sqlite`)
}

/** Names of the migrations in a folder, in order. */
export const listMigrations = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()

/**
 * Applies the missing migrations to the directory. Throws, before it changes anything, if the database has a migration that the folder lacks:
 * a newer program has written the data. Objects migrate themselves, never ahead of the directory.
 */
export function migrate(file: string, folder: string, { acceptNewer }: { acceptNewer: boolean }): void {
  mkdirSync(dirname(file), { recursive: true })
  const database = new DatabaseSync(file)
  try {
    // Opens it like workerd.
    database.exec('pragma journal_mode = wal')
    database.exec(
      `create table if not exists d1_migrations (id integer primary key autoincrement, name text unique,
         applied_at timestamp default current_timestamp not null)`,
    )
    const names = listMigrations(folder)
    const applied = new Set(
      database
        .prepare('select name from d1_migrations')
        .all()
        .map(({ name }) => String(name)),
    )
    const [newer] = [...applied].filter((name) => !names.includes(name)).toSorted()
    if (newer !== undefined && !acceptNewer)
      throw new ServerError(
        `A newer release has written the data: it has the migration ${newer}. Install that release, or read "Updates" in the guide.`,
      )
    const record = database.prepare('insert into d1_migrations (name) values (?)')
    for (const name of names) if (!applied.has(name)) applyOne(database, record, folder, name)
  } finally {
    database.close()
  }
}

function applyOne(database: DatabaseSync, record: ReturnType<DatabaseSync['prepare']>, folder: string, name: string) {
  database.exec('begin immediate')
  try {
    database.exec(readFileSync(join(folder, name), 'utf8'))
    record.run(name)
    database.exec('commit')
  } catch (error) {
    // A full disk has ended the transaction.
    if (database.isTransaction) database.exec('rollback')
    throw new ServerError(`The migration ${name} failed and was not applied: ${getReason(error)}.`)
  }
}
