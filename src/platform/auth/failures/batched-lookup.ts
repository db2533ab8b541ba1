import { inArray } from 'drizzle-orm'
import { lazy } from '../../db/database.ts'
import { directoryDatabase } from '../../db/home/d1-connection.ts'
import { listed } from '../../db/query.ts'
import { keyTable } from '../../db/schema/keys.ts'
import type { Bindings } from '../../env.ts'
import { UnavailableError } from '../../errors.ts'
import { timedOut, withTimeout } from '../../lib/time.ts'
import { type FoundKey, selectKeys } from '../key-lookup.ts'

const findMany = lazy(() => selectKeys(inArray(keyTable.hash, listed('hashes'))))

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
  const [keys = []] = await database.run([findMany(), { hashes: JSON.stringify([...hashes]) }])
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
