import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { directoryDatabase } from '../../../src/platform/db/home/d1-connection.ts'
import { merchantDatabase } from '../../../src/platform/db/home/merchant-connection.ts'
import { listErasure } from '../../../src/tenancy/people/erasures.ts'
import { reapplyErasures } from '../../../src/tenancy/people/reapply-erasures.ts'
import { createVenue } from '../../support/api.ts'
import { multiply } from '../../support/d1.ts'
import { queryHome } from '../../support/home.ts'
import { countObjectRows } from '../../support/object-rows.ts'
import { logStatements } from '../../support/statement-log.ts'

const sizes = [6_000, 12_000, 24_000]
const person = { firstName: 'Zoëlle', lastName: 'Núñezowa', email: 'zoe.n@example.com' }

/** A merchant with so many customers and events of customers, of whom three are listed as erased: the first, one of events only, and the last. */
async function createRestored(home: string, count: number) {
  const venue = await createVenue({ home })
  const { body } = await venue.post('/customers', person)
  await multiply('customers', body.id, count - 1)
  await queryHome(
    venue.id,
    `with recursive n(value) as (select 10 union all select value + 1 from n where value < ?1)
     insert into events (merchant_id, test_mode, id, seq, type, version, at, row)
     select merchant_id, test_mode, printf('evt_%026d', n.value), n.value, type, version, at, json_set(row, '$.id', printf('cus_%026d', n.value / 2))
     from events, n where merchant_id = ?2 and seq = 1`,
    count,
    venue.id,
  )
  const named = await queryHome(
    venue.id,
    'select min(id) as least, max(id) as most from customers where merchant_id = ?',
    venue.id,
  )
  const ids = [named[0]?.['least'], named[0]?.['most'], `cus_${String(count / 2).padStart(26, '0')}`].map(String)
  for (const id of ids) await listErasure(directoryDatabase(env), venue.id, id, 1)
  return { venue, ids }
}

describe.each(['d1', 'object'])('in a home of the kind %s', (home) => {
  test('finding erased customers in restored rows reads each row once, however many pages they take', async () => {
    const costs: number[] = []
    for (const count of sizes) {
      const { venue, ids } = await createRestored(home, count)
      const erase = () =>
        reapplyErasures(
          directoryDatabase(env),
          merchantDatabase(env, { merchantId: venue.id, home: undefined }),
          venue.id,
        )
      expect((await erase()).erased).toBe(3)
      const found = await queryHome(
        venue.id,
        `select count(*) as n from customers where merchant_id = ? and id in (select value from json_each(?))`,
        venue.id,
        JSON.stringify(ids),
      )
      expect(found).toEqual([{ n: 0 }])
      let rows = 0
      const end = logStatements(({ rowsRead }) => {
        rows += rowsRead
      })
      const ofObject =
        home === 'object' ? await countObjectRows(venue.id, async () => expect((await erase()).erased).toBe(0)) : 0
      if (home === 'd1') expect((await erase()).erased).toBe(0)
      end()
      costs.push(Math.max(rows, ofObject))
    }
    console.log(`figure: rows read to find erased customers, ${home}, ${sizes} customers and events each: ${costs}`)
    for (const [index, rows] of costs.entries()) expect(rows / (sizes[index] ?? 1)).toBeLessThan(3)
  })
})
