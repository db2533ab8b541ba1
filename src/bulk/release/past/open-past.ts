import { getPastTime, historyExpired, tooManyEvents } from '../../../catalogue/resource/history/past.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Scope } from '../../../platform/db/scope.ts'
import { toJsonLists } from '../../../platform/lib/encoding/json-lists.ts'
import { createIdAt } from '../../../platform/lib/ids.ts'
import { layOverPast } from '../preview/overlay.ts'
import { maxLists } from '../preview/planned-rows.ts'
import { listPastRows } from './past-rows.ts'
import { maxBytesBack, maxExaminedBack, maxReadBack, pastStatements } from './past-statements.ts'

const tooFar = () => tooManyEvents('the catalogue')

/**
 * The catalogue as it was at the end of a second, in one round trip. Everything else is that of the present. Throws for the future, before the
 * history begins, and if too many events follow.
 */
export async function openPast(database: Database, scope: Scope, given: number): Promise<Database> {
  const at = getPastTime(given)
  const endMs = (at + 1) * 1000
  const values = { ...scope, endMs, from: createIdAt('evt', endMs) }
  // A replica may lack the last changes.
  database.usePrimary()
  const [[summary], events] = await database.run([pastStatements.summary(), values], [pastStatements.firsts(), values])
  const { examined = 0, relevant = 0, unnamed = 0 } = summary ?? {}
  if (examined > maxExaminedBack || relevant > maxReadBack) throw tooFar()
  if (unnamed > 0) throw historyExpired()
  if ((events.at(-1)?.total ?? 0) > maxBytesBack) throw tooFar()
  const lists = toJsonLists([...listPastRows(scope.merchantId, at, events)])
  if (lists.length > maxLists) throw tooFar()
  return layOverPast(database, scope, lists)
}
