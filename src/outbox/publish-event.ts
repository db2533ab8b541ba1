import { type SQL, sql } from 'drizzle-orm'
import { lazy, param } from '../db/database.ts'
import { insertSelect, selectList, typed } from '../db/query.ts'
import { eventTable } from '../db/schema/events.ts'
import { merchantTable } from '../db/schema/merchants.ts'
import { isInScope } from '../db/scope.ts'

/** A statement that writes an event that another system publishes, and returns a row if the merchant exists and the condition holds. */
export const createPublish = (condition: SQL = sql`true`) =>
  lazy(() => {
    const nextSeq = sql`(select coalesce(max(${eventTable.seq}), 0) + 1 from ${eventTable} where ${isInScope(eventTable)})`
    const insert = insertSelect(
      eventTable,
      {
        merchantId: merchantTable.id,
        testMode: param('testMode'),
        id: param('event'),
        seq: nextSeq,
        type: param('type'),
        version: sql`1`,
        at: param('atMs'),
        row: param('row'),
      },
      sql`from ${merchantTable} where ${merchantTable.id} = ${param('merchantId')} and ${condition}`,
    )
    const fields = { id: eventTable.id }
    return typed(fields, () => sql`${insert} returning ${selectList(fields)}`)
  })

/** Writes an event that another system publishes. Returns a row if the merchant exists. */
export const publish = createPublish()
