import { signal } from '@preact/signals'
import { Dialog } from '../../ui/dialog.tsx'
import { t } from '../language.ts'
import { navigate } from '../router.ts'
import { listScreens } from '../screens.ts'

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** Whether the palette is open. */
export const isPaletteOpen = signal(false)

/** Keyboard shortcuts of the whole console. They are disabled in fields and dialogs. */
export function startShortcuts(onHelp: () => void): () => void {
  const listen = (event: KeyboardEvent) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
      event.preventDefault()
      if (!document.querySelector('dialog[open]')) isPaletteOpen.value = true
      return
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    if (document.querySelector('dialog[open]')) return
    const screen = listScreens()[Number(event.key) - 1]
    if (event.key === '?') onHelp()
    else if (event.key === '/') document.querySelector<HTMLElement>('[data-shortcut=search]')?.focus()
    else if (event.key === 'n') document.querySelector<HTMLElement>('[data-shortcut=create]')?.click()
    else if (screen) navigate(screen.path)
    else return
    event.preventDefault()
  }
  addEventListener('keydown', listen)
  return () => removeEventListener('keydown', listen)
}

/** The list of all keyboard shortcuts. */
export function ShortcutHelp({ onClose }: { onClose: () => void }) {
  const { shell, shortcuts, screens } = t()
  const keys: [string, string][] = [
    [/Mac|iP/.test(navigator.platform) ? '⌘ K' : 'Ctrl K', shortcuts.go],
    ['/', shortcuts.search],
    ['n', shortcuts.create],
    ...listScreens().map(({ name }, index): [string, string] => [String(index + 1), shortcuts.open(screens[name])]),
    ['Enter', shortcuts.save],
    ['Esc', `${shortcuts.restore} · ${shortcuts.close}`],
    ['?', shortcuts.help],
  ]
  return (
    <Dialog title={shell.shortcuts} onClose={onClose}>
      <dl class="keys">
        {keys.map(([key, text]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
