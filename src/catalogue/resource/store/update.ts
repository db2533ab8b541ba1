import type { Precondition } from '../../../platform/http/etag.ts'
import type { ParsedBody } from '../../../platform/http/validation.ts'
import type { Caller } from '../caller.ts'
import { planExternalId } from '../plan/plan-external-id.ts'
import { planUpdate } from '../plan/plan-update.ts'
import type { StoredObject } from '../plan/row-mapping.ts'
import { type ChangeRequest, changeInTurn, inTurn } from './change.ts'
import type { Respond, StoreContext } from './store-context.ts'

/** An update of the object `id`. */
export interface UpdateRequest<Item> {
  id: string
  body: ParsedBody
  respond?: Respond<Item> | undefined
  condition?: Precondition | undefined
}

const emptyBody: ParsedBody = { patch: {}, issues: [] }

const change = <Item extends object>(
  context: StoreContext<Item>,
  caller: Caller,
  { id, ...request }: UpdateRequest<Item>,
  plan: ChangeRequest<Item>['plan'],
): Promise<StoredObject<Item>> =>
  inTurn(context, caller, { id }, (hasWaited) =>
    changeInTurn(context, caller, { key: { id }, ...request, plan }, hasWaited),
  )

/** Merges a body into an object. */
export const updateObject = <Item extends object>(
  context: StoreContext<Item>,
  caller: Caller,
  request: UpdateRequest<Item>,
): Promise<StoredObject<Item>> =>
  change(context, caller, request, (planContext, current) =>
    planUpdate(context.mapping, planContext, current, request.body),
  )

/** Merges a body that depends on the state of the object. `toBody` is called for each attempt. */
export const updateObjectFrom = <Item extends object>(
  context: StoreContext<Item>,
  caller: Caller,
  { toBody, ...request }: Omit<UpdateRequest<Item>, 'body'> & { toBody: (item: Item) => ParsedBody },
): Promise<StoredObject<Item>> =>
  change(context, caller, { ...request, body: emptyBody }, (planContext, current) =>
    planUpdate(context.mapping, planContext, current, current.damaged ? emptyBody : toBody(current.item)),
  )

/** Sets the external id of an object to that of the body, or clears it. */
export const setExternalId = <Item extends object>(
  context: StoreContext<Item>,
  caller: Caller,
  request: UpdateRequest<Item>,
): Promise<StoredObject<Item>> =>
  change(context, caller, request, (planContext, current) =>
    planExternalId(context.mapping, planContext, current, request.body),
  )
