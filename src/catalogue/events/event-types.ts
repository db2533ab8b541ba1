import type * as z from 'zod/mini'
import {
  detailEventNames,
  historyEventNames,
  isResourceName,
  type ResourceName,
  resourceIdentities,
  resourceNames,
  type Verb,
  verbs,
} from '../../platform/names.ts'
import * as data from './event-data.ts'

/**
 * The table of events. A row of `ownEvents` and the row of the same name in `ownReferences` declare an event that no resource has by
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

export const idOf = (name: ResourceName, { id }: data.SampleValues) => id(resourceIdentities[name].idPrefix)
const ofCoupon = { stored: 'record', scopes: ['coupons:read', 'redemptions:read'] } as const

const ofService = { stored: 'record', scopes: ['stock:read'] } as const

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
  'service.paused': ofService,
  'service.resumed': ofService,
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

/** References of the events of `ownEvents`. */
export const ownReferences = {
  'stock.changed': {
    raised: 'The stock of products changes: by an adjustment or by the effects of an order.',
    copy: 'merge',
    data: {
      name: 'StockChanged',
      schema: data.createStockChanged,
      sample: (values) => ({
        reference: '1234',
        reason: 'sale',
        changes: [
          {
            product: idOf('product', values),
            stockQuantity: 0,
            soldOut: true,
            version: 8,
            updatedAt: values.seconds,
          },
        ],
      }),
    },
  },
  'product.sold_out': {
    raised: 'Products become sold out: by their stock or by a mark.',
    copy: 'none',
    data: {
      name: 'SoldOutChanged',
      schema: data.createSoldOutChanged,
      sample: (values) => ({
        products: [idOf('product', values)],
        soldOut: [idOf('product', values)],
        truncated: false,
      }),
    },
  },
  'product.back_in_stock': {
    raised: 'Products are no longer sold out: by their stock, or because a mark ends or is removed.',
    copy: 'none',
    data: {
      name: 'SoldOutChanged',
      schema: data.createSoldOutChanged,
      sample: (values) => ({ products: [idOf('product', values)], soldOut: [], truncated: false }),
    },
  },
  'option.sold_out': {
    raised: 'Options of a modifier are marked as sold out.',
    copy: 'none',
    data: {
      name: 'OptionsSoldOut',
      schema: data.createOptionsSoldOut,
      sample: (values) => ({
        options: [data.sampleOption(values)],
        soldOut: [data.sampleOption(values)],
        truncated: false,
      }),
    },
  },
  'option.back_in_stock': {
    raised: 'Options are no longer sold out: their mark ends or is removed.',
    copy: 'none',
    data: {
      name: 'OptionsSoldOut',
      schema: data.createOptionsSoldOut,
      sample: (values) => ({ options: [data.sampleOption(values)], soldOut: [], truncated: false }),
    },
  },
  'coupon.redeemed': {
    raised: 'A coupon is redeemed, or a hold of it is confirmed.',
    copy: 'replace',
    data: {
      name: 'CouponRedemption',
      schema: data.createCouponRedemption,
      sample: (values) => ({ redemption: data.sampleRedemption(values), coupon: data.sampleCoupon(values, 1) }),
    },
  },
  'coupon.released': {
    raised: 'A redemption or a hold of a coupon is released.',
    copy: 'replace',
    data: {
      name: 'CouponRedemption',
      schema: data.createCouponRedemption,
      sample: (values) => ({
        redemption: { ...data.sampleRedemption(values), state: 'released' },
        coupon: data.sampleCoupon(values, 0),
      }),
    },
  },
  'coupon.limit_reached': {
    raised: '`timesRedeemed` of a coupon reaches `maxRedemptions`.',
    copy: 'none',
    data: {
      name: 'CouponLimitReached',
      schema: data.createCouponLimitReached,
      sample: (values) => ({ coupon: data.sampleCoupon(values, 1), maxRedemptions: 1 }),
    },
  },
  'service.paused': {
    raised: 'The venue is paused, or the end or the message of its pause changes.',
    copy: 'none',
    data: {
      name: 'ServiceChanged',
      schema: data.createServiceChanged,
      sample: ({ seconds }) => ({ paused: true, until: seconds, message: 'The kitchen takes a break.' }),
    },
  },
  'service.resumed': {
    raised: 'The pause of the venue ends, by itself or by a request.',
    copy: 'none',
    data: {
      name: 'ServiceChanged',
      schema: data.createServiceChanged,
      sample: () => ({ paused: false }),
    },
  },
} satisfies Readonly<Record<OwnEventName, EventReference>>
