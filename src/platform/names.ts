interface ResourceIdentity {
  /** Plural. Names the collection in URLs, the table, the scopes (`products:read`) and the audit operations (`products.update`). */
  path: string
  /** Starts every id: `prod_…`. */
  idPrefix: string
}

/** Every resource by its name. The order is that of scopes, event types and the documentation. */
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

export const isResourceName = (name: string): name is ResourceName => Object.hasOwn(resourceIdentities, name)

export const resourceNames = Object.keys(resourceIdentities).filter(isResourceName)
export const resourcePaths = resourceNames.map((name) => resourceIdentities[name].path)

export const verbs = ['created', 'updated', 'deleted'] as const
export type Verb = (typeof verbs)[number]

/** Events of the till: stock, availability and redemptions. Their data is not an object of one resource. */
export const tillEventNames = [
  'stock.changed',
  'product.sold_out',
  'product.back_in_stock',
  'coupon.redeemed',
  'coupon.released',
  'coupon.limit_reached',
] as const
export type TillEventName = (typeof tillEventNames)[number]
export const isTillEvent = (type: string): type is TillEventName => tillEventNames.some((name) => name === type)

/** Resources whose objects have details: fields in a side resource of their own. */
const detailedNames = ['product', 'modifier', 'menu'] as const satisfies readonly ResourceName[]
export const detailedPaths = detailedNames.map((name) => resourceIdentities[name].path)
/** Events of changes of details. */
export const detailEventNames = detailedNames.map((name) => `${name}.details_updated` as const)
export type DetailEventName = (typeof detailEventNames)[number]
export const isDetailEvent = (type: string): type is DetailEventName => detailEventNames.some((name) => name === type)

/** Event of the erasure of a customer. Its data contains only the id. */
export const erasedEventName = 'customer.erased'

/** The ordering system publishes `order.created`. The service raises all other events. */
export const eventNames = [
  'order.created',
  ...resourceNames.flatMap((name): `${ResourceName}.${Verb}`[] => verbs.map((verb) => `${name}.${verb}` as const)),
  ...tillEventNames,
  ...detailEventNames,
  erasedEventName,
] as const
export type EventName = (typeof eventNames)[number]

/** Starts the id of a member. */
export const memberIdPrefix = 'usr'

/** The resource that an event is about. Undefined for orders, stock and other events that no object of a resource has. */
export function getEventResource(type: string): ResourceName | undefined {
  const [name = ''] = type.split('.')
  return isResourceName(name) ? name : undefined
}
