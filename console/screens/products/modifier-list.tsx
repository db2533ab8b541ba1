import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { t } from '../../app/language.ts'
import { hasScope } from '../../app/session.ts'
import { Icon } from '../../ui/icons.tsx'
import { AddSelect } from '../../ui/select.tsx'
import { MoveButtons, moveItem } from '../../ui/sortable.tsx'
import { showError } from '../../ui/toasts.tsx'
import { NewModifier } from './dish/new-modifier.tsx'
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
  const isCreating = useSignal(false)
  useEffect(() => {
    if (hasScope('modifiers:read')) loadModifiers().catch(showError)
  }, [])
  if (!hasScope('modifiers:read')) return null
  const others = offered.value.filter(({ id }) => !ids.includes(id))
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
        <AddSelect
          label={texts.addModifier}
          options={others.map(({ id, title }) => [id, title] as const)}
          onAdd={(id) => onChange([...ids, id])}
        />
      )}
      {hasScope('modifiers:write') && (
        <button type="button" onClick={() => (isCreating.value = true)}>
          <Icon name="plus" />
          {t().modifiers.create}
        </button>
      )}
      {isCreating.value && (
        <NewModifier
          onCreated={(id) => {
            onChange([...ids, id])
            loadModifiers().catch(showError)
          }}
          onClose={() => (isCreating.value = false)}
        />
      )}
    </fieldset>
  )
}
