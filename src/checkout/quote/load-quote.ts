import { eq, isNotNull, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { orderTypes } from '../../catalogue/resources/details/order-types.ts'
import type { VenueCharge } from '../../catalogue/resources/venue-charges.ts'
import { allOf, type Database, lazy, param } from '../../platform/db/database.ts'
import { db, type RowOf, typed, withRows } from '../../platform/db/query.ts'
import { couponLimitTable } from '../../platform/db/schema/checkout/coupon-limits.ts'
import { couponTable } from '../../platform/db/schema/resources/coupons.ts'
import { customerTable } from '../../platform/db/schema/resources/customers.ts'
import { isInScope, type Scope } from '../../platform/db/scope.ts'
import { findServiceState, type ServiceStateRow } from '../../platform/db/service/service-state.ts'
import { toCodeKeys } from '../../platform/lib/languages/code-keys.ts'
import { weekdays } from '../../platform/lib/opening-hours.ts'
import { findCharges } from '../charges/charge-store.ts'
import { maxAutomatic } from '../coupon-limit-fields.ts'
import { isCodeUsed, isSingleUse, joinCoupons } from '../redemptions/coupon-of-code.ts'
import { countHolds, countOfCustomer } from '../redemptions/redemption-counts.ts'
import { findModifiers, findProducts, type QuotedModifier, type QuotedProduct } from './lines/quoted-dishes.ts'
import { listQuotedProducts, type QuoteRequest } from './quote-request.ts'
import { findMenu, type QuotedMenu } from './quoted-menu.ts'
import { findVenue, type QuotedVenue, readQuotedVenue } from './service/quoted-venue.ts'
import { findServingMenus, type ServingMenu } from './service/serving-menus.ts'
import { parseStored } from './stored-json.ts'

const couponFields = {
  id: couponTable.id,
  merchantId: couponTable.merchantId,
  /** Key of the given code. */
  key: sql<string>`given.value ->> '$.codeKey'`,
  isSingleUse,
  isCodeUsed: isCodeUsed(param('at')),
  type: couponTable.type,
  value: couponTable.value,
  active: couponTable.active,
  minimumOrderAmount: couponTable.minimumOrderAmount,
  individualUse: couponTable.individualUse,
  timesRedeemed: couponTable.timesRedeemed,
  applyToAllProducts: couponTable.applyToAllProducts,
  products: couponTable.products,
  code: couponTable.code,
  codesOnly: couponLimitTable.codesOnly,
  days: couponLimitTable.days,
  begin: couponLimitTable.begin,
  end: couponLimitTable.end,
  orderTypes: couponLimitTable.orderTypes,
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
const ids = z.array(z.string())
const days = z.array(z.enum(weekdays))
const types = z.array(z.enum(orderTypes))
const toCoupon = (row: RowOf<typeof couponFields>) => ({
  ...row,
  products: parseStored(ids, row.products, row, { table: 'coupons', name: 'products' }),
  orderTypes:
    row.orderTypes === null
      ? undefined
      : parseStored(types, row.orderTypes, row, { table: 'coupon_limits', name: 'orderTypes' }),
  days: row.days === null ? undefined : parseStored(days, row.days, row, { table: 'coupon_limits', name: 'days' }),
})
/** The fields of a coupon that no code of the request names. */
const unnamedFields = { ...couponFields, key: sql<string>`''`, isSingleUse: sql<number>`0`, isCodeUsed: sql<number>`0` }
export type QuotedCoupon = ReturnType<typeof toCoupon>

/** Stored data that a quote requires. Damaged rows, and products whose details or modifiers are damaged, are left out. */
export interface QuoteData {
  venue: QuotedVenue
  products: ReadonlyMap<string, QuotedProduct>
  /** Modifiers of the products and of chosen options, with the options that the request names. */
  modifiers: ReadonlyMap<string, QuotedModifier>
  /** Ids of existing options that are sold out at the time of the quote, by modifier. */
  soldOutOptions: ReadonlyMap<string, ReadonlySet<string>>
  /** By `foldCode` of their codes. */
  coupons: ReadonlyMap<string, QuotedCoupon>
  /** Coupons that apply without a code. */
  automatic: readonly QuotedCoupon[]
  /** All charges of the merchant. */
  charges: readonly VenueCharge[]
  isCustomerKnown: boolean
  menu: QuotedMenu | undefined
  /** Menus with products of the lines, a row for each of both. Empty unless they decide what is served. */
  servingMenus: readonly ServingMenu[]
  /** Absent if the venue was never paused. */
  service: ServiceStateRow | undefined
}

const statements = {
  coupons: lazy(() => {
    const build = typed(couponFields, (select) =>
      db
        .select(select)
        .from(
          sql`json_each(${param('codes')}) as given ${joinCoupons(sql`given.value ->> '$.codeKey'`, sql`given.value ->> '$.oldKey'`)}`,
        )
        .leftJoin(couponLimitTable, eq(couponLimitTable.coupon, couponTable.seq))
        .where(isNotNull(couponTable.id)),
    )
    return withRows(build, toCoupon)
  }),
  automatic: lazy(() => {
    const build = typed(unnamedFields, (select) =>
      db
        .select(select)
        .from(couponTable)
        .leftJoin(couponLimitTable, eq(couponLimitTable.coupon, couponTable.seq))
        .where(allOf(isInScope(couponTable), sql`${couponTable.automatic} = 1`))
        .orderBy(couponTable.seq)
        .limit(maxAutomatic),
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

/** Options of a request by modifier: those of lines, of parts of bundles, and those that options offer. */
function groupOptions(items: QuoteRequest['items']) {
  const ofDishes = items.flatMap(({ options, choices }) => [
    ...(options ?? []),
    ...(choices ?? []).flatMap((choice) => choice.options ?? []),
  ])
  const all = ofDishes.flatMap((option) => [option, ...(option.options ?? [])])
  const groups = Map.groupBy(all, ({ modifier }) => modifier)
  return Object.fromEntries(
    Array.from(groups, ([id, options]) => [id, [...new Set(options.map(({ option }) => option))]]),
  )
}

/** Modifiers by id. A modifier whose chosen options offer a damaged one is damaged too: what they cost is unknown. */
function toModifiers(found: readonly QuotedModifier[]): ReadonlyMap<string, QuotedModifier> {
  const damaged = new Set(found.filter(({ isDamaged }) => isDamaged).map(({ id }) => id))
  const offersDamaged = ({ details }: QuotedModifier) =>
    Object.values(details.options).some(({ modifiers }) => modifiers?.some((id) => damaged.has(id)))
  return new Map(found.map((each) => [each.id, { ...each, isDamaged: each.isDamaged || offersDamaged(each) }]))
}

/** Reads all data that a quote for a time in seconds depends on, in one round trip. Undefined if the merchant does not exist. */
export async function loadQuote(
  database: Database,
  scope: Scope,
  {
    items,
    returns,
    coupons,
    customer,
    menu,
  }: Pick<QuoteRequest, 'items' | 'returns' | 'coupons' | 'customer' | 'menu'>,
  at: number,
): Promise<QuoteData | undefined> {
  const values = {
    ...scope,
    ordered: JSON.stringify([...new Set(items.map(({ product }) => product))]),
    products: JSON.stringify([...listQuotedProducts(items), ...(returns ?? []).map(({ product }) => product)]),
    chosen: JSON.stringify(groupOptions(items)),
    codes: JSON.stringify((coupons ?? []).map(toCodeKeys)),
    customer,
    menu,
    at,
  }
  const [[row], products, modifiers, found, automatic, customers, [quotedMenu], [charged], servingMenus, [service]] =
    await database.run(
      [findVenue(), values],
      [findProducts(), values],
      [findModifiers(), values],
      [statements.coupons(), values],
      [statements.automatic(), values],
      [statements.customer(), values],
      [findMenu(), values],
      [findCharges(), values],
      [findServingMenus(), values],
      [findServiceState(), values],
    )
  if (!row) return undefined
  const { venue, damaged } = readQuotedVenue(row)
  const { merchantId } = scope
  if (damaged.length > 0) database.report([{ table: 'merchants', id: merchantId, merchantId, fields: damaged }])
  const byId = toModifiers(modifiers)
  const damages = modifiers.flatMap(({ id, merchantId, damages }) =>
    damages.map((each) => ({ ...each, id, merchantId })),
  )
  if (damages.length > 0) database.report(damages)
  // A product whose options have no certain price is not sold.
  const sound = products.filter((product) => !product.modifiers.some((id) => byId.get(id)?.isDamaged))
  return {
    venue,
    products: toMap(sound, ({ id }) => id),
    modifiers: byId,
    soldOutOptions: new Map(modifiers.map(({ id, soldOut }) => [id, soldOut])),
    coupons: toMap(found, ({ key }) => key),
    automatic,
    charges: charged?.charges ?? [],
    isCustomerKnown: customers.length > 0,
    menu: quotedMenu,
    servingMenus,
    service,
  }
}
