import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { runMove } from '../../../src/tenancy/move/run-move.ts'
import { createVenue } from '../../support/api.ts'
import { queryHome } from '../../support/home.ts'
import { finishMoveOf, startMove } from '../../support/moves.ts'
import { isLong } from '../../support/rounds.ts'

/** More than the 32 MiB that a call of an object may have. */
const large = { rows: 140, bytes: 250_000 }

test.runIf(isLong)('large rows that change while a merchant moves arrive in several calls', async () => {
  const venue = await createVenue()
  await startMove(venue.id, { home: 'object' })
  expect(await runMove(env, venue.id)).toBeGreaterThan(0)
  await env.DB.prepare(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?)
     insert into events (merchant_id, test_mode, id, seq, type, version, at, row)
     select ?, 0, 'evt_' || i, 1000 + i, 'product.updated', 1, 1, '"' || hex(zeroblob(? / 2)) || '"' from n`,
  )
    .bind(large.rows, venue.id, large.bytes)
    .run()
  expect(await finishMoveOf(venue.id)).toMatchObject({ state: 'done' })
  const [row] = await queryHome(venue.id, `select count(*) as count from events where seq > 1000`)
  expect(row).toEqual({ count: large.rows })
})
