import { eq, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import * as z from 'zod/mini'
import { readDetails } from '../../../catalogue/resource/details/details-definition.ts'
import { soundJson } from '../../../catalogue/resource/details/related-objects.ts'
import { productDetails } from '../../../catalogue/resources/details/product-details.ts'
import { modifiers as modifierResource } from '../../../catalogue/resources/modifiers.ts'
import { allOf, lazy, param } from '../../../platform/db/database.ts'
import { db, listed, parseJson, type RowOf, typed, withRows } from '../../../platform/db/query.ts'
import { availabilityTable, optionAvailabilityTable } from '../../../platform/db/schema/availability.ts'
import { detailTable, isSideOf } from '../../../platform/db/schema/objects/details.ts'
import { modifierTable } from '../../../platform/db/schema/resources/modifiers.ts'
import { productModifiers, productTable } from '../../../platform/db/schema/resources/products.ts'
import { isInScope } from '../../../platform/db/scope.ts'
import { parseStored } from '../stored-json.ts'

/** Details of the product without their translations, and the objects that they name. */
const detailsOfProduct = sql<string | null>`(
  select json_object('data', json(${soundJson(detailTable.data)}), 'translations', json('{}') ${productDetails.more})
  from ${detailTable} where ${isSideOf(detailTable, productTable)})`

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
  details: detailsOfProduct,
}

/** Options that the request names, by modifier: `{"mod_…": ["opt_…"]}`. */
const chosen = sql`${param('chosen')}`
const isChosen = (option: SQL, modifier: typeof modifierTable | typeof parent) =>
  sql`${option} in (select value from json_each(${chosen} -> ${modifier.id}))`

const parent = alias(modifierTable, 'parent')
const named = alias(modifierTable, 'named')
const data = soundJson(detailTable.data)
const entryKey = sql`entry.key`
/** An object in JSON; a text, which no schema accepts, for anything else. */
const objectOr = (object: SQL) => sql`json(case when entry.type = 'object' then ${object} else '"damaged"' end)`
const isObjectOrAbsent = (member: 'options' | 'sizedCosts') =>
  sql`coalesce(json_type(${data}, ${sql.raw(`'$.${member}'`)}), 'object') = 'object'`

/** Details of a modifier that prices and rules need, with the chosen options only: details can have 1 MiB. */
const detailsOfModifier = sql<string | null>`(
  select case when json_type(${data}) = 'object' and ${isObjectOrAbsent('options')} and ${isObjectOrAbsent('sizedCosts')} then json_object(
    'min', ${data} -> '$.min', 'max', ${data} -> '$.max', 'pricing', ${data} -> '$.pricing',
    'options', (select json_group_object(entry.key, ${objectOr(
      sql`json_object('max', entry.value -> '$.max', 'modifiers', entry.value -> '$.modifiers', 'ageLimit', entry.value -> '$.ageLimit')`,
    )}) from json_each(${data}, '$.options') as entry where ${isChosen(entryKey, modifierTable)}),
    'sizedCosts', (select json_group_object(entry.key, ${objectOr(sql`entry.value`)})
      from json_each(${data}, '$.sizedCosts') as entry where ${isChosen(entryKey, modifierTable)}),
    'limits', (select json_group_object(entry.key, entry.value ->> '$.max')
      from json_each(${data}, '$.options') as entry where entry.type = 'object' and entry.value -> '$.max' is not null),
    'nests', (select count(*) from json_each(${data}, '$.options') as entry
      where entry.type = 'object' and json_array_length(entry.value, '$.modifiers') > 0)
  ) else 'damaged' end
  from ${detailTable} where ${isSideOf(detailTable, modifierTable)})`

const soundOptions = soundJson(modifierTable.options)
const modifierFields = {
  id: modifierTable.id,
  merchantId: modifierTable.merchantId,
  type: modifierTable.type,
  rules: sql<string>`${modifierTable.rules}`,
  /** Only the chosen options: a product can have 12,500 of them. */
  options: sql<string>`(
    select json_group_array(json(value)) from json_each(iif(${chosen} -> ${modifierTable.id} is null, '[]', ${soundOptions}))
    where ${isChosen(sql`case when type = 'object' then value ->> '$.id' end`, modifierTable)})`,
  /** Number of options; -1 if they are no list. */
  optionCount: sql<number>`iif(json_type(${soundOptions}) = 'array', json_array_length(${soundOptions}), -1)`,
  /** Options that are sold out at the time of the quote. Their rows go with the option. */
  soldOut: sql<string>`(
    select json_group_array(${optionAvailabilityTable.option}) from ${optionAvailabilityTable}
    where ${isInScope(optionAvailabilityTable)} and ${optionAvailabilityTable.modifier} = ${modifierTable.id}
      and ${optionAvailabilityTable.soldOutUntil} > ${param('at')})`,
  details: detailsOfModifier,
}

