import { chunkLimits, importPace } from './import-limits.ts'

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/**
 * Duration of the pause after a step. The work on its rows has a price of its own: a step whose rows need few round trips is over soon, but the isolate
 * and the database do nothing else in it, and the clock of an isolate stands still while it computes.
 */
export const getStepPause = (rows: number, tookMs: number): number =>
  Math.min(Math.max(tookMs * importPace.timeFactor, rows * importPace.stepMsPerRow), importPace.maxMs)

/** Pauses after a step, so that isolate and database can serve other requests. */
export const pauseAfterStep = (rows: number, tookMs: number) => wait(getStepPause(rows, tookMs))

/** Pauses within an upload after some rows. */
export const pauseUpload = (rows: number) => wait(rows * importPace.uploadMsPerRow)

/** Maps the rows of an upload, with pauses in which the isolate serves other requests. */
export async function mapPaced<Item, Result>(items: readonly Item[], map: (item: Item) => Result): Promise<Result[]> {
  const results: Result[] = []
  for (let from = 0; from < items.length; from += chunkLimits.rows) {
    if (from > 0) await pauseUpload(chunkLimits.rows)
    results.push(...items.slice(from, from + chunkLimits.rows).map(map))
  }
  return results
}
