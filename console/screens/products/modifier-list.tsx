import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { t } from '../../app/language.ts'
import { hasScope } from '../../app/session.ts'
import { MoveButtons, moveItem } from '../../ui/sortable.tsx'
import { showError } from '../../ui/toasts.tsx'
import { getModifierTitle, loadModifiers, offered } from './offered-modifiers.ts'

/** The modifiers of a product or of an option, in order. */
export function ModifierList({
  legend,
  ids,
  hidden,
  error,
  onChange,
  renderRule = () => null,
}: {
  legend?: string
  ids: readonly string[]
  /** The modifier of the sizes, which is not shown. */
  hidden?: string | undefined
  error?: string | undefined
  onChange: (ids: readonly string[]) => void
  renderRule?: (id: string) => ComponentChildren
}) {
  const { product: texts, action } = t()
  /** The keyboard selection: each arrow key changes a closed list. The button, Enter, or leaving both controls adds it. */
  const chosen = useSignal('')
  const isByKey = useRef(false)
  useEffect(() => {
    if (hasScope('modifiers:read')) loadModifiers().catch(showError)
  }, [])
  if (!hasScope('modifiers:read')) return null
  const others = offered.value.filter(({ id }) => !ids.includes(id))
  const add = (id: string) => {
    chosen.value = ''
    if (id !== '') onChange([...ids, id])
  }
  return (
    <fieldset class="group" aria-invalid={error ? true : undefined} tabIndex={error ? -1 : undefined}>
      <legend>{legend ?? texts.modifiers}</legend>
      {error && <p class="error">{error}</p>}
      {ids.every((id) => id === hidden) && <p class="hint">{texts.noModifiers}</p>}
      <ol class="ordered">
        {ids.map(
          (id, index) =>
            id !== hidden && (
              <li key={id} class="wrapping">
                <span>{getModifierTitle(id)}</span>
                <MoveButtons
                  index={index}
                  count={ids.length}
                  names={{
                    up: action.up(getModifierTitle(id)),
                    down: action.down(getModifierTitle(id)),
                    remove: action.removeOf(getModifierTitle(id)),
                  }}
                  onMove={(from, to) => onChange(moveItem(ids, from, to))}
                  onRemove={() => onChange(ids.filter((each) => each !== id))}
                />
                {renderRule(id)}
              </li>
            ),
        )}
      </ol>
      {others.length > 0 && (
        <div
          class="with-unit"
          onFocusOut={({ currentTarget, relatedTarget }) => {
            if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) add(chosen.value)
          }}
        >
          <select
            aria-label={texts.addModifier}
            value={chosen.value}
            onPointerDown={() => (isByKey.current = false)}
            onKeyDown={(event) => {
              isByKey.current = true
              if (event.key !== 'Enter' || chosen.value === '') return
              // Prevents Enter from opening the list or submitting the form, depending on the browser.
              event.preventDefault()
              add(chosen.value)
            }}
            onChange={({ currentTarget }) => {
              chosen.value = currentTarget.value
              if (!isByKey.current) add(chosen.value)
            }}
          >
            <option value="">{texts.addModifier}…</option>
            {others.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </select>
          <button type="button" onClick={() => add(chosen.value)}>
            {action.add}
          </button>
        </div>
      )}
    </fieldset>
  )
}
