import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Modifier } from '../../../packages/client/src/client.ts'
import { t } from '../../app/language.ts'
import { api, hasScope } from '../../app/session.ts'
import { Icon } from '../../ui/icons.tsx'
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
  const move = (index: number, by: number) => {
    const next = ids.toSpliced(index, 1)
    onChange(next.toSpliced(index + by, 0, ids[index] ?? ''))
  }
  const others = (offered.value ?? []).filter(({ id }) => !ids.includes(id))
  return (
    <fieldset class="group">
      <legend>{texts.modifiers}</legend>
      {ids.length === 0 && <p class="hint">{texts.noModifiers}</p>}
      <ol class="ordered">
        {ids.map((id, index) => (
          <li key={id}>
            <span>{titleOf(id)}</span>
            <button
              type="button"
              class="quiet square"
              aria-label={action.up(titleOf(id))}
              disabled={index === 0}
              onClick={() => move(index, -1)}
            >
              <Icon name="up" />
            </button>
            <button
              type="button"
              class="quiet square"
              aria-label={action.down(titleOf(id))}
              disabled={index === ids.length - 1}
              onClick={() => move(index, 1)}
            >
              <Icon name="down" />
            </button>
            <button
              type="button"
              class="quiet square"
              aria-label={action.removeOf(titleOf(id))}
              onClick={() => onChange(ids.filter((each) => each !== id))}
            >
              <Icon name="close" />
            </button>
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
