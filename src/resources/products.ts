import * as z from 'zod/mini'
import { jsonListWithout } from '../db/schema/resource-columns.ts'
import { modifierTable } from '../db/schema/resources/modifiers.ts'
import { productModifiers, productTable } from '../db/schema/resources/products.ts'
import * as field from '../http/fields.ts'
import { booleanFilter, textFilter } from '../http/pagination.ts'
import { baseFields, defineResource } from '../resource/definition.ts'
import { createReference } from '../resource/references.ts'

const { limits } = field

const image = z.strictObject({ url: field.url })
const entry = z.strictObject({ key: field.code, value: field.text })
/** A modifier's id; `{id}` too, since the document leaves the element's shape open. */
const modifier = z.union(
  [
    field.reference,
    z.pipe(
      z.strictObject({ id: field.reference }),
      z.transform(({ id }) => id),
    ),
  ],
  {
    error: 'must be the id of a modifier',
  },
)

const fields = z.strictObject({
  title: field.title,
  price: field.amount,
  description: z.nullish(field.text),
  visible: z.nullish(field.boolean).check(z.describe('Whether customers can see the product.')),
  taxable: z.nullish(field.boolean),
  useCustomTaxRate: z.nullish(field.boolean),
  taxRate: z.nullish(field.percentage),
  calories: z.nullish(field.count),
  manageStock: z.nullish(field.boolean),
  stockQuantity: z.nullish(field.quantity),
  type: z.nullish(z.enum(['SIMPLE'])),
  upc: z.nullish(field.code),
  sku: z.nullish(field.code),
  images: z.nullish(field.list(image, limits.images)),
  metadata: z.nullish(field.list(entry, limits.metadata)),
  modifiers: z
    .nullish(field.set(modifier, limits.productModifiers))
    .check(z.describe('Modifiers by their ids, in the order they are offered.')),
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
const parts = z.partial(item)

export const products = defineResource({
  name: 'product',
  fields,
  createOnly: {
    image: z.nullish(field.boolean).check(z.describe('Accepted because the document sends it; not stored.')),
  },
  item: item.register(z.globalRegistry, { description: 'What the merchant sells.' }),
  table: productTable,
  filters: { visible: booleanFilter, sku: textFilter, upc: textFilter },
  references: [
    createReference({
      target: modifierTable,
      links: productModifiers,
      path: ['modifiers'],
      without: (id) => jsonListWithout(productTable.modifiers, id),
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
    searchTexts(draft) {
      const { title, description, sku, upc } = parts.parse(draft)
      return [title, description, sku, upc]
    },
  },
})
