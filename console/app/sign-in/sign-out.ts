import { ApiError } from '../../../packages/client/src/client-errors.ts'
import { Transport } from '../../../packages/client/src/transport.ts'
import { navigate, setGuard } from '../router.ts'
import { draftPrefix, operator, operatorPath, sessionPath, setSession } from '../session.ts'

/** Without the mode of the tab, which a session that another tab has started may not have. */
const transport = new Transport({ origin: location.origin, retries: 1 })

/** Ends the session. If that fails, the person stays signed in. Throws what the request throws. */
export async function signOut(): Promise<void> {
  const path = operator.value ? `${operatorPath}/${operator.value.id}` : sessionPath
  try {
    await transport.send({ method: 'DELETE', path })
  } catch (error) {
    // It has ended before.
    if (!(error instanceof ApiError && error.status === 401)) throw error
  }
  if (!operator.value)
    for (const name of Object.keys(localStorage)) if (name.startsWith(draftPrefix)) localStorage.removeItem(name)
  // Who signs in next may not have the screen that was shown.
  setGuard(undefined)
  navigate('', { replace: true })
  setSession(undefined)
}
