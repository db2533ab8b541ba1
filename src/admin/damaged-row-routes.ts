import { sql } from 'drizzle-orm'
import { Hono } from 'hono'
import * as z from 'zod/mini'
import { type Damage, DamagedError } from '../db/damaged-rows.ts'
import { compile, lazy, param, type Statement, type Values } from '../db/database.ts'
import type { Row } from '../db/row.ts'
import { createRowReader } from '../db/row-reader.ts'
import { notFound } from '../errors.ts'
import type { Env } from '../http/context.ts'
import { createCursor, listFields, nextLink, readPosition } from '../http/pagination.ts'
import { query } from '../http/validation.ts'
import type { ResourceDefinition } from '../resource/definition.ts'
import * as resources from '../resources/registry.ts'
import { damageOfDelivery } from '../webhooks/delivery-routes.ts'
import { readEvent, renderPayload } from '../webhooks/payload.ts'
import { readEntry } from './audit-routes.ts'
import { readStoredKey } from './key-routes.ts'
import { readMerchant } from './merchant-routes.ts'

/** Rows that one statement reads, and statements that one request makes, one after the other. */
export const damagedBounds = { rows: 100, statements: 30 } as const

export const damagedQuery = z.strictObject({ cursor: listFields.cursor })

/** A damaged row as operators see it. */
export const damagedView = z.object({
  table: z.string().check(z.describe('Name of the table.')),
  id: z.string().check(z.describe('Id of the row; of a delivery, the id of its event.')),
  fields: z.array(z.string()).check(z.describe('Fields whose stored values do not fit their schema.')),
})

/** One part of a merchant's data, read in the order of its keys. */
interface Part {
  page(): Statement
  values(after: string): Values
  /** Throws a `DamagedError` for a row that does not fit. */
  read(row: Row, merchantId: string): unknown
  /** What the next page begins behind; undefined where there is none. */
  next(rows: readonly Row[]): string | undefined
}
const ofMerchant = sql`merchant_id = ${param('merchantId')}`
const onward = sql`order by id limit ${sql.raw(String(damagedBounds.rows))}`

/** What a cursor can carry of a key; one that is damaged itself is passed over. */
const keyForm = /^[\w-]{1,48}$/
const lastKey = (rows: readonly Row[]) => {
  if (rows.length < damagedBounds.rows) return undefined
  return rows.map((row) => String(row['id'])).findLast((key) => keyForm.test(key))
}
const byId = (where: ReturnType<typeof sql>, read: Part['read']): Part => ({
  page: lazy(() => compile(sql`select * from ${where} and id > ${param('after')} ${onward}`)),
  values: (after) => ({ after }),
  read,
  next: lastKey,
})

const modes = [sql`test_mode = 0`, sql`test_mode = 1`]
const all: readonly Pick<ResourceDefinition, 'table' | 'item'>[] = Object.values(resources)

/** Deliveries, webhook by webhook; a key is the `seq` of one and the event that was read last. */
const deliveryPart: Part = {
  page: lazy(() =>
    compile(sql`
      select hook.seq, d.*, null as type
      from (select min(seq) as seq from webhooks where ${ofMerchant} and seq >= ${param('webhook')}) as hook
      left join deliveries as d on d.webhook = hook.seq and d.event > iif(hook.seq = ${param('webhook')}, ${param('after')}, '')
      order by d.event limit ${sql.raw(String(damagedBounds.rows))}`),
  ),
  values(key) {
    const [, webhook = '0', after = ''] = /^(\d+)-(.*)$/.exec(key) ?? []
    return { webhook: Number(webhook), after }
  },
  read(row, merchantId) {
    const damage = row['event'] === null ? undefined : damageOfDelivery(row, merchantId)
    if (damage) throw damage
  },
  next(rows) {
    const last = rows.at(-1)
    const hook = last?.['seq']
    if (typeof hook !== 'number') return undefined
    return rows.length < damagedBounds.rows ? `${hook + 1}-` : `${hook}-${String(last?.['event'])}`
  },
}

const parts: readonly Part[] = [
  byId(sql`merchants where id = ${param('merchantId')}`, readMerchant),
  byId(sql`keys where ${ofMerchant}`, readStoredKey),
  ...all.flatMap(({ table, item }) =>
    modes.map((mode) => byId(sql`${table} where ${ofMerchant} and ${mode}`, createRowReader(table, item))),
  ),
  ...modes.map((mode) => byId(sql`events where ${ofMerchant} and ${mode}`, (row) => renderPayload(readEvent(row)))),
  deliveryPart,
  ...modes.map((mode) => byId(sql`audit where ${ofMerchant} and ${mode}`, readEntry)),
]

function damageIn(part: Part, row: Row, merchantId: string): Damage[] {
  try {
    part.read(row, merchantId)
    return []
  } catch (error) {
    if (error instanceof DamagedError) return [error.damage]
    throw error
  }
}

/**
 * The damaged rows of a merchant. A request reads a bounded number of rows and returns those of them that are damaged: a page may be
 * empty and have a next one all the same.
 */
export const damagedRows = new Hono<Env>().get('/', query(damagedQuery), async (c) => {
  const { database } = c.var
  const merchantId = c.req.param('merchantId') ?? ''
  const scope = { merchantId, testMode: false }
  const list = 'damaged rows'
  const { after: position = '' } = readPosition(list, scope, c.req.valid('query'))
  const [, start = '0', begin = ''] = /^(\d+)_(.*)$/.exec(position) ?? []
  const found: z.output<typeof damagedView>[] = []
  let [index, after] = [Number(start), begin]
  for (let statements = 0; ; statements++) {
    const part = parts[index]
    if (!part) break
    if (statements === damagedBounds.statements) {
      c.header('Link', nextLink(c.req.url, createCursor(list, scope, {}, `${index}_${after}`)))
      break
    }
    const [rows = []] = await database.run([part.page(), { merchantId, ...part.values(after) }])
    if (position === '' && index === 0 && rows.length === 0) throw notFound()
    for (const row of rows) {
      for (const { table, id, fields } of damageIn(part, row, merchantId))
        found.push({ table, id, fields: [...fields] })
    }
    const next = part.next(rows)
    if (next === undefined) index++
    after = next ?? ''
  }
  return c.json(found, 200)
})
