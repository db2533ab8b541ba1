import { merchantDatabase } from '../db/home/connect.ts'
import type { Bindings } from '../env.ts'
import { ByteCache } from '../lib/byte-cache.ts'
import { log } from '../lib/log.ts'
import { SharedWork } from '../lib/shared-work.ts'
import { menuCacheSeconds, staleMenuSeconds } from './cache.ts'
import { type Catalogue, estimateCatalogueBytes, readCatalogue } from './catalogue.ts'

/** Budget of the cached catalogues, in bytes. */
export const catalogueMemoryBytes = 16 * 1024 * 1024
const cache = new ByteCache<Catalogue>(catalogueMemoryBytes, estimateCatalogueBytes)
const reads = new SharedWork<Catalogue | undefined | 'limited'>()

/** Estimated size of the cached catalogues, in bytes. */
export const catalogueMemory = () => cache.bytes

interface CatalogueKey {
  merchantId: string
  testMode: boolean
}
const toCacheKey = ({ merchantId, testMode }: CatalogueKey) => `${merchantId} ${testMode}`

/** Time at which a catalogue becomes stale, in milliseconds. */
export const getExpiryMs = ({ readAtMs }: Catalogue) => readAtMs + menuCacheSeconds * 1000

/**
 * Returns the catalogue of a venue in a mode from the isolate's cache, else from D1; while D1 fails, a stale one for up to
 * `staleMenuSeconds`. Undefined if there is no such venue; `limited` if `mayRead` forbids to read D1. Concurrent requests of one group
 * share one read and one decision.
 */
export async function findCatalogue(
  env: Bindings,
  catalogueKey: CatalogueKey,
  later: (work: Promise<unknown>) => void,
  group: string,
  mayRead: (isCached: boolean) => Promise<boolean>,
): Promise<Catalogue | undefined | 'limited'> {
  const key = toCacheKey(catalogueKey)
  const cached = cache.get(key)
  if (cached && getExpiryMs(cached) > Date.now()) return cached
  const read = async () => {
    if (!(await mayRead(cached !== undefined))) return 'limited'
    return readCatalogue(merchantDatabase(env, { ...catalogueKey, home: undefined }), catalogueKey)
  }
  try {
    const shared = await reads.run(`${key} ${group}`, later, read)
    // The shared decision was about another IP address: this request decides for itself.
    const found = shared === 'limited' ? await read() : shared
    if (found !== undefined && found !== 'limited') cache.set(key, found)
    return found
  } catch (error) {
    if (!cached || getExpiryMs(cached) + staleMenuSeconds * 1000 < Date.now()) throw error
    log(env, 'stale menu served', { error: String(error) })
    return cached
  }
}
