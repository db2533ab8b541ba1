import { signal } from '@preact/signals'

/** Path of the console. */
export const base = '/console'
/** Path of the current address, without `base` and without a slash at the end. */
export const path = signal(readPath())

function readPath() {
  return location.pathname.slice(base.length).replace(/\/+$/, '')
}

/** Position of the current entry in the history since the console was opened. */
let position = readPosition()

function readPosition() {
  const { state }: { state: { position: number } | null } = history
  return state?.position ?? 0
}

/** Returns true to keep the current address. */
type Guard = (next: () => void) => boolean
/** Guards of the forms of the screen. */
const guards = new Set<Guard>()
/** Lets an editor with unsaved changes ask first. Returns a function that removes the guard. */
export function addGuard(guard: Guard): () => void {
  guards.add(guard)
  return () => guards.delete(guard)
}
/** Lets the person leave the screen without a question. */
export const clearGuards = () => guards.clear()
export const isGuarded = () => guards.size > 0
const isKept = (next: () => void) => [...guards].some((guard) => guard(next))

/** Calls `next`, which leaves the screen, immediately or after the person has agreed to discard changes. */
export function leaveScreen(next: () => void): void {
  if (!isKept(next)) next()
}

/** Opens a path of the console. */
export function navigate(to: string, { replace = false } = {}): void {
  leaveScreen(() => {
    if (!replace) position++
    history[replace ? 'replaceState' : 'pushState']({ position }, '', base + to)
    path.value = readPath()
  })
}

// Back and Forward change the address before a guard can ask. It is changed back without a new entry, so that both buttons keep their targets.
addEventListener('popstate', () => {
  const steps = readPosition() - position
  if (readPath() !== path.value && isKept(() => history.go(steps))) return history.go(-steps)
  position += steps
  path.value = readPath()
})

/** Opens links of the console without a load, unless the person wants another tab. */
function followLink(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (link?.origin !== location.origin || !link.pathname.startsWith(base)) return
  if (link.target !== '' || link.hasAttribute('download')) return
  event.preventDefault()
  // The link to the content only moves the focus.
  if (link.hash !== '') document.querySelector<HTMLElement>(link.hash)?.focus()
  else navigate(link.pathname.slice(base.length))
}

document.addEventListener('click', followLink)
