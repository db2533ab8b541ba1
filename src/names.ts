export const resourceNames = ['product', 'modifier', 'menu', 'coupon', 'customer', 'tag', 'webhook'] as const
export type ResourceName = (typeof resourceNames)[number]

export const verbs = ['created', 'updated', 'deleted'] as const
export type Verb = (typeof verbs)[number]

/** `order.created` is published by the ordering system; the rest are raised by this service. */
export const eventNames = [
  'order.created',
  ...resourceNames.flatMap((name): `${ResourceName}.${Verb}`[] => verbs.map((verb) => `${name}.${verb}` as const)),
] as const
export type EventName = (typeof eventNames)[number]
