import type { ComponentChildren, InputHTMLAttributes } from 'preact'
import { useId } from 'preact/hooks'

interface FieldProps {
  label: string
  value: string
  onInput: (value: string) => void
  error?: string | undefined
  hint?: string | undefined
  /** Text after the field, such as a unit. */
  unit?: string | undefined
  multiline?: boolean
  /** Shows the label only to assistive technology, if the position of the field explains it. */
  isLabelHidden?: boolean
  input?: InputHTMLAttributes<HTMLInputElement>
}

/** A text field with its label, hint and error. */
export function Field({
  label,
  value,
  onInput,
  error,
  hint,
  unit,
  multiline = false,
  isLabelHidden = false,
  input = {},
}: FieldProps) {
  const id = useId()
  const described = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ') || undefined
  const common = {
    id,
    value,
    dir: 'auto' as const,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': described,
  }
  return (
    <div class={error ? 'field invalid' : 'field'}>
      <label for={id} class={isLabelHidden ? 'unseen' : undefined}>
        {label}
      </label>
      {multiline ? (
        <textarea {...common} rows={3} onInput={(event) => onInput(event.currentTarget.value)} />
      ) : (
        <span class="with-unit">
          <input
            type="text"
            autocomplete="off"
            {...input}
            {...common}
            onInput={(event) => onInput(event.currentTarget.value)}
          />
          {unit && (
            <span class="unit" aria-hidden="true">
              {unit}
            </span>
          )}
        </span>
      )}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p class="error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}

interface SwitchProps {
  name: string
  isOn: boolean
  onChange: (isOn: boolean) => void
  /** Shows the name next to the switch. */
  children?: ComponentChildren
  disabled?: boolean
}

/** A switch. Its name describes the state that it switches on. */
export function Switch({ name, isOn, onChange, children, disabled = false }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      class="switch"
      aria-checked={isOn}
      aria-label={name}
      disabled={disabled}
      onClick={() => onChange(!isOn)}
    >
      <span class="track" aria-hidden="true" />
      {children}
    </button>
  )
}

/** A checkbox with a visible label. */
export function Check({ label, isOn, onChange }: { label: string; isOn: boolean; onChange: (isOn: boolean) => void }) {
  return (
    <label class="check">
      <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.currentTarget.checked)} />
      {label}
    </label>
  )
}

/** Radio buttons with a common name. */
export function Choice<Value extends string>(props: {
  legend: string
  value: Value
  options: readonly (readonly [Value, string])[]
  onChange: (value: Value) => void
}) {
  const name = useId()
  return (
    <fieldset class="choice">
      <legend>{props.legend}</legend>
      {props.options.map(([value, label]) => (
        <label key={value}>
          <input type="radio" name={name} checked={props.value === value} onChange={() => props.onChange(value)} />
          {label}
        </label>
      ))}
    </fieldset>
  )
}

/** Pause after a keystroke before a search is sent, in milliseconds. */
export const searchPauseMs = 120

/** A search field. */
export function SearchField({
  label,
  value,
  onInput,
}: {
  label: string
  value: string
  onInput: (value: string) => void
}) {
  return (
    <input
      type="search"
      class="search"
      aria-label={label}
      placeholder={label}
      value={value}
      autocomplete="off"
      dir="auto"
      spellcheck={false}
      data-shortcut="search"
      onInput={(event) => onInput(event.currentTarget.value)}
    />
  )
}
