import { eq, sql } from 'drizzle-orm'
import { menuDetails } from '../../catalogue/resources/details/menu-details.ts'
import { allOf, lazy, param } from '../../platform/db/database.ts'
import { db, parseJson, type RowOf, typed, withRows } from '../../platform/db/query.ts'
import { detailTable, isSideOf } from '../../platform/db/schema/objects/details.ts'
import { menuTable } from '../../platform/db/schema/resources/menus.ts'
import { isInScope } from '../../platform/db/scope.ts'
import { parseStored } from './stored-json.ts'

const menuFields = {
  id: menuTable.id,
  merchantId: menuTable.merchantId,
  visible: menuTable.visible,
  allDayMenu: menuTable.allDayMenu,
  begin: menuTable.begin,
  end: menuTable.end,
  details: sql<string | null>`${detailTable.data}`,
}
const toMenu = ({ begin, end, ...row }: RowOf<typeof menuFields>) => {
  const details = parseStored(menuDetails.view, parseJson(row.details ?? '{}'), row, { table: 'details', name: 'data' })
  return {
    visible: row.visible,
    allDayMenu: row.allDayMenu,
    begin: begin ?? undefined,
    end: end ?? undefined,
    ...details,
  }
}

/** The menu that a quote names, with its days, dates and prices. */
export type QuotedMenu = ReturnType<typeof toMenu>

/** Reads the menu `:menu`. */
export const findMenu = lazy(() => {
  const build = typed(menuFields, (select) =>
    db
      .select(select)
      .from(menuTable)
      .leftJoin(detailTable, isSideOf(detailTable, menuTable))
      .where(allOf(isInScope(menuTable), eq(menuTable.id, param('menu')))),
  )
  return withRows(build, toMenu)
})
