import { sharedDatabase } from '../../../platform/db/home/d1-connection.ts'
import { cacheHome, getCachedHome, type Home, toCacheableHome, toHome } from '../../../platform/db/home/home.ts'
import { merchantDatabase } from '../../../platform/db/home/merchant-connection.ts'
import type { Bindings } from '../../../platform/env.ts'
import { toLocalDay, toLocalHour } from '../../../platform/lib/day.ts'
import type { Scan } from '../../../platform/messages.ts'
import { type CountedScan, scanCountStatements } from './count-statements.ts'

/** Statements that count scans, with their receipts. */
const listStatements = (scans: readonly CountedScan[]) => {
  const values = { scans: JSON.stringify(scans) }
  return [
    [scanCountStatements.countHours(), values],
    [scanCountStatements.count(), values],
    [scanCountStatements.insertReceipts(), values],
  ] as const
}

/** Counts scans of one merchant in its home. Undefined: the home that this isolate has cached. */
async function countAtHome(
  env: Bindings,
  merchantId: string,
  home: Home | undefined,
  scans: readonly CountedScan[],
): Promise<void> {
  await merchantDatabase(env, { merchantId, home }).run(...listStatements(scans))
}

/** Counts those of the scans whose merchants are in the shared database, then the others at their homes. */
async function countShared(env: Bindings, scans: readonly CountedScan[]): Promise<void> {
  if (scans.length === 0) return
  const find = [scanCountStatements.findElsewhere(), { scans: JSON.stringify(scans) }] as const
  const [, , , elsewhere] = await sharedDatabase(env).run(...listStatements(scans), find)
  const countElsewhere = ({ merchantId, ...home }: (typeof elsewhere)[number]) => {
    cacheHome(merchantId, toCacheableHome(home))
    const own = scans.filter(({ merchant }) => merchant === merchantId)
    return countAtHome(env, merchantId, toHome(home), own)
  }
  await Promise.all(elsewhere.map(countElsewhere))
}

/**
 * Counts scans where the data of their merchants is. One transaction with their receipts in each database, so that a scan that is passed twice counts
 * once. Scans of merchants whose object this isolate has cached do not use the shared database.
 */
export async function countScans(env: Bindings, scans: readonly Scan[]): Promise<void> {
  const unique = new Map(
    scans.map(({ at, timezone, ...scan }): [string, CountedScan] => [
      scan.id,
      { ...scan, day: toLocalDay(at, timezone), hour: toLocalHour(at, timezone) },
    ]),
  )
  const merchants = [...Map.groupBy(unique.values(), ({ merchant }) => merchant)]
  const known = merchants.filter(([merchantId]) => getCachedHome(merchantId) !== undefined)
  const shared = merchants.filter((merchant) => !known.includes(merchant)).flatMap(([, own]) => own)
  await Promise.all([
    countShared(env, shared),
    ...known.map(([merchantId, own]) => countAtHome(env, merchantId, undefined, own)),
  ])
}
