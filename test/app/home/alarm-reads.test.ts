import { runInDurableObject } from 'cloudflare:test'
import { expect, test } from 'vitest'
import { createIdAt } from '../../../src/platform/lib/ids.ts'
import { ofCopies, ofMerchants, settling } from '../../platform/db/filled-venue.ts'
import { createVenue, type Venue } from '../../support/api.ts'
import { filling } from '../../support/filled.ts'
import { findObject, queryHome, ringAlarm } from '../../support/home.ts'
import { countObjectRows } from '../../support/object-rows.ts'

/** Rounds of `filling`: three rows of each table in each. A merchant has at most 100 webhooks. */
const sizes = [10, 20, 40]

/** Tables that an object keeps empty: their rows are in the directory. */
const ofDirectory = new Set([
  'notice_marks',
  'notices',
  'backups',
  'moves',
  'erasures',
  'invitations',
  'operator_sessions',
  'passkeys',
  'sessions',
  'used_challenges',
  'users',
])

const createdMs = Date.now()
/** Gives ids the present time, so that no row has expired. */
const rejuvenate = (sql: string) =>
  sql.replaceAll(/'(evt|scan|imp|ses|inv|chl|ntc|aud)_(\d+)'/g, (_, prefix: string, number: string) => {
    const id = createIdAt(prefix, createdMs)
    return `'${id.slice(0, -number.length)}${number}'`
  })

/** A merchant in an object with rows of each table, of which none is due. */
async function createFilled(rounds: number): Promise<Venue> {
  const venue = await createVenue({ home: 'object' })
  await venue.post('/products', { title: 'Tea', price: 1 })
  const object = await findObject(venue.id)
  if (!object) throw new Error('the merchant has no object')
  await runInDurableObject(object.stub, (_, { storage: { sql } }) => {
    const names = sql.exec<{ name: string }>(`select name from sqlite_master where type = 'table'`).toArray()
    const tables = new Set(names.map(({ name }) => name))
      .difference(ofCopies)
      .difference(ofMerchants)
      .difference(ofDirectory)
    for (let n = 1_000; n < 1_000 + rounds; n++) {
      for (const statement of filling(tables, n)) sql.exec(rejuvenate(statement.replaceAll(`mer_${n}`, venue.id)))
    }
    for (const statement of settling) sql.exec(statement)
    sql.exec(`update deliveries set state = 'delivered'`)
    sql.exec(`update imports set state = 'done'`)
    sql.exec(`update webhooks set secrets = '[]'`)
  })
  return venue
}

test('an alarm with nothing to do reads the same few rows, whatever is stored', async () => {
  const costs: number[] = []
  for (const size of sizes) {
    const { id } = await createFilled(size)
    // The first alarm purges what the filled rows leave.
    for (let n = 0; n < 3; n++) await ringAlarm(id)
    expect(await queryHome(id, 'select count(*) as n from products')).toEqual([{ n: 3 * size + 1 }])
    costs.push(await countObjectRows(id, () => ringAlarm(id)))
  }
  console.log(
    `figure: rows read by an alarm of an object with nothing to do, ${sizes.map((size) => 3 * size)} rows of each table: ${costs}`,
  )
  expect(Math.max(...costs)).toBeLessThanOrEqual(50)
  expect(new Set(costs).size).toBe(1)
})
