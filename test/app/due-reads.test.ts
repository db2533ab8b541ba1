import { createExecutionContext, createScheduledController, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import worker from '../../src/index.ts'
import { createIdAt } from '../../src/platform/lib/ids.ts'
import { createFilled } from '../support/filled-home.ts'
import { queryHome, ringAlarm } from '../support/home.ts'
import { logObjectStatements } from '../support/object-rows.ts'
import { type LoggedStatement, logStatements } from '../support/statement-log.ts'

/** Maximum number of rows that a run reads with nothing to do, and more for one thing of one venue. An alarm also finds out when it rings next. */
const most = { idle: 65, due: { d1: 20, object: 25 } } as const

/** Things that each webhook of the venue is asked for: a merchant has 100 in each mode at most. With the rows for each webhook. */
const ofWebhooks: Readonly<Record<string, number>> = {
  // The deliveries of each webhook expire with the events.
  'an event that has expired': 10,
  'an event with a secret of an earlier release': 2,
}
/** Webhooks of a filled venue in each of its rounds. */
const webhooksOfRound = 2
const sizes = [10, 20]

const queue: Queue<unknown> = Object.assign(Object.create(null), { send: async () => {}, sendBatch: async () => {} })
/** Queues that take messages, so that no consumer reads beside a run. */
const bindings = { DELIVERIES: queue, DELIVERIES_SLOW: queue, IMPORTS: queue, BACKUP_CHECKS: queue, MOVES: queue }

/** Runs the cron of the shared database, or the alarm of the object. Returns what its statements read. */
async function run(home: string, merchantId: string): Promise<LoggedStatement[]> {
  if (home === 'object') return logObjectStatements(merchantId, () => ringAlarm(merchantId, bindings))
  const read: LoggedStatement[] = []
  const end = logStatements((statement) => read.push(statement))
  const context = createExecutionContext()
  await worker.scheduled(createScheduledController({ scheduledTime: Date.now() }), { ...env, ...bindings })
  await waitOnExecutionContext(context)
  end()
  return read
}

const sum = (statements: readonly LoggedStatement[]) => statements.reduce((total, { rowsRead }) => total + rowsRead, 0)

const old = createIdAt('evt', Date.now() - 40 * 86_400_000)
const due = (name: string) => `update purges set due_at = 0 where name = ${name}`
const first = (table: string, key = 'rowid') => `${key} = (select min(${key}) from ${table} where merchant_id = :id)`
/** Things that can be due, as SQL that makes them so in a filled venue. `:id` is the id of the merchant. */
const things: Readonly<Record<string, readonly string[]>> = {
  'a mark of a product that has ended': [`update availability set sold_out_until = 1 where ${first('availability')}`],
  'a mark of an option that has ended': [
    `update option_availability set sold_out_until = 1 where ${first('option_availability')}`,
  ],
  'a delivery that is overdue': [
    `update deliveries set state = 'pending', due_at = 1 where (webhook, event) = (
       select webhook, event from webhooks join deliveries on webhook = seq where webhooks.merchant_id = :id limit 1)`,
  ],
  'a delivery of a deleted webhook': [`delete from webhooks where ${first('webhooks', 'seq')}`],
  'an import without progress': [`update imports set state = 'applying', updated_at = 1 where ${first('imports')}`],
  'an upload that was cut off': [`update imports set state = 'uploading', updated_at = 1 where ${first('imports')}`],
  'a deleted object that others name': [
    `update products set test_mode = 2, created_at = 1, updated_at = 1 where ${first('products', 'seq')}`,
  ],
  'a secret that was replaced': [
    `update webhooks set secrets = '[{"secret":"whsec_b"},{"secret":"whsec_a","retiredAt":1}]' where ${first('webhooks', 'seq')}`,
  ],
  'an event with a secret of an earlier release': [
    `update events set type = 'webhook.updated', previous = '{"secrets":[]}' where id = (select min(id) from events where merchant_id = :id)`,
  ],
  'a coupon with a key of an earlier release': [`update coupons set key_form = 0 where ${first('coupons', 'seq')}`],
  'a picture to clean': [`update pictures set clean_at = 1 where ${first('pictures')}`],
  'an event that has expired': [
    `update events set id = '${old}' where id = (select min(id) from events where merchant_id = :id)`,
    due(':id'),
  ],
  'an idempotency key that has expired': [
    'update idempotency_keys set at = 1 where seq = (select min(seq) from idempotency_keys)',
    due(`'idempotency_keys'`),
  ],
  'an order that has expired': [`update orders set at = 1 where ${first('orders', 'seq')}`, due(`'orders'`)],
  'an adjustment that has expired': [
    `update stock_adjustments set at = 1 where ${first('stock_adjustments', 'seq')}`,
    due(`'stock_adjustments'`),
  ],
  'an import that has expired': [
    `update imports set id = '${old.replace('evt', 'imp')}' where ${first('imports')}`,
    due(`'imports'`),
  ],
  'a table that is due, and no row': [due(`'scan_receipts'`)],
}

/**
 * The venue has no subscribed webhook and one mark of each kind: an event is delivered to each webhook, and lists all sold-out products. Undoes what
 * waits for a consumer.
 */
const quiet = [
  // A service has at most ten.
  'delete from platform_webhooks where seq not in (select seq from platform_webhooks limit 10)',
  'delete from subscriptions where merchant_id = :id',
  'delete from availability where merchant_id = :id and product > (select min(product) from availability where merchant_id = :id)',
  'delete from option_availability where merchant_id = :id and modifier > (select min(modifier) from option_availability where merchant_id = :id)',
  `update imports set state = 'done', updated_at = unixepoch() where merchant_id = :id`,
  'update products set test_mode = 0 where merchant_id = :id and test_mode = 2',
  `update deliveries set state = 'delivered' where webhook in (select seq from webhooks where merchant_id = :id)`,
]

describe.each(['d1', 'object'] as const)('in a home of the kind %s', (home) => {
  test('a run with one thing to do for one venue reads few rows more, whatever is stored', async () => {
    const costs: Record<string, number[]> = {}
    for (const size of sizes) {
      const { id } = await createFilled(home, size)
      const change = async (statements: readonly string[]) => {
        for (const sql of statements) await queryHome(id, sql.replaceAll(':id', id.replace(/^|$/g, `'`)))
      }
      await change(quiet)
      for (let n = 0; n < 3; n++) await run(home, id)
      for (const [thing, statements] of Object.entries(things)) {
        await change(statements)
        const read = await run(home, id)
        costs[thing] = [...(costs[thing] ?? []), sum(read)]
        await change(quiet)
        for (let n = 0; n < 2; n++) await run(home, id)
      }
    }
    console.log(`figure: rows read by a run with one thing to do, ${home}: ${JSON.stringify(costs)}`)
    const grown = Object.entries(costs).filter(([thing, rows]) =>
      rows.some((cost, index) => {
        const webhooks = webhooksOfRound * (sizes[index] ?? 0)
        const own = ofWebhooks[thing] === undefined ? most.due[home] : 2 * most.due[home] + ofWebhooks[thing] * webhooks
        return cost > most.idle + own
      }),
    )
    expect(grown).toEqual([])
  })
})
