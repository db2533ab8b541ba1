import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { Icon } from '../../ui/icons.tsx'
import { showError } from '../../ui/toasts.tsx'
import { language, languageNames, t } from '../language.ts'
import { base, leaveScreen, path } from '../router.ts'
import { findScreen, listScreens, prepareScreen } from '../screens.ts'
import { chooseMode, operator, session } from '../session.ts'
import { signOut } from '../sign-in/sign-out.ts'
import { chooseLanguage } from './choose-language.ts'
import { OtherVenues } from './other-venues.tsx'
import { isPaletteOpen, ShortcutHelp, startShortcuts } from './shortcuts.tsx'
import { SupportBand } from './support-band.tsx'

/** The menu "Account": the venue, the language, signing out. */
function Account({ onShortcuts }: { onShortcuts: () => void }) {
  const { shell, settings } = t()
  const panel = useRef<HTMLDivElement>(null)
  const isOpened = useSignal(false)
  return (
    <>
      <button type="button" class="quiet account-button" popovertarget="account" aria-label={shell.account}>
        <Icon name="account" />
        <span class="wide">{shell.account}</span>
      </button>
      <div id="account" popover="auto" class="popover" ref={panel} onToggle={() => (isOpened.value = true)}>
        <fieldset class="choice">
          <legend>{shell.language}</legend>
          {languageNames.map(({ tag, name }) => (
            <label key={tag} lang={tag}>
              <input
                type="radio"
                name="language"
                checked={language.value === tag}
                onChange={() => chooseLanguage(tag)}
              />
              {name}
            </label>
          ))}
        </fieldset>
        {(session.value?.user || session.value?.support) && (
          <fieldset class="choice">
            <legend>{settings.mode}</legend>
            {(['live', 'test'] as const).map((mode) => (
              <label key={mode}>
                <input
                  type="radio"
                  name="mode"
                  checked={session.value?.mode === mode}
                  onClick={(event) => {
                    // Stays unchanged until the page is loaded in the other mode.
                    event.preventDefault()
                    if (session.value?.mode === mode) return
                    panel.current?.hidePopover()
                    leaveScreen(() => chooseMode(mode))
                  }}
                />
                {settings.modes[mode]}
              </label>
            ))}
          </fieldset>
        )}
        {isOpened.value && session.value?.user && <OtherVenues />}
        <button
          type="button"
          class="quiet"
          onClick={() => {
            panel.current?.hidePopover()
            onShortcuts()
          }}
        >
          {shell.shortcuts}
        </button>
        <button type="button" class="quiet" onClick={() => signOut().catch(showError)}>
          {shell.signOut}
        </button>
      </div>
    </>
  )
}

/** The frame of all screens: navigation, account, test mode. */
export function Shell({ children }: { children: ComponentChildren }) {
  const { shell, screens } = t()
  const isMenuOpen = useSignal(false)
  const isHelpOpen = useSignal(false)
  const current = findScreen(path.value)
  useLayoutEffect(() => startShortcuts(() => (isHelpOpen.value = true)), [])
  useEffect(() => {
    isMenuOpen.value = false
  }, [path.value])
  return (
    <div class="shell">
      <a class="skip" href="#content">
        {shell.skip}
      </a>
      <header class="bar">
        <button
          type="button"
          class="quiet menu-button"
          aria-expanded={isMenuOpen.value}
          aria-controls="navigation"
          aria-label={shell.menu}
          onClick={() => (isMenuOpen.value = !isMenuOpen.value)}
        >
          <Icon name={isMenuOpen.value ? 'close' : 'menu'} />
        </button>
        <p class="venue">{session.value?.merchant.name ?? operator.value?.operator?.name ?? t().signIn.operator}</p>
        <button
          type="button"
          class="quiet square"
          aria-label={t().shortcuts.palette}
          onClick={() => (isPaletteOpen.value = true)}
        >
          <Icon name="search" />
        </button>
        <Account onShortcuts={() => (isHelpOpen.value = true)} />
      </header>
      <nav id="navigation" aria-label={shell.main} class={isMenuOpen.value ? 'unfolded' : ''}>
        <ul>
          {listScreens().map((screen) => (
            <li key={screen.path}>
              {/* A link to the current screen does not change the path. */}
              <a
                href={base + screen.path}
                aria-current={screen === current ? 'page' : undefined}
                onClick={() => (isMenuOpen.value = false)}
                onPointerEnter={() => prepareScreen(screen)}
                onFocus={() => prepareScreen(screen)}
              >
                <Icon name={screen.icon} />
                {screens[screen.name]}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <main id="content" tabIndex={-1}>
        {session.value?.support && (
          <SupportBand until={session.value.expiresAt} reason={session.value.support.reason} />
        )}
        {session.value?.mode === 'test' && (
          <p class="test-mode">
            <strong>{shell.testMode}</strong> {shell.testHint}
          </p>
        )}
        {children}
      </main>
      {isHelpOpen.value && <ShortcutHelp onClose={() => (isHelpOpen.value = false)} />}
    </div>
  )
}
