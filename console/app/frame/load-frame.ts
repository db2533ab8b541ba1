import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { loadTexts } from '../language.ts'
import { loadPart } from '../load-part.ts'
import { path } from '../router.ts'

/** The frame of the screens; undefined until it is loaded. */
export const frame = signal<ComponentType | undefined>(undefined)
/** Whether the console could not be loaded, for example without a connection. */
export const hasFailed = signal(false)

/** Files by the part of the console that needs them. The build writes them into the page, so that they are loaded immediately. */
const files: Readonly<Record<string, readonly string[]>> = JSON.parse(
  document.querySelector<HTMLMetaElement>('meta[name=files]')?.content ?? '{}',
)

/** Parts with the screens that are not in `lists`. */
const parts = new Map([
  ['menus', 'editors'],
  ...['webhooks', 'import-export', 'settings', 'venues', 'operators'].map((screen) => [screen, 'office'] as const),
])

function preload(part: string) {
  for (const href of files[part] ?? []) {
    if (document.head.querySelector(`link[href="${href}"]`)) continue
    const link = document.createElement('link')
    link.rel = 'modulepreload'
    link.href = href
    document.head.append(link)
  }
}

/** Starts to load the files that a session needs: the frame, its texts, and the files of the screen that the address names. */
export function preloadFrame(): void {
  preload('frame')
  const [, screen = ''] = path.value.split('/')
  preload(parts.get(screen) ?? 'lists')
  loadTexts().catch(() => undefined)
}

/** Shows the frame of the screens as soon as it is loaded. */
export async function loadFrame(): Promise<void> {
  hasFailed.value = false
  preloadFrame()
  const loaded = await loadPart('frame', () => Promise.all([import('./frame.tsx'), loadTexts()]))
  if (loaded) frame.value = loaded[0].default
  else hasFailed.value = true
}
