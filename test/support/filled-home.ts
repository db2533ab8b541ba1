import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { createIdAt } from '../../src/platform/lib/ids.ts'
import { ofCopies, ofMerchants, settling } from '../platform/db/filled-venue.ts'
import { createVenue, type Venue } from './api.ts'
import { filling } from './filled.ts'
import { findObject } from './home.ts'

/** Tables that an object keeps empty: their rows are in the directory. */
const ofDirectory = new Set([
  'notice_marks',
  'notices',
  'backups',
  'moves',
  'erasures',
  'failed_requests',
  'invitations',
  'operator_sessions',
  'operators',
  'platform_backlogs',
  'platform_keys',
  'platform_webhooks',
  'passkeys',
  'sessions',
  'used_challenges',
  'users',
])

const createdMs = Date.now()
/** Gives ids the present time, so that no row has expired. */
const rejuvenate = (sql: string) =>
  sql.replaceAll(/'(evt|scan|imp|ses|inv|chl|ntc|aud|chs|rel)_(\d+)'/g, (_, prefix: string, number: string) => {
    const id = createIdAt(prefix, createdMs)
    return `'${id.slice(0, -number.length)}${number}'`
  })

/** Lets nothing of the filled rows wait. */
const resting = [
  ...settling,
  `update deliveries set state = 'delivered'`,
  `update imports set state = 'done'`,
  `update webhooks set secrets = '[]'`,
]

const listTables = `select name from sqlite_master where type = 'table'`
let next = 1_000

/** A merchant with so many rounds of three rows of each table, of which none is due. A merchant has at most 100 webhooks. */
export async function createFilled(home: string, rounds: number): Promise<Venue> {
  const venue = await createVenue({ home })
  await venue.post('/products', { title: 'Tea', price: 1 })
  const object = await findObject(venue.id)
  const first = next
  next += rounds
  const fill = (names: readonly { name: string }[]) => {
    const all = new Set(names.map(({ name }) => name)).difference(ofCopies).difference(ofMerchants)
    const tables = object ? all.difference(ofDirectory) : all
    const rows = Array.from({ length: rounds }, (_, index) => first + index).flatMap((n) =>
      filling(tables, n).map((sql) => rejuvenate(sql.replaceAll(`mer_${n}`, venue.id))),
    )
    return [...rows, ...resting]
  }
  if (object) {
    await runInDurableObject(object.stub, (_, { storage: { sql } }) => {
      for (const statement of fill(sql.exec<{ name: string }>(listTables).toArray())) sql.exec(statement)
    })
  } else {
    const { results } = await env.DB.prepare(listTables).all<{ name: string }>()
    await env.DB.batch(fill(results).map((sql) => env.DB.prepare(sql)))
  }
  return venue
}
