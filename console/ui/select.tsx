import { useSignal } from '@preact/signals'
import { useId, useRef } from 'preact/hooks'
import { t } from '../app/language.ts'

/** A list to choose one value from, with its label. */
export function Select<Value extends string>(props: {
  label: string
  value: Value
  options: readonly (readonly [Value, string])[]
  onChange: (value: Value) => void
}) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      <select
        id={id}
        value={props.value}
        onChange={({ currentTarget }) => {
          const chosen = props.options[currentTarget.selectedIndex]
          if (chosen) props.onChange(chosen[0])
        }}
      >
        {props.options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}

/** A list to add one entry from. By keyboard, each arrow key changes a closed list: the button, Enter, or leaving both controls adds the entry. */
export function AddSelect(props: {
  label: string
  options: readonly (readonly [value: string, text: string])[]
  onAdd: (value: string) => void
}) {
  const { label, options, onAdd } = props
  const chosen = useSignal('')
  const isByKey = useRef(false)
  const add = (value: string) => {
    chosen.value = ''
    if (value !== '') onAdd(value)
  }
  return (
    <div
      class="with-unit"
      onFocusOut={({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) add(chosen.value)
      }}
    >
      <select
        aria-label={label}
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
        <option value="">{label}…</option>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      <button type="button" onClick={() => add(chosen.value)}>
        {t().action.add}
      </button>
    </div>
  )
}
