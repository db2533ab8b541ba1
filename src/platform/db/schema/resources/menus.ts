import { sql } from 'drizzle-orm'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import {
  baseColumns,
  isJsonList,
  isJsonObject,
  isZeroOrOne,
  linkTable,
  resourceConstraints,
} from '../resource-columns.ts'
import { productTable } from './products.ts'

export const menuTable = sqliteTable(
  'menus',
  {
    ...baseColumns,
    title: text().notNull(),
    description: text(),
    showSectionNavigation: integer({ mode: 'boolean' }).notNull(),
    visible: integer({ mode: 'boolean' }).notNull(),
    allDayMenu: integer({ mode: 'boolean' }).notNull(),
    begin: text(),
    end: text(),
    branding: text({ mode: 'json' }).notNull(),
    sections: text({ mode: 'json' }).notNull(),
  },
  (table) =>
    resourceConstraints('menus', table, {
      lookups: { visible: table.visible },
      checks: {
        flags: isZeroOrOne(table.showSectionNavigation, table.visible, table.allDayMenu),
        window: sql`case when ${table.begin} is null then ${table.end} is null and ${table.allDayMenu} else ${table.end} is not null and ${table.begin} <> ${table.end} end`,
        begin: sql`${table.begin} glob '[0-2][0-9][0-5][0-9]' and ${table.begin} < '2400'`,
        end: sql`${table.end} glob '[0-2][0-9][0-5][0-9]' and ${table.end} <= '2400'`,
        branding: isJsonObject(table.branding),
        sections: isJsonList(table.sections),
      },
    }),
)

/** Links of menus to their products. */
export const menuProducts = linkTable(
  'menu_products',
  () => menuTable.seq,
  () => productTable.seq,
)
