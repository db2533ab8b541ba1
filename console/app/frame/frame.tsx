import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { ConflictDialog } from '../../objects/conflict.tsx'
import { keepFocus } from '../../ui/focus.ts'
import { showStatus, Toasts } from '../../ui/toasts.tsx'
import { t } from '../language.ts'
import { loadPart } from '../load-part.ts'
import { question } from '../person/confirm.ts'
import Person from '../person/person.tsx'
import { navigate, path } from '../router.ts'
import { components, findScreen, listScreens, loadScreen, type Screen, unavailable } from '../screens.ts'
import { hasEnded, operator, session } from '../session.ts'
import { NotLoaded } from './not-loaded.tsx'
import { Palette } from './palette.tsx'
import { drafting, isPreparedScreen, isStarting, preparedRevision, readPrepared } from './prepared.ts'
import { Shell } from './shell.tsx'
import { isPaletteOpen } from './shortcuts.tsx'

keepFocus()

/** The part that prepares changes; undefined until it is needed. */
const release = signal<ComponentType | undefined>(undefined)
/** Whether it could not be loaded. */
const isReleaseMissing = signal(false)
async function loadRelease(): Promise<void> {
  const part = await loadPart('release', () => import('../../screens/editors.tsx'))
  release.value = part?.default.ReleasePart
  isReleaseMissing.value = part === undefined
}

function Content({ screen }: { screen: Screen }) {
  const { shell, screens, signIn } = t()
  const Release = release.value
  // Until the release is open, a change would be made at once.
  const isWaiting = preparedRevision.value >= 0 && readPrepared() !== undefined && !drafting.value
  const isPreparing = isWaiting || drafting.value !== undefined || isStarting.value
  const isKept = isWaiting && isPreparedScreen(screen.path)
  useEffect(() => {
    if (isPreparing && !Release) void loadRelease()
  }, [isPreparing])
  const Component = isKept ? undefined : components.value.get(screen.path)
  useEffect(() => {
    document.title = `${screens[screen.name]} · ${session.value?.merchant.name ?? signIn.operator}`
  }, [screen, screens])
  useEffect(() => void loadScreen(screen), [screen])
  return (
    <>
      {isPreparing && Release && <Release />}
      <h1>{screens[screen.name]}</h1>
      {Component ? (
        <Component />
      ) : isKept && isReleaseMissing.value ? (
        <NotLoaded onRetry={loadRelease} />
      ) : unavailable.value === screen.path ? (
        <NotLoaded onRetry={() => loadScreen(screen)} />
      ) : (
        <p class="empty" aria-busy="true">
          {shell.loading}
        </p>
      )}
    </>
  )
}

/** The view of a signed-in person: the navigation, a screen, and dialogs. */
export default function Frame() {
  const { shell } = t()
  const screen = findScreen(path.value)
  const [start] = listScreens()
  const isAddressed = question.value !== undefined || session.value?.notices !== undefined
  useEffect(() => {
    // An hour of support has ended while it was in use.
    if (!operator.value || !hasEnded.value) return
    hasEnded.value = false
    showStatus(t().support.ended)
  }, [operator.value])
  useEffect(() => {
    // The address may belong to an earlier session with other screens.
    const isForeign = operator.value !== undefined && !screen
    if (start && (path.value === '' || isForeign)) navigate(start.path, { replace: true })
  }, [path.value, start])
  return (
    <>
      <Shell>
        {screen ? <Content screen={screen} /> : <p class="empty">{start ? shell.noScreen : shell.noRights}</p>}
      </Shell>
      {isPaletteOpen.value && <Palette onClose={() => (isPaletteOpen.value = false)} />}
      <ConflictDialog />
      {isAddressed && <Person />}
      <Toasts />
    </>
  )
}
