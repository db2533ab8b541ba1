import { type SQL, sql } from 'drizzle-orm'
import { alias, type SQLiteColumn } from 'drizzle-orm/sqlite-core'
import * as z from 'zod/mini'
import { detailTable } from '../../../platform/db/schema/objects/details.ts'
import { modifierTable } from '../../../platform/db/schema/resources/modifiers.ts'
import { productTable } from '../../../platform/db/schema/resources/products.ts'
import { isObject } from '../../../platform/lib/schema-guard.ts'

/** A product that details name. */
export interface RelatedProduct {
  id: string
  /** Ids of the options that are its sizes: they have a price and exist, and the product has their modifier. */
  sizes: ReadonlySet<string>
  isBundle: boolean
}

/** A modifier that details name. */
export interface RelatedModifier {
  id: string
  type: string
  options: ReadonlySet<string>
  /** Whether an option of it offers modifiers. */
  nests: boolean
}

/** The objects that details name and that exist, by id. */
export interface RelatedObjects {
  products: ReadonlyMap<string, RelatedProduct>
  modifiers: ReadonlyMap<string, RelatedModifier>
}

/** Columns that say which merchant and mode the named objects belong to. */
type Scope = Readonly<Record<'merchantId' | 'testMode', SQL | SQLiteColumn>>

const product = alias(productTable, 'named_product')
const sizeModifier = alias(modifierTable, 'size_modifier')
const modifier = alias(modifierTable, 'named_modifier')
const productDetails = alias(detailTable, 'product_details')
const modifierDetails = alias(detailTable, 'modifier_details')

/** Stored JSON without what is not JSON, which the functions of SQLite reject. */
export const soundJson = (column: SQL | SQLiteColumn) => sql`case when json_valid(${column}) then ${column} end`

const isDetailsOf = (
  details: typeof productDetails | typeof modifierDetails,
  table: typeof product | typeof modifier,
  resource: string,
) =>
  sql`${details.merchantId} = ${table.merchantId} and ${details.testMode} = ${table.testMode} and ${details.resource} = ${sql.raw(`'${resource}'`)} and ${details.object} = ${table.seq}`

const inScope = (table: typeof product | typeof modifier, scope: Scope, ids: SQL) =>
  sql`${table.merchantId} = ${scope.merchantId} and ${table.testMode} = ${scope.testMode} and ${table.id} in (${ids})`

/** SQL for the existing products among `ids`, a subquery, as a JSON list of their ids. */
export const selectProductIds = (scope: Scope, ids: SQL) =>
  sql`(select json_group_array(json_object('id', ${product.id})) from ${productTable} as named_product where ${inScope(product, scope, ids)})`

/** SQL for an existing product as JSON, and for the rows of those among `ids`, a subquery. */
const productJson = () => {
  const data = soundJson(productDetails.data)
  return sql`json_object(
    'id', ${product.id}, 'isBundle', ${data} -> '$.bundle' is not null,
    'sizes', (select json_group_array(size.value ->> '$.id')
      from ${modifierTable} as size_modifier cross join json_each(${soundJson(sql`${sizeModifier.options}`)}) as size
      where ${sizeModifier.merchantId} = ${product.merchantId} and ${sizeModifier.testMode} = ${product.testMode}
        and ${sizeModifier.id} = ${data} ->> '$.sizes.modifier' and size.type = 'object'
        and exists (select 1 from json_each(${soundJson(sql`${product.modifiers}`)}) as own where own.value = ${sizeModifier.id})
        and json_type(${data}, '$.sizes.prices."' || (size.value ->> '$.id') || '"') = 'object'))`
}
const fromProducts = (scope: Scope, ids: SQL) => sql`
  from ${productTable} as named_product left join ${detailTable} as product_details on ${isDetailsOf(productDetails, product, 'products')}
  where ${inScope(product, scope, ids)}`

