import { merchantDatabase } from '../db/database.ts'
import type { Bindings } from '../env.ts'
import { ByteCache } from '../lib/byte-cache.ts'
import { log } from '../lib/log.ts'
import { SharedWork } from '../lib/shared-work.ts'
import { menuCacheSeconds, staleMenuSeconds } from './cache.ts'
import { type Catalogue, catalogueBytes, readCatalogue } from './public-menu.ts'

/** Budget for what venues offer, in bytes. */
export const catalogueMemoryBytes = 16 * 1024 * 1024
const held = new ByteCache<Catalogue>(catalogueMemoryBytes, catalogueBytes)
const reading = new SharedWork<Catalogue | undefined | 'limited'>()

/** Estimated size of the catalogues that the isolate holds, in bytes. */
export const catalogueMemory = () => held.bytes

interface Wanted {
  merchantId: string
  testMode: boolean
}
const keyOf = ({ merchantId, testMode }: Wanted) => `${merchantId} ${testMode}`

/** When a catalogue is no longer good, in milliseconds. */
export const freshUntilMs = ({ readAtMs }: Catalogue) => readAtMs + menuCacheSeconds * 1000

/**
 * What a venue offers in a mode: from the isolate's memory, else D1, else the last that was known within ten minutes; undefined where
 * there is no such venue. `mayRead` decides whether D1 is read; `limited` where it may not. Requests of one group at the same time
 * cause one read, and one decision.
 */
export async function findCatalogue(
  env: Bindings,
  wanted: Wanted,
  later: (work: Promise<unknown>) => void,
  group: string,
  mayRead: (isKnown: boolean) => Promise<boolean>,
): Promise<Catalogue | undefined | 'limited'> {
  const key = keyOf(wanted)
  const known = held.get(key)
  if (known && freshUntilMs(known) > Date.now()) return known
  const read = async () => {
    if (!(await mayRead(known !== undefined))) return 'limited'
    return readCatalogue(merchantDatabase(env, wanted.merchantId), wanted)
  }
  try {
    const shared = await reading.run(`${key} ${group}`, later, read)
    // What was decided about another address does not hold for this one.
    const found = shared === 'limited' ? await read() : shared
    if (found !== undefined && found !== 'limited') held.set(key, found)
    return found
  } catch (error) {
    if (!known || freshUntilMs(known) + staleMenuSeconds * 1000 < Date.now()) throw error
    log(env, 'an older answer is shown', { error: String(error) })
    return known
  }
}
