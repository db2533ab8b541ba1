import { useSignal } from '@preact/signals'
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../../app/language.ts'
import { searchPauseMs } from '../controls.tsx'
import { showError } from '../toasts.tsx'

interface FinderProps<Item> {
  /** Name of the field and of its suggestions. */
  label: string
  /** Items that match the text. */
  find: (text: string, signal: AbortSignal) => Promise<readonly Item[]>
  describe: (item: Item) => { key: string; title: string; detail: string }
  onPick: (item: Item) => void
  /** Called by Escape without suggestions, and when the focus leaves. */
  onClose?: (() => void) | undefined
  autofocus?: boolean
}

/** Number of matching objects to read. The service returns them newest first, and the closest matches are chosen from them. */
export const matchesRead = 50

/** The items whose titles are closest to a text: equal titles first, then titles that start with it, then the others. */
export function takeClosest<Item>(
  items: readonly Item[],
  titleOf: (item: Item) => string,
  text: string,
  count: number,
) {
  const wanted = text.toLocaleLowerCase()
  const rank = (item: Item) => {
    const title = titleOf(item).toLocaleLowerCase()
    return title === wanted ? 0 : title.startsWith(wanted) ? 1 : 2
  }
  return items.toSorted((a, b) => rank(a) - rank(b)).slice(0, count)
}

/** A field that offers items that match the typed text. */
export function Finder<Item>({ label, find, describe, onPick, onClose, autofocus = false }: FinderProps<Item>) {
  const typed = useSignal('')
  const offered = useSignal<readonly Item[] | undefined>(undefined)
  const active = useSignal(0)
  const isOpen = useSignal(false)
  const input = useRef<HTMLInputElement>(null)
  const offers = useRef<HTMLDivElement>(null)
  const id = useId()
  // Runs before the next keystroke.
  useLayoutEffect(() => {
    if (autofocus) input.current?.focus()
  }, [])
  useEffect(() => {
    if (!isOpen.value) return
    const controller = new AbortController()
    const timer = setTimeout(
      async () => {
        const q = typed.value.trim()
        try {
          const found = await find(q, controller.signal)
          if (controller.signal.aborted) return
          offered.value = found
          active.value = 0
        } catch (error) {
          if (!controller.signal.aborted) showError(error)
        }
      },
      typed.value === '' ? 0 : searchPauseMs,
    )
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [typed.value, isOpen.value])
  useEffect(() => {
    if (isOpen.value && offered.value !== undefined) offers.current?.scrollIntoView({ block: 'nearest' })
  }, [offered.value, isOpen.value])
  const list = isOpen.value ? (offered.value ?? []) : []
  const pick = (item: Item | undefined) => {
    if (!item) return
    typed.value = ''
    isOpen.value = false
    offered.value = undefined
    onPick(item)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      isOpen.value = true
      active.value = (active.value + (event.key === 'ArrowDown' ? 1 : -1) + list.length) % (list.length || 1)
    } else if (event.key === 'Enter') pick(list[active.value])
    else if (event.key === 'Escape' && onClose) onClose()
    else if (event.key === 'Escape' && list.length > 0) isOpen.value = false
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div
      class="finder"
      onFocusOut={(event) => {
        if (event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget)) return
        isOpen.value = false
        onClose?.()
      }}
    >
      <input
        ref={input}
        type="text"
        class="search"
        role="combobox"
        aria-label={label}
        placeholder={label}
        aria-expanded={list.length > 0}
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={list.length > 0 ? `${id}-${active.value}` : undefined}
        autocomplete="off"
        dir="auto"
        spellcheck={false}
        value={typed.value}
        onFocus={() => (isOpen.value = true)}
        onClick={() => (isOpen.value = true)}
        onInput={(event) => {
          typed.value = event.currentTarget.value
          isOpen.value = true
        }}
        onKeyDown={onKeyDown}
      />
      <div ref={offers} class="offers" hidden={!isOpen.value || offered.value === undefined}>
        <div id={id} role="listbox" aria-label={label}>
          {list.map((item, index) => {
            const { key, title, detail } = describe(item)
            return (
              // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the active option
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
              <div
                key={key}
                id={`${id}-${index}`}
                role="option"
                aria-selected={index === active.value}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => pick(item)}
              >
                <bdi>{title}</bdi>
                <span class="soft">{detail}</span>
              </div>
            )
          })}
        </div>
        {list.length === 0 && <p class="hint">{t().finder.nothing}</p>}
      </div>
    </div>
  )
}
