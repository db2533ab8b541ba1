import { and, eq, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { menuDetails } from '../../../catalogue/resources/details/menu-details.ts'
import { allOf, lazy, param } from '../../../platform/db/database.ts'
import { parseJson, type RowOf, selectList, typed, withRows } from '../../../platform/db/query.ts'
import { merchantTable } from '../../../platform/db/schema/merchants.ts'
import { detailTable, isSideOf } from '../../../platform/db/schema/objects/details.ts'
import { menuProducts, menuTable } from '../../../platform/db/schema/resources/menus.ts'
import { productTable } from '../../../platform/db/schema/resources/products.ts'
import { isInScope } from '../../../platform/db/scope.ts'
import { parseStored } from '../stored-json.ts'

const fields = {
  id: menuTable.id,
  merchantId: menuTable.merchantId,
  allDayMenu: menuTable.allDayMenu,
  begin: menuTable.begin,
  end: menuTable.end,
  /** When the menu is served: the details can have 1 MiB. */
  details: sql<
    string | null
  >`(select json_object('days', ${detailTable.data} -> '$.days', 'dates', ${detailTable.data} -> '$.dates',
    'orderTypes', ${detailTable.data} -> '$.orderTypes') from ${detailTable} where ${isSideOf(detailTable, menuTable)})`,
  product: sql<string>`${productTable.id}`,
}
const hours = z.pick(menuDetails.view, { days: true, dates: true, orderTypes: true })
const withoutNulls = (value: object) => Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null))

const toMenu = ({ begin, end, details, ...row }: RowOf<typeof fields>) => ({
  id: row.id,
  allDayMenu: row.allDayMenu,
  begin: begin ?? undefined,
  end: end ?? undefined,
  product: row.product,
  ...parseStored(hours, withoutNulls(Object(parseJson(details ?? '{}'))), row, { table: 'details', name: 'data' }),
})

/** A menu with a product of an order: its hours, and the id of the product. */
export type ServingMenu = ReturnType<typeof toMenu>

/** The hours of the venue close it, and the order names no menu: menus decide what is served. */
const isJudged: SQL = sql`${param('menu')} is null
  and exists (select 1 from ${merchantTable} where ${and(eq(merchantTable.id, param('merchantId')), eq(merchantTable.hoursClose, true))})`

/** Reads a row for each product of `:ordered`, a JSON list of ids, on each visible menu. No rows unless menus decide what is served. */
export const findServingMenus = lazy(() =>
  withRows(
    typed(
      fields,
      () => sql`
        select ${selectList(fields)} from json_each(iif(${isJudged}, ${param('ordered')}, '[]')) as ordered
          cross join ${productTable} on ${allOf(isInScope(productTable), eq(productTable.id, sql`ordered.value`))}
          cross join ${menuProducts} on ${menuProducts.target} = ${productTable.seq}
          cross join ${menuTable} on ${menuTable.seq} = ${menuProducts.owner}
        where ${allOf(isInScope(menuTable), eq(menuTable.visible, true))}`,
    ),
    toMenu,
  ),
)
