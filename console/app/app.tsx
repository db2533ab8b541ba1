import { render } from 'preact'
import { useEffect } from 'preact/hooks'
import { frame, hasFailed, loadFrame } from './frame/load-frame.ts'
import { NotLoaded } from './frame/not-loaded.tsx'
import { startTexts } from './language.ts'
import { path } from './router.ts'
import { isSignedIn } from './session.ts'
import { Join, JoinOperator } from './sign-in/join.tsx'
import { SignIn } from './sign-in/sign-in.tsx'

function Console() {
  useEffect(() => {
    if (!frame.value) void loadFrame()
  }, [])
  const Frame = frame.value
  return Frame ? (
    <Frame />
  ) : (
    <main class="sign-in">
      <p class="empty" aria-busy="true">
        {startTexts().shell.loading}
      </p>
    </main>
  )
}

function App({ onRetry }: { onRetry: () => void }) {
  const isOpen = isSignedIn.value
  const { title } = startTexts().signIn
  useEffect(() => {
    if (!isOpen) document.title = title
  }, [isOpen, title])
  if (path.value === '/join') return <Join />
  if (path.value === '/join/operator') return <JoinOperator />
  if (hasFailed.value)
    return (
      <main class="sign-in">
        <NotLoaded onRetry={onRetry} />
      </main>
    )
  return isOpen ? <Console /> : <SignIn />
}

export const renderApp = (element: Element, onRetry: () => void) => render(<App onRetry={onRetry} />, element)
