import { useSignal } from '@preact/signals'
import { parseAmount } from '../../app/format.ts'
import { t } from '../../app/language.ts'
import { Icon } from '../../ui/icons.tsx'
import { type Layout, printSheet } from './print-sheet.ts'
import { chosen, selected } from './table-store.ts'

const layoutName = 'console.layout'

/** Actions for the selected tables. */
export function PrintBar() {
  const { tables: texts, action } = t()
  const names: readonly [string, string][] = Object.entries(texts.layouts)
  const isLayout = (name: string | null): name is Layout => names.some(([each]) => each === name)
  const kept = localStorage.getItem(layoutName)
  const layout = useSignal<Layout>(isLayout(kept) ? kept : 'stickers')
  const used = useSignal('')
  return (
    <section class="selection" aria-label={texts.selected(chosen.value.length)}>
      <span class="strong">{texts.selected(chosen.value.length)}</span>
      <label class="inline">
        {texts.layout}
        <select
          value={layout.value}
          onChange={({ currentTarget: { value } }) => {
            if (!isLayout(value)) return
            layout.value = value
            localStorage.setItem(layoutName, value)
          }}
        >
          {names.map(([name, text]) => (
            <option key={name} value={name}>
              {text}
            </option>
          ))}
        </select>
      </label>
      <label class="inline">
        {texts.used}
        <input
          type="text"
          inputMode="numeric"
          size={2}
          maxLength={2}
          value={used.value}
          onInput={({ currentTarget }) => {
            used.value = currentTarget.value.replace(/\D/g, '')
          }}
        />
      </label>
      <button
        type="button"
        class="primary"
        onClick={() =>
          printSheet(
            chosen.value.map(({ tag }) => tag.id),
            layout.value,
            parseAmount(used.value),
          )
        }
      >
        <Icon name="print" />
        {texts.print}
      </button>
      <button type="button" class="quiet" onClick={() => (selected.value = new Set())}>
        {action.clear}
      </button>
    </section>
  )
}
