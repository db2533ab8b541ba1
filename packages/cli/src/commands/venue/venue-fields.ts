/** Resources of a venue file. Each comes after the resources that it refers to. */
export const venueResources = ['modifiers', 'products', 'coupons', 'menus'] as const
export type VenueResource = (typeof venueResources)[number]

/** A place that names objects. In its path, `*` is every element or member. */
export interface ReferencePath {
  to: 'modifiers' | 'products'
  path: readonly string[]
}

/** Places of bodies and details that name objects. A test compares them with those of the service. */
export const referencePaths: Readonly<
  Record<VenueResource, { body: readonly ReferencePath[]; details: readonly ReferencePath[] }>
> = {
  modifiers: { body: [], details: [{ to: 'modifiers', path: ['options', '*', 'modifiers', '*'] }] },
  products: {
    body: [{ to: 'modifiers', path: ['modifiers', '*'] }],
    details: [
      { to: 'modifiers', path: ['sizes', 'modifier'] },
      { to: 'modifiers', path: ['modifierRules', '*', 'modifier'] },
      { to: 'products', path: ['bundle', 'groups', '*', 'items', '*', 'product'] },
    ],
  },
  coupons: { body: [{ to: 'products', path: ['products', '*'] }], details: [] },
  menus: {
    body: [{ to: 'products', path: ['sections', '*', 'items', '*'] }],
    details: [{ to: 'products', path: ['prices', '*', 'product'] }],
  },
}

/** Fields that the service sets. A test compares them with those of the service. */
export const readOnlyFields: ReadonlySet<string> = new Set(['id', 'testMode', 'createdAt', 'updatedAt'])
/** Fields of objects that the service counts. A file sets them only when it creates the object. */
export const countedFields: ReadonlySet<string> = new Set(['stockQuantity', 'timesRedeemed'])
/** Fields of a merchant that are no settings. A test compares them with those of the service. */
export const merchantFields: ReadonlySet<string> = new Set([
  ...readOnlyFields,
  ...['home', 'location', 'jurisdiction', 'status', 'suspendedAt', 'closedAt', 'deletesAt'],
])
