import type * as z from 'zod/mini'
import {
  detailEventNames,
  historyEventNames,
  isResourceName,
  type ResourceName,
  resourceNames,
  type Verb,
  verbs,
} from '../../platform/names.ts'
import type * as data from './event-data.ts'

/**
 * The table of events. A row of `ownEvents` and the row of the same name in `own-references.ts` declare an event that no resource has by
 * itself. Names, scopes, payload, `/event-types`, OpenAPI, `docs/events.md`, the types of the client and the erasure of customers follow.
 * The service evaluates the declarations only; the references are for the documentation.
 */
interface EventDeclaration {
  /**
   * Stored row of the event. `object`: a row of the resource, shown by its view. `record`: the data, in which members named like a resource
   * are rows of it. `text`: the JSON text of the data.
   */
  stored: 'object' | 'record' | 'text'
  /** Scopes that reading the data requires. Default: that of what the type begins with. */
  scopes?: readonly string[]
  /** Path in the stored row to the id of a customer, which an erasure removes. */
  customer?: string
}

/** How a copy of the objects applies an event. */
export const copyRules = ['create', 'replace', 'merge', 'delete', 'none'] as const
export type CopyRule = (typeof copyRules)[number]

/** Documentation of a type of event. */
export interface EventReference {
  /** When the event is raised: a sentence. */
  raised: string
  copy: CopyRule
  /** Version of the sample. Default: 1. */
  version?: number
  /** The event has `previous`: the old values of the changed fields. */
  hasPrevious?: boolean
  /** Data of events that do not contain the object itself. Absent: the object, whose resource has schema and samples. */
  data?: {
    /** Name of the schema in the document. Absent: the schema has no name. */
    name?: string
    /** Absent: any JSON object. */
    schema?: () => z.ZodMiniType
    description?: string
    sample: (values: data.SampleValues) => object
  }
}

const ofCoupon = { stored: 'record', scopes: ['coupons:read', 'redemptions:read'] } as const
const ofService = { stored: 'record', scopes: ['stock:read'] } as const
/** Staff that serves may not read webhooks or tags, so it has the scope of what is done with it. */
const ofCall = { stored: 'text', scopes: ['stock:read'] } as const
const ofRelease = { stored: 'record', scopes: ['releases:read'] } as const
const ofOrder = { stored: 'text', scopes: ['events:read'] } as const

/** The ordering system publishes them. The service raises all other events. */
const publishedEvents = {
  'order.created': ofOrder,
  'order.updated': ofOrder,
  'order.cancelled': ofOrder,
  'order.completed': ofOrder,
} as const satisfies Readonly<Record<string, EventDeclaration>>

/** Events that no resource has by itself. The order is that of the catalogue. */
const ownEvents = {
  'stock.changed': { stored: 'record' },
  'product.sold_out': { stored: 'record' },
  'product.back_in_stock': { stored: 'record' },
  'option.sold_out': { stored: 'record', scopes: ['modifiers:read'] },
  'option.back_in_stock': { stored: 'record', scopes: ['modifiers:read'] },
  'coupon.redeemed': { ...ofCoupon, customer: 'redemption.customer' },
  'coupon.released': { ...ofCoupon, customer: 'redemption.customer' },
  'coupon.limit_reached': ofCoupon,
  'tag.requested': ofCall,
  'tag.request_done': ofCall,
  'service.paused': ofService,
  'service.resumed': ofService,
  'webhook.filter_updated': { stored: 'record' },
  'release.published': ofRelease,
  'release.failed': ofRelease,
} as const satisfies Readonly<Record<string, EventDeclaration>>
export type OwnEventName = keyof typeof ownEvents

/** Event of the erasure of a customer. Its data contains only the id. */
export const erasedEventName = 'customer.erased'
/** Event that `POST …/test` sends. No webhook can subscribe to it. */
export const testEventType = 'webhook.test' as const
const text = { stored: 'text' } as const satisfies EventDeclaration

/** Type of an event of an order. Its data is what the ordering system published. */
export type OrderEventName = keyof typeof publishedEvents
type SideEventName = (typeof detailEventNames)[number]
export type EventName =
  | OrderEventName
  | `${ResourceName}.${Verb}`
  | OwnEventName
  | SideEventName
  | typeof erasedEventName

const listKeys = <Key extends string>(record: Readonly<Record<Key, unknown>>): Key[] => {
  const isKey = (key: string): key is Key => Object.hasOwn(record, key)
  return Object.keys(record).filter(isKey)
}

/** The events of an order, in the order of its life. */
export const orderEventNames = listKeys(publishedEvents)

/** Every type of event that a webhook can name. The order is that of the catalogue. */
export const eventNames: readonly EventName[] = [
  ...orderEventNames,
  ...resourceNames.flatMap((name) => verbs.map((verb) => `${name}.${verb}` as const)),
  ...listKeys(ownEvents),
  ...detailEventNames,
  erasedEventName,
]

const declarations: ReadonlyMap<string, EventDeclaration> = new Map<string, EventDeclaration>([
  ...Object.entries({ ...publishedEvents, ...ownEvents }),
  ...[...detailEventNames, ...historyEventNames, erasedEventName, testEventType].map((type) => [type, text] as const),
])

/** The resource whose objects an event is about. Undefined for orders, stock and other events that are not about an object of a resource. */
export function getEventResource(type: string): ResourceName | undefined {
  const [name = ''] = type.split('.')
  return isResourceName(name) ? name : undefined
}

/** The declaration of a type. Types that the table lacks, also of other releases, are changes of objects. */
export const getEvent = (type: string): EventDeclaration =>
  declarations.get(type) ?? { stored: getEventResource(type) ? 'object' : 'text' }
