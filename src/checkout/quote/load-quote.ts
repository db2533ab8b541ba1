import { eq, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import * as z from 'zod/mini'
import { modifiers as modifierResource } from '../../catalogue/resources/modifiers.ts'
import { allOf, type Database, lazy, param } from '../../platform/db/database.ts'
import { db, listed, type RowOf, typed, withRows } from '../../platform/db/query.ts'
import { availabilityTable } from '../../platform/db/schema/availability.ts'
import { couponLimitTable } from '../../platform/db/schema/checkout/coupon-limits.ts'
import { merchantTable } from '../../platform/db/schema/merchants.ts'
import { couponTable } from '../../platform/db/schema/resources/coupons.ts'
import { customerTable } from '../../platform/db/schema/resources/customers.ts'
import { modifierTable } from '../../platform/db/schema/resources/modifiers.ts'
import { productModifiers, productTable } from '../../platform/db/schema/resources/products.ts'
import { isInScope, type Scope } from '../../platform/db/scope.ts'
import { foldCode } from '../../platform/lib/search-terms.ts'
import { countHolds, countOfCustomer } from '../redemptions/redemption-counts.ts'
import type { QuoteRequest } from './quote-request.ts'
import { findMenu, type QuotedMenu } from './quoted-menu.ts'
import { parseStored } from './stored-json.ts'

const venueFields = {
  currency: merchantTable.currency,
  timezone: merchantTable.timezone,
  pricesIncludeTax: merchantTable.pricesIncludeTax,
  taxRate: merchantTable.taxRate,
  taxRounding: merchantTable.taxRounding,
}
const productFields = {
  id: productTable.id,
  merchantId: productTable.merchantId,
  title: productTable.title,
  price: productTable.price,
  visible: productTable.visible,
  taxable: productTable.taxable,
  useCustomTaxRate: productTable.useCustomTaxRate,
  taxRate: productTable.taxRate,
  manageStock: productTable.manageStock,
  stockQuantity: productTable.stockQuantity,
  modifiers: productTable.modifiers,
  soldOutUntil: sql<number | null>`${availabilityTable.soldOutUntil}`,
}
const couponFields = {
  id: couponTable.id,
  merchantId: couponTable.merchantId,
  codeKey: couponTable.codeKey,
  type: couponTable.type,
  value: couponTable.value,
  active: couponTable.active,
  minimumOrderAmount: couponTable.minimumOrderAmount,
  individualUse: couponTable.individualUse,
  timesRedeemed: couponTable.timesRedeemed,
  applyToAllProducts: couponTable.applyToAllProducts,
  products: couponTable.products,
  startsAt: couponLimitTable.startsAt,
  endsAt: couponLimitTable.endsAt,
  maxRedemptions: couponLimitTable.maxRedemptions,
  maxRedemptionsPerCustomer: couponLimitTable.maxRedemptionsPerCustomer,
  maxDiscount: couponLimitTable.maxDiscount,
  /** Number of holds that have not expired. */
  held: sql<number>`${countHolds(couponTable.id, param('at'))}`,
  /** Number of redemptions and unexpired holds of the customer. */
  ofCustomer: sql<number>`${countOfCustomer(couponTable.id, param('customer'), param('at'))}`,
}
/** Options that the request names, by modifier: `{"mod_…": ["opt_…"]}`. */
const chosen = sql`${param('chosen')}`
const modifierFields = {
  id: modifierTable.id,
  merchantId: modifierTable.merchantId,
  type: modifierTable.type,
  rules: modifierTable.rules,
  /** Only the chosen options: a product can have 12,500 of them. */
  options: sql<string>`(
    select json_group_array(json(value)) from json_each(iif(${chosen} -> ${modifierTable.id} is null, '[]', ${modifierTable.options}))
    where value ->> '$.id' in (select value from json_each(${chosen} -> ${modifierTable.id})))`,
}

const ids = z.array(z.string())
const { rules, options } = modifierResource.item.shape

const toProduct = (row: RowOf<typeof productFields>) => ({
  ...row,
  modifiers: parseStored(ids, row.modifiers, row, { table: 'products', name: 'modifiers' }),
})
const toCoupon = (row: RowOf<typeof couponFields>) => ({
  ...row,
  products: parseStored(ids, row.products, row, { table: 'coupons', name: 'products' }),
})
const toModifier = (row: RowOf<typeof modifierFields>) => ({
  ...row,
  rules: parseStored(rules, row.rules, row, { table: 'modifiers', name: 'rules' }),
  options: parseStored(options, JSON.parse(row.options), row, { table: 'modifiers', name: 'options' }),
})

export type QuotedVenue = RowOf<typeof venueFields>
export type QuotedProduct = ReturnType<typeof toProduct>
export type QuotedModifier = ReturnType<typeof toModifier>
export type QuotedCoupon = ReturnType<typeof toCoupon>

/** Stored data that a quote requires. Damaged rows are left out. */
export interface QuoteData {
  venue: QuotedVenue
  products: ReadonlyMap<string, QuotedProduct>
  /** Modifiers of the products, with the options that the request names. */
  modifiers: ReadonlyMap<string, QuotedModifier>
  /** By `foldCode` of their codes. */
  coupons: ReadonlyMap<string, QuotedCoupon>
  isCustomerKnown: boolean
  menu: QuotedMenu | undefined
}

const isListed = (column: SQLiteColumn, name: string): SQL => sql`${column} in ${listed(name)}`
const isOrdered = allOf(isInScope(productTable), isListed(productTable.id, 'products'))

const statements = {
  venue: lazy(() =>
    typed(venueFields, (select) =>
      db
        .select(select)
        .from(merchantTable)
        .where(eq(merchantTable.id, param('merchantId'))),
    ),
  ),
  products: lazy(() => {
    const isOfProduct = allOf(isInScope(availabilityTable), eq(availabilityTable.product, productTable.id))
    const build = typed(productFields, (select) =>
      db.select(select).from(productTable).leftJoin(availabilityTable, isOfProduct).where(isOrdered),
    )
    return withRows(build, toProduct)
  }),
  modifiers: lazy(() => {
    const ordered = db.select({ seq: productTable.seq }).from(productTable).where(isOrdered)
    const offered = db
      .select({ target: productModifiers.target })
      .from(productModifiers)
      .where(sql`${productModifiers.owner} in ${ordered}`)
    const isOffered = allOf(isInScope(modifierTable), sql`${modifierTable.seq} in ${offered}`)
    return withRows(
      typed(modifierFields, (select) => db.select(select).from(modifierTable).where(isOffered)),
      toModifier,
    )
  }),
  coupons: lazy(() => {
    const isGiven = allOf(isInScope(couponTable), isListed(couponTable.codeKey, 'codes'))
    const build = typed(couponFields, (select) =>
      db
        .select(select)
        .from(couponTable)
        .leftJoin(couponLimitTable, eq(couponLimitTable.coupon, couponTable.seq))
        .where(isGiven),
    )
    return withRows(build, toCoupon)
  }),
  customer: lazy(() =>
    typed({ id: customerTable.id }, (select) =>
      db
        .select(select)
        .from(customerTable)
        .where(allOf(isInScope(customerTable), eq(customerTable.id, param('customer')))),
    ),
  ),
}

const toMap = <Item>(items: readonly Item[], getKey: (item: Item) => string) =>
  new Map(items.map((item) => [getKey(item), item]))

/** Options of a request by modifier. */
function groupOptions(items: QuoteRequest['items']) {
  const all = items.flatMap(({ options }) => options ?? [])
  const groups = Map.groupBy(all, ({ modifier }) => modifier)
  return Object.fromEntries(
    Array.from(groups, ([id, options]) => [id, [...new Set(options.map(({ option }) => option))]]),
  )
}

/** Reads all data that a quote for a time in seconds depends on, in one round trip. Undefined if the merchant does not exist. */
export async function loadQuote(
  database: Database,
  scope: Scope,
  { items, coupons, customer, menu }: QuoteRequest,
  at: number,
): Promise<QuoteData | undefined> {
  const values = {
    ...scope,
    products: JSON.stringify([...new Set(items.map(({ product }) => product))]),
    chosen: JSON.stringify(groupOptions(items)),
    codes: JSON.stringify((coupons ?? []).map(foldCode)),
    customer,
    menu,
    at,
  }
  const [[venue], products, modifiers, found, customers, [quotedMenu]] = await database.run(
    [statements.venue(), values],
    [statements.products(), values],
    [statements.modifiers(), values],
    [statements.coupons(), values],
    [statements.customer(), values],
    [findMenu(), values],
  )
  if (!venue) return undefined
  return {
    venue,
    products: toMap(products, ({ id }) => id),
    modifiers: toMap(modifiers, ({ id }) => id),
    coupons: toMap(found, ({ codeKey }) => codeKey),
    isCustomerKnown: customers.length > 0,
    menu: quotedMenu,
  }
}
