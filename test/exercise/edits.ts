/** One change by hand. A file that does not exist is created with `insert`. */
export interface Edit {
  file: string
  /** Text that occurs once in the file; `insert` goes before it. Absent: the file is new, or `insert` goes to its end. */
  before?: string
  /** Text that occurs once in the file, instead of `before`; `insert` replaces it. */
  replaced?: string
  insert: string
}

/** Adds the optional field `allergenNote` to products. */
export const fieldEdits: readonly Edit[] = [
  {
    file: 'src/catalogue/resources/products.ts',
    before: "  type: z.nullish(z.enum(['SIMPLE']))",
    insert: "  allergenNote: z.nullish(field.label).check(z.describe('Note on allergens.')),\n",
  },
  {
    file: 'src/catalogue/resources/products.ts',
    before: "  type: z.enum(['SIMPLE']),\n",
    insert: '  allergenNote: z.optional(z.string()),\n',
  },
  {
    file: 'src/platform/db/schema/resources/products.ts',
    before: '    upc: text(),\n',
    insert: '    allergenNote: text(),\n',
  },
]

/** Adds the resource `suppliers`. The table list for moves and backups (`merchantTables`) follows from the registry. */
export const resourceEdits: readonly Edit[] = [
  {
    file: 'src/platform/names.ts',
    before: "  webhook: { path: 'webhooks'",
    insert: "  supplier: { path: 'suppliers', idPrefix: 'sup' },\n",
  },
  {
    file: 'src/catalogue/resources/registry.ts',
    before: "import { tags } from './tags.ts'",
    insert: "import { suppliers } from './suppliers.ts'\n",
  },
  { file: 'src/catalogue/resources/registry.ts', before: 'tags, webhooks }', insert: 'suppliers, ' },
  {
    file: 'src/app/app.ts',
    before: "  .route('/webhooks', createResourceRoutes(",
    insert: "  .route('/suppliers', createResourceRoutes(resources.suppliers))\n",
  },
  {
    file: 'src/platform/db/schema/resources/suppliers.ts',
    insert: `import { sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { baseColumns, resourceConstraints } from '../resource-columns.ts'

export const supplierTable = sqliteTable(
  'suppliers',
  { ...baseColumns, title: text().notNull(), email: text() },
  (table) => resourceConstraints('suppliers', table, { lookups: { email: table.email } }),
)
`,
  },
  {
    file: 'src/catalogue/resources/suppliers.ts',
    insert: `import * as z from 'zod/mini'
import { supplierTable } from '../../platform/db/schema/resources/suppliers.ts'
import * as field from '../../platform/http/fields.ts'
import { textFilter } from '../../platform/http/fields/query-parameters.ts'
import { baseFields, defineResource } from '../resource/define-resource.ts'

const item = z.object({ ...baseFields, title: z.string(), email: z.optional(z.string()) })
const parts = z.partial(item)

export const suppliers = defineResource({
  name: 'supplier',
  fields: z.strictObject({
    title: field.title.check(z.describe('Name of the supplier.')),
    email: z.nullish(field.email).check(z.describe('Email address.')),
  }),
  item: item.register(z.globalRegistry, { description: 'A supplier of the venue.' }),
  table: supplierTable,
  createOnly: {},
  filters: { email: textFilter },
  examples: { create: { title: 'Dairy' }, update: { title: 'Creamery' } },
  hooks: { searchTexts: (draft) => ({ names: [parts.parse(draft).title] }) },
})
`,
  },
  {
    file: 'console/texts/en/operations.ts',
    before: "    webhooks: 'Webhook',\n",
    insert: "    suppliers: 'Supplier',\n",
  },
  {
    file: 'console/texts/de/operations.ts',
    before: "    webhooks: 'Webhook',\n",
    insert: "    suppliers: 'Lieferant',\n",
  },
  {
    file: 'test/support/samples.ts',
    before: "  {\n    name: 'webhook',",
    insert: `  {
    name: 'supplier',
    collection: 'suppliers',
    body: titled({}),
    change: { email: 'b@example.com' },
    prefix: 'sup',
    defaults: {},
    full: () => ({ title: 'Dairy', email: 'a@example.com' }),
  },
`,
  },
  {
    file: 'test/support/filled.ts',
    before: "      [\n        'tags',",
    insert: `      [
        'suppliers',
        \`insert into suppliers (\${columns}, title) values (\${base('sup')}, 'Dairy \${seq}')\`,
      ],
`,
  },
]

