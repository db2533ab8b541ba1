import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Modifier } from '../../../packages/client/src/client.ts'
import { api } from '../../app/api.ts'
import { t } from '../../app/language.ts'
import type { EditedForm } from '../../objects/fields.tsx'
import { Field } from '../../ui/controls.tsx'
import { showError } from '../../ui/toasts.tsx'
import type { DetailsForm, OptionForm } from './modifier-form.ts'

/** Maximum number of products of which the sizes are offered. */
const maxProducts = 100

/** The modifiers that are the sizes of the products that offer a modifier. */
async function readSizes(modifier: string, signal: AbortSignal): Promise<readonly Modifier[]> {
  const { items } = await api()
    .products.list({ modifier, limit: maxProducts, include: ['details'] }, { signal })
    .page()
  const ids = [...new Set(items.flatMap(({ details }) => details?.sizes?.modifier ?? []))]
  if (ids.length === 0) return []
  return (
    await api()
      .modifiers.list({ ids: ids.slice(0, maxProducts) }, { signal })
      .page()
  ).items
}

/** Costs of each option by the sizes of the products that offer the modifier. */
export function SizedCosts(props: { modifier: string; of: EditedForm<DetailsForm>; options: readonly OptionForm[] }) {
  const { modifier, of, options } = props
  const { dish: texts, shell } = t()
  const isOpen = useSignal(false)
  const found = useSignal<readonly Modifier[] | undefined>(undefined)
  useEffect(() => {
    if (!isOpen.value) return
    const controller = new AbortController()
    readSizes(modifier, controller.signal).then(
      (sizes) => (found.value = sizes),
      (error) => controller.signal.aborted || showError(error),
    )
    return () => controller.abort()
  }, [isOpen.value])
  const costs = of.form.sizedCosts
  return (
    <details
      onToggle={({ currentTarget }) => {
        // The sizes stay after they were read.
        isOpen.value ||= currentTarget.open
      }}
    >
      <summary>{texts.sizedCosts}</summary>
      <p class="hint">
        {!isOpen.value
          ? ''
          : found.value
            ? found.value.length === 0
              ? texts.noSizes
              : texts.sizedCostsHint
            : shell.loading}
      </p>
      {found.value?.map((sizes) => (
        <div key={sizes.id} class="sized">
          {options.map(({ id, key, label }) => (
            <fieldset key={key} class="choice">
              <legend>{label}</legend>
              {sizes.options.map((size) => {
                const name = size.label ?? ''
                return (
                  <Field
                    key={size.id}
                    label={name}
                    value={costs[id]?.[size.id] ?? ''}
                    error={of.errorOf(`sizedCosts/${id}/${size.id}`)}
                    input={{ inputMode: 'decimal', class: 'number tiny' }}
                    onInput={(typed) => of.set('sizedCosts', { ...costs, [id]: { ...costs[id], [size.id]: typed } })}
                  />
                )
              })}
            </fieldset>
          ))}
        </div>
      ))}
    </details>
  )
}
