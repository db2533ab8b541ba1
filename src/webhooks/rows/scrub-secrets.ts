import { sql } from 'drizzle-orm'
import { webhooks } from '../../catalogue/resources/webhooks.ts'
import { compile, type Database, lazy, param } from '../../platform/db/database.ts'
import { isHere } from '../../platform/db/home/home.ts'
import { db, setColumns, typed } from '../../platform/db/query.ts'
import { deliveryTable, eventTable, hasSecrets } from '../../platform/db/schema/events.ts'
import { hasRetiredSecret, webhookTable } from '../../platform/db/schema/resources/webhooks.ts'
import type { Bindings } from '../../platform/env.ts'
import { log } from '../../platform/lib/log.ts'
import { secretOverlapSeconds } from '../secrets.ts'
import { literal } from './conditions.ts'
import { secretPrefix } from './scrub-row.ts'

/** Maximum number of events, and of webhooks, that one run scrubs. A run starts every minute. */
const scrubLimit = 200

const hiddenPaths = sql.join(
  webhooks.hidden.map((key) => literal(`$.${key}`)),
  sql`, `,
)
const key = sql`${eventTable.merchantId}, ${eventTable.testMode}, ${eventTable.id}`
/** The oldest events with secrets. The index contains only these. */
const leaky = sql`select ${key} from ${eventTable} indexed by events_secrets
  where ${hasSecrets(eventTable)} and ${isHere(eventTable.merchantId)} order by ${key} limit ${literal(scrubLimit)}`

const hasSecret = sql`instr(value ->> '$.response', ${literal(secretPrefix)}) > 0`
const withoutSecrets = sql`(select json_group_array(json(iif(${hasSecret}, json_remove(value, '$.response'), value)))
  from json_each(${deliveryTable.attempts}))`
const isRetired = sql`value ->> '$.retiredAt' <= ${param('now')} - ${literal(secretOverlapSeconds)}`
const entries = sql`json_each(${webhookTable.secrets})`

const statements = {
  /** Returns a row if there are events with secrets. */
  findLeaky: lazy(() =>
    compile(
      sql`select 1 as found from ${eventTable} indexed by events_secrets where ${hasSecrets(eventTable)} limit 1`,
    ),
  ),
  /** Must precede `events`. Removes responses that repeat a secret from the logs of the deliveries of the events that it scrubs. */
  deliveries: lazy(() =>
    compile(sql`
      update ${deliveryTable} set ${setColumns(deliveryTable, { attempts: withoutSecrets })}
      where (${deliveryTable.webhook}, ${deliveryTable.event}) in (
        select ${webhookTable.seq}, leaky.id from (${leaky}) as leaky cross join ${webhookTable}
        where ${webhookTable.merchantId} = leaky.merchant_id and ${webhookTable.testMode} = leaky.test_mode)
        and instr(${deliveryTable.attempts}, ${literal(secretPrefix)}) > 0
      returning 1 as scrubbed`),
  ),
  /** The next attempt renders the body again. */
  events: lazy(() => {
    const previous = sql`iif(json_valid(${eventTable.previous}), json_remove(${eventTable.previous}, ${hiddenPaths}), '{}')`
    return compile(sql`
      update ${eventTable} set ${setColumns(eventTable, { previous, payload: sql`null` })}
      where (${key}) in (${leaky}) returning 1 as scrubbed`)
  }),
  /** Removes secrets that no longer sign deliveries. */
  webhooks: lazy(() => {
    const retired = sql`select ${webhookTable.seq} from ${webhookTable} indexed by webhooks_retired
      where ${hasRetiredSecret(webhookTable)} and ${isHere(webhookTable.merchantId)}
        and exists (select 1 from ${entries} where ${isRetired}) limit ${literal(scrubLimit)}`
    const secrets = sql`(select json_group_array(json(value)) from ${entries} where not coalesce(${isRetired}, 0))`
    return compile(sql`
      update ${webhookTable} set ${setColumns(webhookTable, { secrets })}
      where ${webhookTable.seq} in (${retired}) returning 1 as scrubbed`)
  }),
}

/**
 * Removes secrets from events of releases before, from the logs of their deliveries, and from webhooks whose replaced secrets have expired.
 * Logs how many rows it changed. Without such rows it reads the webhooks whose secrets were replaced lately.
 */
export async function scrubSecrets(env: Bindings, database: Database, now: number): Promise<void> {
  const [leaky, [retirement]] = await database.run([statements.findLeaky(), {}], [nextRetirement(), {}])
  const isRetired = typeof retirement?.at === 'number' && retirement.at <= now
  if (leaky.length === 0 && !isRetired) return
  const results = await database.run(
    [statements.deliveries(), {}],
    [statements.events(), {}],
    [statements.webhooks(), { now }],
  )
  const [deliveries, events, scrubbed] = results.map((rows) => rows.length)
  if (deliveries || events || scrubbed) log(env, 'secrets scrubbed', { events, deliveries, webhooks: scrubbed })
}

/** Time at which the next replaced secret of this database expires, in seconds. Undefined without replaced secrets. */
export const nextRetirement = lazy(() =>
  typed({ at: sql<number | null>`min(value ->> '$.retiredAt') + ${literal(secretOverlapSeconds)}` }, (select) =>
    db
      .select(select)
      .from(sql`${webhookTable} indexed by webhooks_retired cross join ${entries}`)
      .where(hasRetiredSecret(webhookTable)),
  ),
)
