/** One collection, with bodies of its objects. */
export interface Sample {
  name: string
  collection: string
  /** A body that creates one, with a text of its own that `?q=` finds. */
  body: (text: string) => Record<string, unknown>
  /** A body that changes one. */
  change: Record<string, unknown>
  prefix: string
  /** Fields in responses of an object made by `body`, besides those of the body and those of all resources. */
  defaults: Record<string, unknown>
  /** Every field that clients write, as responses show it. None has its default value. */
  full: (named: Named) => Record<string, unknown>
}

/** Ids of objects that full bodies name. */
export interface Named {
  product: string
  modifier: string
}

let codes = 0

const titled = (rest: object) => (title: string) => ({ title, ...rest })

/** The seven resources. */
export const samples: readonly Sample[] = [
  {
    name: 'product',
    collection: 'products',
    body: titled({ price: 4.5 }),
    change: { price: 5 },
    prefix: 'prod',
    defaults: {
      visible: true,
      taxable: true,
      useCustomTaxRate: false,
      manageStock: false,
      type: 'SIMPLE',
      images: [],
      metadata: [],
      modifiers: [],
    },
    full: ({ modifier }) => ({
      title: 'Crème brûlée 🍮',
      price: 7.25,
      description: ' Burnt\n\t"sugar" ',
      visible: false,
      taxable: false,
      useCustomTaxRate: true,
      taxRate: 7.5,
      calories: 350,
      manageStock: true,
      stockQuantity: -2.5,
      type: 'SIMPLE',
      upc: '012345678905',
      sku: 'CB-1',
      images: [{ url: 'https://cdn.example.com/a.png' }, { url: 'http://cdn.example.com/ä?b=c#d' }],
      metadata: [{ key: 'allergens', value: ' milk, egg ' }],
      modifiers: [modifier],
    }),
  },
  {
    name: 'modifier',
    collection: 'modifiers',
    body: titled({ instructions: '' }),
    change: { instructions: 'One' },
    prefix: 'mod',
    defaults: { type: 'CHECKBOX', rules: {}, options: [] },
    full: () => ({
      title: 'Milk',
      instructions: ' Choose\none ',
      description: 'Hot or cold',
      type: 'RADIO',
      rules: {
        required: true,
        allowedMultiple: false,
        selectRestriction: 1,
        requireSelectRestriction: true,
        enableOptionQuantity: true,
      },
      options: [
        { id: 'oat', label: 'Oat', additionalCost: 0.5, additionalCalories: 12, preSelected: true },
        { id: 'none', label: '', additionalCost: -0.25, additionalCalories: 0, preSelected: false },
      ],
    }),
  },
  {
    name: 'menu',
    collection: 'menus',
    body: titled({}),
    change: { visible: false },
    prefix: 'menu',
    defaults: { visible: true, allDayMenu: true, showSectionNavigation: true, branding: {}, sections: [] },
    full: ({ product }) => ({
      title: 'Late',
      description: 'After ten',
      showSectionNavigation: false,
      visible: false,
      allDayMenu: false,
      begin: '2200',
      end: '0200',
      branding: { banner: 'https://cdn.example.com/banner.png', icon: false },
      sections: [{ title: 'Bar', description: 'At the bar', type: 'LIST', items: [product] }],
    }),
  },
  {
    name: 'coupon',
    collection: 'coupons',
    body: (title) => ({ title, code: `${++codes}`, type: 'FIXED', value: 1 }),
    change: { value: 2 },
    prefix: 'coup',
    defaults: { active: true, individualUse: false, timesRedeemed: 0, products: [], applyToAllProducts: true },
    full: ({ product }) => ({
      title: 'Spring',
      code: `Spring ${`${++codes}`}`,
      type: 'PERCENTAGE',
      value: 12.5,
      description: 'A tenth and a bit',
      active: false,
      minimumOrderAmount: 20,
      individualUse: true,
      timesRedeemed: 3,
      applyToAllProducts: false,
      products: [product],
    }),
  },
  {
    name: 'customer',
    collection: 'customers',
    body: (firstName) => ({ firstName, lastName: 'Guest' }),
    change: { phone: '+49 30 1' },
    prefix: 'cus',
    defaults: {},
    full: () => ({ firstName: 'Zoë', lastName: "O'Neill", email: 'zoë@exämple.de', phone: '+49 (30) 12-34.5 x6' }),
  },
  {
    name: 'tag',
    collection: 'tags',
    body: (value) => ({ metadata: [{ key: 'table', value }] }),
    change: { nfc: true },
    prefix: 'tag',
    defaults: { nfc: false },
    full: () => ({ nfc: true, metadata: [{ key: 'table', value: '7', visible: false }], testMode: true }),
  },
  {
    name: 'webhook',
    collection: 'webhooks',
    body: titled({ url: 'https://hooks.example.com/a' }),
    change: { active: false },
    prefix: 'wh',
    defaults: { events: [], active: true },
    full: () => ({
      title: 'Till',
      url: 'https://hooks.example.com/till?a=b',
      // Only a few tests raise these events, so that later tests send nothing.
      events: ['order.created', 'menu.deleted'],
      active: false,
    }),
  },
]
