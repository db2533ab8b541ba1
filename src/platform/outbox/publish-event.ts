import { type SQL, sql } from 'drizzle-orm'
import { lazy, param } from '../db/database.ts'
import { insertSelect, selectList, typed } from '../db/query.ts'
import { eventTable } from '../db/schema/events.ts'
import { merchantTable } from '../db/schema/merchants.ts'
import { selectLastSeq } from './insert-event.ts'

/** A statement that writes an event that another system publishes, and returns a row if the merchant exists and the condition holds. */
export const createPublish = (condition: SQL = sql`true`) =>
  lazy(() => {
    const insert = insertSelect(
      eventTable,
      {
        merchantId: merchantTable.id,
        testMode: param('testMode'),
        id: param('event'),
        seq: sql`${selectLastSeq()} + 1`,
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
