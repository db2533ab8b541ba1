import { hasScope } from '../../app/session.ts'

/** All resources, in the order of an export. */
export const resources = ['products', 'modifiers', 'menus', 'coupons', 'customers', 'tags', 'webhooks'] as const
export type ResourceName = (typeof resources)[number]
/** Resources whose objects fit into a row of a table. */
export const csvResources: readonly ResourceName[] = ['products', 'coupons', 'customers', 'tags', 'webhooks']

export const listResources = (right: 'read' | 'write') => resources.filter((name) => hasScope(`${name}:${right}`))
