import * as z from 'zod/mini'
import type { Database } from '../../platform/db/database.ts'
import type { Bindings } from '../../platform/env.ts'
import { log } from '../../platform/lib/log.ts'
import { toSeconds } from '../../platform/lib/time.ts'
import { listObjectKeys } from './picture-name.ts'
import { pictureStatements as statements } from './picture-statements.ts'

/** Maximum number of checks in one run. Each one checks the pictures of one merchant. A run starts every minute. */
const maxChecks = 20

/** Maximum number of keys that R2 deletes in one call. */
const keysPerDelete = 1_000

const widthList = z.array(z.int())

/**
 * Checks the pictures that are due, and deletes those unused for the retention time. Deletes files before rows, so that the next run continues after
 * a crash. Returns the number of deleted pictures.
 */
export async function sweepPictures(env: Bindings, database: Database, nowMs: number): Promise<number> {
  const now = toSeconds(nowMs)
  let deleted = 0
  for (let check = 0; check < maxChecks; check++) {
    const [[overdue]] = await database.run([statements.findOverdue(), { now }])
    if (!overdue) break
    const { merchantId } = overdue
    const [checked] = await database.run([statements.check(), { merchantId, now }])
    const gone = checked.filter(({ deleting }) => deleting)
    if (gone.length === 0) continue
    const keys = gone.flatMap(({ digest, widths }) =>
      widthList.parse(widths).flatMap((width) => listObjectKeys({ digest, width })),
    )
    for (let start = 0; start < keys.length; start += keysPerDelete) {
      await env.MEDIA.delete(keys.slice(start, start + keysPerDelete))
    }
    const digests = JSON.stringify(gone.map(({ digest }) => digest))
    await database.run([statements.remove(), { merchantId, digests }])
    deleted += gone.length
  }
  if (deleted > 0) log(env, 'unused pictures deleted', { deleted })
  return deleted
}
