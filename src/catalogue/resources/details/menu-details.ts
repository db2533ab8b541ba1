import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { detailTable } from '../../../platform/db/schema/objects/details.ts'
import { menuTable } from '../../../platform/db/schema/resources/menus.ts'
import type { Issue } from '../../../platform/errors.ts'
import { weekdaySet } from '../../../platform/http/fields/weekdays.ts'
import * as field from '../../../platform/http/fields.ts'
import { toJsonPointer } from '../../../platform/lib/encoding/json-pointer.ts'
import { weekdays } from '../../../platform/lib/opening-hours.ts'
import { isObject } from '../../../platform/lib/schema-guard.ts'
import type { DetailFields, DetailsContext, DetailsPatch } from '../../resource/details/details-definition.ts'
import { selectProductIds, selectProducts, soundJson } from '../../resource/details/related-objects.ts'
import { createOrderTypes, orderTypesView } from './order-types.ts'
import { createTranslations } from './translations.ts'

const { limits } = field

const price = z
  .strictObject({
    product: field.reference.check(z.describe('Id of the product.')),
    price: z
      .nullish(field.amount)
      .check(
        z.describe(
          "Price of one unit while the menu is served, in the merchant's currency. Required without `sizes`. Ignored for a product with sizes.",
        ),
      ),
    sizes: z
      .nullish(z.record(z.string(), field.amount))
      .check(
        z.describe('Prices by the id of the option that is the size. A size that is absent keeps its ordinary price.'),
      ),
  })
  .check(({ value, issues }) => {
    const { price, sizes } = value
    if (typeof price === 'number' || Object.keys(sizes ?? {}).length > 0) return
    const message = 'must be given, or sizes'
    issues.push({ code: 'custom', params: { code: 'required' }, message, input: price, path: ['price'] })
  })

const fields = z.strictObject({
  position: z
    .nullish(field.position)
    .check(
      z.describe('Position among the menus: a lower number comes first. Menus without a position come last, by title.'),
    ),
  days: z
    .nullish(weekdaySet)
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
  orderTypes: createOrderTypes('Order types for which the menu is served. Absent: all. Quotes check it.'),
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
  orderTypes: orderTypesView,
  prices: z.optional(
    z.array(
      z.object({
        product: z.string(),
        price: z.optional(z.number()),
        sizes: z.optional(z.record(z.string(), z.number())),
      }),
    ),
  ),
  translations: z.optional(
    z.record(z.string(), z.object({ ...texts, sections: z.optional(z.record(z.string(), z.object(texts))) })),
  ),
})

/** Issues of prices of sizes that products do not have. */
function* checkPrices({ patch }: DetailsPatch, { products }: DetailsContext): Iterable<Issue> {
  const { prices } = patch
  for (const [index, entry] of Array.isArray(prices) ? prices.entries() : []) {
    if (!isObject(entry) || !isObject(entry['sizes'])) continue
    const product = products.get(String(entry['product']))
    for (const size of Object.keys(entry['sizes'])) {
      if (!product || product.sizes.has(size)) continue
      const pointer = toJsonPointer(['prices', index, 'sizes', size])
      yield { pointer, code: 'not_found', message: 'is not a size of the product' }
    }
  }
}

function* checkDates({ after: { dates } }: DetailsPatch): Iterable<Issue> {
  if (!isObject(dates)) return
  const { from, until } = dates
  if (typeof from === 'string' && typeof until === 'string' && until < from) {
    yield { pointer: '/dates/until', code: 'conflict', message: 'must not be before from' }
  }
}

/** Leaves out prices of products and of sizes that are gone. */
function keep(details: DetailFields, { products }: DetailsContext): DetailFields {
  const { prices } = details
  if (!Array.isArray(prices)) return details
  const kept = prices.flatMap((entry: unknown) => {
    const product = isObject(entry) ? products.get(String(entry['product'])) : undefined
    if (!isObject(entry) || !product) return []
    if (!isObject(entry['sizes'])) return [entry]
    const sizes = Object.entries(entry['sizes']).filter(([size]) => product.sizes.has(size))
    const { sizes: _, ...others } = entry
    if (sizes.length > 0) return [{ ...others, sizes: Object.fromEntries(sizes) }]
    return typeof entry['price'] === 'number' ? [others] : []
  })
  return { ...details, prices: kept }
}

const priced = sql`select priced.value ->> '$.product' from json_each(${soundJson(detailTable.data)}, '$.prices') as priced where priced.type = 'object'`

/** Details of menus. */
export const menuDetails = {
  body: { schema: fields, partial: fields, readOnly: new Set<string>() },
  view,
  example: {
    position: 1,
    days: ['mon', 'tue', 'wed', 'thu', 'fri'],
    dates: { from: '2026-12-01', until: '2026-12-24' },
    prices: [{ product: 'prod_01kajqb2kefz3t5ydm0pg6n9rw', price: 3.5 }],
    translations: {
      fr: { title: 'Petit déjeuner', sections: { sec_01kajqb2kefz3t5ydm0pg6n9rw: { title: 'Cafés' } } },
    },
  } satisfies z.output<typeof view>,
  parts: {
    field: 'sections',
    column: menuTable.sections,
    one: 'a section',
    areTranslated: true,
    members: [],
  },
  references: [{ target: 'products', path: ['prices', '*', 'product'] }],
  optionPaths: [['prices', '*', 'sizes']],
  more: sql`, 'products', json(${selectProductIds(detailTable, priced)})
    , 'sizedProducts', json(${selectProducts(detailTable, sql`${priced} and priced.value -> '$.sizes' is not null`)})`,
  keep,
  check: (change: DetailsPatch, context: DetailsContext) => [...checkDates(change), ...checkPrices(change, context)],
} as const
