import * as z from 'zod/mini'
import { type Verb, verbs } from '../../platform/names.ts'
import {
  type EventName,
  type EventReference,
  erasedEventName,
  type OrderEventName,
  type OwnEventName,
  testEventType,
} from './event-types.ts'
import { idOf, ownReferences } from './own-references.ts'

/** References of events that every resource has. */
const verbReferences = {
  created: { raised: (one) => `A ${one} is created.`, copy: 'create', version: 1 },
  updated: { raised: (one) => `A ${one} is changed.`, copy: 'replace', version: 2, hasPrevious: true },
  deleted: { raised: (one) => `A ${one} is deleted.`, copy: 'delete', version: 3 },
} as const satisfies Readonly<
  Record<Verb, Omit<EventReference, 'raised' | 'data'> & { raised: (one: string) => string }>
>
/** When the ordering system publishes each event of an order. */
const orderReferences: Readonly<Record<OrderEventName, string>> = {
  'order.created': 'The ordering system publishes a new order with `POST …/events`.',
  'order.updated': 'The ordering system publishes a change of an order with `POST …/events`.',
  'order.cancelled': 'The ordering system publishes that an order is cancelled, with `POST …/events`.',
  'order.completed': 'The ordering system publishes that an order is completed, with `POST …/events`.',
}
const isOrderEvent = (type: string): type is OrderEventName => Object.hasOwn(orderReferences, type)
const isOwnEvent = (type: string): type is OwnEventName => Object.hasOwn(ownReferences, type)

/** The reference of a type of event. Events of details have the schema and the sample of their details. */
export function getEventReference(type: EventName | typeof testEventType): EventReference {
  if (isOwnEvent(type)) return ownReferences[type]
  if (isOrderEvent(type))
    return {
      raised: orderReferences[type],
      copy: 'none',
      data: {
        description: 'The order, as the ordering system published it.',
        sample: ({ order }) => order,
      },
    }
  if (type === erasedEventName)
    return {
      raised: 'A customer is erased.',
      copy: 'delete',
      version: 2,
      data: {
        schema: () =>
          z
            .object({ id: z.string().check(z.describe('Id of the erased customer.')) })
            .check(
              z.describe(
                'The customer is deleted, and its data must be deleted from all copies. No `customer.deleted` follows.',
              ),
            ),
        sample: (values) => ({ id: idOf('customer', values) }),
      },
    }
  if (type === testEventType)
    return {
      raised: '`POST …/test` is requested.',
      copy: 'none',
      data: { sample: (values) => ({ webhookId: idOf('webhook', values), title: 'Point of sale' }) },
    }
  const [noun = '', verb = ''] = type.split('.')
  const ofVerb = verbs.find((each) => each === verb)
  if (ofVerb) return { ...verbReferences[ofVerb], raised: verbReferences[ofVerb].raised(noun) }
  return { raised: `The details of a ${noun} change, or return with a restored ${noun}.`, copy: 'merge' }
}
