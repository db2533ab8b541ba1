import { type SQLWrapper, sql } from 'drizzle-orm'
import { furtherNotice } from '../../platform/db/schema/availability.ts'

/** SQL for the data of an event of the service: without members that are null. */
export const toEventData = (paused: boolean, until: SQLWrapper = sql`null`, message: SQLWrapper = sql`null`) =>
  sql`json_patch(json_object('paused', json(${sql.raw(`'${paused}'`)})), json_object(
    'until', nullif(${until}, ${sql.raw(String(furtherNotice))}), 'message', ${message}))`
