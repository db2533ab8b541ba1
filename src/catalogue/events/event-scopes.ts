import { hasScope } from '../../platform/auth/authenticate.ts'
import { isResourceName, resourceIdentities } from '../../platform/names.ts'
import { eventNames, getEvent } from './event-types.ts'

/** The scopes required to read the data of an event: those of the objects that it contains. */
function listEventScopes(type: string): readonly string[] {
  const [noun = ''] = type.split('.')
  return getEvent(type).scopes ?? [`${isResourceName(noun) ? resourceIdentities[noun].path : noun}:read`]
}

/** Whether granted scopes suffice to read the data of an event. */
export const mayReadEvent = (granted: readonly string[] | undefined, type: string): boolean =>
  listEventScopes(type).every((scope) => hasScope(granted, scope))

/** The scopes required to read the data of all events of these types. `*` stands for all types. */
export const listScopesOfEvents = (types: Iterable<string>): string[] => {
  const all = [...types].flatMap((type): readonly string[] => (type === '*' ? eventNames : [type]))
  return [...new Set(all.flatMap(listEventScopes))]
}
