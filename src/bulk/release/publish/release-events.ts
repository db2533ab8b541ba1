import { sql } from 'drizzle-orm'
import { raiseEvent } from '../../../catalogue/events/raise-event.ts'
import { compile, lazy, param } from '../../../platform/db/database.ts'

const create = (type: 'release.published' | 'release.failed') =>
  lazy(() => compile(raiseEvent({ type, row: param('release'), from: sql`where true` })))

/** Statements that raise the events of a release, whose data is the JSON text `:release`. */
export const releaseEvents = { published: create('release.published'), failed: create('release.failed') }
