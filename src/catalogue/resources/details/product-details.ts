import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { detailTable } from '../../../platform/db/schema/objects/details.ts'
import { productTable } from '../../../platform/db/schema/resources/products.ts'
import type { Issue } from '../../../platform/errors.ts'
import * as field from '../../../platform/http/fields.ts'
import { isObject } from '../../../platform/lib/schema-guard.ts'
import { foldLabel } from '../../../platform/lib/search-terms.ts'
import type { DetailFields, DetailsContext, DetailsPatch } from '../../resource/details/details-definition.ts'
import { selectModifiers, selectProducts, soundJson } from '../../resource/details/related-objects.ts'
import { bundleField, bundleView, checkBundle, completeBundle, keepBundle } from './bundle.ts'
import { contentsView, createContents, toContents } from './contents.ts'
import { findContradictions } from './contradictions.ts'
import { createDeposit, depositView, lacksAmount } from './deposit.ts'
import { checkModifierRules, keepModifierRules, modifierRulesField, modifierRulesView } from './modifier-rules.ts'
import { createTaxRates, taxRatesView } from './order-types.ts'
import { checkSizes, completeSizes, keepSizes, sizesField, sizesView } from './sizes.ts'
import { createTranslations } from './translations.ts'

const { limits, trimmedText } = field
/** A patch that sets labels, with the folded ones by which lists find the product. They are stored and never shown. */
function completeLabels(patch: DetailFields): DetailFields {
  if (!('labels' in patch)) return patch
  const { labels } = patch
  const keys = Array.isArray(labels) ? [...new Set(labels.map((label) => foldLabel(String(label))))] : null
  return { ...patch, labelKeys: keys }
}

/** Units by which products are sold. */
const units = ['kg', '100g', 'l'] as const
const nutritionBases = ['100g', '100ml', 'portion'] as const

const mass = (name: string) => z.nullish(field.nutrient).check(z.describe(`${name}, in grams.`))

const fields = z.strictObject({
  ...createContents('product'),
  nutrition: z
    .nullish(
      z.strictObject({
        basis: z
          .nullish(z.enum(nutritionBases))
          .check(z.describe('Amount of the product that the values refer to. Required if a value is set.')),
        energyKcal: z.nullish(field.nutrient).check(z.describe('Energy, in kilocalories.')),
        fat: mass('Fat'),
        saturates: mass('Saturated fatty acids'),
        carbohydrate: mass('Carbohydrate'),
        sugars: mass('Sugars'),
        protein: mass('Protein'),
        salt: mass('Salt'),
      }),
    )
    .check(z.describe('Nutrition declaration.')),
  sizes: sizesField,
  modifierRules: modifierRulesField,
  bundle: bundleField,
  soldBy: z
    .nullish(
      z.strictObject({
        unit: z
          .nullish(z.enum(units))
          .check(z.describe('Unit of the price and of quantities. A quantity of 2.5 at `100g` is 250 g.')),
        step: z
          .nullish(field.step)
          .check(z.describe('Quantities are multiples of it, with up to 3 decimal places. Default: 0.001.')),
      }),
    )
    .check(
      z.describe(
        'Sells the product by weight or volume: `price` is the price of one unit, and quantities of quotes may have decimals. Not possible with sizes or a bundle.',
      ),
    ),
  taxRates: createTaxRates(
    'Tax rates of the product by order type, in place of its own and those of the merchant. Ignored if it is not taxable.',
  ),
  deposit: createDeposit(
    'Deposit of one unit, such as that of a bottle. Added to the total of an order, never discounted. A size may have another.',
  ),
  labels: z
    .nullish(field.set(trimmedText({ min: 1, max: limits.labelLength }), limits.labels))
    .check(z.describe('Labels for the staff, such as a course or a supplier. Guests do not see them.')),
  translations: createTranslations(
    z.strictObject({
      title: z.nullish(field.title).check(z.describe('Translated title.')),
      description: z.nullish(field.text).check(z.describe('Translated description.')),
    }),
    'Texts of the product',
  ),
})

const value = z.optional(z.number())

