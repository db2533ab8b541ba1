import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { compile, type Database, directoryDatabase, lazy } from '../core/database.ts'
import { ring } from '../core/doorbell.ts'
import * as field from '../core/fields.ts'
import { idAt } from '../core/ids.ts'
import type { Bindings } from '../env.ts'

/** What is due for longer than this was not rung, or nobody came, in seconds. */
export const overdueSeconds = 30
/** Deliveries that one sweep rings for at most; the next comes in a minute. */
export const mostRung = 2_000
/** How long events and deliveries are kept, in days, and how many are purged at once. */
export const retentionDays = 30
export const purgeBite = 1_000

const given = sql.placeholder

const statements = {
  overdue: lazy(() =>
    compile(sql`
      select d.webhook, d.event, d.attempt, d.slow, w.merchant_id
      from (
        select webhook, event, attempt, slow from deliveries
        where state = 'pending' and due_at <= ${given('before')} and leased_until <= ${given('now')}
        order by due_at limit ${given('most')}
      ) as d left join webhooks as w on w.seq = d.webhook`),
  ),
  orphaned: lazy(() =>
    compile(sql`
      update deliveries set state = 'cancelled' where state = 'pending' and due_at <= ${given('before')}
        and not exists (select 1 from webhooks where seq = deliveries.webhook)`),
  ),
  purgeEvents: lazy(() =>
    compile(sql`
      delete from events where (merchant_id, test_mode, id) in (
        select e.merchant_id, e.test_mode, e.id
        from merchants as m cross join (select 0 as mode union all select 1) cross join events as e
        where e.merchant_id = m.id and e.test_mode = mode and e.id < ${given('beforeId')} limit ${given('most')}
      ) returning 1 as gone`),
  ),
  purgeDeliveries: lazy(() =>
    compile(sql`
      with recursive hook(seq) as (
        select min(webhook) from deliveries
        union all select (select min(webhook) from deliveries where webhook > hook.seq) from hook where hook.seq is not null
      )
      delete from deliveries where (webhook, event) in (
        select d.webhook, d.event from hook cross join deliveries as d
        where d.webhook = hook.seq and d.event < ${given('beforeId')} limit ${given('most')}
      ) returning 1 as gone`),
  ),
}

const overdue = z.object({
  webhook: z.number(),
  event: z.string(),
  attempt: z.number(),
  slow: field.bit,
  merchant_id: z.nullable(z.string()),
})

/** Rings for every delivery that is overdue. Ringing twice does no harm: an attempt is claimed once. */
export async function sweep(env: Bindings, database: Database, now: number): Promise<number> {
  const values = { now, before: now - overdueSeconds, most: mostRung }
  const [rows = []] = await database.run([statements.overdue(), values])
  const found = rows.map((row) => overdue.parse(row))
  for (const [merchant, deliveries] of Map.groupBy(found, ({ merchant_id }) => merchant_id)) {
    if (merchant === null) await database.run([statements.orphaned(), values])
    else
      await ring(
        env,
        merchant,
        deliveries.map((delivery) => ({ ...delivery, n: delivery.attempt + 1 })),
      )
  }
  return found.length
}

/** Deletes one bite of what is older than the retention; returns how much that was. */
export async function purge(database: Database, nowMs: number): Promise<number> {
  const values = { beforeId: idAt('evt', nowMs - retentionDays * 86_400_000), most: purgeBite }
  const gone = await database.run([statements.purgeDeliveries(), values], [statements.purgeEvents(), values])
  return gone.flat().length
}

/** Every minute what was not rung; once an hour what is too old. */
export async function tick(env: Bindings, scheduledMs: number): Promise<void> {
  const database = directoryDatabase(env)
  await sweep(env, database, Math.floor(Date.now() / 1000))
  if (new Date(scheduledMs).getUTCMinutes() === 0) {
    for (let bites = 0; bites < 20 && (await purge(database, Date.now())) > 0; bites++);
  }
}