/** Adds the event `product.marked`, which is raised when a product is marked as sold out. */
export const eventEdits: readonly Edit[] = [
  {
    file: 'src/catalogue/events/event-types.ts',
    before: "  'coupon.redeemed': { ...ofCoupon",
    insert: "  'product.marked': { stored: 'record' },\n",
  },
  {
    file: 'src/catalogue/events/event-types.ts',
    before: "  'coupon.redeemed': {\n    raised",
    insert: `  'product.marked': {
    raised: 'A product is marked as sold out.',
    copy: 'none',
    data: {
      name: 'ProductMarked',
      schema: () => z.object({ product: z.string().check(z.describe('Id of the product.')) }),
      sample: (values) => ({ product: idOf('product', values) }),
    },
  },
`,
  },
  {
    file: 'src/checkout/stock/availability.ts',
    before: 'import { insertSoldOutEvent } from',
    insert: "import { raiseEvent } from '../../catalogue/events/raise-event.ts'\n",
  },
  {
    file: 'src/checkout/stock/availability.ts',
    before: '  raiseBackInStock: lazy(',
    insert: `  raiseMarked: lazy(() =>
    compile(
      raiseEvent({
        type: 'product.marked',
        row: sql\`json_object('product', \${productTable.id})\`,
        from: sql\`from \${productTable} where \${isProduct}\`,
      }),
    ),
  ),
`,
  },
  {
    file: 'src/checkout/stock/availability.ts',
    before: '      mark: soldOut ?',
    insert: '      ...(soldOut && { marked: statements.raiseMarked() }),\n',
  },
  {
    file: 'test/webhooks/event-catalogue.test.ts',
    before: "  const coupon = (await harness.post('/coupons'",
    insert: '  await harness.post("/products/".concat(id, "/availability"), { soldOut: true })\n',
  },
  {
    file: 'test/webhooks/events/event-order.test.ts',
    replaced: "  'marks as sold out': {\n    effects: 2,",
    insert: "  'marks as sold out': {\n    effects: 3,",
  },
]

/** Adds details to coupons: a side resource. */
export const sideEdits: readonly Edit[] = [
  {
    file: 'src/platform/names.ts',
    before: "'menu'] as const satisfies",
    insert: "'coupon', ",
  },
  {
    file: 'src/catalogue/resources/details/coupon-details.ts',
    insert: `import * as z from 'zod/mini'
import * as field from '../../../platform/http/fields.ts'

const fields = z.strictObject({
  audience: z.nullish(field.title).check(z.describe('Guests for whom the coupon is.')),
  budget: z.nullish(field.amount).check(z.describe('Budget of the campaign.')),
})
const view = z.object({ audience: z.optional(z.string()), budget: z.optional(z.number()) })

/** Details of coupons. */
export const couponDetails = {
  body: { schema: fields, partial: fields, readOnly: new Set<string>() },
  view,
  example: { audience: 'Students', budget: 100 } satisfies z.output<typeof view>,
  check: () => [],
}
`,
  },
  {
    file: 'src/catalogue/resources/coupons.ts',
    before: 'import { baseFields,',
    insert: "import { loadLater } from '../resource/details/load-details.ts'\n",
  },
  {
    file: 'src/catalogue/resources/coupons.ts',
    before: '  table: couponTable,',
    insert: "  details: loadLater(async () => (await import('./details/coupon-details.ts')).couponDetails),\n",
  },
  {
    file: 'test/webhooks/event-catalogue.test.ts',
    before: "  const { body } = await harness.post('/redemptions'",
    insert: "  await harness.post('/coupons/'.concat(coupon.id, '/details'), { audience: 'Students' })\n",
  },
]