/** SQL for the JSON of a modifier. */
const modifierJson = () => {
  const data = soundJson(modifierDetails.data)
  return sql`json_object(
    'id', ${modifier.id}, 'type', ${modifier.type},
    'options', (select json_group_array(option.value ->> '$.id') from json_each(${soundJson(sql`${modifier.options}`)}) as option where option.type = 'object'),
    'nests', (select count(*) from json_each(${data}, '$.options') as option
      where option.type = 'object' and json_array_length(option.value, '$.modifiers') > 0) > 0)`
}
const fromModifiers = (scope: Scope, ids: SQL) => sql`
  from ${modifierTable} as named_modifier left join ${detailTable} as modifier_details on ${isDetailsOf(modifierDetails, modifier, 'modifiers')}
  where ${inScope(modifier, scope, ids)}`

/** SQL for the existing products among `ids`, a subquery, as JSON for `readRelated`. */
export const selectProducts = (scope: Scope, ids: SQL) =>
  sql`(select json_group_array(${productJson()}) ${fromProducts(scope, ids)})`

/** SQL for the existing modifiers among `ids`, a subquery, as JSON for `readRelated`. */
export const selectModifiers = (scope: Scope, ids: SQL) =>
  sql`(select json_group_array(${modifierJson()}) ${fromModifiers(scope, ids)})`

/** Selects existing objects among `ids`, one in each row, as elements of a list for `readRelated`. */
export const selectEach = {
  products: (scope: Scope, ids: SQL) => sql`select ${productJson()} as related ${fromProducts(scope, ids)}`,
  modifiers: (scope: Scope, ids: SQL) => sql`select ${modifierJson()} as related ${fromModifiers(scope, ids)}`,
} as const

const truth = z.optional(z.union([z.boolean(), z.literal([0, 1])]))
const relatedProduct = z.object({
  id: z.string(),
  sizes: z.optional(z.array(z.unknown())),
  isBundle: truth,
})
const relatedModifier = z.object({ id: z.string(), type: z.string(), options: z.array(z.unknown()), nests: truth })

/** The elements of a list that fit a schema: one that does not fit takes no other with it. */
const parseEach = <Item>(schema: z.ZodMiniType<Item>, list: unknown): Item[] =>
  (Array.isArray(list) ? list : []).flatMap((each: unknown) => {
    const { success, data } = schema.safeParse(each)
    return success ? [data] : []
  })

const toTexts = (list: readonly unknown[]) => new Set(list.filter((each) => typeof each === 'string'))

/** Related objects of which some are changed at the same time. */
interface ChangingObjects {
  products: Map<string, RelatedProduct>
  modifiers: Map<string, RelatedModifier>
}

/** Remembers what details say about their object, for details that name it. */
export function addRelated(
  { products, modifiers }: ChangingObjects,
  { path, id }: { path: string; id: string },
  details: Readonly<Record<string, unknown>>,
): void {
  if (path === 'products') {
    const { sizes, bundle } = details
    const prices = isObject(sizes) && isObject(sizes['prices']) ? Object.keys(sizes['prices']) : []
    products.set(id, { id, sizes: new Set(prices), isBundle: bundle !== undefined })
  }
  const modifier = path === 'modifiers' ? modifiers.get(id) : undefined
  if (!modifier) return
  const options = isObject(details['options']) ? Object.values(details['options']) : []
  const nests = options.some(
    (option) => isObject(option) && Array.isArray(option['modifiers']) && option['modifiers'].length > 0,
  )
  modifiers.set(id, { ...modifier, nests })
}

/** Reads the JSON of `selectProducts` and `selectModifiers`; nothing if it is absent. */
export function readRelated(products: unknown, modifiers: unknown): RelatedObjects {
  const byId = <Related extends { id: string }>(all: readonly Related[]) => new Map(all.map((each) => [each.id, each]))
  return {
    products: byId(
      parseEach(relatedProduct, products).map(({ id, sizes = [], isBundle }) => ({
        id,
        sizes: toTexts(sizes),
        isBundle: Boolean(isBundle),
      })),
    ),
    modifiers: byId(
      parseEach(relatedModifier, modifiers).map(({ id, type, options, nests }) => ({
        id,
        type,
        options: toTexts(options),
        nests: Boolean(nests),
      })),
    ),
  }
}
