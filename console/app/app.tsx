import { signal } from '@preact/signals'
import { render } from 'preact'
import { useEffect } from 'preact/hooks'
import { ConflictDialog } from '../objects/conflict.tsx'
import { showError, Toasts } from '../ui/toasts.tsx'
import { Join } from './join.tsx'
import { t } from './language.ts'
import { navigate, path } from './router.ts'
import { findScreen, listScreens } from './screens.ts'
import { isSignedIn, session } from './session.ts'
import { Shell } from './shell.tsx'
import { isPaletteOpen } from './shortcuts.tsx'
import { SignIn } from './sign-in.tsx'

const loaded = signal<typeof import('../screens/all.ts') | undefined>(undefined)

async function load() {
  try {
    loaded.value = await import('../screens/all.ts')
    sessionStorage.removeItem('console.reloaded')
  } catch (error) {
    // A deployment replaces the files of the console: the page of the new one has their names.
    if (navigator.onLine && !sessionStorage.getItem('console.reloaded')) {
      sessionStorage.setItem('console.reloaded', '1')
      location.reload()
    } else showError(error)
  }
}

function Content() {
  const { shell, screens } = t()
  const screen = findScreen(path.value)
  const [start] = listScreens()
  useEffect(() => {
    if (path.value === '' && start) navigate(start.path, { replace: true })
  }, [path.value])
  useEffect(() => {
    if (!screen) return
    document.title = `${t().screens[screen.name]} · ${session.value?.merchant.name ?? t().signIn.operator}`
    if (!loaded.value) void load()
  }, [screen?.path, t()])
  if (!screen) return <p class="empty">{start ? shell.noScreen : shell.noRights}</p>
  const Component = loaded.value?.[screen.name]
  const Palette = loaded.value?.Palette
  return (
    <>
      <h1>{screens[screen.name]}</h1>
      {Component ? (
        <Component />
      ) : (
        <p class="empty" aria-busy="true">
          {shell.loading}
        </p>
      )}
      {isPaletteOpen.value && Palette && <Palette onClose={() => (isPaletteOpen.value = false)} />}
    </>
  )
}

function App() {
  const isOpen = isSignedIn.value
  useEffect(() => {
    if (!isOpen) document.title = t().signIn.title
  }, [isOpen, t()])
  return (
    <>
      {path.value === '/join' ? (
        <Join />
      ) : isOpen ? (
        <Shell>
          <Content />
        </Shell>
      ) : (
        <SignIn />
      )}
      <ConflictDialog />
      <Toasts />
    </>
  )
}

export const renderApp = (element: Element) => render(<App />, element)
