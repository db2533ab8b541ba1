import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'

const run = (statement: string) => env.DB.prepare(statement).run()

test.each([
  ["update deliveries set state = 'lost'", 'deliveries_state'],
  ["update deliveries set attempts = '{}'", 'deliveries_attempts'],
  ["update scan_counts set channel = 'fax'", 'scan_counts_channel'],
  ['update scan_hours set test_mode = 2', 'scan_hours_mode'],
  ["update scan_hours set counts = '{}'", 'scan_hours_counts'],
  ["update stock_adjustments set changes = '{}'", 'stock_adjustments_changes'],
  ["update orders set state = 'lost'", 'orders_state'],
  ["update orders set stock = '{}'", 'orders_stock'],
  ["update orders set redemptions = '{}'", 'orders_redemptions'],
  ["update orders set skipped = '{}'", 'orders_skipped'],
])('a record is refused by %s', async (change, check) => {
  await run(
    `insert into deliveries (webhook, event, state, created_at, due_at, attempt, base, most, slow, leased_until, attempts)
     values (1, 'e', 'pending', 1, 1, 0, 0, 1, 0, 0, '[]') on conflict do nothing`,
  )
  await run(
    `insert into scan_counts (merchant_id, tag, day, channel, count) values ('m', 't', '2026-11-21', 'qr', 1)
     on conflict do nothing`,
  )
  const hours = JSON.stringify(Array(24).fill(0))
  await run(
    `insert into scan_hours (merchant_id, test_mode, day, counts) values ('m', 0, '2026-11-21', '${hours}') on conflict do nothing`,
  )
  await run(
    `insert into stock_adjustments (merchant_id, test_mode, reference, reason, request_hash, change, changes, at)
     values ('m', 0, 'order-1', 'sale', 'hash', 'evt_1', '[]', 1) on conflict do nothing`,
  )
  await run(
    `insert into orders (merchant_id, test_mode, reference, event, state, stock, redemptions, change, skipped, at)
     values ('m', 0, 'order-1', 'evt_1', 'open', '[]', '[]', 'evt_1', '[]', 1) on conflict do nothing`,
  )
  await expect(run(change)).rejects.toThrow(`CHECK constraint failed: ${check}`)
})
