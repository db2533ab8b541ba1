import { eventNames, isResourceName, isTillEvent, resourceIdentities } from '../names.ts'
import { hasScope } from './authenticate.ts'

/** The scopes that reading the data of an event requires: those of what it carries. */
function listEventScopes(type: string): readonly string[] {
  const [noun = ''] = type.split('.')
  if (noun === 'order') return ['events:read']
  // Events of redemptions contain both the coupon and the redemption.
  if (noun === 'coupon' && isTillEvent(type)) return ['coupons:read', 'redemptions:read']
  return [`${isResourceName(noun) ? resourceIdentities[noun].path : noun}:read`]
}

/** Whether granted scopes suffice to read the data of an event. */
export const mayReadEvent = (granted: readonly string[] | undefined, type: string): boolean =>
  listEventScopes(type).every((scope) => hasScope(granted, scope))

/** The scopes that reading the data of all events of these types requires. `*` stands for all types. */
export const listScopesOfEvents = (types: Iterable<string>): string[] => {
  const all = [...types].flatMap((type) => (type === '*' ? eventNames : [type]))
  return [...new Set(all.flatMap(listEventScopes))]
}
