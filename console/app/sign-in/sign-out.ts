import { ApiError } from '../../../packages/client/src/client-errors.ts'
import { Transport } from '../../../packages/client/src/transport.ts'
import { keptPrefix } from '../kept.ts'
import { clearGuards, navigate } from '../router.ts'
import {
  draftPrefix,
  isSupport,
  operator,
  operatorPath,
  returnToOperator,
  sessionPath,
  setSession,
} from '../session.ts'

/** Sent without the mode of the tab: a session that another tab has started may not have this mode. */
const transport = new Transport({ origin: location.origin, retries: 1 })

/** Ends the session. If that fails, the person stays signed in. After support, shows the screens of the operator. Throws the error of the request. */
export async function signOut(): Promise<void> {
  const path = operator.value ? `${operatorPath}/${operator.value.id}` : sessionPath
  try {
    await transport.send({ method: 'DELETE', path })
  } catch (error) {
    // The session had already ended.
    if (!(error instanceof ApiError && error.status === 401)) throw error
  }
  if (!operator.value)
    for (const name of Object.keys(localStorage)) if (name.startsWith(draftPrefix)) localStorage.removeItem(name)
  for (const name of Object.keys(sessionStorage)) if (name.startsWith(keptPrefix)) sessionStorage.removeItem(name)
  // The next person who signs in may not have access to the current screen.
  clearGuards()
  navigate('', { replace: true })
  const wasSupport = isSupport()
  setSession(undefined)
  if (wasSupport) await returnToOperator()
}
