import { getTableName } from 'drizzle-orm'
import { type Connection, Database } from '../../platform/db/database.ts'
import { directoryDatabase } from '../../platform/db/home/d1-connection.ts'
import { homeStatements, type ObjectHome } from '../../platform/db/home/home.ts'
import { discardObject, takePartInObject } from '../../platform/db/home/object-connection.ts'
import { auditTable } from '../../platform/db/schema/audit.ts'
import type { Bindings } from '../../platform/env.ts'
import { hashText } from '../../platform/lib/encoding/fnv1a.ts'
import { nowInSeconds } from '../../platform/lib/time.ts'
import { resourcePaths } from '../../platform/names.ts'
import { createLines } from './backup-lines.ts'
import { backupStatements as statements } from './backup-statements.ts'
import { openBackup } from './check-backup.ts'
import type { Restore } from './restore/open-restore.ts'
import { parseLine, readLines, type StoredRow } from './restore/read-backup.ts'
import { runStep } from './restore/restore-steps.ts'
import { ObjectIds } from './restore/row-references.ts'

const resourceTables: ReadonlySet<string> = new Set(resourcePaths)
const auditName = getTableName(auditTable)
/**
 * Time after which an object deletes its data by itself if an interrupted rehearsal did not, in milliseconds. It exceeds the duration of an
 * invocation.
 */
const rehearsalMs = 20 * 60 * 1_000
/** Sums below this number are exact. */
const modulus = 2 ** 52

/** A row without its own row number, and with ids instead of the row numbers of other objects. */
const normalize = ({ seq: _, ...row }: StoredRow) =>
  JSON.stringify(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1)))

/** The sum of the hashes of all rows, by table. Leaves out the audit log, because the directory adds entries to it. */
async function digest(lines: AsyncGenerator<string, void>): Promise<Record<string, number>> {
  const [ids, sums]: [ObjectIds, Record<string, number>] = [new ObjectIds(), {}]
  await lines.next()
  for await (const line of lines) {
    const parsed = parseLine(line)
    if ('end' in parsed) continue
    const { table, row } = parsed
    if (resourceTables.has(table)) ids.add(table, row)
    const resolved = ids.resolve(table, row)
    if (resolved && table !== auditName) sums[table] = ((sums[table] ?? 0) + hashText(normalize(resolved))) % modulus
  }
  return sums
}

/** Splits pages of lines. */
async function* splitLines(pages: AsyncGenerator<string, void>): AsyncGenerator<string, void> {
  for await (const page of pages) yield* page.trimEnd().split('\n')
}

/**
 * Restores the newest backup of a merchant into an object that is not a home, compares its rows with those of the backup, and deletes the object.
 * Returns the number of rows; undefined if the merchant was deleted. Throws if the backup cannot be restored, or a table differs.
 */
export async function rehearseRestore(env: Bindings, merchantId: string): Promise<number | undefined> {
  const directory = directoryDatabase(env)
  directory.usePrimary()
  const [[newest]] = await directory.run([statements.list(), { merchantId, limit: 1 }])
  if (!newest) throw new Error('the merchant has no backup')
  const now = nowInSeconds()
  const [[venue = 'd1']] = await directory.run([homeStatements.find(), { merchantId }])
  // The copy is in a jurisdiction that is allowed for the venue's data.
  const place = venue === 'd1' ? {} : { location: venue.location, jurisdiction: venue.jurisdiction }
  const [[created]] = await directory.run([statements.insertObject(), { merchantId, now }])
  if (!created) return undefined
  const home: ObjectHome = { ...place, object: created.object, settingsVersion: now }
  const untilMs = Date.now() + rehearsalMs
  const connection: Connection = {
    run: (bound) => takePartInObject(env, merchantId, home, { restore: now, part: 'target', untilMs }, bound),
    listPlatformWebhooks: async () => '[]',
    usePrimary() {},
    bookmark: null,
    async reserveNames() {},
  }
  const database = new Database(env, connection)
  const { takenAt } = newest
  const target = { env, directory, database, merchantId, home, takenAt, isUndone: true, isRehearsal: true }
  const start = {
    state: 'loading',
    lines: 0,
    omitted: {},
    comparedAt: null,
    attempts: 0,
    reason: null,
    total: null,
  } as const
  const times = {
    takenAt,
    startedAt: now,
    settledAt: now,
    suspendedAt: null,
    savedAt: null,
    leasedUntil: 0,
    finishedAt: null,
  }
  try {
    for (let restore: Restore = { ...start, ...times }; restore.state !== 'done'; ) {
      const { progress, fault } = await runStep(target, restore, async () => undefined)
      if (fault !== undefined) throw new Error(fault)
      restore = { ...restore, ...progress }
    }
    const expected = await digest(readLines(await openBackup(env, merchantId, takenAt)))
    const found = await digest(splitLines(createLines('\n', database, merchantId, () => undefined)))
    const different = Object.keys({ ...expected, ...found }).filter((table) => expected[table] !== found[table])
    if (different.length > 0) throw new Error(`the tables ${different.join(', ')} differ from the backup`)
    return newest.rows ?? 0
  } finally {
    await discardObject(env, merchantId, home)
  }
}
