import { and, like, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { legacyFields, listTagNames } from '../../catalogue/resources/tags.ts'
import { lazy, param } from '../../platform/db/database.ts'
import { merchantDatabase } from '../../platform/db/home/connect.ts'
import { db, typed } from '../../platform/db/query.ts'
import { eventTable } from '../../platform/db/schema/events.ts'
import type { Bindings } from '../../platform/env.ts'
import { isOfTransaction } from '../../platform/outbox/fan-out.ts'
import { enqueueTagSyncs } from './kv-sync.ts'

const findRows = lazy(() =>
  typed({ row: eventTable.row }, (select) =>
    db
      .select(select)
      .from(eventTable)
      .where(and(isOfTransaction(sql`${param('merchantId')}`), like(eventTable.type, 'tag.%'))),
  ),
)

/** What names the tag in the row of an event. Absent and damaged values are left out. */
const namedRow = z.object({
  id: z.string(),
  code: z.catch(z.optional(z.string()), undefined),
  legacy: z.catch(z.optional(legacyFields), undefined),
})

/** Enqueues the sync of the tags that a transaction changed, if it was committed. Throws if the database or the queue fails. */
export async function syncTagsOf(env: Bindings, merchantId: string, event: string): Promise<void> {
  const database = merchantDatabase(env, { merchantId, home: undefined })
  database.usePrimary()
  const [rows] = await database.run([findRows(), { merchantId, event }])
  const tags = rows.map(({ row }) => listTagNames(namedRow.parse(JSON.parse(row))))
  await enqueueTagSyncs(env, tags)
}
