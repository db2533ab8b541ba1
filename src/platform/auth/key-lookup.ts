import { eq, inArray, type SQL } from 'drizzle-orm'
import { readRows } from '../db/damaged-rows.ts'
import { lazy, param } from '../db/database.ts'
import { cachePlatformList, directoryDatabase, findPlatformList } from '../db/home/d1-connection.ts'
import { homeFields, toCacheableHome } from '../db/home/home.ts'
import { db, listed, type RowOf, typed, withRawRows, withRows } from '../db/query.ts'
import { homeTable } from '../db/schema/directory/homes.ts'
import { keyTable } from '../db/schema/keys.ts'
import { merchantTable, suspendedField } from '../db/schema/merchants.ts'
import type { Bindings } from '../env.ts'
import { UnavailableError } from '../errors.ts'
import { timedOut, withTimeout } from '../lib/time.ts'
import { readKeyLists } from './stored-key.ts'

const fields = {
  id: keyTable.id,
  merchantId: keyTable.merchantId,
  hash: keyTable.hash,
  testMode: keyTable.testMode,
  scopes: keyTable.scopes,
  allowedIps: keyTable.allowedIps,
  expiresAt: keyTable.expiresAt,
  lastUsedAt: keyTable.lastUsedAt,
  suspended: suspendedField,
  ...homeFields,
}
const toFoundKey = (row: RowOf<typeof fields>) => ({
  ...row,
  ...readKeyLists(row),
  suspended: row.suspended === 1,
  home: toCacheableHome(row),
})
/** Columns of a key that authentication reads. */
type FoundKey = ReturnType<typeof toFoundKey>

const isMerchantOfKey = eq(merchantTable.id, keyTable.merchantId)
const selectKeys = (condition: SQL) =>
  withRows(
    typed(fields, (select) =>
      db
        .select(select)
        .from(keyTable)
        .innerJoin(merchantTable, isMerchantOfKey)
        .leftJoin(homeTable, eq(homeTable.merchantId, keyTable.merchantId))
        .where(condition),
    ),
    toFoundKey,
  )
const statements = {
  find: lazy(() => selectKeys(eq(keyTable.hash, param('hash')))),
  findMany: lazy(() => selectKeys(inArray(keyTable.hash, listed('hashes')))),
}

/** Finds a key by its hash. A damaged row is logged and treated as missing: its scopes cannot be read. */
export async function findKey(env: Bindings, hash: string): Promise<FoundKey | undefined> {
  const database = directoryDatabase(env)
  const statement = statements.find()
  const findRows = async () => {
    const [found, list] = await database.run([withRawRows(statement), { hash }], [findPlatformList(), {}])
    cachePlatformList(list)
    return found
  }
  let rows = await findRows()
  if (rows.length === 0) {
    // A replica may not have a recently created key.
    database.usePrimary()
    rows = await findRows()
  }
  return readRows(database, rows, statement.read)[0]
}

/** Minimum time between two batched lookups, in milliseconds. */
const lookUpPauseMs = 1_000
/** Maximum number of keys in one batched lookup. */
const maxKeysTogether = 500
/** Maximum time that a request waits for a batched lookup, in milliseconds. */
const lookUpTimeoutMs = 12_000

interface BatchedLookup {
  hashes: Set<string>
  keys: Promise<ReadonlyMap<string, FoundKey>>
  startedMs: number
}
/** The next lookup, which still accepts hashes. */
let openLookup: BatchedLookup | undefined
let lastLookupMs = 0

async function runLookup(env: Bindings, hashes: ReadonlySet<string>): Promise<ReadonlyMap<string, FoundKey>> {
  await scheduler.wait(Math.min(Math.max(0, lastLookupMs + lookUpPauseMs - Date.now()), lookUpPauseMs))
  openLookup = undefined
  lastLookupMs = Date.now()
  const database = directoryDatabase(env)
  database.usePrimary()
  const [keys = []] = await database.run([statements.findMany(), { hashes: JSON.stringify([...hashes]) }])
  return new Map(keys.map((key) => [key.hash, key]))
}

/**
 * `findKey` for rate-limited addresses: one round trip a second for all of them. Any number of invalid keys does not prevent a valid key from being
 * found, and costs almost nothing. `waitUntil` takes work that continues after the request.
 */
export async function findKeyBatched(
  env: Bindings,
  hash: string,
  waitUntil: (work: Promise<unknown>) => void,
): Promise<FoundKey | undefined> {
  const nowMs = Date.now()
  // The runtime may cancel a lookup together with the request that started it.
  const isLost = openLookup !== undefined && Math.abs(nowMs - openLookup.startedMs) > 2 * lookUpPauseMs
  let current = isLost ? undefined : openLookup
  if (!current) {
    const hashes = new Set<string>()
    current = { hashes, keys: runLookup(env, hashes), startedMs: nowMs }
    openLookup = current
    waitUntil(current.keys.catch(() => undefined))
  }
  if (current.hashes.size >= maxKeysTogether) throw new UnavailableError('too many keys to look up')
  current.hashes.add(hash)
  const keys = await withTimeout(lookUpTimeoutMs, current.keys)
  if (keys === timedOut) throw new UnavailableError(`keys were not looked up within ${lookUpTimeoutMs} ms`)
  return keys.get(hash)
}