const view = z.object({
  ...contentsView,
  nutrition: z.optional(
    z.object({
      basis: z.optional(z.enum(nutritionBases)),
      energyKcal: value,
      fat: value,
      saturates: value,
      carbohydrate: value,
      sugars: value,
      protein: value,
      salt: value,
    }),
  ),
  sizes: sizesView,
  modifierRules: modifierRulesView,
  bundle: bundleView,
  soldBy: z.optional(z.object({ unit: z.enum(units), step: value })),
  taxRates: taxRatesView,
  deposit: depositView,
  labels: z.optional(z.array(z.string())),
  translations: z.optional(
    z.record(z.string(), z.object({ title: z.optional(z.string()), description: z.optional(z.string()) })),
  ),
})

function* listFieldIssues({ before, after, patch }: DetailsPatch): Iterable<Issue> {
  const { nutrition, soldBy, deposit } = after
  if (isObject(nutrition) && nutrition['basis'] === undefined) {
    yield { pointer: '/nutrition/basis', code: 'required', message: 'is required if a value is set' }
  }
  if (lacksAmount(deposit)) yield { pointer: '/deposit/amount', code: 'required', message: 'must be given' }
  if (!isObject(soldBy)) return
  if (soldBy['unit'] === undefined) yield { pointer: '/soldBy/unit', code: 'required', message: 'must be given' }
  const changed = ['soldBy', 'sizes', 'bundle'].find((field) => isObject(patch[field]))
  // Stored sizes that no longer fit are not shown, and prevent nothing.
  const has = (field: string) => after[field] !== undefined && (isObject(patch[field]) || before[field] !== undefined)
  if (changed && (has('sizes') || has('bundle'))) {
    yield { pointer: `/${changed}`, code: 'conflict', message: 'soldBy is not possible with sizes or a bundle' }
  }
}

const check = (change: DetailsPatch, context: DetailsContext): readonly Issue[] => [
  ...listFieldIssues(change),
  ...findContradictions(toContents(change.after), toContents(change.before)),
  ...checkSizes(change, context),
  ...checkModifierRules(change, context),
  ...checkBundle(change, context),
]

/** Stored details of the row that `detailsOf` selects. */
const stored = soundJson(detailTable.data)
const partsOfBundle = sql`select part.value ->> '$.product'
  from json_each(${stored}, '$.bundle.groups') as part_group
  cross join json_each(case when part_group.type = 'object' then part_group.value end, '$.items') as part
  where part.type = 'object'`

/** Details of products. */
export const productDetails = {
  body: { schema: fields, partial: fields, readOnly: new Set<string>() },
  view,
  example: {
    allergens: [
      { code: 'gluten', level: 'contains' },
      { code: 'nuts', level: 'may_contain' },
    ],
    diets: ['vegetarian'],
    nutrition: { basis: 'portion', energyKcal: 320, fat: 12.5 },
    translations: { fr: { title: 'Tartine', description: 'Au beurre' } },
  } satisfies z.output<typeof view>,
  parts: {
    field: 'modifiers',
    column: productTable.modifiers,
    one: 'a modifier',
    areTranslated: false,
    members: [],
  },
  references: [
    { target: 'modifiers', path: ['sizes', 'modifier'] },
    { target: 'modifiers', path: ['modifierRules', '*', 'modifier'] },
    { target: 'products', path: ['bundle', 'groups', '*', 'items', '*', 'product'] },
  ],
  optionPaths: [
    ['sizes', 'prices'],
    ['bundle', 'groups', '*', 'items', '*', 'size'],
  ],
  more: sql`, 'modifiers', json(${selectModifiers(detailTable, sql`${stored} ->> '$.sizes.modifier'`)})
    , 'products', json(${selectProducts(detailTable, partsOfBundle)})`,
  complete: (patch: DetailFields, before: DetailFields) =>
    completeSizes(completeLabels(completeBundle(patch, before)), before),
  // A part may be named in one of its sizes.
  isLast: ({ bundle }: DetailFields) => isObject(bundle),
  keep(details: DetailFields, context: DetailsContext): DetailFields {
    const kept = keepSizes(keepModifierRules(keepBundle(details, context), context), context)
    const { soldBy: _, ...withoutUnit } = kept
    return kept['sizes'] === undefined && kept['bundle'] === undefined ? kept : withoutUnit
  },
  check,
} as const
