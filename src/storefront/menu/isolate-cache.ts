import { merchantDatabase } from '../../platform/db/home/merchant-connection.ts'
import type { Bindings } from '../../platform/env.ts'
import { ByteCache } from '../../platform/lib/byte-cache.ts'
import { log } from '../../platform/lib/log.ts'
import { timedOut, withTimeout } from '../../platform/lib/time.ts'
import { menuCacheSeconds, staleMenuSeconds } from './cache.ts'
import { type Catalogue, estimateCatalogueBytes, readCatalogue } from './catalogue/catalogue.ts'
import {
  type ContentLanguages,
  chooseLanguage,
  ownLanguage,
  type WantedLanguages,
} from './catalogue/content-language.ts'

/** Maximum time that a request waits for another request's work before it does the work itself, in milliseconds. */
const sharedWorkTimeoutMs = 5_000

/**
 * Deduplicates work that several requests of one isolate need at the same time. `later` (`waitUntil`) keeps the work alive after the
 * request that started it ends. If the work is lost, the waiting requests do it themselves.
 */
class SharedWork<Value> {
  readonly #running = new Map<string, Promise<Value>>()

  async run(key: string, later: (work: Promise<unknown>) => void, make: () => Promise<Value>): Promise<Value> {
    const running = this.#running.get(key)
    if (running) {
      const value = await withTimeout(sharedWorkTimeoutMs, running)
      if (value !== timedOut) return value
    }
    const started = make()
    this.#running.set(key, started)
    const done = () => {
      if (this.#running.get(key) === started) this.#running.delete(key)
    }
    later(started.then(done, done))
    return started
  }
}

/** Budget of the cached catalogues, one for each language that guests read, in bytes. */
export const catalogueMemoryBytes = 16 * 1024 * 1024
const cache = new ByteCache<Catalogue>(catalogueMemoryBytes, estimateCatalogueBytes)
/** Budget of the languages of venues, in bytes. */
const contentLanguageMemoryBytes = 1024 * 1024
const languages = new ByteCache<ContentLanguages & { readAtMs: number }>(contentLanguageMemoryBytes)
const reads = new SharedWork<Catalogue | undefined | 'limited'>()

/** Estimated size of the cached catalogues, in bytes. */
export const catalogueMemory = () => cache.bytes

interface CatalogueKey {
  merchantId: string
  testMode: boolean
}
const toVenueKey = ({ merchantId, testMode }: CatalogueKey) => `${merchantId} ${testMode}`
const toCacheKey = (key: CatalogueKey, language: string | undefined) => `${toVenueKey(key)} ${language ?? ''}`

/** Time at which a cached catalogue becomes stale, in milliseconds. */
export const getExpiryMs = ({ readAtMs }: Pick<Catalogue, 'readAtMs'>) => readAtMs + menuCacheSeconds * 1000
const isFresh = (read: Pick<Catalogue, 'readAtMs'>) => getExpiryMs(read) > Date.now()

/** The languages for reading a catalogue: the cached choice for this guest, otherwise the languages that the guest accepts. */
export function resolveWanted(key: CatalogueKey, wanted: WantedLanguages): WantedLanguages {
  const known = languages.get(toVenueKey(key))
  if (!known || !isFresh(known)) return wanted
  const language = chooseLanguage(wanted, known)
  return language === undefined ? ownLanguage : { candidates: [language], preferred: 1 }
}

/** The cached catalogue in the language for a guest, of any age; undefined if none is cached. */
function findCached(key: CatalogueKey, wanted: WantedLanguages): Catalogue | undefined {
  const known = languages.get(toVenueKey(key))
  return known && cache.get(toCacheKey(key, chooseLanguage(wanted, known)))
}

function store(key: CatalogueKey, catalogue: Catalogue): void {
  const { readAtMs, venue } = catalogue
  cache.set(toCacheKey(key, catalogue.language), catalogue)
  languages.set(toVenueKey(key), { readAtMs, own: venue.language, translations: catalogue.languages })
}

/**
 * Returns the catalogue of a venue in a mode and a language from the isolate's cache, otherwise from D1. While D1 fails, returns a stale one for up
 * to `staleMenuSeconds`. Returns undefined if the venue does not exist, and `limited` if `mayRead` forbids reading D1. Concurrent requests of one
 * group share one read and one decision. If the shared result is in another language than a request needs, that language is read too.
 */
export async function findCatalogue(
  env: Bindings,
  key: CatalogueKey,
  wanted: WantedLanguages,
  later: (work: Promise<unknown>) => void,
  group: string,
  mayRead: (isCached: boolean) => Promise<boolean>,
): Promise<Catalogue | undefined | 'limited'> {
  const cached = findCached(key, wanted)
  if (cached && isFresh(cached)) return cached
  const resolved = resolveWanted(key, wanted)
  const isKnown = languages.get(toVenueKey(key)) !== undefined
  const read = async () => {
    if (!(await mayRead(isKnown))) return 'limited'
    return readCatalogue(merchantDatabase(env, { ...key, home: undefined }), { ...key, wanted: resolved })
  }
  // While the languages of the venue are unknown, all guests share one read.
  const language = resolved === wanted ? 'other' : resolved.candidates.join()
  try {
    const shared = await reads.run(`${toVenueKey(key)} ${group} ${language}`, later, read)
    // The shared decision was about another IP address, so this request decides again.
    const found = shared === 'limited' ? await read() : shared
    if (found === undefined || found === 'limited') return found
    store(key, found)
    const content = chooseLanguage(resolved, { own: found.venue.language, translations: found.languages })
    if (content === found.language) return found
    return await findCatalogue(
      env,
      key,
      { candidates: content === undefined ? [] : [content], preferred: 1 },
      later,
      group,
      mayRead,
    )
  } catch (error) {
    if (!cached || getExpiryMs(cached) + staleMenuSeconds * 1000 < Date.now()) throw error
    log(env, 'stale menu served', { error: String(error) })
    return cached
  }
}
