interface ResourceIdentity {
  /** Plural name of the collection in URLs, the table, the scopes (`products:read`) and the audit operations (`products.update`). */
  path: string
  /** Prefix of every id: `prod_…`. */
  idPrefix: string
}

/** All resources by name, in the order of scopes, event types and the documentation. */
export const resourceIdentities = {
  product: { path: 'products', idPrefix: 'prod' },
  modifier: { path: 'modifiers', idPrefix: 'mod' },
  menu: { path: 'menus', idPrefix: 'menu' },
  coupon: { path: 'coupons', idPrefix: 'coup' },
  customer: { path: 'customers', idPrefix: 'cus' },
  tag: { path: 'tags', idPrefix: 'tag' },
  webhook: { path: 'webhooks', idPrefix: 'wh' },
} as const satisfies Readonly<Record<string, ResourceIdentity>>

export type ResourceName = keyof typeof resourceIdentities
export type ResourcePath = (typeof resourceIdentities)[ResourceName]['path']

/** Whether a text is the name of a resource, in the singular. */
export const isResourceName = (name: string): name is ResourceName => Object.hasOwn(resourceIdentities, name)

export const resourceNames = Object.keys(resourceIdentities).filter(isResourceName)
export const resourcePaths = resourceNames.map((name) => resourceIdentities[name].path)

export const verbs = ['created', 'updated', 'deleted'] as const
export type Verb = (typeof verbs)[number]

/** Resources whose objects have details: fields in a side resource of their own. */
const detailedNames = ['product', 'modifier', 'menu', 'tag'] as const satisfies readonly ResourceName[]
export const detailedPaths = detailedNames.map((name) => resourceIdentities[name].path)
/** Events of changes of details. */
export const detailEventNames = detailedNames.map((name) => `${name}.details_updated` as const)
/** Changes that only the history of objects shows: no list of events and no webhook has them. */
export const historyEventNames = [
  'product.availability_changed',
  'modifier.availability_changed',
  'coupon.limits_changed',
] as const
export type HistoryEventName = (typeof historyEventNames)[number]

/** Prefix of the id of a member. */
export const memberIdPrefix = 'usr'
export const operatorIdPrefix = 'opr'