const ids = z.array(z.string())
const { rules, options } = modifierResource.item.shape
const number = z.nullish(z.number())
const modifierDetails = z.object({
  min: number,
  max: number,
  pricing: z.nullish(z.enum(['sum', 'highest'])),
  options: z.record(z.string(), z.object({ max: number, modifiers: z.nullish(ids), ageLimit: number })),
  sizedCosts: z.record(z.string(), z.record(z.string(), z.number())),
  limits: z.record(z.string(), z.number()),
  nests: z.number(),
})
const none: z.output<typeof modifierDetails> = { options: {}, sizedCosts: {}, limits: {}, nests: 0 }

function toProduct({ details, ...row }: RowOf<typeof productFields>) {
  const modifiers = parseStored(ids, row.modifiers, row, { table: 'products', name: 'modifiers' })
  const {
    sizes,
    modifierRules = [],
    bundle,
    soldBy,
    ageLimit,
    taxRates,
    deposit,
  } = readDetails(productDetails, details, new Set(modifiers), row)
  return {
    ...row,
    modifiers,
    details: {
      sizes,
      modifierRules: new Map(modifierRules.map((rule) => [rule.modifier, rule])),
      bundle,
      soldBy,
      ageLimit,
      taxRates,
      deposit,
    },
  }
}

const noRules: z.output<typeof rules> = {}

/** A modifier. One that is damaged is not left out: an order must not ignore it. */
function toModifier({ details: stored, soldOut, optionCount, ...row }: RowOf<typeof modifierFields>) {
  const found = { rules: rules.safeParse(parseJson(row.rules)), options: options.safeParse(JSON.parse(row.options)) }
  const fields = [
    ...(found.rules.success ? [] : ['rules']),
    ...(found.options.success && optionCount >= 0 ? [] : ['options']),
  ]
  const details = stored === null ? { success: true, data: none } : modifierDetails.safeParse(parseJson(stored))
  const { nests, min, max, pricing, ...others } = details.data ?? none
  return {
    ...row,
    rules: found.rules.data ?? noRules,
    options: found.options.data ?? [],
    optionCount,
    soldOut: new Set(ids.parse(JSON.parse(soldOut))),
    /** Whether options of the modifier offer modifiers. */
    nests: nests > 0,
    /** Fields of its row and its details that cannot be read. */
    damages: [
      ...(fields.length > 0 ? [{ table: 'modifiers', fields }] : []),
      ...(details.success ? [] : [{ table: 'details', fields: ['data'] }]),
    ],
    /** Whether something of it cannot be read. */
    isDamaged: fields.length > 0 || !details.success,
    details: { min: min ?? undefined, max: max ?? undefined, isHighest: pricing === 'highest', ...others },
  }
}

/** A product of a quote, with what its details say about prices. */
export type QuotedProduct = ReturnType<typeof toProduct>
/** A modifier of a quote, with the options that the request names. */
export type QuotedModifier = ReturnType<typeof toModifier>

const isOrdered = allOf(isInScope(productTable), sql`${productTable.id} in ${listed('products')}`)

/** The products `:products`. Leaves out those that are damaged. */
export const findProducts = lazy(() => {
  const isOfProduct = allOf(isInScope(availabilityTable), eq(availabilityTable.product, productTable.id))
  const build = typed(productFields, (select) =>
    db.select(select).from(productTable).leftJoin(availabilityTable, isOfProduct).where(isOrdered),
  )
  return withRows(build, toProduct)
})

/** The modifiers of the products, and those that their chosen options offer. */
export const findModifiers = lazy(() => {
  const ordered = db.select({ seq: productTable.seq }).from(productTable).where(isOrdered)
  const offered = db
    .select({ target: productModifiers.target })
    .from(productModifiers)
    .where(sql`${productModifiers.owner} in ${ordered}`)
  const nested = sql`select ${named.seq} from ${offered} as offered
    cross join ${detailTable} on ${isInScope(detailTable)} and ${detailTable.resource} = 'modifiers' and ${detailTable.object} = offered.target
    cross join ${modifierTable} as parent on ${parent.seq} = offered.target
    cross join json_each(${data}, '$.options') as entry
    cross join json_each(case when entry.type = 'object' then entry.value end, '$.modifiers') as nested
    cross join ${modifierTable} as named on ${isInScope(named)} and ${named.id} = nested.value
    where ${isChosen(entryKey, parent)}`
  const isOffered = allOf(
    isInScope(modifierTable),
    sql`${modifierTable.seq} in (select own.target from ${offered} as own union ${nested})`,
  )
  return withRows(
    typed(modifierFields, (select) => db.select(select).from(modifierTable).where(isOffered)),
    toModifier,
  )
})
