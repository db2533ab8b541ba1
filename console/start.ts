import './ui/media.ts'
import { renderApp } from './app/app.tsx'
import { hasFailed, loadFrame } from './app/frame/load-frame.ts'
import { startLanguage } from './app/language.ts'
import { isSignedIn, mayHaveSession, restoreSession, signIn } from './app/session.ts'

/** Hosts on which `npm run dev` may pass a key in the link that it prints. On other hosts, a link could sign a person in to a foreign venue. */
const isLocal = /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(location.hostname)

/** Restores the session while its files are loaded. A service that does not respond leaves the session as it is. */
async function restore() {
  void loadFrame()
  await restoreSession().catch(() => (hasFailed.value = true))
}

async function start() {
  const [, key] = /^#key=(sk_\w+)$/.exec(location.hash) ?? []
  // Removes the key from the address and the history.
  if (key !== undefined) history.replaceState(null, '', location.pathname)
  startLanguage()
  if (isLocal && key !== undefined) await signIn(key).catch(() => undefined)
  else if (mayHaveSession()) await restore()
  const root = document.getElementById('console')
  if (root) renderApp(root, restore)
  // Shows the sign-in form without loading the first screen.
  if (!isSignedIn.value) document.querySelector('input')?.focus()
}
void start()
