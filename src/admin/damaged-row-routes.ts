import { asc, eq, getTableColumns, gt, gte, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { Hono } from 'hono'
import * as z from 'zod/mini'
import type { ResourceDefinition } from '../catalogue/resource/definition.ts'
import { resourceList, resources } from '../catalogue/resources/registry.ts'
import { limitColumns } from '../checkout/coupon-limit-rows.ts'
import { redemptionListFields } from '../checkout/redemptions/redemption-list.ts'
import { type Damage, DamagedError } from '../platform/db/damaged-rows.ts'
import { allOf, compile, lazy, param } from '../platform/db/database.ts'
import { merchantDatabase } from '../platform/db/home/merchant-connection.ts'
import { createRowReader, db, selectList, typed, withRawRows } from '../platform/db/query.ts'
import type { Row } from '../platform/db/row.ts'
import { auditTable } from '../platform/db/schema/audit.ts'
import { couponLimitTable } from '../platform/db/schema/checkout/coupon-limits.ts'
import { redemptionTable } from '../platform/db/schema/checkout/redemptions.ts'
import { invitationTable, passkeyTable, userTable } from '../platform/db/schema/directory/users.ts'
import { deliveryTable, eventTable } from '../platform/db/schema/events.ts'
import { keyTable } from '../platform/db/schema/keys.ts'
import { merchantTable } from '../platform/db/schema/merchants.ts'
import { couponTable } from '../platform/db/schema/resources/coupons.ts'
import { notFound } from '../platform/errors.ts'
import type { Env } from '../platform/http/context.ts'
import { createCursor, listFields, nextLink, readPosition } from '../platform/http/pagination.ts'
import { query } from '../platform/http/validation.ts'
import { renderPayload } from '../webhooks/payload.ts'
import { deliveryFields, readDelivery } from '../webhooks/rows/stored-delivery.ts'
import { eventFields, readEvent } from '../webhooks/rows/stored-event.ts'
import { entryFields } from './audit-routes.ts'
import { createPart, createTypedPart, type DataPart, damagedBounds, keyPattern } from './damaged-parts.ts'
import { storedKeyFields, toStoredKey } from './keys/key-statements.ts'
import { merchantFields, readSoundMerchant } from './stored-merchant.ts'

/** Number of members whose passkeys one statement reads. A person has at most 10 passkeys. */
const membersAtATime = 10

const passkeyFields = getTableColumns(passkeyTable)
const findPasskeys = lazy(() => {
  const members = db
    .select({ id: userTable.id, person: userTable.person })
    .from(userTable)
    .where(allOf(eq(userTable.merchantId, param('merchantId')), gt(userTable.id, param('after'))))
    .orderBy(asc(userTable.id))
    .limit(membersAtATime)
    .as('member')
  return typed(passkeyFields, (select) =>
    db
      .select({ ...select, member: sql`${members.id}`.as('member') })
      .from(members)
      .leftJoin(passkeyTable, eq(passkeyTable.person, members.person))
      .orderBy(asc(members.id)),
  )
})
/** Passkeys, member by member: their ids are too long for a cursor. A key is the id of a member. */
const passkeyPart: DataPart = {
  page: () => withRawRows(findPasskeys()),
  values: (after) => ({ after }),
  read({ member: _, ...row }, merchantId) {
    if (row['id'] !== null) findPasskeys().read({ ...row, merchantId })
  },
  next(rows) {
    const members = new Set(rows.map((row) => String(row['member'])))
    return members.size < membersAtATime ? undefined : [...members].findLast((key) => keyPattern.test(key))
  },
}

/** Members of a merchant, their passkeys, and invitations. All are in the directory. */
const peopleParts: readonly DataPart[] = [
  createTypedPart(getTableColumns(userTable), eq(userTable.merchantId, param('merchantId'))),
  passkeyPart,
  createTypedPart(getTableColumns(invitationTable), eq(invitationTable.merchantId, param('merchantId'))),
]

export const damagedQuery = z.strictObject({ cursor: listFields.cursor })

/** A damaged row as operators see it. */
export const damagedView = z.object({
  table: z.string().check(z.describe('Name of the table.')),
  id: z
    .string()
    .check(z.describe('Id of the row; of a delivery, the id of its event; of limits, the id of their coupon.')),
  fields: z.array(z.string()).check(z.describe('Fields whose stored values do not fit their schema.')),
})

type ScopedTable = Pick<ResourceDefinition['table'], 'id' | 'merchantId' | 'testMode'> & SQLiteTable
/** One part for each mode of a table. */
const createModeParts = (table: Omit<ScopedTable, 'id'>, create: (isInScope: SQL) => DataPart): DataPart[] =>
  [false, true].map((testMode) =>
    create(allOf(eq(table.merchantId, param('merchantId')), eq(table.testMode, testMode))),
  )

/** Parts of rows with a mode, one for each mode. `read` receives rows keyed by SQL names. */
const createScopedParts = (table: ScopedTable, read: (row: Row) => unknown, columns = sql`*`): DataPart[] =>
  createModeParts(table, (isInScope) => {
    const where = allOf(isInScope, gt(table.id, param('after')))
    const page = lazy(() =>
      compile(
        sql`select ${columns} from ${table} where ${where} order by ${table.id} limit ${sql.raw(String(damagedBounds.rows))}`,
      ),
    )
    return createPart(page, read)
  })

/** Limits of coupons, read coupon by coupon. The join includes coupons without limits, so that a page reads a bounded number of rows. */
function createLimitPart(isInScope: SQL): DataPart {
  const fields = { id: couponTable.id, merchantId: couponTable.merchantId, ...limitColumns }
  const statement = lazy(() =>
    typed(fields, (select) =>
      db
        .select(select)
        .from(couponTable)
        .leftJoin(couponLimitTable, eq(couponLimitTable.coupon, couponTable.seq))
        .where(allOf(isInScope, gt(couponTable.id, param('after'))))
        .orderBy(asc(couponTable.id))
        .limit(damagedBounds.rows),
    ),
  )
  return createPart(
    () => withRawRows(statement()),
    (row) => statement().read(row),
  )
}

const { table: webhookTable } = resources.webhooks
/** Deliveries, read webhook by webhook. A key is the `seq` of a webhook and the last event read. */
const deliveryPart: DataPart = {
  page: lazy(() => {
    const isNext = allOf(eq(webhookTable.merchantId, param('merchantId')), gte(webhookTable.seq, param('webhook')))
    return compile(sql`
      select hook.seq, ${selectList(deliveryFields)}
      from (select min(${webhookTable.seq}) as seq from ${webhookTable} where ${isNext}) as hook
      left join ${deliveryTable} on ${deliveryTable.webhook} = hook.seq
        and ${deliveryTable.event} > iif(hook.seq = ${param('webhook')}, ${param('after')}, '')
      order by ${deliveryTable.event} limit ${sql.raw(String(damagedBounds.rows))}`)
  }),
  values(key) {
    const [, webhook = '0', after = ''] = /^(\d+)-(.*)$/.exec(key) ?? []
    return { webhook: Number(webhook), after }
  },
  read(row, merchantId) {
    if (row['event'] !== null) readDelivery(row, merchantId)
  },
  next(rows) {
    const last = rows.at(-1)
    const hook = last?.['seq']
    if (typeof hook !== 'number') return undefined
    return rows.length < damagedBounds.rows ? `${hook + 1}-` : `${hook}-${String(last?.['event'])}`
  },
}

const findMerchant = lazy(() =>
  typed(merchantFields, (select) =>
    db
      .select(select)
      .from(merchantTable)
      .where(eq(merchantTable.id, param('merchantId'))),
  ),
)
const merchantPart = createPart(
  () => withRawRows(findMerchant()),
  (row) => readSoundMerchant(findMerchant().read, row),
)

const inDirectory = (part: DataPart): DataPart => ({ ...part, isInDirectory: true })
const definitions: readonly Pick<ResourceDefinition, 'table' | 'item'>[] = resourceList
const parts: readonly DataPart[] = [
  inDirectory(merchantPart),
  inDirectory(createTypedPart(storedKeyFields, eq(keyTable.merchantId, param('merchantId')), toStoredKey)),
  ...peopleParts.map(inDirectory),
  ...definitions.flatMap(({ table, item }) => createScopedParts(table, createRowReader(table, item))),
  ...createScopedParts(eventTable, (row) => renderPayload(readEvent(row)), selectList(eventFields)),
  deliveryPart,
  ...createModeParts(auditTable, (isInScope) => createTypedPart(entryFields, isInScope)),
  ...createModeParts(couponTable, createLimitPart),
  ...createModeParts(redemptionTable, (isInScope) => createTypedPart(redemptionListFields, isInScope)),
]

function damageIn(part: DataPart, row: Row, merchantId: string): Damage[] {
  try {
    part.read(row, merchantId)
    return []
  } catch (error) {
    if (error instanceof DamagedError) return [error.damage]
    throw error
  }
}

/**
 * Lists the damaged rows of a merchant. A request reads a bounded number of rows and returns the damaged ones: a page can be empty
 * although another page follows.
 */
export const damagedRows = new Hono<Env>().get('/', query(damagedQuery), async (c) => {
  const merchantId = c.req.param('merchantId') ?? ''
  const database = merchantDatabase(c.env, { merchantId, home: undefined }, c.req.header('d1-bookmark'))
  const scope = { merchantId, testMode: false }
  const list = 'damaged rows'
  const { after: position = '' } = readPosition(list, scope, c.req.valid('query'))
  const [, firstPart = '0', firstKey = ''] = /^(\d+)_(.*)$/.exec(position) ?? []
  const found: z.output<typeof damagedView>[] = []
  let [index, after] = [Number(firstPart), firstKey]
  for (let statements = 0; ; statements++) {
    const part = parts[index]
    if (!part) break
    if (statements === damagedBounds.statements) {
      c.header('Link', nextLink(c.req.url, createCursor(list, scope, {}, `${index}_${after}`)))
      break
    }
    const source = part.isInDirectory ? c.var.database : database
    const isOfMerchant = position === '' && index === 0
    const read = () => source.run([part.page(), { merchantId, ...part.values(after) }])
    const [rows = []] = await source.findNamed(read, ([found = []]) => !isOfMerchant || found.length > 0)
    if (isOfMerchant && rows.length === 0) throw notFound()
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
