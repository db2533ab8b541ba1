import { resourceNames } from './resource.ts'

const verbs = ['created', 'updated', 'deleted'] as const

/** `order.created` is published by the ordering system; the rest are raised by this service. */
export const eventNames = [
  'order.created',
  ...resourceNames.flatMap((name) => verbs.map((verb) => `${name}.${verb}` as const)),
] as const
export type EventName = (typeof eventNames)[number]
