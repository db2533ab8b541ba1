import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Modifier } from '../../../packages/client/src/client.ts'
import { api } from '../../app/api.ts'
import { t } from '../../app/language.ts'
import { hasScope } from '../../app/session.ts'
import { MoveButtons, moveItem } from '../../ui/sortable.tsx'
import { showError } from '../../ui/toasts.tsx'

/** Most modifiers that the list offers. */
const maxOffered = 1_000
const offered = signal<readonly Modifier[] | undefined>(undefined)

async function loadModifiers() {
  const found: Modifier[] = []
  for await (const modifier of api().modifiers.list({ limit: 100 })) {
    found.push(modifier)
    if (found.length === maxOffered) break
  }
  offered.value = found.sort((a, b) => a.title.localeCompare(b.title))
}

/** The modifiers of a product, in order. */
export function ModifierList({
  ids,
  onChange,
}: {
  ids: readonly string[]
  onChange: (ids: readonly string[]) => void
}) {
  const { product: texts, action } = t()
  useEffect(() => {
    if (hasScope('modifiers:read')) loadModifiers().catch(showError)
  }, [])
  if (!hasScope('modifiers:read')) return null
  const titleOf = (id: string) => offered.value?.find((modifier) => modifier.id === id)?.title ?? '…'
  const others = (offered.value ?? []).filter(({ id }) => !ids.includes(id))
  return (
    <fieldset class="group">
      <legend>{texts.modifiers}</legend>
      {ids.length === 0 && <p class="hint">{texts.noModifiers}</p>}
      <ol class="ordered">
        {ids.map((id, index) => (
          <li key={id}>
            <span>{titleOf(id)}</span>
            <MoveButtons
              index={index}
              count={ids.length}
              names={{
                up: action.up(titleOf(id)),
                down: action.down(titleOf(id)),
                remove: action.removeOf(titleOf(id)),
              }}
              onMove={(from, to) => onChange(moveItem(ids, from, to))}
              onRemove={() => onChange(ids.filter((each) => each !== id))}
            />
          </li>
        ))}
      </ol>
      {others.length > 0 && (
        <select
          aria-label={texts.addModifier}
          value=""
          onChange={(event) => {
            const { value } = event.currentTarget
            if (value !== '') onChange([...ids, value])
            event.currentTarget.value = ''
          }}
        >
          <option value="">{texts.addModifier}…</option>
          {others.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
      )}
    </fieldset>
  )
}
