import type { Bindings } from '../env.ts'
import { auditDays, auditStatements } from './audit.ts'
import { directoryDatabase } from './database.ts'
import { purgeKeys, replayedSeconds } from './idempotency.ts'
import { idAt } from './ids.ts'

/** Rows that go at once, and how often in an hour: 200,000 of each, which is more than 55 requests a second bring. */
export const purgeBite = 1_000
const mostBites = 200

/** Forgets, in bounded bites, the answers to keys of more than a day ago, and the oldest entries of the audit log. */
export async function purgeRecords(env: Bindings, nowMs: number): Promise<void> {
  const database = directoryDatabase(env)
  const keys = { before: Math.floor(nowMs / 1000) - replayedSeconds, most: purgeBite }
  const entries = { beforeId: idAt('aud', nowMs - auditDays * 86_400_000), most: purgeBite }
  for (let bites = 0; bites < mostBites; bites++) {
    const gone = await database.run([purgeKeys(), keys], [auditStatements.purge(), entries])
    if (gone.flat().length === 0) return
  }
}
