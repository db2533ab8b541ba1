import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { detailTable } from '../../../platform/db/schema/objects/details.ts'
import { menuTable } from '../../../platform/db/schema/resources/menus.ts'
import { productTable } from '../../../platform/db/schema/resources/products.ts'
import type { Issue } from '../../../platform/errors.ts'
import * as field from '../../../platform/http/fields.ts'
import { weekdays } from '../../../platform/lib/opening-hours.ts'
import { isObject } from '../../../platform/lib/schema-guard.ts'
import type { Draft } from '../../resource/definition.ts'
import { createTranslations } from './translations.ts'

const { limits } = field

const price = z.strictObject({
  product: field.reference.check(z.describe('Id of the product.')),
  price: field.amount.check(z.describe("Price of one unit while the menu is served, in the merchant's currency.")),
})

const fields = z.strictObject({
  position: z
    .nullish(field.position)
    .check(
      z.describe('Position among the menus: a lower number comes first. Menus without a position come last, by title.'),
    ),
  days: z
    .nullish(
      field
        .set(z.enum(weekdays), weekdays.length)
        .check(
          field.rules((days) => (days.length > 0 ? undefined : { code: 'too_short', message: 'must have a day' })),
        ),
    )
    .check(
      z.describe(
        'Weekdays on which the menu is served, by the clock of the venue. Hours past midnight belong to the day on which they begin. Absent: every day.',
      ),
    ),
  dates: z
    .nullish(
      z.strictObject({
        from: z.nullish(field.date).check(z.describe('First day: `YYYY-MM-DD`. Absent: no first day.')),
        until: z
          .nullish(field.date)
          .check(z.describe('Last day: `YYYY-MM-DD`, not before `from`. Absent: no last day.')),
      }),
    )
    .check(z.describe('Days between which the menu is served, both included, by the clock of the venue.')),
  prices: z
    .nullish(
      field.uniqueList(price, limits.menuPrices, (entry) =>
        isObject(entry) && typeof entry['product'] === 'string' ? entry['product'] : undefined,
      ),
    )
    .check(
      z.describe(
        'Prices that replace those of products while the menu is served. Prices of deleted products disappear with them.',
      ),
    ),
  translations: createTranslations(
    z.strictObject({
      title: z.nullish(field.title).check(z.describe('Translated title.')),
      description: z.nullish(field.text).check(z.describe('Translated description.')),
      sections: z
        .nullish(
          z.record(
            z.string(),
            z.nullish(
              z.strictObject({
                title: z.nullish(field.label).check(z.describe('Translated name of the section.')),
                description: z.nullish(field.text).check(z.describe('Translated description.')),
              }),
            ),
          ),
        )
        .check(z.describe('Texts of sections by their ids.')),
    }),
    'Texts of the menu and its sections',
  ),
})

const text = z.optional(z.string())
const texts = { title: text, description: text }

const view = z.object({
  position: z.optional(z.int()),
  days: z.optional(z.array(z.enum(weekdays))),
  dates: z.optional(z.object({ from: text, until: text })),
  prices: z.optional(z.array(z.object({ product: z.string(), price: z.number() }))),
  translations: z.optional(
    z.record(z.string(), z.object({ ...texts, sections: z.optional(z.record(z.string(), z.object(texts))) })),
  ),
})

function check({ dates }: Draft): readonly Issue[] {
  if (!isObject(dates)) return []
  const { from, until } = dates
  return typeof from === 'string' && typeof until === 'string' && until < from
    ? [{ pointer: '/dates/until', code: 'conflict', message: 'must not be before from' }]
    : []
}

/** SQL for the products in the prices of stored details. */
const pricedProducts = sql`, 'products', json((
  select json_group_array(${productTable.id})
  from json_each(case when json_valid(${detailTable.data}) then ${detailTable.data} end, '$.prices') as priced
  cross join ${productTable} on ${productTable.merchantId} = ${detailTable.merchantId}
    and ${productTable.testMode} = ${detailTable.testMode} and ${productTable.id} = priced.value ->> 'product'))`

/** Details of menus. */
export const menuDetails = {
  body: { schema: fields, partial: fields, readOnly: new Set<string>() },
  view,
  parts: { field: 'sections', column: menuTable.sections, one: 'a section' },
  prices: 'prices',
  more: pricedProducts,
  check,
}
