import * as z from 'zod/mini'
import { availabilityTable } from '../../platform/db/schema/availability.ts'
import { productLabelTable } from '../../platform/db/schema/objects/product-labels.ts'
import { jsonListWithout } from '../../platform/db/schema/resource-columns.ts'
import { menuProducts, menuTable } from '../../platform/db/schema/resources/menus.ts'
import { modifierTable } from '../../platform/db/schema/resources/modifiers.ts'
import { productModifiers, productTable } from '../../platform/db/schema/resources/products.ts'
import {
  booleanFilter,
  labelFilter,
  referenceFilter,
  referrerFilter,
  textFilter,
} from '../../platform/http/fields/query-parameters.ts'
import * as field from '../../platform/http/fields.ts'
import { createObjectParser } from '../../platform/lib/schema-guard.ts'
import { deleteMarks, productCrossing } from '../events/sold-out-events.ts'
import { baseFields, createReference, defineResource } from '../resource/define-resource.ts'
import type { Draft } from '../resource/definition.ts'
import { loadLater } from '../resource/details/load-details.ts'

const { limits } = field

const image = z.strictObject({ url: field.url.check(z.describe('Address of the picture.')) })
const entry = z.strictObject({
  key: field.code.check(z.describe('Name of the entry.')),
  value: field.text.check(z.describe('Value of the entry. Stored exactly as sent.')),
})
/** The id of a modifier, alone or in an object. The contract allows both shapes. */
const modifier = z.union(
  [
    field.reference,
    z.pipe(
      z.strictObject({ id: field.reference.check(z.describe('Id of a modifier.')) }),
      z.transform(({ id }) => id),
    ),
  ],
  {
    error: 'must be the id of a modifier',
  },
)

const fields = z.strictObject({
  title: field.title.check(z.describe('Name of the product.')),
  price: field.amount.check(z.describe("Price of one unit in the merchant's currency.")),
  description: z.nullish(field.text).check(z.describe('Text below the title. Stored exactly as sent.')),
  visible: z.nullish(field.boolean).check(z.describe('Whether customers can see the product.')),
  taxable: z.nullish(field.boolean).check(z.describe('Whether the product is subject to tax.')),
  useCustomTaxRate: z.nullish(field.boolean).check(z.describe('Whether `taxRate` replaces the tax rate of the venue.')),
  taxRate: z.nullish(field.productTaxRate).check(z.describe('Tax rate in percent: 19 is 19 %.')),
  calories: z.nullish(field.count).check(z.describe('Energy of one unit in kcal.')),
  manageStock: z
    .nullish(field.boolean)
    .check(z.describe('Whether `stockQuantity` applies: without stock, the product is sold out.')),
  stockQuantity: z.nullish(field.quantity).check(z.describe('Number of units in stock. Negative if oversold.')),
  type: z.nullish(z.enum(['SIMPLE'])).check(z.describe('Kind of product. Always `SIMPLE`.')),
  upc: z.nullish(field.code).check(z.describe('Bar code of the product: UPC, EAN or GTIN.')),
  sku: z.nullish(field.code).check(z.describe('Stock keeping unit of the product.')),
  images: z.nullish(field.list(image, limits.images)).check(z.describe('Pictures of the product, in display order.')),
  metadata: z
    .nullish(field.list(entry, limits.metadata))
    .check(z.describe('Key-value pairs that the service does not interpret.')),
  modifiers: z
    .nullish(field.set(modifier, limits.productModifiers))
    .check(z.describe('Ids of the modifiers of the product, in display order.')),
})

const item = z.object({
  ...baseFields,
  title: z.string(),
  price: z.number(),
  description: z.optional(z.string()),
  visible: z.boolean(),
  taxable: z.boolean(),
  useCustomTaxRate: z.boolean(),
  taxRate: z.optional(z.number()),
  calories: z.optional(z.number()),
  manageStock: z.boolean(),
  stockQuantity: z.optional(z.number()),
  type: z.enum(['SIMPLE']),
  upc: z.optional(z.string()),
  sku: z.optional(z.string()),
  images: z.array(z.object({ url: z.string() })),
  metadata: z.array(z.object({ key: z.string(), value: z.string() })),
  modifiers: z.array(z.string()),
})
const readParts = createObjectParser(z.partial(item))

/** Whether the stock of a product is managed and used up. */
const isOutOfStock = ({ manageStock, stockQuantity }: Draft) => manageStock === true && Number(stockQuantity ?? 0) <= 0

export const products = defineResource({
  name: 'product',
  fields,
  createOnly: {
    image: z.nullish(field.boolean).check(z.describe('Accepted for compatibility. Not stored.')),
  },
  item: item.register(z.globalRegistry, { description: 'A product that the merchant sells.' }),
  table: productTable,
  details: loadLater(async () => (await import('./details/product-details.ts')).productDetails),
  filters: {
    visible: booleanFilter,
    sku: textFilter,
    upc: textFilter,
    modifier: referenceFilter('modifier'),
    menu: referrerFilter('menu'),
    label: labelFilter,
  },
  indexed: {
    filter: 'label',
    table: productLabelTable,
    value: productLabelTable.label,
    owner: productLabelTable.owner,
  },
  referrers: [{ filter: 'menu', table: menuTable, links: menuProducts }],
  references: [
    createReference({
      target: modifierTable,
      links: productModifiers,
      path: ['modifiers'],
      without: (ids) => jsonListWithout(productTable.modifiers, ids),
    }),
  ],
  examples: {
    create: {
      title: 'Flat white',
      price: 3.5,
      sku: 'COF-02',
      calories: 120,
      metadata: [{ key: 'milk', value: 'whole' }],
    },
    update: { price: 3.8 },
  },
  kept: [{ table: availabilityTable, owner: availabilityTable.product, by: 'id' }],
  counters: { stockQuantity: { flag: 'manageStock', isStock: true } },
  hooks: {
    translate: ({ image: _image, ...patch }) => patch,
    defaults: () => ({
      visible: true,
      taxable: true,
      useCustomTaxRate: false,
      manageStock: false,
      type: 'SIMPLE',
      images: [],
      metadata: [],
      modifiers: [],
    }),
    extraStatements(before, after) {
      if (!before || !after) return []
      const [wasOut, isOut] = [isOutOfStock(before), isOutOfStock(after)]
      if (wasOut === isOut) return []
      // A mark may expire between two statements. The event must include every deleted mark.
      return isOut ? [productCrossing.soldOut()] : [productCrossing.endedMarks(), productCrossing.backInStock()]
    },
    hideStatements: () => [deleteMarks()],
    searchTexts(draft) {
      const { title, description, sku, upc } = readParts(draft)
      return { names: [title], others: [description, sku, upc] }
    },
  },
})
