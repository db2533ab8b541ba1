import { useSignal } from '@preact/signals'
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks'
import type { Product } from '../../packages/client/src/client.ts'
import { formatPrice } from '../app/format.ts'
import { t } from '../app/language.ts'
import { api } from '../app/session.ts'
import { showError } from '../ui/toasts.tsx'

/** Most products that are offered at once. */
const maxOffered = 8
/** Pause after a keystroke before the search is sent, in milliseconds. */
const searchPauseMs = 120

interface ProductFinderProps {
  onPick: (product: Product) => void
  /** Called by Escape while nothing is offered, and when the focus leaves. */
  onClose?: () => void
  autofocus?: boolean
}

/** A field that offers the products that match what is typed. */
export function ProductFinder({ onPick, onClose, autofocus = false }: ProductFinderProps) {
  const { finder: texts } = t()
  const typed = useSignal('')
  const offered = useSignal<readonly Product[] | undefined>(undefined)
  const active = useSignal(0)
  const isOpen = useSignal(false)
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  // Before the next keystroke.
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
          const { signal } = controller
          const page = await api()
            .products.list({ limit: maxOffered, ...(q === '' ? {} : { q }) }, { signal })
            .page()
          offered.value = page.items
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
  const list = isOpen.value ? (offered.value ?? []) : []
  const pick = (product: Product | undefined) => {
    if (!product) return
    typed.value = ''
    onPick(product)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      isOpen.value = true
      active.value = (active.value + (event.key === 'ArrowDown' ? 1 : -1) + list.length) % (list.length || 1)
    } else if (event.key === 'Enter') pick(list[active.value])
    else if (event.key === 'Escape' && list.length > 0) isOpen.value = false
    else if (event.key === 'Escape' && onClose) onClose()
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
        aria-label={texts.find}
        placeholder={texts.find}
        aria-expanded={list.length > 0}
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={list.length > 0 ? `${id}-${active.value}` : undefined}
        autocomplete="off"
        spellcheck={false}
        value={typed.value}
        onFocus={() => (isOpen.value = true)}
        onInput={(event) => {
          typed.value = event.currentTarget.value
          isOpen.value = true
        }}
        onKeyDown={onKeyDown}
      />
      <div class="offers" hidden={!isOpen.value || offered.value === undefined}>
        <div id={id} role="listbox" aria-label={texts.find}>
          {list.map((product, index) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the active option
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
            <div
              key={product.id}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === active.value}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => pick(product)}
            >
              <span>{product.title}</span>
              <span class="soft">{formatPrice(product.price)}</span>
            </div>
          ))}
        </div>
        {list.length === 0 && <p class="hint">{t().product.notFound}</p>}
      </div>
    </div>
  )
}
