import { createScheduledController } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { retainedTables } from '../../../src/app/maintenance/retained-tables.ts'
import worker from '../../../src/index.ts'
import { plansOf } from '../../support/d1.ts'
import { filling } from '../../support/filled.ts'
import { logStatements } from '../../support/statement-log.ts'
import { ofCopies } from './filled-venue.ts'

/** Scans of tables that have few rows, and of partial indexes that are empty in the rest. */
const known =
  /^SCAN (gone_webhooks|platform_webhooks|backup_captures|backup_changes)\b|USING (COVERING )?INDEX \w+_(secrets|hidden|old_keys|active)$/

/** The statements of the purges, and those that a run of the cron makes if all rows are due. Some read the oldest row in the order of numbers. */
async function listStatements(): Promise<string[]> {
  const statements = new Set(
    retainedTables.flatMap(({ statements: { prepare, purge, next } }) =>
      [prepare, purge, next].flatMap((build) => (build ? [build().sql] : [])),
    ),
  )
  const stop = logStatements(({ sql }) => statements.add(sql))
  await env.DB.prepare('update purges set due_at = 0').run()
  await worker.scheduled(createScheduledController({ scheduledTime: Date.now() }), env)
  stop()
  return [...statements].filter((sql) => !/\bas "?oldest"? from/.test(sql))
}

/** Tells SQLite that each table has three rows, all of them different: what `pragma optimize` found when the service was new. */
async function plantStatistics(): Promise<void> {
  await env.DB.prepare('analyze').run()
  const plant = `insert into sqlite_stat1 (tbl, idx, stat) select tbl_name, name, '3 1 1 1 1 1' from sqlite_master where type = 'index'`
  await env.DB.batch(['delete from sqlite_stat1', plant, 'analyze sqlite_schema'].map((sql) => env.DB.prepare(sql)))
}

test('purges and the cron search by indexes, also with statistics of a time when the tables were small', async () => {
  const ofTables = env.DB.prepare(`select name from sqlite_master where type = 'table'`)
  const { results } = await ofTables.all<{ name: string }>()
  const tables = new Set(results.map(({ name }) => name))
  await env.DB.batch(filling(tables.difference(ofCopies), 1).map((sql) => env.DB.prepare(sql)))
  const statements = await listStatements()
  expect(statements.length).toBeGreaterThan(retainedTables.length + 20)
  await plantStatistics()
  const plans = await plansOf(statements)
  const scans = statements.flatMap((sql, index) => {
    const plan = plans[index] ?? []
    const steps = plan.filter((step) => {
      const [, table = ''] = /^SCAN (\w+)/.exec(step) ?? []
      const isSubquery = plan.includes(`CO-ROUTINE ${table}`) || plan.includes(`MATERIALIZE ${table}`)
      return tables.has(table) && !isSubquery && !known.test(step)
    })
    return steps.length > 0 ? [{ steps, sql }] : []
  })
  expect(scans).toEqual([])
})
